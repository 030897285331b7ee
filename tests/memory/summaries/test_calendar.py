"""The calendar of a guild: its own clocks, moves to other zones, when a day is over and what is due about it."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.values import last_id_of
from memory.summaries.calendar import (
    GRACE,
    SPREAD,
    CalendarDay,
    DayRow,
    DueWork,
    begin_of_night,
    date_in,
    day_on,
    days_between,
    hour_of,
    is_over,
    what_is_due,
)
from tests.memory.world import there

ZONES = (
    "UTC",
    "Europe/Berlin",
    "America/Los_Angeles",
    "Pacific/Auckland",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/Sao_Paulo",
    "Pacific/Apia",
    "Pacific/Kiritimati",
)
MARCH = date(2026, 3, 1)
NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)


def day(zone: str, on: date) -> CalendarDay:
    return there(day_on(zone, on))


def test_a_day_runs_from_midnight_to_midnight_by_the_guilds_clocks() -> None:
    berlin = day("Europe/Berlin", date(2026, 3, 11))
    assert (berlin.starts_at, berlin.ends_at) == (
        datetime(2026, 3, 10, 23, tzinfo=UTC),
        datetime(2026, 3, 11, 23, tzinfo=UTC),
    )


@pytest.mark.parametrize(("on", "hours"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 3, 28), 24)])
def test_days_on_which_clocks_change_are_shorter_or_longer(on: date, hours: int) -> None:
    found = day("Europe/Berlin", on)
    assert found.ends_at - found.starts_at == timedelta(hours=hours)


def test_a_day_that_clocks_leapt_over_does_not_exist() -> None:
    assert day_on("Pacific/Apia", date(2011, 12, 30)) is None
    dates = [one.date for one in days_between("Pacific/Apia", date(2011, 12, 29), date(2011, 12, 31))]
    assert dates == [date(2011, 12, 29), date(2011, 12, 31)]


@given(st.sampled_from(ZONES), st.dates(date(2015, 1, 1), date(2035, 1, 1)), st.integers(0, 20))
def test_days_follow_each_other_without_gap_or_overlap(zone: str, first: date, length: int) -> None:
    days = days_between(zone, first, first + timedelta(days=length))
    assert [one.date for one in days] == [first + timedelta(days=n) for n in range(length + 1)]
    assert all(one.ends_at == other.starts_at for one, other in pairwise(days))
    assert all(date_in(zone, one.starts_at) == one.date for one in days)
    assert all(one.starts_at.minute % 15 == 0 and one.starts_at.second == 0 for one in days)


@given(
    st.sampled_from(ZONES),
    st.lists(st.sampled_from(ZONES), min_size=1, max_size=4),
    st.lists(st.integers(0, 3), min_size=1, max_size=4),
)
def test_after_a_move_each_moment_belongs_to_one_day(zone: str, moves: list[str], told_for: list[int]) -> None:
    """Some days are told in one zone, then the guild moves: the next begins where the last ended."""
    told: list[CalendarDay] = []
    on = MARCH
    for home, days in zip([zone, *moves], [*told_for, *[1] * len(moves)], strict=False):
        told += days_between(home, on, on + timedelta(days=days), told)
        on += timedelta(days=days + 1)
    every = sorted([*told, *days_between(moves[-1], MARCH, on + timedelta(days=2), told)])
    assert all(one.ends_at <= other.starts_at for one, other in pairwise(every)), "no moment is told twice"
    middle = [one for one in every if one.starts_at > day(zone, MARCH).ends_at]
    assert all(one.ends_at == other.starts_at for one, other in pairwise(middle)), "and none is lost"


def test_ids_and_times_of_a_day_are_the_same() -> None:
    found = day("Europe/Berlin", date(2026, 3, 11))
    millisecond = timedelta(milliseconds=1)
    assert last_id_of(found.starts_at - millisecond) < found.first_id <= last_id_of(found.starts_at)
    assert last_id_of(found.ends_at - millisecond) < found.end_id <= last_id_of(found.ends_at)


def test_hours_are_those_of_the_guilds_clocks() -> None:
    at = datetime(2026, 3, 11, 12, 20, tzinfo=UTC)
    assert hour_of("UTC", at) == datetime(2026, 3, 11, 12, tzinfo=UTC)
    assert hour_of("Asia/Kathmandu", at) == datetime(2026, 3, 11, 12, 15, tzinfo=UTC)
    twice = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    assert len({hour_of("Europe/Berlin", moment) for moment in twice}) == 2, "half past two comes twice that night"


def test_a_day_is_over_when_its_channels_have_been_read_past_its_end() -> None:
    found = day("UTC", date(2026, 3, 10))
    soon = found.ends_at + timedelta(minutes=5)
    behind, past = last_id_of(found.ends_at - timedelta(hours=1)), last_id_of(found.ends_at)
    assert not is_over(found, found.ends_at - timedelta(seconds=1), {1: past})
    assert is_over(found, soon, {1: past, 2: past})
    assert not is_over(found, soon, {1: past, 2: behind})
    assert not is_over(found, soon, {1: None})
    assert is_over(found, found.ends_at + GRACE, {1: behind, 2: None}), "nobody waits for ever"
    assert is_over(found, soon, {}), "nobody said anything"


def test_nights_begin_soon_after_midnight_and_not_all_at_once() -> None:
    now = datetime(2026, 3, 11, 3, tzinfo=UTC)
    begins = {begin_of_night("UTC", guild_id, now) for guild_id in range(1, 200)}
    midnight = datetime(2026, 3, 11, tzinfo=UTC)
    assert all(midnight <= begin < midnight + SPREAD for begin in begins)
    assert len(begins) > 150
    begin = begin_of_night("UTC", 7, now)
    assert begin_of_night("UTC", 7, begin) == begin
    assert begin_of_night("UTC", 7, begin - timedelta(seconds=1)) == begin - timedelta(days=1)


@given(st.sampled_from(ZONES), st.datetimes(datetime(2016, 1, 1), datetime(2034, 1, 1)), st.integers(1, 2**62))  # noqa: DTZ001 - made aware below
def test_the_latest_night_is_never_in_the_future(zone: str, naive: datetime, guild_id: int) -> None:
    now = naive.replace(tzinfo=UTC)
    assert now - timedelta(hours=26) < begin_of_night(zone, guild_id, now) <= now


TODAY = CalendarDay(datetime(2026, 3, 11, tzinfo=UTC), datetime(2026, 3, 12, tzinfo=UTC), date(2026, 3, 11))
YESTERDAY = CalendarDay(datetime(2026, 3, 10, tzinfo=UTC), datetime(2026, 3, 11, tzinfo=UTC), date(2026, 3, 10))


def state(
    *,
    is_final: bool = True,
    has_text: bool = True,
    is_disturbed: bool = False,
    is_quoted: bool = False,
    tried_at: datetime = NOON - timedelta(hours=2),
    retry_at: datetime | None = None,
) -> DayRow:
    seen = 5 if has_text or is_disturbed else None
    return DayRow(0, YESTERDAY, frozenset(), seen, is_final, is_disturbed, is_quoted, tried_at, retry_at=retry_at)


@pytest.mark.parametrize(
    ("on", "known", "new", "due"),
    [
        (YESTERDAY, None, 0, DueWork.NOTHING),
        (YESTERDAY, None, 1, DueWork.MAKE),
        (TODAY, None, 1, DueWork.MAKE),
        (TODAY, None, 0, DueWork.NOTHING),
        (TODAY, state(is_final=False), 0, DueWork.NOTHING),
        (TODAY, state(is_final=False), 3, DueWork.MAKE),
        (TODAY, state(is_final=False, tried_at=NOON - timedelta(seconds=1)), 3, DueWork.MAKE),
        (TODAY, state(is_final=False, tried_at=NOON), 3, DueWork.NOTHING),
        (TODAY, state(is_final=False, has_text=False, is_disturbed=True), 0, DueWork.MAKE),
        (TODAY, state(is_final=False, is_quoted=True), 0, DueWork.MAKE),
        (TODAY, state(is_final=False, is_quoted=True, tried_at=NOON), 0, DueWork.MAKE),
        (TODAY, state(is_final=False, is_quoted=True, tried_at=NOON, retry_at=NOON), 3, DueWork.NOTHING),
        (YESTERDAY, state(is_final=False), 0, DueWork.CLOSE),
        (YESTERDAY, state(is_final=False), 1, DueWork.MAKE),
        (YESTERDAY, state(is_final=False, has_text=False), 0, DueWork.MAKE),
        (YESTERDAY, state(is_final=False, has_text=False, retry_at=NOON + timedelta(hours=1)), 0, DueWork.NOTHING),
        (YESTERDAY, state(), 0, DueWork.NOTHING),
        (YESTERDAY, state(), 2, DueWork.MEND),
        (YESTERDAY, state(has_text=False, is_disturbed=True), 0, DueWork.MEND),
        (YESTERDAY, state(is_quoted=True, retry_at=NOON), 0, DueWork.MAKE),
        (YESTERDAY, state(is_quoted=True, retry_at=NOON + timedelta(hours=1)), 0, DueWork.NOTHING),
    ],
)
def test_what_is_due_about_a_day(on: CalendarDay, known: DayRow | None, new: int, due: DueWork) -> None:
    assert what_is_due(on, known, now=NOON, zone="UTC", new=new, has_model=True) is due


def test_what_was_quoted_stays_quoted_where_there_is_no_model() -> None:
    quoted = state(is_quoted=True)
    assert what_is_due(YESTERDAY, quoted, now=NOON, zone="UTC", new=0, has_model=False) is DueWork.NOTHING
