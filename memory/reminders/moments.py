"""Times as people say them, by their own clock, and the moments that these are in a zone."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

REMINDER_HOUR = 9


class Grain(StrEnum):
    """How exactly a time was said."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


class Every(StrEnum):
    HOURS = "hours"
    DAY = "day"
    WEEKDAY = "weekday"
    """Monday to Friday."""
    WEEK = "week"
    MONTH = "month"


class Shift(StrEnum):
    """What the change of clocks does to a time."""

    SKIPPED = "skipped"
    """It does not exist on that day, and is moved forward by what the clocks leave out."""
    DOUBLED = "doubled"
    """It comes twice, and the first is meant."""


@dataclass(frozen=True, slots=True)
class Repeat:
    every: Every
    count: int = 1
    """0 hours: minutes or seconds, or no whole hours. No reminder is repeated like that, and its owner is told so."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text may mean, by the clock of the one who said it."""

    wall: datetime
    """Without a zone: the start of what was said, or, of an interval, just as long after now as was said."""
    grain: Grain
    is_interval: bool = False
    """ "in 3 hours" is counted by real time; days, weeks and months that are counted keep the clock."""
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    readings: tuple[Reading, ...]
    """One, or the two that are likely, the likelier first."""
    rest: str = ""
    """What is no time, as it was typed."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A moment, and what the clock shows then."""

    at: datetime
    wall: datetime
    shifted: Shift | None = None


def for_reminder(reading: Reading) -> Reading:
    """Take nine in the morning for a whole day, and for the first day of what is longer."""
    if reading.is_interval or reading.grain in (Grain.SECOND, Grain.MINUTE, Grain.HOUR):
        return reading
    return replace(reading, wall=reading.wall.replace(hour=REMINDER_HOUR), grain=Grain.HOUR)


def moment_of(reading: Reading, now: datetime, zone: ZoneInfo) -> Resolved:
    """Work out when it is, in that zone. Hours and less are counted from now, whatever the clocks do meanwhile."""
    if reading.is_interval and reading.grain in (Grain.SECOND, Grain.MINUTE):
        here = now.astimezone(zone)
        at = now.astimezone(UTC) + (reading.wall - here.replace(tzinfo=None))
        return Resolved(at, at.astimezone(zone).replace(tzinfo=None))
    return _resolved(reading.wall, zone)


def _resolved(wall: datetime, zone: ZoneInfo) -> Resolved:
    first = wall.replace(tzinfo=zone, fold=0)
    at = first.astimezone(UTC)
    shown = at.astimezone(zone).replace(tzinfo=None, fold=0)
    if shown != wall:
        return Resolved(at, shown, Shift.SKIPPED)
    is_doubled = first.utcoffset() != first.replace(fold=1).utcoffset()
    return Resolved(at, shown, Shift.DOUBLED if is_doubled else None)


def next_of(reading: Reading, after: datetime, zone: ZoneInfo) -> Resolved:
    """Find the next time of a repeated reading after `after`: hours keep their distance, all else keeps the clock."""
    if reading.repeat is None:
        raise ValueError("it is not repeated")
    every, count = reading.repeat.every, reading.repeat.count
    start = _resolved(reading.wall, zone)
    if every is Every.HOURS:
        step = timedelta(hours=count)
        passed = max(0, (after - start.at) // step + 1)
        at = start.at + passed * step
        return Resolved(at, at.astimezone(zone).replace(tzinfo=None))
    days = max(0, (after - start.at).days - 1)
    number = days // {Every.WEEK: 7 * count, Every.MONTH: 31 * count, Every.DAY: count}.get(every, 1)
    while True:
        wall = _occurrence(reading.wall, reading.repeat, number)
        is_meant = every is not Every.WEEKDAY or wall.weekday() < 5
        if is_meant and (found := _resolved(wall, zone)).at > after:
            return found
        number += 1


def _occurrence(start: datetime, repeat: Repeat, number: int) -> datetime:
    if repeat.every is Every.MONTH:
        return months_later(start, number * repeat.count)
    return start + timedelta(days=number * repeat.count * (7 if repeat.every is Every.WEEK else 1))


def months_later(wall: datetime, months: int) -> datetime:
    """Count months on, to the same day, or the last of a month that is too short for it."""
    years, month = divmod(wall.year * 12 + wall.month - 1 + months, 12)
    return wall.replace(year=years, month=month + 1, day=min(wall.day, monthrange(years, month + 1)[1]))
