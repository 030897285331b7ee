"""Makes times and ids: a clock that tests can set, and snowflakes that carry its true time."""

import random
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import orjson

DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)
TIME_SHIFT = 22
LOW_BITS = (1 << TIME_SHIFT) - 1


def milliseconds_at(moment: datetime) -> int:
    """Count milliseconds since Discord's epoch in whole numbers: a float would miss some moments by one."""
    return (moment - DISCORD_EPOCH) // MILLISECOND


def time_of(snowflake: int) -> datetime:
    return DISCORD_EPOCH + (snowflake >> TIME_SHIFT) * MILLISECOND


class Clock:
    """Tells the world's time. It runs with the machine's, and further away from it once it was shifted."""

    def __init__(self) -> None:
        self._offset = timedelta()

    def now(self) -> datetime:
        return datetime.fromtimestamp(time.time(), UTC) + self._offset

    def set(self, moment: datetime) -> None:
        if moment.tzinfo is None:
            raise ValueError("the clock needs a moment with a time zone")
        self._offset = moment - datetime.fromtimestamp(time.time(), UTC)

    def advance(self, by: timedelta) -> None:
        self._offset += by

    def reset(self) -> None:
        self._offset = timedelta()


class Snowflakes:
    """Makes ids: unique, and by and large increasing as long as the clock does not go back.

    The low bits run on across milliseconds instead of starting at zero in each, so that a clock
    set back to a moment it has already seen does not produce the ids of then again.
    """

    def __init__(self, clock: Clock, *, first_low: int | None = None) -> None:
        self._clock = clock
        self._low = random.getrandbits(TIME_SHIFT) if first_low is None else first_low

    def next(self, at: datetime | None = None) -> int:
        self._low = (self._low + 1) & LOW_BITS
        return (milliseconds_at(at or self._clock.now()) << TIME_SHIFT) | self._low


# How values look on Discord's wire: ids are strings, times ISO 8601, bodies JSON.


JsonObject = dict[str, object]
Json = Mapping[str, object] | Sequence[object] | str | int | float | bool | None


def encode(value: object) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)


def snowflake_or_none(value: int | None) -> str | None:
    return None if value is None else str(value)


def iso(moment: datetime) -> str:
    return moment.isoformat(timespec="microseconds")


def iso_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else iso(moment)
