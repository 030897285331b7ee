"""The night's work: done once however many do it, made up when it was missed, and mended where sources changed."""

import asyncio
from dataclasses import replace
from datetime import date, datetime, timedelta

from memory.core.values import last_id_of
from memory.policy.settings import LogSettings
from memory.summaries.calendar import GRACE, begin_of_night
from tests.memory.summaries.diary_house import ALICE, BOB, CARL, CELLAR, GUILD, HALL, DiaryHouse

DAY = timedelta(days=1)


async def stored(house: DiaryHouse) -> dict[tuple[int, date], list[int]]:
    """Whom there are texts of, by scope and day."""
    async with house.database.connection("test") as connection:
        rows = await connection.fetch(
            """
            SELECT scope, day, user_id FROM days JOIN day_entries USING (guild_id, scope, starts_at)
            WHERE kind = 'member' ORDER BY scope, day, user_id
            """
        )
    found: dict[tuple[int, date], list[int]] = {}
    for row in rows:
        found.setdefault((row["scope"], row["day"]), []).append(row["user_id"])
    return found


async def test_a_day_that_was_told_to_its_end_costs_the_night_nothing(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    assert set(await house.told()) == {1}
    await house.pass_night()
    async with house.database.connection("test") as connection:
        assert await connection.fetchval("SELECT is_final FROM days")
    assert house.scribe.days == ["2026-03-10"], "it was told today, and nothing was said since"


async def test_the_night_begins_after_midnight_and_waits_for_channels_that_are_not_read_on(
    house: DiaryHouse,
) -> None:
    await house.say(ALICE, "The quiz was great fun")
    midnight = datetime(2026, 3, 11, tzinfo=house.clock.now().tzinfo)
    begin = begin_of_night("UTC", GUILD, midnight + DAY / 2)
    house.clock.move(begin - house.clock.now() - timedelta(seconds=5))
    await house.memory.day_answers.nightly.round()
    house.clock.move(timedelta(seconds=10))
    await house.memory.day_answers.nightly.round()
    assert house.scribe.days == [], "nobody knows whether something of yesterday is still to come"
    await house.memory.log.store_page(GUILD, HALL, [], through=last_id_of(house.clock.now()))
    house.clock.move(timedelta(minutes=11))
    await house.memory.day_answers.nightly.round()
    assert house.scribe.days == ["2026-03-10"]
    assert house.clock.now() < midnight + GRACE


async def test_a_live_channel_needs_no_waiting(house: DiaryHouse) -> None:
    assert house.memory.log.live.begin(GUILD, HALL)
    await house.say(ALICE, "The quiz was great fun")
    await house.pass_night(hours=0.5)
    assert house.scribe.days == ["2026-03-10"]


async def test_two_processes_do_it_once(house: DiaryHouse) -> None:
    other = house.start()
    house.look(other)
    for day in range(3):
        await house.say(ALICE, f"The quiz number {day} was great fun")
        house.clock.move(DAY)
    house.clock.move(timedelta(hours=-8))
    await asyncio.gather(*(memory.day_answers.nightly.round() for memory in (house.memory, other)))
    assert house.scribe.calls == {"2026-03-10": 1, "2026-03-11": 1, "2026-03-12": 1}
    house.clock.move(timedelta(hours=1))
    await asyncio.gather(*(memory.day_answers.nightly.round() for memory in (house.memory, other)))
    assert sum(house.scribe.calls.values()) == 3


async def test_missed_nights_are_made_up_for_a_week(house: DiaryHouse) -> None:
    for day in range(10):
        await house.say(ALICE, f"The quiz number {day} was great fun")
        house.clock.move(DAY)
    await house.memory.day_answers.nightly.round()
    assert house.scribe.days == [f"2026-03-{day}" for day in range(13, 20)]
    assert (await house.told(day=11))[1] == "Alice wrote that The quiz number 1 was great fun.", "older ones on request"


async def test_what_a_killed_process_had_begun_is_done_by_the_next(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    house.clock.move(DAY)
    held = asyncio.Event()

    async def hang(_: object) -> None:
        held.set()
        await house.scribe.server.over.wait()

    house.scribe.server.fault = hang  # type: ignore[assignment]  # it only waits
    dying = asyncio.create_task(house.memory.day_answers.nightly.round())
    await held.wait()
    # Killed: its claims stay behind, as nobody releases them.
    claims = await house.database.read("test", "SELECT * FROM claims ORDER BY what")
    assert [claim["what"] for claim in claims] == ["day 0 2026-03-10T00:00", "night"]
    house.scribe.server.fault = None
    other = house.start()
    house.look(other)
    await other.day_answers.nightly.round()
    assert len(house.scribe.days) == 1, "the claim still holds"
    house.clock.move(timedelta(minutes=20))
    await other.day_answers.nightly.round()
    assert await stored(house) == {(0, date(2026, 3, 10)): [1]}
    assert len(house.scribe.days) == 2
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)


async def test_a_failed_night_is_tried_again_later_and_later(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz on Tuesday was won by the red team after a long fight")
    house.scribe.server.says = lambda _: "nonsense"
    await house.pass_night()
    tried = len(house.scribe.days)
    assert await stored(house) == {(0, date(2026, 3, 10)): [1]}, "quoted meanwhile"
    for _ in range(24):
        house.clock.move(timedelta(hours=1))
        await house.memory.day_answers.nightly.round()
    assert 4 * tried <= len(house.scribe.days) <= 8 * tried
    house.scribe.server.says = house.scribe.writes
    house.clock.move(timedelta(hours=13))
    await house.memory.day_answers.nightly.round()
    assert (await house.told(day=10))[1].startswith("Alice wrote that")


async def test_private_rooms_are_left_alone_at_night(house: DiaryHouse) -> None:
    secret = await house.say(ALICE, "The treasure lies under the old stairs of the inn", CELLAR)
    await house.pass_night()
    assert house.scribe.days == []
    assert set(await house.told(CELLAR, day=10)) == {1}
    await house.delete(secret)
    await house.pass_night()
    assert not await house.database.read("test", "SELECT FROM days"), "it is made again if somebody asks in there"
    assert len(house.scribe.days) == 1


async def test_retention_of_messages_leaves_summaries_and_theirs_does_not(house: DiaryHouse) -> None:
    said = await house.say(ALICE, "The quiz was great fun")
    await house.say(BOB, "We found a new kitchen table")
    await house.pass_night(hours=12)
    log = LogSettings(retention_days=2, summary_days=20)
    await house.memory.privacy.change_settings(GUILD, lambda known: replace(known, log=log))
    house.clock.move(DAY * 3)
    assert (await house.memory.purge(house.clock.now())).messages == 2
    assert await stored(house) == {(0, date(2026, 3, 10)): [1, 2]}
    assert len(house.scribe.days) == 1
    await house.delete(said)
    assert await stored(house) == {}, "deleted is deleted, even if it is not in the log any more"
    await house.say(CARL, "A quiet evening by the fire place")
    await house.pass_night()
    assert await stored(house) == {(0, date(2026, 3, 14)): [3]}
    house.clock.move(DAY * 17)
    await house.memory.purge(house.clock.now())
    assert await stored(house) == {(0, date(2026, 3, 14)): [3]}
    await house.memory.privacy.change_settings(GUILD, lambda known: replace(known, log=replace(log, summary_days=10)))
    assert await stored(house) == {}, "a shorter time holds at once"
    await house.memory.day_answers.nightly.round()
    assert house.scribe.days == ["2026-03-10", "2026-03-14"], "what a guild does not keep is not made again"


async def test_a_guild_that_was_left_is_left_alone(house: DiaryHouse) -> None:
    await house.say(ALICE, "The quiz was great fun")
    await house.memory.privacy.leave_guild(GUILD)
    await house.pass_night()
    assert house.scribe.days == []
