"""Names that others call members by: which are taken from the reply about a day, who hears them, and how they go."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.outcomes import Forgotten
from memory.core.values import AuthorKind, Member, Message, Standing
from memory.db.database import Database
from memory.facts.matching import contradicts
from memory.facts.values import Done, HearsayAction, ListedFact, Undone
from memory.language.detect import Language
from memory.language.wording import Attribution, wording
from memory.people.names import aliases_in
from memory.people.store import MemberStore
from memory.policy.authority import Action, Actor
from memory.policy.settings import GuildSettings
from memory.summaries.also_called import called_in
from tests.memory.log.logbook import rows_of
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, NOON, DiaryHouse, Scribe
from tests.memory.summaries.diary_house import diary_house as opened

GEORG = Member(GUILD, 4, "georg_77", global_name="Georg")
PEOPLE = (ALICE, BOB, CARL, GEORG)
_LINE = re.compile(r' author-id="(\d+)"[^>]* n="(\d+)">(.*?)</message>')


class Night:
    """A model that says who is called what, by the first line that has the name; and what nobody can read."""

    def __init__(self, house: DiaryHouse) -> None:
        self.house = house
        self.names: dict[int, str] = {}
        house.scribe.server.says = self.writes

    def writes(self, data: str) -> str:
        reply = json.loads(Scribe.writes(data))
        lines = [(int(author), int(number), text) for author, number, text in _LINE.findall(data)]
        reply["also_called"] = [
            {"id": str(user_id), "name": name, "message": number}
            for user_id, name in self.names.items()
            for number in [number for _, number, text in lines if name.casefold() in text.casefold()][:1]
        ] + [{"name": "nobody"}, "nonsense"]
        return json.dumps(reply)

    async def passes(self) -> None:
        await self.house.pass_night()
        self.house.clock.move(timedelta(hours=9))

    async def called(self, name: str, channel: int = HALL) -> list[int]:
        """Whom a question there means by a name."""
        audience = self.house.memory.places.audience_of(GUILD, channel)
        members = await MemberStore(self.house.database).spoken_of(audience, f"Where does {name} live?")
        return [member.user_id for member in members]

    async def shown(self, reader: Member, subject: Member = GEORG, channel: int = HALL) -> Sequence[ListedFact]:
        audience = self.house.memory.places.audience_for(GUILD, channel, reader.user_id)
        hearsay = self.house.memory.hearsay
        page = await hearsay.page(audience, Actor(reader.user_id), subject.user_id, skip=0, most=9)
        return page.held

    async def does(self, action: Action, actor: Member, held: ListedFact) -> None:
        audience = self.house.memory.places.audience_for(GUILD, HALL, actor.user_id)
        wish = HearsayAction(audience, Actor(actor.user_id), held.fact.subject_id, held.fact.message_id)
        assert isinstance(await self.house.memory.hearsay.do(action, wish), Done)

    async def decides(self, decided: GuildSettings) -> None:
        await self.house.memory.privacy.change_settings(GUILD, lambda _: decided)


@pytest.fixture
async def night(database: Database) -> AsyncIterator[Night]:
    async with opened(database) as house:
        await house.open_guild(members=PEOPLE)
        night = Night(house)
        night.names[GEORG.user_id] = "Schorsch"
        yield night


def line(text: str, author_id: int = 1) -> Message:
    return Message(GUILD, HALL, 77, author_id, AuthorKind.PERSON, text, NOON)


@pytest.mark.parametrize(
    ("name", "text", "typed"),
    [
        ("Schorsch", "well. schorsch, are you there? I am", "schorsch"),
        ("schorsch", "@Schorsch has the key", "Schorsch"),
        ("Long John", "ask Long John about it", "Long John"),
        ("Ёжик", "спроси ежик, он знает", "ежик"),
    ],
)
def test_a_name_is_taken_as_it_is_written(name: str, text: str, typed: str) -> None:
    found = called_in(line(text), 4, name)
    assert found is not None
    assert found.name == typed
    assert typed in found.span
    assert found.span in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Schorsch", "are you there?"),
        ("Schorsch", "the schorschian way"),
        ("Schorsch", "> Schorsch said it\nno"),
        ("Schorsch", "`Schorsch` is a variable"),
        ("Schorsch", "look at <:schorsch:123>"),
        ("Jo", "Jo, are you there?"),
        ("77", "77, are you there?"),
        ("you", "are you there?"),
        ("Dude", "Dude, are you there?"),
        ("my friend", "are you there, my friend?"),
        ("Boss", "Boss, are you there?"),
        ("Catholic", "ask the Catholic about it"),
        ("the one who never ever comes along", "ask the one who never ever comes along"),
        ("<@2>", "ask <@2> about it"),
        ("", "are you there?"),
    ],
)
def test_what_is_no_name_to_find_somebody_by_is_not_taken(name: str, text: str) -> None:
    assert called_in(line(text), 4, name) is None
    assert called_in(line("it is me, Schorsch", author_id=4), 4, "Schorsch") is None, "theirs to tell"


@pytest.mark.parametrize("language", Language)
def test_in_every_language_it_gives_the_name_and_overturns_no_other(language: Language) -> None:
    one, other = (
        wording(language, Attribution.ALSO_CALLED, who="<@4>", name=name) for name in ("Schorsch", "Don Jorge")
    )
    assert aliases_in(one) == [(4, "schorsch")]
    assert aliases_in(other) == [(4, "don jorge")]
    assert not contradicts(one, other)


async def test_the_next_day_the_name_finds_the_person_and_they_see_it(night: Night) -> None:
    house = night.house
    said = await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await house.say(GEORG, "I have them here, and the sails are dry again")
    assert await night.called("Schorsch") == []
    await night.passes()
    assert await night.called("Schorsch") == [GEORG.user_id]
    [held] = await night.shown(GEORG)
    assert held.fact.text == "<@4> is also called Schorsch"
    assert (held.fact.teller_id, held.fact.message_id, held.has_message) == (ALICE.user_id, said.message_id, True)
    assert held.may == (Action.CORRECT, Action.VETO, Action.FORGET)
    assert [one.may for one in await night.shown(BOB)] == [()]
    await house.say(BOB, "Schorsch is late again today, as he was at the last race")
    await night.passes()
    assert len(await night.shown(GEORG)) == 1, "it is known"


@pytest.mark.parametrize("action", [Action.VETO, Action.FORGET])
async def test_who_removes_it_does_not_get_it_again(night: Night, action: Action) -> None:
    house = night.house
    await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    [held] = await night.shown(GEORG)
    await night.does(action, GEORG, held)
    assert await night.called("Schorsch") == []
    await house.say(ALICE, "Schorsch will bring the wine tonight, will he not? <@4>")
    await night.passes()
    assert await night.shown(GEORG) == ()


async def test_forgotten_in_words_it_does_not_come_again_and_undone_it_holds(night: Night) -> None:
    house, places = night.house, night.house.memory.places
    await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    gone = await house.forget(GEORG, "that I am also called Schorsch")
    assert isinstance(gone, Forgotten)
    assert await night.called("Schorsch") == []
    assert gone.change_id is not None
    audience = places.audience_of(GUILD, HALL)
    assert isinstance(await house.memory.undos.undo(GUILD, gone.change_id, Actor(GEORG.user_id), audience), Undone)
    assert await night.called("Schorsch") == [GEORG.user_id]
    [held] = await night.shown(GEORG)
    await night.does(Action.FORGET, ALICE, held)
    await house.say(ALICE, "Schorsch will bring the wine tonight, will he not? <@4>")
    await night.passes()
    assert await night.called("Schorsch") == [], "whoever said it took it back"


async def test_in_the_same_words_they_confirm_what_another_said(night: Night) -> None:
    await night.house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    [held] = await night.shown(GEORG)
    audience = night.house.memory.places.audience_for(GUILD, HALL, GEORG.user_id)
    wish = HearsayAction(audience, Actor(GEORG.user_id), GEORG.user_id, held.fact.message_id)
    typed, message_id = "I am also called Schorsch", night.house.new_id()
    assert isinstance(await night.house.memory.hearsay.correct(wish, typed, message_id), Done)
    [held] = await night.shown(GEORG)
    assert (held.fact.standing, held.fact.teller_id) == (Standing.CONFIRMED, ALICE.user_id)


async def test_it_goes_with_the_line_that_shows_it(night: Night) -> None:
    house = night.house
    said = await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    await house.edit(said, "Has anybody seen Schorsch? He has the oars. <@4>")
    assert await night.called("Schorsch") == [GEORG.user_id], "that sentence is as it was"
    house.clock.move(timedelta(seconds=1))
    await house.edit(said, "Has anybody seen him? <@4>")
    assert await night.called("Schorsch") == []
    again = await house.say(BOB, "Schorsch will bring the wine tonight, will he not? <@4>")
    await night.passes()
    assert await night.called("Schorsch") == [GEORG.user_id], "nobody has refused it"
    await house.delete(again)
    assert await night.called("Schorsch") == []
    assert await night.shown(GEORG) == ()


async def test_it_goes_when_its_day_is_not_kept_any_more(night: Night) -> None:
    await night.house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    night.house.clock.move(timedelta(days=40))
    settings = await night.house.memory.privacy.settings(GUILD)
    await night.decides(replace(settings, log=replace(settings.log, summary_days=60)))
    assert await night.called("Schorsch") == [GEORG.user_id]
    await night.decides(replace(settings, log=replace(settings.log, summary_days=30)))
    assert await night.called("Schorsch") == []


async def test_a_name_of_a_back_room_is_known_in_there_alone(night: Night) -> None:
    house = night.house
    night.names[BOB.user_id] = "Schorsch"
    await house.say(ALICE, "<@2> is our Schorsch, and nobody shall know it", CELLAR)
    await house.told(CELLAR)
    assert await night.called("Schorsch", CELLAR) == [BOB.user_id]
    assert await night.called("Schorsch") == []
    assert await night.shown(CARL, BOB) == ()


@pytest.mark.parametrize("name", ["Carl", "Bob", "Anna", "Dieter"])
async def test_nobody_gets_the_name_of_another(night: Night, name: str) -> None:
    house = night.house
    anna, dieter = Member(GUILD, 5, "anna_k", global_name="Anna Karenina"), Member(GUILD, 6, "dieter")
    for member in (anna, dieter):
        await house.memory.people.meet_member(member)
    await house.memory.privacy.opt_out(GUILD, dieter.user_id)
    night.names[GEORG.user_id] = name
    await house.say(ALICE, f"Has anybody seen {name}? He has the keys of the boat. <@4>")
    await night.passes()
    assert await night.shown(GEORG) == ()


async def test_of_whoever_opted_out_no_name_is_kept(night: Night) -> None:
    house = night.house
    await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    await house.memory.privacy.opt_out(GUILD, GEORG.user_id)
    assert await night.called("Schorsch") == []
    await house.say(ALICE, "Schorsch will bring the wine tonight, will he not? <@4>")
    await night.passes()
    for table in ("facts", "fact_aliases"):
        assert not await rows_of(house.database, table, GUILD)


async def test_managers_decide_whether_names_are_noted_and_told(night: Night) -> None:
    house = night.house
    settings = await house.memory.privacy.settings(GUILD)
    off = replace(settings, answers=replace(settings.answers, takes_memories=False))
    silent = replace(settings, facts=replace(settings.facts, about_others=False))
    for decided in (off, silent):
        await night.decides(decided)
        await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
        await night.passes()
        assert await night.shown(GEORG) == ()
    await night.decides(settings)
    await house.say(ALICE, "Has anybody seen Schorsch? He has the keys of the boat. <@4>")
    await night.passes()
    await night.decides(silent)
    assert await night.called("Schorsch") == [], "it is withheld like all that others say"
    assert await night.shown(BOB) == ()
    await night.decides(settings)
    assert await night.called("Schorsch") == [GEORG.user_id]
