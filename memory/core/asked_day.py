"""Whether a question wants to know what happened on a day, and nothing more particular: then the day itself is told."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from memory.core.days import date_in
from memory.core.recall.asked import read_question
from memory.core.values import Member
from memory.language.dates import span_in
from memory.language.detect import Language, language_of, word_set
from memory.language.question_words import ASKS_WHO
from memory.language.stems import words_of
from memory.language.text import fold

_LONGEST_DAY = timedelta(hours=26)
_ZONES_APART = timedelta(hours=14)
"""From UTC, at most."""

_HAPPENING = word_set(
    "happened happen happening happens going new news whats day summarise summarize summary recap sum catch "
    "passiert passierte geschehen geschah los gemacht tat neu neues tag zusammenfassung zusammenfassen "
    "passe arrive fait nouveau neuf journee resume resumer "
    "paso pasado pasaba ocurrio sucedio hizo hecho nuevo dia resumen resumir "
    "случилось произошло происходило делал делала делали нового день итоги расскажи"
)
_MISSED = word_set("miss missed verpasst rate manque perdi perdido пропустил пропустила")
"""Whoever missed something asks for the others."""


@dataclass(frozen=True, slots=True)
class AskedDay:
    date: date
    people: frozenset[int]
    """Whose day; nobody: everybody's."""


def may_ask_for_a_day(text: str, when: datetime, language: Language | None = None) -> bool:
    """Quickly, before anything is looked up: whether a time is named at all, and one about as long as a day.

    Which day it is depends on the zone, and so how long "since Monday" is.
    """
    spoken = language_of(text, language)
    spans = (span_in(text, when + apart, UTC, spoken) for apart in (timedelta(), _ZONES_APART, -_ZONES_APART))
    return any(span is not None and span.end - span.start <= _LONGEST_DAY * 2 for span in spans)


def asked_day(
    text: str, members: Iterable[Member], asker: Member, when: datetime, zone: str, language: Language | None = None
) -> AskedDay | None:
    """`members` need to hold those whom the text may mean."""
    asked = read_question(text, members, asker, when, ZoneInfo(zone), language)
    span = asked.span
    if span is None or span.end - span.start > _LONGEST_DAY or asked.wants or asked.latest or asked.spoken_of:
        return None
    words = set(asked.words)
    if not words <= _HAPPENING | _MISSED or ASKS_WHO.match(fold(text).lstrip()):
        return None
    is_missed = not _MISSED.isdisjoint(words_of(text))
    return AskedDay(date_in(zone, span.start), asked.speakers - {asker.user_id} if is_missed else asked.speakers)
