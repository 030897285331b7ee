"""The time that an expression means. A stand-in with the forms of the grammar, until that is here."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from memory.language.detect import Language


class Grain(StrEnum):
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
    WEEK = "week"
    MONTH = "month"


class Shift(StrEnum):
    SKIPPED = "skipped"
    DOUBLED = "doubled"


@dataclass(frozen=True, slots=True)
class Repeat:
    every: Every
    count: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    wall: datetime
    grain: Grain
    is_interval: bool = False
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    readings: tuple[Reading, ...]
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    at: datetime
    wall: datetime
    shifted: Shift | None = None


def when(text: str, now: datetime, language: Language | None = None, *, forward: bool = True) -> Understood | None:
    found = re.fullmatch(r"(?:in|dans|en|через) (\d{1,4}) (?:minutes?|minuten|minutos?|минут)", text.strip().lower())
    if found:
        return Understood((Reading((now + timedelta(minutes=int(found[1]))).replace(tzinfo=None), Grain.MINUTE, True),))
    return None


def within(text: str, now: datetime, language: Language | None = None) -> Understood | None:
    return None


def for_reminder(reading: Reading) -> Reading:
    return reading


def moment_of(reading: Reading, now: datetime, zone: ZoneInfo) -> Resolved:
    at = reading.wall.replace(tzinfo=zone).astimezone(UTC)
    return Resolved(at, reading.wall)


def next_of(reading: Reading, after: datetime, zone: ZoneInfo) -> Resolved:
    return moment_of(reading, after, zone)
