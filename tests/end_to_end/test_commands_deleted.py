"""Commands that their authors delete: before they are carried out, or after they were answered."""

from functools import partial

import pytest

from memory.core.outcomes import RememberOutcome
from memory.core.values import RememberRequest
from memory.places.view import Audience
from tests.end_to_end.asking import say_and_hear
from tests.end_to_end.choosing import call_by_nickname
from tests.end_to_end.house import Inn, Payload, Person, eventually, until
from tests.end_to_end.taken_back import TAKEN_BACK, delete, edit, is_gone, noted, nothing_left_to_do, says
from tests.end_to_end.test_being_addressed import bot_words

REMEMBER = "Bot remember that gruzilkin whistles"


async def take_back(person: Person, message_id: int) -> None:
    """Deleted, and the memory knows it."""
    await delete(person, message_id)
    gone = "SELECT 1 FROM tombstones WHERE guild_id = $1 AND message_id = $2"
    await eventually(partial(person.inn.house.rows, gone, person.inn.guild.id, message_id))


class Hand:
    """Deletes a message right before what it tells is kept."""

    def __init__(self, person: Person, monkeypatch: pytest.MonkeyPatch, message_id: int | None = None) -> None:
        self.is_done = False
        self._person = person
        self._message_id = message_id
        """None: the command itself."""
        self._remember = person.inn.house.memory.remember
        monkeypatch.setattr(person.inn.house.memory, "remember", self._too_late)

    async def _too_late(self, telling: RememberRequest, audience: Audience) -> RememberOutcome:
        if not self.is_done and telling.guild_id == self._person.inn.guild.id:
            await take_back(self._person, self._message_id or telling.message_id)
            self.is_done = True
        return await self._remember(telling, audience)


async def facts_in(inn: Inn) -> list[str]:
    return [row["text"] for row in await inn.house.rows("SELECT text FROM facts WHERE guild_id = $1", inn.guild.id)]


async def test_what_is_gone_before_it_was_carried_out_is_neither_kept_nor_answered(
    inn: Inn, monkeypatch: pytest.MonkeyPatch
) -> None:
    aylin = inn.person("aylin")
    hand = Hand(aylin, monkeypatch)
    await aylin.say(REMEMBER)
    await until(lambda: hand.is_done)
    thanked = await say_and_hear(aylin, "Bot thank you")  # answered in turn
    assert await bot_words(inn, aylin) == [thanked["content"]]
    assert await facts_in(inn) == []


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("Bot forget that gruzilkin whistles at night", "whistles at night"),
        ("Bot remember that Chief whistles at night", "“Chief”"),
        ("Bot forget everything about Chief", "“Chief”"),
    ],
)
async def test_a_reply_that_repeats_the_command_goes_with_it(inn: Inn, command: str, words: str) -> None:
    await call_by_nickname(inn, gruzilkin="Chief", florent="Chief")
    aylin = inn.person("aylin")
    said = await aylin.say(command)
    reply: Payload = await aylin.hear_reply(said)
    assert words in reply["content"]
    await noted(inn, said, int(reply["id"]))
    await delete(aylin, said)
    await is_gone(aylin, reply)
    await nothing_left_to_do(inn)


async def test_a_telling_that_is_edited_into_none_leaves_nothing(inn: Inn) -> None:
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I drive a Fiat")
    await edit(aylin, int(told["message_reference"]["message_id"]), "never mind")
    await says(aylin, told, TAKEN_BACK)
    assert await facts_in(inn) == []
