"""What an answer repeats goes in the very moment in which it is finished: nobody gets to read it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import pytest

from bot.words.keys import Phrase
from memory.core.outcomes import Answer
from memory.core.provenance import Broken, ReplyReceipt
from memory.places.view import Audience
from tests.end_to_end.asking import ask_privately, at_home, labels_of, say_and_hear
from tests.end_to_end.dictated import Eyes, dictated_inn, scene
from tests.end_to_end.house import GENERAL, Inn, Payload, Person, eventually
from tests.end_to_end.slash import words_of
from tests.end_to_end.taken_back import ENGLISH, delete, nothing_left_to_do
from tests.end_to_end.test_receipts import ask_why, said_and_stored, until_noted

__all__ = ["dictated_inn", "scene"]


CHANGING = ENGLISH.say(Phrase.SOURCES_CHANGE)


@dataclass
class Moment:
    """The moment between an answer and its receipt, in which something happens, each time another thing."""

    inn: Inn
    happenings: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    def open(self, monkeypatch: pytest.MonkeyPatch) -> None:
        receipts = self.inn.house.memory.receipts
        put = receipts.put

        async def put_too_late(receipt: ReplyReceipt, *, is_unsaid: bool = False) -> Broken | None:
            if receipt.guild_id == self.inn.guild.id and receipt.evidence.quoted and self.happenings:
                await self.happenings.pop(0)()
            return await put(receipt, is_unsaid=is_unsaid)

        monkeypatch.setattr(receipts, "put", put_too_late)

    def open_for_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The same behind an answer that gets no receipt."""
        receipts = self.inn.house.memory.receipts
        link = receipts.with_standing_sources

        async def link_too_early(answer: Answer, audience: Audience) -> Answer:
            linked = await link(answer, audience)
            if audience.guild_id == self.inn.guild.id and linked.evidence.quoted and self.happenings:
                await self.happenings.pop(0)()
            return linked

        monkeypatch.setattr(receipts, "with_standing_sources", link_too_early)

    def then_goes(self, person: Person, message_id: int) -> None:
        async def go() -> None:
            await delete(person, message_id)
            gone = "SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2"
            await eventually(lambda: self.inn.house.rows(gone, self.inn.guild.id, message_id))

        self.happenings.append(go)


@pytest.fixture
def eyes(inn: Inn) -> Eyes:
    seen = Eyes(inn.house)
    seen.open()
    return seen


@pytest.fixture
def moment(inn: Inn, monkeypatch: pytest.MonkeyPatch) -> Moment:
    moment = Moment(inn)
    moment.open(monkeypatch)
    return moment


def said_in(inn: Inn, eyes: Eyes) -> list[str]:
    return [str(one["content"]) for one in eyes.said_in(inn.channel(GENERAL).id)]


async def ask(person: Person) -> Payload:
    return await say_and_hear(person, f"<@{person.inn.house.bot.id}> which word opens the vault?")


async def test_it_is_made_anew_without_what_is_gone(inn: Inn, eyes: Eyes, moment: Moment) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    gone = await said_and_stored(florent, "The vault opens with the word periwinkle")
    kept = await said_and_stored(florent, "The vault opened with the word celandine last year")
    moment.then_goes(florent, gone)
    reply = await ask(aylin)
    assert moment.happenings == []
    assert "celandine" in reply["content"]
    row = await until_noted(inn, reply)
    assert (row["quoted_messages"], row["because"]) == ([kept], None)
    await nothing_left_to_do(inn)
    assert [("celandine" in said, "periwinkle" in said) for said in said_in(inn, eyes)] == [(True, False)]
    assert "celandine" in await ask_why(aylin, int(reply["id"]))


async def test_if_that_goes_too_it_is_said_so(inn: Inn, eyes: Eyes, moment: Moment) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    for word in ("periwinkle", "celandine"):
        moment.then_goes(florent, await said_and_stored(florent, f"The vault opens with the word {word}"))
    reply = await ask(aylin)
    assert (moment.happenings, reply["content"]) == ([], CHANGING)
    assert labels_of(reply) == []
    row = await until_noted(inn, reply)
    assert (row["quoted_messages"], row["because"]) == ([], None)
    await nothing_left_to_do(inn)
    assert said_in(inn, eyes) == [CHANGING]


@pytest.mark.parametrize("goes", [1, 2])
async def test_so_it_is_for_one_reader_alone(inn: Inn, monkeypatch: pytest.MonkeyPatch, goes: int) -> None:
    await at_home(inn)
    aylin, florent = inn.person("aylin"), inn.person("florent")
    moment = Moment(inn)
    moment.open_for_one(monkeypatch)
    said = [
        await said_and_stored(florent, "The vault opens with the word periwinkle"),
        await said_and_stored(florent, "The vault opened with the word celandine last year"),
    ]
    for message_id in said[:goes]:
        moment.then_goes(florent, message_id)
    heard = words_of(await ask_privately(aylin, "which word opens the vault?"))
    assert moment.happenings == []
    assert "periwinkle" not in heard
    assert ("celandine" in heard) if goes == 1 else (heard == CHANGING)
