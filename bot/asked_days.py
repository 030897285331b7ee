"""Days that somebody types: "2026-03-01", "yesterday", "last week", "März", read in the guild's time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from memory.core.language import Language, language_of
from memory.core.recall.dates import Span, span_in


def days_meant(typed: str, now: datetime, zone: ZoneInfo, spoken: Language) -> Span | None:
    """None: not understood. `spoken` is what the one who types speaks with Discord."""
    language = language_of(typed) or spoken
    # "May" alone might be another word in a question; here it can only be the month.
    return span_in(typed, now, zone, language) or span_in(f"in {typed}", now, zone, language)


def shown(moment: datetime, zone: ZoneInfo) -> str:
    """Not as Discord's own notation, which would show the day of the reader's zone."""
    return f"{moment.astimezone(zone):%Y-%m-%d}"
