"""Says what a reply of ours was made from, as values: ids, and by what each is known to be as it was when it was read.

Of what was read nothing else stays here: a receipt must not become one more place where somebody's words live on.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from memory.core.values import Fact, Message, Source
from memory.language.detect import Language


@dataclass(frozen=True, slots=True, order=True)
class DayKey:
    """Names a day as the store knows it: of the hall, or of a private channel."""

    scope: int
    starts_at: datetime


@dataclass(frozen=True, slots=True)
class Read:
    """Lists what was read, each with what changes when it does."""

    messages: Mapping[int, datetime | None] = field(default_factory=dict)
    """When each was last edited."""
    facts: Mapping[int, bytes] = field(default_factory=dict)
    """A digest of what each says; an empty one where that is not known, only that it was there to be told."""
    days: Mapping[DayKey, int] = field(default_factory=dict)
    """How often something that each was told from had changed."""
    summaries: frozenset[int] = frozenset()
    """Of channels. Whatever one was made from changes, it goes."""
    channels: frozenset[int] = frozenset()
    """Where it stands, as far as whoever read it knows; the store knows the rest."""

    def __bool__(self) -> bool:
        return bool(self.messages or self.facts or self.days or self.summaries)

    def __or__(self, other: "Read") -> "Read":
        return Read.of_all((self, other))

    @classmethod
    def of_facts(cls, facts: Iterable[Fact]) -> "Read":
        """List facts as read; what everyone may know stands in no channel."""
        told = tuple(facts)
        channels = frozenset(fact.channel_id for fact in told if not fact.everywhere)
        return cls(facts={fact.fact_id: digest_of(fact) for fact in told}, channels=channels)

    @classmethod
    def of_messages(cls, messages: Iterable[Message]) -> "Read":
        said = tuple(one for message in messages for one in (message, *message.linked))
        channels = frozenset(message.channel_id for message in said)
        return cls(messages={message.message_id: message.edited_at for message in said}, channels=channels)

    @classmethod
    def of_all(cls, reads: Iterable["Read"]) -> "Read":
        messages: dict[int, datetime | None] = {}
        facts: dict[int, bytes] = {}
        days: dict[DayKey, int] = {}
        summaries: set[int] = set()
        channels: set[int] = set()
        for read in reads:
            messages.update(read.messages)
            facts.update(read.facts)
            days.update(read.days)
            summaries.update(read.summaries)
            channels.update(read.channels)
        return cls(messages, facts, days, frozenset(summaries), frozenset(channels))


@dataclass(frozen=True, slots=True)
class Evidence:
    """Holds what went into a reply, and what of it the reply repeats."""

    used: Read = field(default_factory=Read)
    quoted: Read = field(default_factory=Read)

    def __bool__(self) -> bool:
        return bool(self.used or self.quoted)

    def __or__(self, other: "Evidence") -> "Evidence":
        return Evidence(self.used | other.used, self.quoted | other.quoted)

    @classmethod
    def all_quoted(cls, read: Read) -> "Evidence":
        """Make evidence of what is listed word for word."""
        return cls(read, read)


@dataclass(frozen=True, slots=True)
class ReplyReceipt:
    """Holds the receipt of a reply that stands in a channel, by the message that asked for it."""

    guild_id: int
    asked_in: int
    channel_id: int
    asker_id: int
    made_at: datetime
    language: Language
    evidence: Evidence
    lapses_at: datetime | None = None
    """It names what was forgotten, for as long as that can be undone. What is gone already is gone on purpose."""
    made_during_outage: bool = False
    """Made while the log could not be read: what it quotes may not be in there yet."""


class Broken(StrEnum):
    """Names why a reply may not stand: something changed since it was read. `because` of a row in `receipts`."""

    SOURCE = "source"
    FORGOTTEN = "forgotten"
    QUESTION = "question"
    """What it answers is gone itself."""


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """Holds a receipt as it is found again."""

    asked_in: int
    message_ids: tuple[int, ...]
    """Our messages, as far as they are known."""
    is_taken_back: bool
    messages: tuple[int, ...]
    facts: tuple[int, ...]
    days: tuple[DayKey, ...]
    quoted_messages: frozenset[int]
    quoted_facts: frozenset[int]
    quoted_days: frozenset[DayKey]
    summaries: tuple[int, ...] = ()
    quoted_summaries: frozenset[int] = frozenset()


DIGEST_BYTES = 8
"""Enough to see that a text has changed, which nobody tries to hide."""


EVERYONES = " (for everyone)"
"""Stands behind the words of a fact that everyone could know: before what repeats it is said, it may live again only
where it was told."""


def digest_of(fact: Fact) -> bytes:
    """Cut from sha256, as PostgreSQL computes it, as much as we keep."""
    said = fact.text + (EVERYONES if fact.everywhere else "")
    return sha256(said.encode("utf-8", "replace")).digest()[:DIGEST_BYTES]


# What a reply of ours was made from, as somebody who asks why may see it now.


class Unexplained(StrEnum):
    """Names why there is nothing to show."""

    UNKNOWN = "unknown"
    """It has no receipt: it is older than those, tells nothing, or was said while the memory was away."""
    TAKEN_BACK = "taken back"


@dataclass(frozen=True, slots=True)
class UsedFact:
    fact: Fact
    is_quoted: bool
    source: Source | None
    """Where that can be read, if it can be."""


@dataclass(frozen=True, slots=True)
class UsedDay:
    """Refers to a day's summary; those of several days are a week's."""

    starts_at: datetime
    scope: int
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class UsedSummary:
    """Refers to a summary of what was talked about in a channel."""

    summary_id: int
    channel_id: int
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class UsedMessage:
    message: Message
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Lists what a reply rests on; what was quoted comes first in each."""

    facts: tuple[UsedFact, ...] = ()
    days: tuple[UsedDay, ...] = ()
    messages: tuple[UsedMessage, ...] = ()
    summaries: tuple[UsedSummary, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.days or self.messages or self.summaries)
