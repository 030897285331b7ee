"""What happens to messages, as it waits to be written, and a batch of it sorted so that it can be written at once.

The end of create, edit and delete does not depend on their order (see `memory.log.store`), so a batch needs no order
either: what was deleted in it need not be stored first.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from memory.core.values import Message, MessageEdit
from memory.db.database import LogWrite


@dataclass(frozen=True, slots=True)
class Deletion:
    guild_id: int
    channel_id: int
    message_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class ChannelDeletion:
    guild_id: int
    channel_id: int


Change: TypeAlias = MessageEdit | Deletion | ChannelDeletion
Event: TypeAlias = Message | Change


class ChangeListener(Protocol):
    """Follows what happens to messages: facts were taken from them."""

    def hear(self, change: Change) -> None:
        """At once, before it is written."""

    async def follow(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """These messages were edited."""

    async def forget(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """These messages were deleted."""

    async def forget_channels(self, connection: LogWrite, guild_id: int, channel_ids: Collection[int]) -> None:
        """These channels are closed, and their messages are going."""


@dataclass(slots=True)
class Batch:
    """Events of one guild that are written in one transaction."""

    guild_id: int
    messages: list[Message] = field(default_factory=list)
    edits: list[MessageEdit] = field(default_factory=list)
    deleted: set[tuple[int, int]] = field(default_factory=set)
    """As (channel, message)."""
    closed: set[int] = field(default_factory=set)
    """Channels."""

    def __len__(self) -> int:
        return len(self.messages) + len(self.edits) + len(self.deleted) + len(self.closed)

    def events(self) -> list[Event]:
        """Turns the batch back into events."""
        channels: dict[int, set[int]] = {}
        for channel_id, message_id in self.deleted:
            channels.setdefault(channel_id, set()).add(message_id)
        return [
            *self.messages,
            *self.edits,
            *(Deletion(self.guild_id, channel_id, frozenset(ids)) for channel_id, ids in channels.items()),
            *(ChannelDeletion(self.guild_id, channel_id) for channel_id in self.closed),
        ]

    def lasting(self) -> list[Message]:
        """The messages that this batch does not delete itself."""
        if not self.deleted:
            return self.messages
        gone = {message_id for _, message_id in self.deleted}
        return [message for message in self.messages if message.message_id not in gone]


def by_guild(events: Iterable[Event]) -> list[Batch]:
    batches: dict[int, Batch] = {}
    for event in events:
        batch = batches.get(event.guild_id)
        if batch is None:
            batch = batches[event.guild_id] = Batch(event.guild_id)
        match event:
            case Message():
                batch.messages.append(event)
            case MessageEdit():
                batch.edits.append(event)
            case Deletion():
                batch.deleted.update((event.channel_id, message_id) for message_id in event.message_ids)
            case ChannelDeletion():
                batch.closed.add(event.channel_id)
    return list(batches.values())


def one_by_one(batch: Batch) -> list[Batch]:
    """Puts each event into a batch of its own, to find the one that cannot be written."""
    return [
        *(Batch(batch.guild_id, messages=[message]) for message in batch.messages),
        *(Batch(batch.guild_id, edits=[edit]) for edit in batch.edits),
        *(Batch(batch.guild_id, deleted={pair}) for pair in batch.deleted),
        *(Batch(batch.guild_id, closed={channel_id}) for channel_id in batch.closed),
    ]
