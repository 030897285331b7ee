"""Defines the one clock. Everything that needs the time is handed one, so that tests can live through months."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Protocol

from memory.language.time_zones import time_in


class Clock(Protocol):
    def now(self) -> datetime:
        """Give the present moment, aware, in UTC."""
        ...


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


class SetClock:
    """Stands still until it is moved, as a clock for tests."""

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs an aware datetime")
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        return self._now

    def move(self, by: timedelta) -> None:
        self._now += by


# A calendar day of a guild: from midnight to midnight by its own clocks, summer time included.


@dataclass(frozen=True, slots=True)
class GuildDay:
    starts_at: datetime
    ends_at: datetime

    def __contains__(self, moment: datetime) -> bool:
        return self.starts_at <= moment < self.ends_at


def day_of(zone: str, now: datetime) -> GuildDay:
    here = time_in(zone, now)
    return GuildDay(
        _midnight(here.date(), here.tzinfo or UTC), _midnight(here.date() + timedelta(days=1), here.tzinfo or UTC)
    )


def start_of_days(zone: str, now: datetime, days: int) -> datetime:
    """Say when the last so many days began; today is one of them."""
    here = time_in(zone, now)
    return _midnight(here.date() - timedelta(days=days - 1), here.tzinfo or UTC)


def last_days(zone: str, now: datetime, days: int) -> list[tuple[date, datetime]]:
    """List the last so many days, today included, and when each began."""
    starts = (start_of_days(zone, now, back) for back in range(days, 0, -1))
    return [(time_in(zone, start).date(), start) for start in starts]


def _midnight(day: date, zone: tzinfo) -> datetime:
    """Find midnight, or where clocks skip it the first moment of the day."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)
