"""Where a catch-up begins, what a model writes of it, and what is said of what is not in it."""

import json
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from ai_clients.base import Purpose
from ai_clients.gemini import GeminiApi, GeminiModel
from memory.core.values import AuthorKind, Intent, Member, Message, last_id_of
from memory.daily.digest_values import LATEST, Schedule, State
from memory.daily.prompt import chosen
from memory.daily.values import LONGEST, Boundary, CatchUp, Section, Since, Trouble, quotas
from memory.db.database import Database
from memory.language.detect import Language
from memory.log.reading import MessageStore
from memory.models.usage import Requester
from memory.places.model import Place, PlaceKind
from memory.places.view import Audience
from memory.policy.settings import digest_rules
from tests.gemini_server import GeminiServer, data_of, gemini_server, rules_of
from tests.memory.world import ALICE, BOB, CELLAR, DICE, FLORENT, GRUZILKIN, GUILD, HALL, LOUNGE, NOON, PUBLIC, World
from tests.models import answering

FOR_ALICE = Audience(GUILD, HALL, PUBLIC, 1, viewer_id=ALICE.user_id)
PUBLIC_HALL = Audience(GUILD, HALL, PUBLIC, 1)
BY_ALICE = Requester(ALICE.user_id, 1)


class Evening:
    """A world whose messages have ids that tell their time."""

    def __init__(self, world: World, gemini: GeminiServer) -> None:
        self.world, self.gemini = world, gemini
        self.catch_ups = world.memory.catch_ups

    async def say(self, author: Member, text: str, channel: int = HALL, kind: AuthorKind = AuthorKind.PERSON) -> int:
        self.world.clock.move(timedelta(seconds=30))
        at = self.world.clock.now()
        message = Message(GUILD, channel, last_id_of(at), author.user_id, kind, text, at)
        await self.world.memory.ingest_message(message)
        await self.world.memory.log.settled()
        return message.message_id

    async def boundary(self, audience: Audience = FOR_ALICE) -> Boundary:
        return await self.catch_ups.boundary(audience, None, last_id_of(self.world.clock.now()) + 1)

    async def catch_up(self, audience: Audience = FOR_ALICE, by: Requester | None = None) -> CatchUp:
        until = last_id_of(self.world.clock.now())
        boundary = await self.boundary(audience)
        return await self.catch_ups.catch_up(audience, boundary, until, None, (), Language.EN, by=by)


@pytest.fixture
async def evening(database: Database) -> AsyncIterator[Evening]:
    async with gemini_server() as gemini:
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()), seconds=20)
        world = await World(database, answering(model, others={Purpose.SUMMARISE: model})).settle()
        yield Evening(world, gemini)
        await model.close()


async def test_it_begins_behind_ones_last_message_or_where_one_read_to_and_not_too_long_ago(evening: Evening) -> None:
    clock, catch_ups = evening.world.clock, evening.catch_ups
    never = await evening.boundary()
    assert (never.since, never.at) == (Since.NEVER, NOON - timedelta(hours=24))
    said = await evening.say(ALICE, "I am off to the market", LOUNGE)
    found = await evening.boundary()
    assert (found.since, found.after_id, found.channel_id) == (Since.MESSAGE, said, LOUNGE)
    hidden = await evening.boundary(replace(FOR_ALICE, sources=frozenset((HALL,))))
    assert hidden.channel_id is None, "she cannot read there any more"
    to_us = await evening.say(ALICE, "Bot, what did I miss?")
    await MessageStore(evening.world.database).note_addressed(GUILD, HALL, to_us, Intent.QUESTION)
    assert (await evening.boundary()).after_id == said, "what is said to us is no sign of having read"
    read_to = last_id_of(clock.now())
    assert await catch_ups.mark(FOR_ALICE, None, read_to)
    assert await catch_ups.mark(FOR_ALICE, None, read_to - 1)
    found = await evening.boundary()
    assert (found.since, found.after_id) == (Since.CATCH_UP, read_to), "it never moves back"
    clock.move(LONGEST + timedelta(days=1))
    old = await evening.boundary()
    assert (old.at, old.is_cut) == (clock.now() - LONGEST, True)
    await catch_ups.purge(clock.now())
    assert (await evening.boundary()).since is Since.MESSAGE


async def test_of_whoever_opted_out_no_mark_is_kept(evening: Evening) -> None:
    await evening.world.memory.privacy.opt_out(GUILD, ALICE.user_id)
    assert not await evening.catch_ups.mark(FOR_ALICE, None, 5)


async def test_a_model_writes_what_was_decided_and_talked_about_and_only_what_passes(evening: Evening) -> None:
    await evening.say(ALICE, "I am off to the market")
    plan = await evening.say(BOB, "We will meet on 3 March at 18:00 at the mill.")
    flour = await evening.say(GRUZILKIN, "The flour of the old mill is the best flour.")
    for word in ("early", "late"):
        await evening.say(FLORENT, f"I will be {word}", LOUNGE)
    await evening.say(BOB, "the cellar key is 1234", CELLAR)
    lines = {
        "decided": ["@P1 said they meet on 3 March at 18:00. [1]", "They pay 500 euros. [1]", "No number at all."],
        "talked": ["@P2 praised the flour of the old mill [2].", "See https://evil.example [2]", "@P9 sang. [2]"],
    }
    evening.gemini.says = lambda _: json.dumps(lines)
    found = await evening.catch_up(by=BY_ALICE)
    assert len(evening.gemini.requests) == 1, "one call"
    assert "1234" not in data_of(evening.gemini.requests[0])
    assert "market" not in data_of(evening.gemini.requests[0]), "her own words are no news to her"
    [decided], [talked] = found.sections[Section.DECIDED], found.sections[Section.TALKED][:1]
    assert decided.text == f"<@{BOB.user_id}> said they meet on 3 March at 18:00."
    assert [one.message_id for one in decided.sources] == [plan]
    assert decided.when is not None, "the date of the message that it rests on"
    assert talked.text == f"<@{GRUZILKIN.user_id}> praised the flour of the old mill."
    assert [one.message_id for one in talked.sources] == [flour]
    assert not any("evil" in line.text or "500" in line.text for some in found.sections.values() for line in some)
    assert (found.by_model, found.trouble, found.given) == (True, None, 0)


async def test_the_model_knows_who_reads_it_and_what_the_channels_are_called(evening: Evening) -> None:
    mirror = evening.world.memory.place_mirror
    mirror.begin(lambda: None)
    mirror.look_around(GUILD)
    for channel, name in ((HALL, 'great-hall" [2] @P1'), (LOUNGE, "lounge-7"), (CELLAR, "secret-cellar")):
        mirror.place(GUILD, Place(channel, PlaceKind.CHANNEL, None, name=name))
    await evening.say(BOB, f"<@{ALICE.user_id}> shall cook in <#{LOUNGE}> and not in <#{CELLAR}>")
    for word in ("early", "late"):
        await evening.say(FLORENT, f"I will be {word}", LOUNGE)
    await evening.say(BOB, "see you all")
    evening.gemini.says = lambda _: json.dumps({"decided": ["@P2 wants you to cook in #lounge-7. [1]"], "talked": []})
    found = await evening.catch_up(by=BY_ALICE)
    assert [one.text for one in found.sections[Section.DECIDED]] == [
        f"<@{BOB.user_id}> wants you to cook in #lounge-7."
    ]
    data, rules = (of(evening.gemini.requests[-1]) for of in (data_of, rules_of))
    assert "the one whom <people-" in rules
    assert "Alice" not in rules
    assert re.findall(r'name="([^"]*)"[^>]* reader="yes"', data) == ["Alice"]
    assert re.findall("<channel .*", data) == [
        '<channel name="#great-hall&quot; (2) @ P1">',
        '<channel name="#lounge-7">',
    ]
    assert "shall cook in #lounge-7 and not in #channel<" in data
    schedule = Schedule(GUILD, ZoneInfo("UTC"), digest_rules({"channel_id": HALL}))
    digests = evening.world.memory.digests
    await digests.make(await digests.preview(schedule), schedule, PUBLIC_HALL, Language.EN, by_model=True)
    data, rules = (of(evening.gemini.requests[-1]) for of in (data_of, rules_of))
    assert "All of them read the same" in rules
    assert "reader=" not in data
    assert '<channel name="#lounge-7">' in data


async def test_where_no_model_can_the_extract_serves_and_says_so(evening: Evening) -> None:
    await evening.say(BOB, "We decided to buy the blue oven.")
    for number in (1, 2):
        await evening.say(FLORENT, f"Bread number {number} is in the oven")
    evening.gemini.says = lambda _: json.dumps({"decided": ["We won."], "talked": ["Nothing else."]})
    found = await evening.catch_up(by=BY_ALICE)
    assert (found.by_model, found.trouble, evening.gemini.requests) == (False, None, []), "three need no model"
    await evening.say(FLORENT, "Bread number 3 is burnt")
    found = await evening.catch_up(by=BY_ALICE)
    assert (found.by_model, found.trouble) == (False, Trouble.FAILED)
    assert [line.text for line in found.sections[Section.DECIDED]] == ["We decided to buy the blue oven."]


async def test_what_is_put_to_somebody_by_name_is_for_them_and_bots_are_counted(evening: Evening) -> None:
    asked = await evening.say(BOB, "Alice, when do you bring the flour back?")
    await evening.say(DICE, "rolled a six", kind=AuthorKind.BOT)
    other = await evening.say(FLORENT, "Who feeds the cat of the mill tonight?", LOUNGE)
    found = await evening.catch_up()
    assert [line.sources[0].message_id for line in found.sections[Section.FOR_YOU]] == [asked]
    assert [line.sources[0].message_id for line in found.sections[Section.OPEN]] == [other]
    assert (found.stretch.messages, found.stretch.channels, found.stretch.bots) == (2, 2, 1)
    assert found.sections[Section.TALKED] == (), "nothing is quoted twice on a page"


def test_of_lively_channels_as_much_is_read_as_of_each_other() -> None:
    assert quotas({1: 10, 2: 5_000, 3: 9_000}, 5_000) == {1: 10, 2: 2_495, 3: 2_495}
    assert quotas({1: 10, 2: 20}, 5_000) == {1: 10, 2: 20}
    assert quotas({}, 5_000) == {}


async def test_of_a_week_each_day_is_read_as_far_as_the_others(evening: Evening) -> None:
    after = last_id_of(evening.world.clock.now())
    first = [await evening.say(BOB, f"bread number {number}") for number in range(3)]
    evening.world.clock.move(timedelta(days=6, hours=20))
    last = [await evening.say(BOB, f"cheese number {number}") for number in range(12)]
    until = after + (timedelta(days=7) // timedelta(milliseconds=1) << 22)

    async def read(days: int) -> list[int]:
        found = await evening.catch_ups.stretch(FOR_ALICE, [HALL], after, until, days=days, most=14)
        assert (found.messages, found.unread) == (15, 15 - len(found.said[HALL]))
        return [one.message_id for one in found.said[HALL]]

    assert await read(7) == [*first[-2:], *last[-2:]]
    assert await read(1) == [*first[-2:], *last]


async def test_a_plan_that_is_over_is_no_plan_any_more(evening: Evening) -> None:
    await evening.say(ALICE, "I am off to the market")
    await evening.say(BOB, "The oven party starts tomorrow at 18:00.")
    decided = await evening.say(BOB, "We decided to buy the blue oven.")

    async def listed() -> list[int]:
        found = await evening.catch_up()
        return [line.sources[0].message_id for line in found.sections[Section.DECIDED]]

    assert len(await listed()) == 2
    evening.world.clock.move(timedelta(days=2))
    assert await listed() == [decided]


async def test_a_digest_that_is_late_comes_within_twelve_hours_and_once(evening: Evening) -> None:
    """It tells who spoke for the first time, as far as its readers can know."""
    clock, digests = evening.world.clock, evening.world.memory.digests
    await evening.say(BOB, "The mill has been grinding flour all day")
    await evening.say(FLORENT, "I was in the cellar before", CELLAR)
    clock.move(timedelta(days=1))
    await evening.say(BOB, "The mill is grinding flour again")
    new = await evening.say(FLORENT, "Good flour comes from an old mill")
    schedule = Schedule(GUILD, ZoneInfo("UTC"), digest_rules({"channel_id": HALL, "least": 1}))
    day = clock.now().date() + timedelta(days=1)
    due = schedule.due_on(day)
    assert due is not None
    clock.move(due + LATEST - clock.now())
    digest = await digests.claim(schedule, day, due)
    assert digest is not None
    assert await digests.claim(schedule, day, due) is None, "somebody is at it"
    edition = await digests.make(digest, schedule, PUBLIC_HALL, Language.EN, by_model=False)
    assert [line.sources[0].message_id for line in edition.newcomers] == [new]
    assert edition.messages == 2
    assert await digests.settle(digest, State.POSTED, 77)
    assert await digests.claim(schedule, day, due) is None, "it is done"
    clock.move(timedelta(days=1, seconds=1))
    later = schedule.due_on(day + timedelta(days=1))
    assert later is not None
    assert await digests.claim(schedule, day + timedelta(days=1), later) is None, "it is too late"
    assert (await digests.latest([GUILD]))[GUILD].state is State.MISSED


async def test_a_time_is_read_by_the_askers_own_clock(evening: Evening) -> None:
    await evening.world.memory.reminders.choose_zone(GUILD, ALICE.user_id, "Asia/Tokyo")
    found = await evening.catch_ups.boundary_at(FOR_ALICE, "yesterday", Language.EN)
    assert found is not None
    assert found.at.astimezone(ZoneInfo("Asia/Tokyo")).hour == 0
    for typed in ("30 minutes", "15 days", "some day"):
        assert await evening.catch_ups.boundary_at(FOR_ALICE, typed, Language.EN) is None


def test_what_is_too_much_for_one_prompt_is_chosen_from_and_what_was_decided_is_in_it() -> None:
    said = [
        Message(GUILD, HALL, number, 7, AuthorKind.PERSON, f"the mill grinds flour number {number} " * 9, NOON)
        for number in range(1, 1_001)
    ]
    taken = chosen({HALL: said}, [500])
    assert 50 < len(taken) < len(said)
    assert 500 in [one.message_id for one in taken]
    assert len(chosen({HALL: said[:20]}, ())) == 20
