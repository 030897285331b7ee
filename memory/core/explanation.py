"""What a reply of ours was made from, as somebody who asks why may see it now."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memory.core.model import Fact, Message
from memory.core.outcomes import Source


class Unexplained(StrEnum):
    """Why there is nothing to show."""

    UNKNOWN = "unknown"
    """It has no receipt: it is older than those, tells nothing, or was said while the memory was away."""
    TAKEN_BACK = "taken back"


@dataclass(frozen=True, slots=True)
class UsedFact:
    fact: Fact
    is_quoted: bool
    told_in: Source | None
    """Where that can be read, if it can be."""


@dataclass(frozen=True, slots=True)
class UsedDay:
    """A day's summary; those of several days are a week's."""

    day: date
    starts_at: datetime
    scope: int
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class UsedMessage:
    message: Message
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was quoted comes first in each."""

    facts: tuple[UsedFact, ...] = ()
    days: tuple[UsedDay, ...] = ()
    messages: tuple[UsedMessage, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.days or self.messages)
