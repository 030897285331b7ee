"""What the store knows of a member's context: the parts it is made from, and what was made of them before."""

from dataclasses import dataclass
from datetime import date, datetime

from memory.core.values import Fact


@dataclass(frozen=True, slots=True)
class Window:
    """Today by the guild's clocks, and the days before it that belong to a context."""

    first: date
    """Of the days before."""
    last: date
    """Yesterday."""
    today: date
    since: datetime
    """No day of the window begins before that."""


@dataclass(frozen=True, slots=True)
class DayPart:
    """A day of the window, and what it says of the member, if it says anything that may be told."""

    scope: int
    starts_at: datetime
    day: date
    changes: int
    source_channels: frozenset[int]
    is_settled: bool
    """It is over, and nothing it was made from has changed since it was told."""
    is_quoted: bool
    is_closed: bool
    """It says something of the member that this audience may not be told."""
    text: str | None


@dataclass(frozen=True, slots=True)
class KeptHistory:
    scope: int
    made_from: str
    text: str


@dataclass(frozen=True, slots=True)
class Hashes:
    """Of the texts that are merged; nothing has an empty one."""

    facts: str
    today: str
    history: str


@dataclass(frozen=True, slots=True)
class KeptContext:
    """All that it goes back to is still there, and as it was."""

    scope: int
    version: int
    hashes: Hashes
    fact_ids: frozenset[int]
    days: tuple[tuple[datetime, int], ...]
    """Of its scope, by when each begins, with how often its sources had changed."""
    text: str


@dataclass(frozen=True, slots=True)
class MemberParts:
    """All that may be told to one audience of one member, as it was at one moment."""

    user_id: int
    window: Window
    blob: str | None
    hall_facts: tuple[Fact, ...]
    """What everybody in the hall may hear, in the order in which it was told."""
    other_facts: tuple[Fact, ...]
    """What was told elsewhere, where this audience could listen."""
    facts_digest: str
    """Of the hall's facts."""
    facts_are_whole: bool
    """The hall knows no more than this audience may hear."""
    days: tuple[DayPart, ...]
    histories: tuple[KeptHistory, ...]
    contexts: tuple[KeptContext, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What a model made for a scope and a member, and of which days."""

    scope: int
    user_id: int
    version: int
    days: tuple[DayPart, ...]
    source_channels: frozenset[int]
    text: str
    model: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class MadeHistory(Made):
    last_day: date
    made_from: str


@dataclass(frozen=True, slots=True)
class MadeContext(Made):
    made_on: date
    hashes: Hashes
    fact_ids: tuple[int, ...]
    facts_digest: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """Changes with anything that a context is made from, for one audience and member."""

    epoch: int
    zone: str
    digest: bytes
