"""When a digest is due: by hours, weekdays and zones, where the clocks leave an hour out or have it twice."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from memory.core.values import time_of
from memory.daily.values import Digest, Schedule, is_digest
from memory.policy.settings import digest_rules

TUESDAY = date(2026, 11, 17)


def schedule(zone: str = "Europe/Berlin", **rules: object) -> Schedule:
    return Schedule(1, ZoneInfo(zone), digest_rules({"channel_id": 10} | rules))


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(year, month, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "hour", "day", "due"),
    [
        ("Europe/Berlin", 9, TUESDAY, utc(2026, 11, 17, 8)),
        ("Asia/Tokyo", 9, TUESDAY, utc(2026, 11, 17, 0)),
        ("America/New_York", 23, TUESDAY, utc(2026, 11, 18, 4)),
        ("Asia/Kathmandu", 0, TUESDAY, utc(2026, 11, 16, 18, 15)),
        # The hour that is left out is the next one that there is; also at midnight.
        ("Europe/Berlin", 2, date(2027, 3, 28), utc(2027, 3, 28, 1)),
        ("Europe/Berlin", 3, date(2027, 3, 28), utc(2027, 3, 28, 1)),
        ("America/Santiago", 0, date(2026, 9, 6), utc(2026, 9, 6, 4)),
        # Of two the first.
        ("Europe/Berlin", 2, date(2026, 10, 25), utc(2026, 10, 25, 0)),
        ("Europe/Berlin", 3, date(2026, 10, 25), utc(2026, 10, 25, 2)),
        ("America/New_York", 1, date(2026, 11, 1), utc(2026, 11, 1, 5)),
    ],
)
def test_the_hour_by_the_guilds_own_clock(zone: str, hour: int, day: date, due: datetime) -> None:
    assert schedule(zone, hour=hour).due_on(day) == due


@pytest.mark.parametrize("day", [date(2027, 3, 28), date(2026, 10, 25)])
def test_on_a_day_with_23_or_25_hours_there_is_one_and_nothing_is_told_twice(day: date) -> None:
    plan, (before, after) = schedule(hour=2), (day - timedelta(days=1), day + timedelta(days=1))
    now, dates = utc(day.year, day.month, day.day) - timedelta(days=1), set()
    while now < utc(after.year, after.month, after.day):
        dates |= {(one, at) for one, at in plan.due_by(now) if one == day}
        now += timedelta(minutes=20)
    assert len(dates) == 1
    assert plan.tells_of(before)[1] == plan.tells_of(day)[0]
    assert plan.tells_of(day)[1] == plan.tells_of(after)[0]
    first, last = map(time_of, plan.tells_of(after))
    assert last - first in (timedelta(hours=23), timedelta(hours=25))


def test_weekdays_and_once_a_week() -> None:
    plan = schedule(weekdays=(1, 4))
    week = [TUESDAY + timedelta(days=number) for number in range(7)]
    assert [day for day in week if plan.due_on(day)] == [week[0], week[3]]
    weekly = schedule(weekdays=(4, 1), weekly=True)
    assert [day for day in week if weekly.due_on(day)] == [week[0]], "on the first of them"
    first, last = map(time_of, weekly.tells_of(TUESDAY))
    assert (first, last) == tuple(utc(2026, 11, day, 22, 59) + timedelta(seconds=59.999) for day in (9, 16))
    assert not schedule(weekdays=(1,)).due_on(week[1])
    assert not schedule(channel_id=None).due_on(TUESDAY), "off"


def test_what_is_due_and_what_comes_next() -> None:
    plan = schedule(hour=23)
    assert list(plan.due_by(utc(2026, 11, 17, 21, 59))) == [(date(2026, 11, 16), utc(2026, 11, 16, 22))]
    assert [day.day for day, _ in plan.due_by(utc(2026, 11, 17, 22))] == [16, 17]
    assert plan.next_due(utc(2026, 11, 17, 22), done=None) == utc(2026, 11, 18, 22)
    assert plan.next_due(utc(2026, 11, 17, 12), done=TUESDAY) == utc(2026, 11, 18, 22), "it came early by `/digest now`"
    later = schedule(since=utc(2026, 11, 17, 8, 1).timestamp())
    assert list(later.due_by(utc(2026, 11, 17, 12))) == [], "nothing was due before it was set up"


def test_an_id_that_stands_for_a_digest_and_a_mark_that_stands_in_one_alone() -> None:
    assert is_digest((5 << 22) - 1)
    assert not is_digest(5 << 22)
    marks = {Digest(1, TUESDAY + timedelta(days=number), 0, 0, utc(2026, 1, 1), 0, 0).mark for number in range(9)}
    assert len(marks) == 9
