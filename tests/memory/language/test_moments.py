"""Times by the clock become moments: over the change of clocks, at the end of months, again and again."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.language.time_grammar import Every, Grain, Repeat
from memory.language.time_meaning import Reading, Shift, for_reminder, moment_of, next_of

at = datetime.fromisoformat
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = st.sampled_from(
    [ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")]
)
WALLS = st.datetimes(at("2020-01-01"), at("2035-01-01")).map(lambda wall: wall.replace(microsecond=0))
NOW = datetime(2026, 3, 28, 12, tzinfo=UTC)


def test_of_an_hour_that_comes_twice_the_first_is_meant() -> None:
    resolved = moment_of(Reading(at("2026-10-25 02:30"), Grain.MINUTE), NOW, BERLIN)
    assert resolved.shifted is Shift.DOUBLED
    assert resolved.at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_hours_are_real_and_days_keep_the_clock() -> None:
    now = datetime(2026, 3, 28, 15, 20, tzinfo=BERLIN)
    wall = at("2026-03-29 15:20")
    hours = moment_of(Reading(wall, Grain.MINUTE, is_interval=True), now, BERLIN)
    assert (hours.at - now, hours.wall) == (timedelta(hours=24), wall + timedelta(hours=1))
    day = moment_of(Reading(wall, Grain.HOUR, is_interval=True), now, BERLIN)
    assert (day.at - now, day.wall) == (timedelta(hours=23), wall)


def test_a_whole_day_is_nine_in_the_morning_for_a_reminder() -> None:
    day = at("2026-03-30")
    assert for_reminder(Reading(day, Grain.DAY)).wall == at("2026-03-30 09:00")
    assert for_reminder(Reading(day, Grain.WEEK)).wall == at("2026-03-30 09:00")
    exact = Reading(day, Grain.HOUR)
    counted = Reading(day.replace(hour=15), Grain.DAY, is_interval=True)
    assert (for_reminder(exact), for_reminder(counted)) == (exact, counted)


@pytest.mark.parametrize(
    ("start", "repeat", "walls"),
    [
        ("01-31 09:00", Repeat(Every.MONTH), ["02-28 09:00", "03-31 09:00", "04-30 09:00", "05-31 09:00"]),
        ("03-26 09:00", Repeat(Every.WEEKDAY), ["03-27 09:00", "03-30 09:00", "03-31 09:00"]),
        ("03-16 10:00", Repeat(Every.WEEK, 2), ["03-30 10:00", "04-13 10:00"]),
        ("03-28 02:30", Repeat(Every.DAY), ["03-29 03:30", "03-30 02:30"]),
        ("03-28 20:00", Repeat(Every.HOURS, 5), ["03-29 01:00", "03-29 07:00", "03-29 12:00"]),
    ],
)
def test_a_repeat_goes_on_from_where_it_began(start: str, repeat: Repeat, walls: list[str]) -> None:
    reading = Reading(at(f"2026-{start}"), Grain.MINUTE, repeat=repeat)
    after, shown = moment_of(reading, NOW, BERLIN).at, []
    for _ in walls:
        found = next_of(reading, after, BERLIN)
        after = found.at
        shown.append(f"{found.wall:%m-%d %H:%M}")
    assert shown == walls


@settings(max_examples=100, deadline=None)
@given(WALLS, ZONES)
def test_the_clock_shows_what_was_said_or_that_it_was_shifted(wall: datetime, zone: ZoneInfo) -> None:
    resolved = moment_of(Reading(wall, Grain.MINUTE), NOW, zone)
    assert resolved.at.astimezone(zone).replace(tzinfo=None) == resolved.wall
    assert resolved.wall == wall or (resolved.shifted is Shift.SKIPPED and resolved.wall > wall)


@settings(max_examples=100, deadline=None)
@given(WALLS, ZONES, st.sampled_from(list(Every)), st.integers(1, 40), st.timedeltas(timedelta(0), timedelta(days=900)))
def test_a_repeat_comes_next_and_keeps_the_clock(
    wall: datetime, zone: ZoneInfo, every: Every, count: int, later: timedelta
) -> None:
    repeat = Repeat(every, 1 if every is Every.WEEKDAY else count)
    reading = Reading(wall, Grain.MINUTE, repeat=repeat)
    after = moment_of(reading, NOW, zone).at + later
    found = next_of(reading, after, zone)
    assert found.at > after
    longest = {
        Every.HOURS: timedelta(hours=count),
        Every.DAY: timedelta(days=count),
        Every.WEEK: timedelta(weeks=count),
    }
    assert found.at - after <= longest.get(every, timedelta(days=32 * count)) + timedelta(hours=2)
    if every is not Every.HOURS and found.shifted is None:
        assert found.wall.time() == wall.time()
    if every is Every.WEEKDAY:
        assert found.wall.weekday() < 5
