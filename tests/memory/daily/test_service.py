"""Where a catch-up begins, and what is in it."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.core.values import AuthorKind, Intent, Member, Message, last_id_of
from memory.daily.values import LONGEST, Boundary, CatchUp, Section, Since, quotas
from memory.language.detect import Language
from memory.log.reading import MessageStore
from memory.places.view import Audience
from tests.memory.world import ALICE, BOB, DICE, FLORENT, GUILD, HALL, LOUNGE, NOON, PUBLIC, World, there

FOR_ALICE = Audience(GUILD, HALL, PUBLIC, 1, viewer_id=ALICE.user_id)


class Evening:
    """A world whose messages have ids that tell their time."""

    def __init__(self, world: World) -> None:
        self.world, self.catch_ups = world, world.memory.catch_ups

    async def say(self, author: Member, text: str, channel: int = HALL, kind: AuthorKind = AuthorKind.PERSON) -> int:
        self.world.clock.move(timedelta(seconds=30))
        at = self.world.clock.now()
        message = Message(GUILD, channel, last_id_of(at), author.user_id, kind, text, at)
        await self.world.hear(message)
        return message.message_id

    async def boundary(self, audience: Audience = FOR_ALICE) -> Boundary:
        return await self.catch_ups.boundary(audience, None, last_id_of(self.world.clock.now()) + 1)

    async def catch_up(self) -> CatchUp:
        until = last_id_of(self.world.clock.now())
        return await self.catch_ups.catch_up(FOR_ALICE, await self.boundary(), until, None, ())


@pytest.fixture
def evening(world: World) -> Evening:
    return Evening(world)


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


async def test_what_is_put_to_somebody_by_name_is_for_them_and_bots_are_counted(evening: Evening) -> None:
    asked = await evening.say(BOB, "Alice, when do you bring the flour back?")
    await evening.say(DICE, "rolled a six", kind=AuthorKind.BOT)
    other = await evening.say(FLORENT, "Who feeds the cat of the mill tonight?", LOUNGE)
    found = await evening.catch_up()
    assert [line.sources[0].message_id for line in found.sections[Section.FOR_YOU]] == [asked]
    assert [line.sources[0].message_id for line in found.sections[Section.OPEN]] == [other]
    assert (found.talk.messages, found.talk.channels, found.talk.bots) == (2, 2, 1)
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
        found = await evening.catch_ups.talk(FOR_ALICE, [HALL], after, until, days=days, most=14)
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
        return [
            line.sources[0].message_id
            for section in (Section.COMING, Section.DECIDED)
            for line in found.sections[section]
        ]

    assert len(await listed()) == 2
    evening.world.clock.move(timedelta(days=2))
    assert await listed() == [decided]


async def test_a_time_is_read_by_the_askers_own_clock(evening: Evening) -> None:
    await evening.world.memory.reminders.choose_zone(GUILD, ALICE.user_id, "Asia/Tokyo")
    found = there(await evening.catch_ups.boundary_at(FOR_ALICE, "yesterday", Language.EN))
    assert found.at.astimezone(ZoneInfo("Asia/Tokyo")).hour == 0
    for typed in ("30 minutes", "15 days", "some day"):
        assert await evening.catch_ups.boundary_at(FOR_ALICE, typed, Language.EN) is None
