"""What the store knows of days: their rows, what they are made from, and their texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from memory.core.days import CalendarDay, DayState
from memory.core.values import Member, Message
from memory.people.names import mentioned_ids


@dataclass(frozen=True, slots=True)
class DayRow:
    """What is known of a day's summary, without a word of it."""

    scope: int
    day: CalendarDay
    source_channels: frozenset[int]
    seen_seq: int | None
    is_final: bool
    is_disturbed: bool
    is_quoted: bool
    tried_at: datetime
    tries: int
    retry_at: datetime | None
    mended_on: date | None

    @property
    def has_text(self) -> bool:
        return self.seen_seq is not None and not self.is_disturbed

    def state(self, allowed: frozenset[int]) -> DayState:
        """To those who may read only these channels."""
        is_disturbed = self.is_disturbed or not self.source_channels <= allowed
        return DayState(
            is_final=self.is_final,
            has_text=self.seen_seq is not None and not is_disturbed,
            is_disturbed=is_disturbed,
            is_quoted=self.is_quoted,
            tried_at=self.tried_at,
            retry_at=self.retry_at,
        )


@dataclass(frozen=True, slots=True)
class ToldName:
    """What a member is called by a fact that all readers of the day may hear."""

    name: str
    fact_id: int
    channel_id: int | None
    """Where it was told; None: it is for everyone."""


@dataclass(frozen=True, slots=True)
class DayInput:
    """All that a day is told from."""

    messages: tuple[Message, ...]
    members: tuple[Member, ...]
    """Who wrote them or is mentioned in them, as far as they may be told of."""
    seq: int
    """Up to which the log was read."""
    told_names: Mapping[int, Sequence[ToldName]] = field(default_factory=dict)
    """By member."""

    @property
    def channels(self) -> frozenset[int]:
        """Also those where somebody told what a member is called."""
        told = {one.channel_id for names in self.told_names.values() for one in names if one.channel_id is not None}
        return frozenset(message.channel_id for message in self.messages) | told

    @property
    def fact_ids(self) -> frozenset[int]:
        return frozenset(one.fact_id for names in self.told_names.values() for one in names)

    @property
    def people(self) -> frozenset[int]:
        """Also those who may not be told of: whatever is done about them is done to this day."""
        mentioned = (one for message in self.messages for one in mentioned_ids(message.text))
        return frozenset((*(message.author_id for message in self.messages), *mentioned))


@dataclass(frozen=True, slots=True)
class Begun:
    """A day that is being made."""

    source: DayInput
    changes: int
    """How often something that it was told from had changed when that was read."""


@dataclass(frozen=True, slots=True)
class MadeDay:
    """A day's texts, and what became of making them."""

    texts: Mapping[int, str]
    is_final: bool
    made_at: datetime
    version: int
    model: str | None
    """None: quoted."""
    tries: int = 0
    """Failures in a row."""
    retry_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ToldDay:
    """What a day was about for one member."""

    scope: int
    day: CalendarDay
    user_id: int
    text: str
    is_quoted: bool
    made_at: datetime = field(compare=False)
    changes: int = field(default=0, compare=False)
    """How often something that it was told from had changed."""
