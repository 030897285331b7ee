"""Days that somebody types: "2026-03-01", "yesterday", "last week", "März", read in the guild's time zone."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from memory.language.dates import Span, span_in
from memory.language.detect import Language, language_of

_NUMBERS = re.compile(r"[\d\s./-]+")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


def days_meant(typed: str, now: datetime, zone: ZoneInfo, spoken: Language) -> Span | None:
    """None: not understood. `spoken` is what the one who types speaks with Discord."""
    language = language_of(typed) or spoken
    if _NUMBERS.fullmatch(typed):
        return _in_numbers(typed.strip(), now, zone, language)
    # "May" alone might be another word in a question; here it can only be the month.
    return span_in(typed, now, zone, language) or span_in(f"in {typed}", now, zone, language)


def _in_numbers(typed: str, now: datetime, zone: ZoneInfo, language: Language) -> Span | None:
    """A day, a month as 2026-03, or a year; of a day that no calendar has, the year would be a poor guess."""
    if month := _MONTH.fullmatch(typed):
        first = f"{month[1]}-{month[2]}-01"
        return span_in(first, now, zone, language)
    span = span_in(typed, now, zone, language)
    return span if span is None or len(typed) == 4 or span.end - span.start < timedelta(days=2) else None


def shown(moment: datetime, zone: ZoneInfo) -> str:
    """Not as Discord's own notation, which would show the day of the reader's zone."""
    return f"{moment.astimezone(zone):%Y-%m-%d}"
