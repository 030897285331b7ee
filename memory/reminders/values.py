"""Holds a time as people say it, the moment that it is in a zone; a reminder, and what comes of asking for one."""

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from uuid import UUID
from zoneinfo import ZoneInfo

from memory.language.detect import Language

# Times as people say them, by their own clock, and the moments that these are in a zone.


REMINDER_HOUR = 9


class Grain(StrEnum):
    """Says how exactly a time was said."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class Every(StrEnum):
    HOURS = "hours"
    DAY = "day"
    WEEKDAY = "weekday"
    """Monday to Friday."""
    WEEK = "week"
    MONTH = "month"


class Shift(StrEnum):
    """Names what the change of clocks does to a time."""

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
    """Holds what a text may mean, by the clock of the one who said it."""

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
    event_id: int | None = None
    """The scheduled event that the time was counted from."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Holds a moment, and what the clock shows then."""

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


# A reminder, and what comes of asking for one.


MOST_OPEN = 25
"""Of one member in one guild."""
LONGEST_TEXT = 500
FARTHEST = timedelta(days=5 * 366)
CHOSEN_WITHIN = timedelta(days=1)
"""How long a reminder waits for its time, and how long one that was deleted can be had back."""
KEPT_AFTER = timedelta(days=7)
"""How long one that was delivered can be put off by its buttons."""
KEPT_UNDELIVERED = timedelta(days=30)
LATE = timedelta(minutes=10)
LONG_ABSENCE = timedelta(hours=24)
"""What is later than that comes in one note."""


class State(StrEnum):
    ASKED = "asked"
    """It waits for its owner to say when."""
    OPEN = "open"
    KEPT = "kept"
    """It could not be delivered, and is told on the next contact."""
    SENT = "sent"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Reminder:
    guild_id: int
    reminder_id: int
    """The id of the message or the command that asked for it: asked twice, it is made once."""
    owner_id: int
    channel_id: int
    text: str
    language: Language
    zone: str
    made_at: datetime
    by_message: bool = False
    """A message asked for it, which it answers and goes with."""
    about_id: int | None = None
    """A message in the same place that it points at and goes with."""
    state: State = State.ASKED
    wall: datetime | None = None
    """What the owner's clock shows when it is due; of a repeated one, when it was due first."""
    due_at: datetime | None = None
    repeat: Repeat | None = None
    in_hall: bool = False
    """It was asked for where everyone can read."""
    readers: tuple[int, ...] | None = None
    """Who could see the place elsewhere; None: too many, or not known."""
    ends_at: datetime | None = None
    """When it is forgotten."""
    event_id: int | None = None
    """It moves along with this scheduled event."""

    @property
    def reading(self) -> Reading:
        """Give a reminder's time as the grammar has it, to find out when a repeated one comes next."""
        if self.wall is None:
            raise ValueError("it has no time yet")
        return Reading(self.wall, Grain.MINUTE, repeat=self.repeat)

    @property
    def due(self) -> int:
        """Give when a reminder is due in seconds, as it stands in the ids of buttons."""
        return 0 if self.due_at is None else int(self.due_at.timestamp())


@dataclass(frozen=True, slots=True)
class Claimed:
    """Holds a reminder that is due, for one process to deliver."""

    reminder: Reminder
    claimed_by: UUID
    tried_from: datetime | None = None
    """When somebody first set about delivering it; None: nobody has, so that it cannot have been said."""
    tried_until: datetime | None = None
    """When whoever tried it last had given up by."""
    tries: int = 0


@dataclass(frozen=True, slots=True)
class Wish:
    """Holds what somebody wants to be reminded of."""

    guild_id: int
    channel_id: int
    asked_in: int
    owner_id: int
    asked_at: datetime
    language: Language
    words: str
    """What it is about; where `when` is not said apart, its time as well."""
    when: str | None = None
    by_message: bool = False
    about_id: int | None = None
    for_several: bool = False
    """They said "remind us". Whoever asks is reminded alone, and is told so."""


class NoTime(StrEnum):
    """Says why there is no moment for it yet."""

    MISSING = "missing"
    PAST = "past"
    TOO_FAR = "too far"
    TOO_OFTEN = "repeated more often than every hour, or not in whole hours"


class Refused(StrEnum):
    OPTED_OUT = "opted out"
    TOO_MANY = "too many"
    TOO_LONG = "too long"
    GONE = "gone"
    """Who asked, or what asked for it, is gone; or it is not theirs."""


@dataclass(frozen=True, slots=True)
class Made:
    reminder: Reminder
    shift: Shift | None = None
    is_interval: bool = False
    """It comes after so many hours or minutes, whatever a clock shows."""
    tells_zone: bool = False
    """Its owner has chosen no time zone and was not told yet which one holds."""


@dataclass(frozen=True, slots=True)
class AskedWhen:
    """Holds a reminder that waits for its owner to say when, or which."""

    reminder: Reminder
    why: NoTime = NoTime.MISSING
    moments: tuple[datetime, ...] = ()
    """Two that are likely, to choose from."""


Outcome = Made | AskedWhen | Refused
