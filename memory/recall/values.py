"""What recall looks for, and what it finds: values that travel between the store and the ranking."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from memory.core.values import Message


@dataclass(frozen=True, slots=True)
class Term:
    """A stem to look for. One word may have several: another in each language."""

    text: str
    word: int
    """The position of the word it was made of."""
    messages: int
    """How many of the guild have it."""
    share: float = 1.0
    """Less than 1 for a guess: the word as it was asked for is unknown here, and this one looks like it."""


@dataclass(frozen=True, slots=True)
class Terms:
    """All terms of a question, and what their weight depends on."""

    terms: tuple[Term, ...]
    messages: int
    mean_length: float
    stretches: int
    mean_stretch_length: float
    is_only_guild: bool = False
    """Nobody else's messages are in the index."""

    @property
    def rarest_first(self) -> list[Term]:
        return sorted(self.terms, key=lambda term: term.messages)


@dataclass(frozen=True, slots=True)
class Limits:
    """What the asker narrowed the question down to, on top of what the audience allows."""

    author_ids: frozenset[int] | None = None
    channel_ids: frozenset[int] | None = None
    after: datetime | None = None
    before: datetime | None = None

    def among(self, channel_ids: frozenset[int]) -> frozenset[int]:
        return channel_ids if self.channel_ids is None else channel_ids & self.channel_ids


class Found(NamedTuple):
    """A message, and how well it fits. A tuple, because of the hundreds that a question finds few are kept."""

    message_id: int
    channel_id: int
    author_id: int
    sent_at: datetime
    stretch_id: int | None
    """None: it has not been indexed yet."""
    length: int
    """In words that say something."""
    words: float
    """BM25 of the message; 0 where it was only looked for what it says."""
    matched: frozenset[int]
    """The positions of the words it has."""
    meaning: float | None
    """How alike it is to what is meant, at most 1; None if that was not looked at."""
    stretch: float
    """BM25 of the stretch of talk it belongs to; 0 where only messages were looked at."""

    @property
    def is_post(self) -> bool:
        """A thread of a forum begins with it, and has its number."""
        return self.message_id == self.channel_id


class Heard(NamedTuple):
    """A message that was found, with what it says."""

    found: Found
    text: str
    """All that a reader sees of it."""
    reply_to: int | None
    message: Callable[[], Message]
    """Made when it is asked for: of most, only the words are of use."""
