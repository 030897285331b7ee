"""What happened on a day, told by topic: a sentence each, with the messages that say it. Pure.

A model writes them together with the entries for members; without one they are quoted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import zip_longest
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from memory.core.values import Message, Source, time_of
from memory.language.stems import topics
from memory.summaries.calendar import CalendarDay
from memory.summaries.extractive import SAMENESS, alike, quoted
from memory.summaries.extractive import happenings as most_telling
from memory.summaries.plans import Plan, decided

MOST = 7
"""Of one day."""
MOST_DECIDED = 3
"""Of these, where they are quoted: by rule more is found than was decided."""


class EntryKind(StrEnum):
    """What an entry of a day is."""

    MEMBER = auto()
    """What the day was about for one member."""
    HAPPENED = auto()
    DECIDED = auto()
    PLANNED = auto()


@dataclass(frozen=True, slots=True)
class Happening:
    kind: EntryKind
    text: str
    cites: tuple[int, ...]
    """Messages, the most telling first."""


@dataclass(frozen=True, slots=True)
class ToldHappening:
    """A happening as it may be told to an audience."""

    scope: int
    day: CalendarDay
    kind: EntryKind
    text: str
    """Quoted: by whom, and their words between marks."""
    cites: tuple[int, ...]
    sources: tuple[Source, ...]
    """Those of the cited messages that the audience can still open."""
    source_channels: frozenset[int]
    """What its day was told from."""
    is_quoted: bool
    changes: int
    """How often something that the day was told from had changed."""
    messages: int = 0
    """Of its day."""
    left_out: int = 0
    """Of these, what was too much for a model."""


class _Told(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def cites(self) -> tuple[int, ...]: ...


Told = TypeVar("Told", bound=_Told)


def weightiest(parts: Iterable[Sequence[Told]], most: int = MOST) -> list[Told]:
    """Of parts of a day or of several days, each the weightiest first: each has its turn before any has a second one.
    What says the same, or rests on the same message, is told once."""
    taken: list[Told] = []
    for turn in zip_longest(*parts):
        for one in turn:
            if one is not None and len(taken) < most and not any(is_same(one, other) for other in taken):
                taken.append(one)
    return taken


def is_same(one: _Told, other: _Told) -> bool:
    return one.cites[:1] == other.cites[:1] or alike(topics(one.text), topics(other.text)) >= SAMENESS


def without_model(day: Sequence[Message], zone: ZoneInfo) -> list[Happening]:
    """The most telling sentences of the day, and by which something was decided or planned, whole and in quotation
    marks."""
    plans = [
        Happening(
            EntryKind.PLANNED if plan.when is not None else EntryKind.DECIDED,
            said_by(plan.author_id, plan.text),
            (plan.source.message_id,),
        )
        for plan in decided(day, zone)
        if not _is_for_the_day(plan, zone)
    ]
    telling = [
        Happening(EntryKind.HAPPENED, said_by(one.author_id, one.text), (one.source.message_id,))
        for one in most_telling([day])
    ]
    return weightiest([[*weightiest([plans], MOST_DECIDED), *telling]])


def _is_for_the_day(plan: Plan, zone: ZoneInfo) -> bool:
    """What was to be done on the day it was said is over when the day is."""
    said_at = time_of(plan.source.message_id)
    return plan.when is not None and plan.when.astimezone(zone).date() == said_at.astimezone(zone).date()


def said_by(author_id: int, text: str) -> str:
    return f"<@{author_id}>: {quoted(text)}"
