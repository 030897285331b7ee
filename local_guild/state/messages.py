"""Keeps the messages of one channel, ordered by id, and the files sent with them."""

import mimetypes
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import anyio

from local_guild.state.ids import JsonObject, time_of

EPHEMERAL = 1 << 6
HAS_THREAD = 1 << 5
SUPPRESS_EMBEDS = 1 << 2
SILENT = 1 << 12
COMPONENTS_V2 = 1 << 15
MAX_FILE_BYTES = 10 * 1024 * 1024


@dataclass(slots=True)
class Attachment:
    id: int
    filename: str
    size: int
    content_type: str
    description: str | None = None
    duration_secs: float | None = None
    waveform: str | None = None
    """Of a voice message, these two."""


@dataclass(slots=True)
class Reaction:
    """Holds one emoji under a message; no guild has emoji of its own."""

    emoji_name: str
    user_ids: list[int]


@dataclass(slots=True, kw_only=True)
class MessageParts:
    """Holds what a message has from its draft on, besides its text."""

    type: int = 0
    flags: int = 0
    nonce: str | int | None = None
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[JsonObject] = field(default_factory=list)
    components: list[JsonObject] = field(default_factory=list)
    sticker_items: list[JsonObject] = field(default_factory=list)
    poll: JsonObject | None = None
    message_snapshots: list[JsonObject] = field(default_factory=list)
    reference: JsonObject | None = None
    webhook_id: int | None = None
    webhook_name: str | None = None
    application_id: int | None = None
    interaction_metadata: JsonObject | None = None
    # An ephemeral message has one reader and no place in the channel's history.
    reader_id: int | None = None


@dataclass(slots=True)
class Message(MessageParts):
    id: int
    channel_id: int
    author_id: int
    content: str = ""
    edited_at: datetime | None = None
    pinned: bool = False
    mention_everyone: bool = False
    mentions: list[int] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    reactions: list[Reaction] = field(default_factory=list)

    @property
    def created_at(self) -> datetime:
        return time_of(self.id)

    @property
    def ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    def reaction(self, name: str) -> Reaction | None:
        return next((reaction for reaction in self.reactions if reaction.emoji_name == name), None)


class MessageLog:
    def __init__(self) -> None:
        self._ids: list[int] = []
        self._messages: dict[int, Message] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, message_id: int) -> bool:
        return message_id in self._messages

    @property
    def last_id(self) -> int | None:
        return self._ids[-1] if self._ids else None

    def get(self, message_id: int) -> Message | None:
        return self._messages.get(message_id)

    def add(self, message: Message) -> None:
        if message.id not in self._messages:
            if not self._ids or message.id > self._ids[-1]:
                self._ids.append(message.id)
            else:
                insort(self._ids, message.id)
        self._messages[message.id] = message

    def remove(self, message_id: int) -> None:
        del self._messages[message_id]
        del self._ids[bisect_left(self._ids, message_id)]

    def ids(self) -> list[int]:
        return list(self._ids)

    def before(self, message_id: int | None, limit: int) -> list[Message]:
        """List the newest `limit` messages older than `message_id`, newest first."""
        end = len(self._ids) if message_id is None else bisect_left(self._ids, message_id)
        return [self._messages[one] for one in reversed(self._ids[max(0, end - limit) : end])]

    def after(self, message_id: int, limit: int) -> list[Message]:
        """List the oldest `limit` messages younger than `message_id`, newest first."""
        start = bisect_right(self._ids, message_id)
        return [self._messages[one] for one in reversed(self._ids[start : start + limit])]

    def newest_first(self) -> Iterator[Message]:
        return (self._messages[one] for one in reversed(self._ids))


# The files of messages on disk: each is there as long as a message has it, and no longer.


_UNSAFE = re.compile(r"[^\w.\-]+")


def safe_filename(name: str) -> str:
    """Name a file as Discord shows it: no folders, no blanks, never empty."""
    cleaned = _UNSAFE.sub("_", name.replace("\\", "/").rsplit("/", 1)[-1]).strip("._")
    return cleaned[-100:] or "unknown"


def content_type_of(filename: str) -> str:
    """Tell a file's type by its name: discord.py calls everything a stream of octets."""
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


class AttachmentFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def add(self, attachment: Attachment, content: bytes) -> None:
        folder = anyio.Path(self._folder)
        await folder.mkdir(parents=True, exist_ok=True)
        await (folder / str(attachment.id)).write_bytes(content)

    def drop(self, message: Message) -> None:
        """Drop the files of a message that is gone."""
        for attachment in message.attachments:
            (self._folder / str(attachment.id)).unlink(missing_ok=True)

    def keep_only(self, messages: Iterable[Message]) -> None:
        """Keep these alone, at the beginning and the end: what only one member could see goes with its files."""
        if not self._folder.is_dir():
            return
        kept = {str(attachment.id) for message in messages for attachment in message.attachments}
        for path in self._folder.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)
