"""Defines values about the log as a whole: how far it was read, what was decided on it, what was taken out of it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from memory.core.values import Intent


class Consent(StrEnum):
    OPT_OUT = "opt_out"
    """Everyone is stored who has not said no."""
    OPT_IN = "opt_in"
    """Nobody is stored who has not said yes."""


@dataclass(frozen=True, slots=True)
class ChannelProgress:
    """Says how far a channel that Discord has shown us has been read."""

    channel_id: int
    contiguous_through: int | None = None
    """Everything up to this message, since reading began, is in the log. Catch-up starts behind it."""
    backfilled_to: int | None = None
    """Back-fill has read from the present down to this message."""
    backfill_done: bool = False
    swept_at: datetime | None = None
    """When the last sweep that came to the end of it began."""
    swept_to: int | None = None
    """A sweep that has not come to the end yet has read down to this message."""
    asked_at: datetime | None = None
    """When Discord last said of it, while it was out of our view, that it still exists."""


@dataclass(frozen=True, slots=True)
class GuildLog:
    """Says how much of a guild is kept, and how far back."""

    messages: int
    channels: int
    channels_read_back: int
    """To their beginning, or as far as was asked for."""


@dataclass(frozen=True, slots=True)
class Reconciled:
    """Counts what comparing with Discord changed."""

    stored: int
    edited: int
    deleted: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Describes a message that was said to us, and that nobody has answered yet."""

    message_id: int
    intent: Intent
    reply_id: int | None
    """Of ours, if one stands under it all the same, which says that it could not be done just then."""
    is_done: bool
    """It was carried out: only the reply is owed."""


@dataclass(frozen=True, slots=True)
class Removal:
    """Counts how much goes because a guild keeps it no longer."""

    messages: int = 0
    facts: int = 0
    elsewhere: bool = False
    """There is more, in rooms that whoever asked cannot read: how much is not theirs to know."""

    def __bool__(self) -> bool:
        return self.messages > 0 or self.facts > 0 or self.elsewhere


class Kind(StrEnum):
    """Names what a receipt of an erasure counts."""

    MESSAGES = "messages"
    REPLIES = "replies"
    """Our own words: replies to those messages, and whatever else of ours quoted what is gone."""
    ADDRESSED = "notes"
    """That a message was said to us."""
    FACTS_TOLD = "facts told"
    FACTS_ABOUT = "facts about"
    """Told by others: about the member, or taken from their messages."""
    FACTS_REPLACED = "facts replaced"
    """What those facts had taken the place of."""
    SUMMARIES = "summaries"
    """Texts of days that were made from it."""
    CONTEXTS = "contexts"
    """Texts about a member that were merged from it."""
    VETOES = "vetoes"
    CHANGES = "changes"
    """What could have been undone."""
    RECEIPTS = "receipts"
    """Which of our replies were made from what."""
    AUDIT = "audit"
    REMINDERS = "reminders"
    NAMES = "names"


@dataclass(frozen=True, slots=True)
class ErasureReport:
    """Counts how much was removed, by kind; of a kind that is not in it, nothing."""

    counts: Mapping[Kind, int] = field(default_factory=lambda: MappingProxyType({}))

    def __getitem__(self, kind: Kind) -> int:
        return self.counts.get(kind, 0)

    def __add__(self, other: "ErasureReport") -> "ErasureReport":
        return erasure_report({kind: self[kind] + other[kind] for kind in Kind})

    @property
    def messages(self) -> int:
        return self[Kind.MESSAGES]


def erasure_report(counts: Mapping[Kind, int]) -> ErasureReport:
    """Report an erasure, without what there was none of."""
    return ErasureReport(MappingProxyType({kind: counts[kind] for kind in Kind if counts.get(kind, 0) > 0}))


OnProgress = Callable[[int, int], Awaitable[None]]
"""Told how many messages are done, and of how many."""


async def untold(_done: int, _of: int) -> None:
    """Tell nobody how far something has come."""


@dataclass(frozen=True, slots=True)
class Purged:
    """Counts what a purge removed."""

    messages: int = 0
    guilds: int = 0
    facts: int = 0
    failed: int = 0
    """Guilds that it passed over, because of an error."""

    def __add__(self, other: "Purged") -> "Purged":
        return Purged(
            self.messages + other.messages,
            self.guilds + other.guilds,
            self.facts + other.facts,
            self.failed + other.failed,
        )
