"""Keeps the calendar of a guild: which days there are, when one is over, and when something is tried again.

Days run from midnight to midnight by the guild's own clocks. What was summarised as one day stays one: if the guild
moves to another zone, the next day begins where that one ended.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum, auto
from zlib import crc32
from zoneinfo import ZoneInfo

from memory.core.clock import day_of, start_of_days
from memory.core.values import last_id_of
from memory.language.time_zones import time_in

HALL_SCOPE = 0
"""Of what everybody may read; any other scope is the id of a channel."""
LOOKED_BACK = 7
"""Days before today that are summarised without being asked for."""
GRACE = timedelta(hours=2)
"""After midnight, for channels that have not been read on: then what comes later is late."""
SPREAD = timedelta(minutes=20)
"""Guilds of one zone do not all begin at its midnight."""


@dataclass(frozen=True, slots=True, order=True)
class CalendarDay:
    """Holds a day, or what is left of one after a change of zone."""

    starts_at: datetime
    ends_at: datetime
    date: date

    def __contains__(self, moment: datetime) -> bool:
        return self.starts_at <= moment < self.ends_at

    @property
    def first_id(self) -> int:
        """Give the id below which no message of this day lies."""
        return last_id_of(self.starts_at - timedelta(milliseconds=1)) + 1

    @property
    def end_id(self) -> int:
        """Give the id that is above all messages of this day."""
        return last_id_of(self.ends_at - timedelta(milliseconds=1)) + 1


def date_in(zone: str, moment: datetime) -> date:
    return time_in(zone, moment).date()


def day_on(zone: str, day: date) -> CalendarDay | None:
    """Find a day by a zone's clocks alone; None if they leapt over it: islands have crossed the date line."""
    noon = datetime.combine(day, time(12), ZoneInfo(zone))
    natural = day_of(zone, noon)
    return CalendarDay(natural.starts_at, natural.ends_at, day) if date_in(zone, noon.astimezone(UTC)) == day else None


def days_between(zone: str, first: date, last: date, told: Iterable[CalendarDay] = ()) -> list[CalendarDay]:
    """List all days from the first to the last, without any stretch that was told as a part of another day already.

    Those that were told themselves are not among them.
    """
    taken = sorted(told)
    days: list[CalendarDay] = []
    day = first
    while day <= last:
        natural = day_on(zone, day)
        if natural is not None:
            days += _left_of(natural, taken)
        day += timedelta(days=1)
    return days


def _left_of(day: CalendarDay, taken: Sequence[CalendarDay]) -> list[CalendarDay]:
    left: list[CalendarDay] = []
    begin = day.starts_at
    for other in taken:
        if other.ends_at <= begin or other.starts_at >= day.ends_at:
            continue
        if other.starts_at > begin:
            left.append(CalendarDay(begin, other.starts_at, day.date))
        begin = other.ends_at
    if begin < day.ends_at:
        left.append(CalendarDay(begin, day.ends_at, day.date))
    return left


def hour_of(zone: str, moment: datetime) -> datetime:
    """Tell when the hour began by the guild's clocks: two moments of one hour have the same."""
    return time_in(zone, moment).replace(minute=0, second=0, microsecond=0).astimezone(UTC)


def first_day_looked_at(zone: str, now: datetime) -> date:
    return date_in(zone, start_of_days(zone, now, LOOKED_BACK + 1))


def is_over(day: CalendarDay, now: datetime, read_through: Mapping[int, int | None]) -> bool:
    """Say whether nothing of the day is still on its way, as far as can be known.

    `read_through` is up to which message each of its channels has been read without a hole.
    """
    if now < day.ends_at:
        return False
    if now >= day.ends_at + GRACE:
        return True
    return all(reached is not None and reached >= day.end_id for reached in read_through.values())


@dataclass(frozen=True, slots=True)
class DayRow:
    """Holds what is known of a day's summary, without a word of it."""

    scope: int
    day: CalendarDay
    source_channels: frozenset[int]
    seen_seq: int | None
    """Up to where its texts know the log; None: it has none yet."""
    is_final: bool
    """The day was over when it was made."""
    is_disturbed: bool
    """Something has changed since, or it says what not everybody may read any more."""
    is_quoted: bool
    """No model made it."""
    tried_at: datetime
    tries: int = 0
    retry_at: datetime | None = None

    @property
    def has_text(self) -> bool:
        return self.seen_seq is not None and not self.is_disturbed

    def seen_by(self, channels: frozenset[int]) -> "DayRow":
        """Show the row to those who may read only these channels."""
        return replace(self, is_disturbed=self.is_disturbed or not self.source_channels <= channels)


class DueWork(StrEnum):
    NOTHING = auto()
    MAKE = auto()
    CLOSE = auto()
    """It has seen all there is, and the day is over."""
    MEND = auto()
    """It was final, and its sources are not what they were."""


def what_is_due(
    day: CalendarDay, state: DayRow | None, *, now: datetime, zone: str, new: int, has_model: bool
) -> DueWork:
    """Decide what is due; `new` messages are not in it yet. Without any, a day that nobody told needs no telling.

    Today has its turn once an hour. What was only quoted, and no model has tried yet, needs not wait for the next.
    """
    if state is None:
        return DueWork.MAKE if new else DueWork.NOTHING
    is_lacking = bool(new) or not state.has_text or (state.is_quoted and has_model)
    if now < day.ends_at:
        is_same_hour = hour_of(zone, state.tried_at) == hour_of(zone, now)
        is_untried = state.is_quoted and has_model and state.retry_at is None
        return DueWork.MAKE if is_untried or (is_lacking and not is_same_hour) else DueWork.NOTHING
    if state.retry_at is not None and now < state.retry_at:
        return DueWork.NOTHING
    if not state.is_final:
        return DueWork.MAKE if is_lacking else DueWork.CLOSE
    if state.is_quoted and has_model:
        return DueWork.MAKE
    return DueWork.MEND if state.is_disturbed or new else DueWork.NOTHING


def begin_of_night(zone: str, guild_id: int, now: datetime) -> datetime:
    """Tell when the guild's latest night's work is due: soon after midnight, and not everywhere at once."""
    spread = SPREAD * (crc32(guild_id.to_bytes(8, "big")) / 2**32)
    midnight = day_of(zone, now).starts_at
    if now >= midnight + spread:
        return midnight + spread
    return day_of(zone, midnight - timedelta(hours=1)).starts_at + spread
