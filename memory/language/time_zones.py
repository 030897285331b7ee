"""Knows time zones by the names of the IANA database, and finds the one somebody means by what they typed.

Reading the database for the first time takes some tens of milliseconds: whoever has a loop to keep running looks for
zones in a thread.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from memory.language.text import fold

MOST_SUGGESTED = 25
LONGEST_INPUT = 60
CLOSE_ENOUGH = 0.72
"""How alike two spellings of a city are before one is taken for a slip of the other."""

COMMON = (
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Paris",
    "Europe/Madrid",
    "Europe/Rome",
    "Europe/Warsaw",
    "Europe/Athens",
    "Europe/Kyiv",
    "Europe/Istanbul",
    "Europe/Moscow",
    "America/New_York",
    "America/Chicago",
    "America/Denver",
    "America/Los_Angeles",
    "America/Mexico_City",
    "America/Bogota",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "Africa/Johannesburg",
    "Asia/Dubai",
    "Asia/Kolkata",
    "Asia/Singapore",
    "Asia/Tokyo",
    "Australia/Sydney",
)
"""Where most servers are: offered first."""

_CONTINENTS = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Arctic/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+\-−])\s*(\d{1,2})(?::?([0-5]\d))?")


def zone_meant(text: str) -> str | None:
    """Find the zone of that name, in any case and with blanks for underscores, or the only one whose city is called so.

    Abbreviations and offsets mean no zone: they say nothing of summer time.
    """
    wanted = _key(text)
    if not wanted or len(text) > LONGEST_INPUT:
        return None
    if wanted in ("utc", "gmt"):
        return "UTC"
    by_name = [zone for zone in _names() if _called(zone) == wanted]
    if by_name:
        return by_name[0]
    by_city = [zone for zone in _names() if _city(zone) == wanted]
    return by_city[0] if len(by_city) == 1 else None


def zones_like(text: str, now: datetime) -> list[str]:
    """Suggest zones that may have been meant, the likeliest first; the common ones if nothing was typed."""
    wanted = _key(text[:LONGEST_INPUT])
    if not wanted:
        return list(COMMON)
    found = dict.fromkeys(_candidates(wanted, now))
    return list(found)[:MOST_SUGGESTED]


def offset_of(zone: str, now: datetime) -> str:
    """Write how far a zone's clocks are from UTC just now: `UTC+02:00`."""
    seconds = _utc_offset(zone, now)
    hours, minutes = divmod(abs(seconds) // 60, 60)
    return f"UTC{'-' if seconds < 0 else '+'}{hours:02}:{minutes:02}"


def time_in(zone: str, now: datetime) -> datetime:
    return now.astimezone(_clock_of(zone))


def is_zone(name: str) -> bool:
    return name in _names()


def _candidates(wanted: str, now: datetime) -> Iterator[str]:
    offset = _OFFSET.fullmatch(wanted)
    if offset is not None:
        yield from _with_offset(_seconds(offset), now)
        return
    yield from _where(lambda zone: wanted in (_called(zone), _city(zone)))
    if wanted.isalpha():
        yield from _abbreviated(wanted, now)
    yield from _where(lambda zone: _city(zone).startswith(wanted))
    yield from _where(lambda zone: any(word.startswith(wanted) for word in re.split(r"[ /]", _called(zone))))
    yield from _where(lambda zone: wanted in _called(zone))
    cities = {_city(zone): zone for zone in _names()}
    for city in get_close_matches(wanted.rpartition("/")[2], cities, n=5, cutoff=CLOSE_ENOUGH):
        yield cities[city]


def _with_offset(seconds: int, now: datetime) -> Iterator[str]:
    """List zones whose clocks show that now or in the other half of the year, the common ones first."""
    for zones in (COMMON, _names()):
        for moment in (now, *_halves_of_the_year(now)):
            yield from [zone for zone in zones if _utc_offset(zone, moment) == seconds]


def _abbreviated(wanted: str, now: datetime) -> Iterator[str]:
    """Find common zones alone by an abbreviation: it stands for many more that nobody meant."""
    for moment in _halves_of_the_year(now):
        for zone in COMMON:
            if moment.astimezone(_clock_of(zone)).strftime("%Z").lower() == wanted:
                yield zone


def _where(fits: Callable[[str], bool]) -> Iterator[str]:
    return (zone for zone in _names() if fits(zone))


def _utc_offset(zone: str, at: datetime) -> int:
    return int((at.astimezone(_clock_of(zone)).utcoffset() or timedelta()).total_seconds())


def _seconds(offset: re.Match[str]) -> int:
    sign, hours, minutes = offset.groups()
    return (1 if sign == "+" else -1) * (int(hours) * 3600 + int(minutes or 0) * 60)


def _halves_of_the_year(now: datetime) -> tuple[datetime, datetime]:
    return datetime(now.year, 1, 1, tzinfo=UTC), datetime(now.year, 7, 1, tzinfo=UTC)


@cache
def _names() -> tuple[str, ...]:
    """List the common zones, then all others called by a place; older spellings such as `US/Eastern` are left out."""
    placed = {zone for zone in available_timezones() if zone.startswith(_CONTINENTS)}
    return (*COMMON, *sorted(placed.difference(COMMON)))


@cache
def _clock_of(zone: str) -> ZoneInfo:
    """Keep the clock of each zone: the library itself remembers only the last few."""
    return ZoneInfo(zone)


@cache
def _city(zone: str) -> str:
    return _called(zone).rpartition("/")[2]


@cache
def _called(zone: str) -> str:
    return _key(zone)


def _key(text: str) -> str:
    return " ".join(fold(text).replace("_", " ").split())
