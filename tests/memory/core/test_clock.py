"""Days by a guild's own clocks."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.clock import day_of, start_of_days
from memory.language.time_zones import COMMON, time_in


@pytest.mark.parametrize(
    ("zone", "now", "starts", "hours"),
    [
        ("UTC", "2026-03-01T12:00Z", "2026-03-01T00:00Z", 24),
        ("Europe/Berlin", "2026-03-01T23:30Z", "2026-03-01T23:00Z", 24),
        ("America/Los_Angeles", "2026-03-01T02:00Z", "2026-02-28T08:00Z", 24),
        ("Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00Z", 23),
        ("Europe/Berlin", "2026-10-25T12:00Z", "2026-10-24T22:00Z", 25),
        # Clocks go from 23:59:59 to 01:00, so the day begins at one.
        ("Africa/Cairo", "2026-04-24T12:00Z", "2026-04-23T22:00Z", 23),
    ],
)
def test_a_day_begins_and_ends_at_the_guilds_midnight(zone: str, now: str, starts: str, hours: int) -> None:
    day = day_of(zone, datetime.fromisoformat(now))
    assert day.starts_at == datetime.fromisoformat(starts)
    assert day.ends_at - day.starts_at == timedelta(hours=hours)


def test_the_last_days_are_counted_with_today() -> None:
    now = datetime(2026, 4, 2, 12, tzinfo=UTC)
    assert start_of_days("Europe/Berlin", now, 1) == day_of("Europe/Berlin", now).starts_at
    assert start_of_days("Europe/Berlin", now, 7) == datetime(2026, 3, 26, 23, tzinfo=UTC)


@given(st.sampled_from(COMMON), st.integers(0, 2_000_000_000).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)))
def test_every_moment_is_in_its_day_and_days_follow_each_other(zone: str, now: datetime) -> None:
    day = day_of(zone, now)
    assert now in day
    assert day_of(zone, day.ends_at).starts_at == day.ends_at
    assert time_in(zone, day.starts_at).date() == time_in(zone, now).date()
