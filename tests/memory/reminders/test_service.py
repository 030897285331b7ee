"""Reminders over a real database: who has one to deliver, what a clock shows, and what is said when it is made."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

from memory.language.detect import Language
from memory.language.time_grammar import Every, Repeat
from memory.language.time_meaning import Shift
from memory.reminders.service import LEASE, Reminders
from memory.reminders.values import AskedWhen, Made, NoTime, Refused, Reminder, State, Wish
from tests.memory.world import ALICE, BOB, GUILD, HALL, World, as_a, room, there

_NUMBERS = count(1)


def _wish(world: World, when: str, what: str = "call Ann", owner: int = ALICE.user_id) -> Wish:
    asked_in = (int(world.clock.now().timestamp() * 1000) - 1_420_070_400_000 << 22) + next(_NUMBERS)
    return Wish(GUILD, HALL, asked_in, owner, world.clock.now(), Language.EN, what, when)


async def _made(reminders: Reminders, wish: Wish) -> Reminder:
    return as_a(Made, await reminders.ask(wish)).reminder


async def test_a_claim_is_one_processs_until_it_is_over_and_a_mark_is_for_one_moment(world: World) -> None:
    reminders = world.memory.reminders
    other = World(world.database)  # another process, half a minute ahead
    one = await _made(reminders, _wish(world, "in 20 minutes"))
    assert one.due_at == world.clock.now() + timedelta(minutes=20)
    assert await reminders.claim(GUILD) == ()
    world.clock.move(timedelta(minutes=20))
    other.clock.move(timedelta(minutes=20, seconds=30))
    (mine,) = await reminders.claim(GUILD)
    assert (mine.reminder.reminder_id, mine.tried_from, mine.tries) == (one.reminder_id, None, 0)
    assert await reminders.claim(GUILD) == await other.memory.reminders.claim(GUILD) == ()
    other.clock.move(LEASE)
    (theirs,) = await other.memory.reminders.claim(GUILD)
    assert (theirs.tried_from, theirs.tries) == (world.clock.now(), 1), "somebody set about it: it may have been said"
    assert await other.memory.reminders.delivered(theirs, 77)
    assert await reminders.delivered(mine, 78), "it was said twice, and nobody marks it twice"
    assert there(await reminders.one(GUILD, one.reminder_id, ALICE.user_id)).state is State.SENT
    assert await reminders.one(GUILD, one.reminder_id, BOB.user_id) is None
    # Put off by who saw it before it was marked.
    assert isinstance(await reminders.snooze(one, timedelta(minutes=5), 1), Made)
    said = there(await reminders.one(GUILD, one.reminder_id, ALICE.user_id))
    assert said.state is State.OPEN
    # Put off, it is another moment: the old claim marks nothing.
    as_a(Made, await reminders.snooze(said, timedelta(minutes=20), 1))
    assert await reminders.delivered(mine, 79)
    assert [one.state for one in await reminders.of_owner(GUILD, ALICE.user_id)] == [State.OPEN]
    await world.delete(one.reminder_id)
    assert not await reminders.delivered(mine, 80), "what asked for it is gone"


async def test_days_keep_the_clock_hours_the_interval_and_odd_hours_are_said(world: World) -> None:
    world.clock.move(datetime(2026, 3, 27, 12, tzinfo=UTC) - world.clock.now())
    reminders = world.memory.reminders
    assert await reminders.choose_zone(GUILD, ALICE.user_id, "Europe/Berlin")
    skipped = as_a(Made, await reminders.ask(_wish(world, "on Sunday at 2:30am")))
    assert (skipped.shift, skipped.tells_zone) == (Shift.SKIPPED, False)
    daily = await _made(reminders, _wish(world, "every day at 9"))
    hourly = await _made(reminders, _wish(world, "every 24 hours"))
    assert [one.repeat.every for one in (daily, hourly) if one.repeat] == [Every.DAY, Every.HOURS]
    assert daily.due_at == datetime(2026, 3, 28, 8, tzinfo=UTC)
    assert hourly.due_at == datetime(2026, 3, 28, 12, tzinfo=UTC)
    world.clock.move(timedelta(days=1, minutes=5))
    while claimed := await reminders.claim(GUILD):
        assert await reminders.delivered(claimed[0], None)
    coming = {one.reminder_id: one.due_at for one in await reminders.of_owner(GUILD, ALICE.user_id)}
    assert coming[daily.reminder_id] == datetime(2026, 3, 29, 7, tzinfo=UTC), "nine by a clock that was put forward"
    assert coming[hourly.reminder_id] == datetime(2026, 3, 29, 12, tzinfo=UTC)


async def test_what_has_no_time_waits_for_a_day_and_is_not_anybody_elses(world: World) -> None:
    reminders = world.memory.reminders
    asked = as_a(AskedWhen, await reminders.ask(_wish(world, "whenever")))
    assert as_a(AskedWhen, await reminders.ask(_wish(world, "on 1 March 2099"))).why is NoTime.TOO_FAR
    for often in ("every 10 minutes", "jede halbe Stunde", "toutes les 90 minutes", "cada minuto", "каждые 30 секунд"):
        assert as_a(AskedWhen, await reminders.ask(_wish(world, often))).why is NoTime.TOO_OFTEN, often
    assert as_a(Made, await reminders.ask(_wish(world, "every 60 minutes"))).reminder.repeat == Repeat(Every.HOURS)
    told = as_a(Made, await reminders.ask(replace(_wish(world, ""), when=None, words="tomorrow at 9 to call Ann")))
    assert (told.reminder.text, told.tells_zone) == ("call Ann", True)
    assert await reminders.ask(_wish(world, "tomorrow", "x" * 501)) is Refused.TOO_LONG
    await world.memory.privacy.opt_out(GUILD, BOB.user_id)
    assert await reminders.ask(_wish(world, "tomorrow", owner=BOB.user_id)) is Refused.OPTED_OUT
    assert not await reminders.choose_zone(GUILD, BOB.user_id, "Europe/Berlin")
    world.clock.move(timedelta(days=1))
    await reminders.purge(world.clock.now())
    assert await reminders.one(GUILD, asked.reminder.reminder_id, ALICE.user_id) is None
    assert await reminders.one(GUILD, told.reminder.reminder_id, ALICE.user_id) is not None


async def test_it_is_asked_for_once_however_often_it_is_heard(world: World) -> None:
    wish = _wish(world, "tomorrow at 9")
    first, second = await world.memory.reminders.ask(wish), await world.memory.reminders.ask(wish)
    assert isinstance(first, Made)
    assert isinstance(second, Made)
    assert first.reminder == second.reminder
    assert len(await world.memory.reminders.of_owner(GUILD, ALICE.user_id)) == 1


def _look_around(world: World) -> None:
    """One channel, open to all."""
    world.memory.place_mirror.begin(lambda: None)
    world.sees(room(HALL), owner=BOB)
    world.memory.place_mirror.hall_role(GUILD, None, epoch=0)


async def test_it_may_stand_only_where_it_is_known_who_reads(world: World) -> None:
    reminders = world.memory.reminders
    _look_around(world)
    seen = await _made(reminders, _wish(world, "tomorrow"))
    assert (seen.in_hall, reminders.may_stand(seen)) == (True, True)
    world.memory.place_mirror.lose_sight(GUILD)
    assert reminders.may_stand(seen) is None, "nobody knows yet"
    unseen = await _made(reminders, _wish(world, "tomorrow"))
    assert (unseen.in_hall, unseen.readers) == (False, None)
    _look_around(world)
    assert reminders.may_stand(seen) is True
    assert reminders.may_stand(unseen) is False, "who could read it when it was asked for was not known"
