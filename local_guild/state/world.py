"""Holds the state of a world, in memory and in a file: users, guilds, roles, channels, threads, members, messages.

Nothing here decides or announces anything. `keep` and `drop` are the only ways to change which
entities exist, and the file follows them.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from pydantic import TypeAdapter

from local_guild.state.ids import JsonObject, encode
from local_guild.state.messages import Message, MessageLog


class ChannelType(IntEnum):
    TEXT = 0
    DM = 1
    VOICE = 2
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15


@dataclass(slots=True)
class Facts:
    """Holds what is true of the world as a whole: which user is the application's bot, and what it may ask for."""

    bot_id: int = 0
    privileged_intents: bool = True


@dataclass(slots=True)
class User:
    id: int
    name: str
    token: str
    bot: bool = False
    global_name: str | None = None


@dataclass(slots=True)
class Role:
    id: int
    name: str
    permissions: int = 0
    position: int = 1
    color: int = 0
    managed: bool = False
    bot_id: int | None = None


@dataclass(slots=True)
class Guild:
    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict)
    system_channel_id: int | None = None
    unavailable: bool = False
    preferred_locale: str = "en-US"


@dataclass(slots=True)
class Member:
    guild_id: int
    user_id: int
    joined_at: datetime
    nick: str | None = None
    role_ids: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Overwrite:
    id: int
    for_member: bool
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Thread:
    """Holds what only threads have. `member_since` holds their members and when they joined."""

    owner_id: int
    archived_at: datetime
    archived: bool = False
    invitable: bool = True
    deleted_messages: int = 0
    applied_tags: list[int] = field(default_factory=list)
    member_since: dict[int, datetime] = field(default_factory=dict)


@dataclass(slots=True)
class Webhook:
    """Whoever knows its token posts in its channel, under any name."""

    id: int
    name: str
    token: str


@dataclass(slots=True)
class Channel:
    id: int
    type: int
    name: str = ""
    guild_id: int | None = None
    parent_id: int | None = None
    position: int = 0
    topic: str | None = None
    nsfw: bool = False
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    recipient_ids: list[int] = field(default_factory=list)
    last_pin_at: datetime | None = None
    available_tags: list[JsonObject] = field(default_factory=list)
    """Of a forum."""
    thread: Thread | None = None
    webhooks: dict[int, Webhook] = field(default_factory=dict)


@dataclass(slots=True)
class Record:
    """Holds a row of a part that keeps its own state in the world (application commands, for one)."""

    key: str
    body: JsonObject


Entity = Facts | User | Guild | Member | Channel | Message | Record


class World:
    def __init__(self) -> None:
        self.facts = Facts()
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.records: dict[str, Record] = {}
        self.ephemerals: dict[int, Message] = {}
        # Bumped by every change that may alter who sees what, so that views can be cached.
        self.revision = 0
        self._members: dict[int, dict[int, Member]] = {}
        self._logs: dict[int, MessageLog] = {}
        self._tokens: dict[str, int] = {}
        self._file: StateFile | None = None

    def attach(self, file: StateFile) -> None:
        self._file = file

    def keep(self, entity: Entity) -> None:
        """Add the entity, or note that it has changed."""
        self.place(entity)
        if self._file is not None:
            self._file.keep(entity)

    def place(self, entity: Entity) -> None:
        """Put the entity where it belongs without telling the file, as when loading."""
        match entity:
            case Message():
                self.log(entity.channel_id).add(entity)
                return
            case User():
                self.users[entity.id] = entity
                self._tokens[entity.token] = entity.id
            case Guild():
                self.guilds[entity.id] = entity
            case Member():
                self._members.setdefault(entity.guild_id, {})[entity.user_id] = entity
            case Channel():
                self.channels[entity.id] = entity
            case Record():
                self.records[entity.key] = entity
            case Facts():
                self.facts = entity
        self.revision += 1

    def drop(self, entity: Entity) -> None:
        match entity:
            case Message():
                self.log(entity.channel_id).remove(entity.id)
            case Member():
                del self._members[entity.guild_id][entity.user_id]
            case Channel():
                del self.channels[entity.id]
                self._logs.pop(entity.id, None)
            case Record():
                del self.records[entity.key]
            case _:
                raise ValueError("only what guilds hold can go: members, channels, messages and records")
        self.revision += 1
        if self._file is not None:
            self._file.drop(entity)

    @property
    def bot(self) -> User:
        return self.users[self.facts.bot_id]

    def log(self, channel_id: int) -> MessageLog:
        return self._logs.setdefault(channel_id, MessageLog())

    def message(self, channel_id: int, message_id: int) -> Message | None:
        ephemeral = self.ephemerals.get(message_id)
        if ephemeral is not None and ephemeral.channel_id == channel_id:
            return ephemeral
        return self.log(channel_id).get(message_id)

    def user_of_token(self, token: str) -> User | None:
        user_id = self._tokens.get(token)
        return None if user_id is None else self.users[user_id]

    def members(self, guild_id: int) -> dict[int, Member]:
        return self._members.setdefault(guild_id, {})

    def member(self, guild_id: int, user_id: int) -> Member | None:
        return self.members(guild_id).get(user_id)

    def guilds_of(self, user_id: int) -> list[Guild]:
        return [guild for guild in self.guilds.values() if user_id in self.members(guild.id)]

    def channels_of(self, guild_id: int) -> Iterator[Channel]:
        return (c for c in self.channels.values() if c.guild_id == guild_id and c.thread is None)

    def threads_of(self, guild_id: int, parent_id: int | None = None) -> Iterator[Channel]:
        return (
            c
            for c in self.channels.values()
            if c.guild_id == guild_id and c.thread is not None and parent_id in (None, c.parent_id)
        )

    def entities(self) -> Iterator[Entity]:
        """List everything there is, as a state file would store it."""
        yield self.facts
        yield from self.users.values()
        yield from self.guilds.values()
        for members in self._members.values():
            yield from members.values()
        yield from self.channels.values()
        yield from self.records.values()
        yield from self.messages()

    def messages(self) -> Iterator[Message]:
        """List the messages of every channel, without what only one member can see."""
        for log in self._logs.values():
            yield from log.newest_first()


# The file: SQLite with rows of JSON, written behind in small batches. A commit goes to the operating system without
# waiting for the disk: it survives the death of the process, which is what is played with here, not the machine's.


SCHEMA = """
CREATE TABLE IF NOT EXISTS entities (
    kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
    channel_id INTEGER NOT NULL, id INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (channel_id, id)
) WITHOUT ROWID;
"""
KEEP_ENTITY = "INSERT OR REPLACE INTO entities VALUES (?, ?, ?)"
DROP_ENTITY = "DELETE FROM entities WHERE kind = ? AND key = ?"
KEEP_MESSAGE = "INSERT OR REPLACE INTO messages VALUES (?, ?, ?)"
DROP_MESSAGE = "DELETE FROM messages WHERE channel_id = ? AND id = ?"
EMPTY_CHANNEL = "DELETE FROM messages WHERE channel_id = ?"
# How long changes gather into one commit when nobody waits for them.
GATHERING_SECONDS = 0.02
KINDS: dict[str, type[Entity]] = {
    "facts": Facts,
    "user": User,
    "guild": Guild,
    "member": Member,
    "channel": Channel,
    "record": Record,
    "message": Message,
}
_KIND_OF = {entity: kind for kind, entity in KINDS.items()}


class StateFile:
    """Keeps a world on disk. What was kept before `save()` is on file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.executescript(SCHEMA)
        self._changes: list[tuple[str, tuple[str | int | bytes, ...]]] = []
        """Statements with their parameters."""
        self._timer: asyncio.TimerHandle | None = None

    def load(self) -> World | None:
        """Load the world of last time; None when the file is new."""
        world = World()
        for kind in KINDS:
            for (body,) in self._database.execute("SELECT body FROM entities WHERE kind = ?", (kind,)):
                world.place(_adapter(kind).validate_json(body))
        for (body,) in self._database.execute("SELECT body FROM messages ORDER BY channel_id, id"):
            world.place(_adapter("message").validate_json(body))
        return world if world.users else None

    def keep(self, entity: Entity) -> None:
        self._note(KEEP_MESSAGE if isinstance(entity, Message) else KEEP_ENTITY, *_key(entity), encode(entity))

    def drop(self, entity: Entity) -> None:
        self._note(DROP_MESSAGE if isinstance(entity, Message) else DROP_ENTITY, *_key(entity))
        if isinstance(entity, Channel):
            self._note(EMPTY_CHANNEL, entity.id)

    def save(self) -> None:
        """Bring everything kept or dropped so far onto the file."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._changes:
            self._database.execute("BEGIN")
            for statement, group in groupby(self._changes, key=itemgetter(0)):
                self._database.executemany(statement, map(itemgetter(1), group))
            self._database.execute("COMMIT")
            self._changes.clear()

    def close(self) -> None:
        self.save()
        self._database.close()

    def _note(self, statement: str, *parameters: str | int | bytes) -> None:
        self._changes.append((statement, parameters))
        if self._timer is None:
            with contextlib.suppress(RuntimeError):  # where no loop runs, somebody saves in the end
                self._timer = asyncio.get_running_loop().call_later(GATHERING_SECONDS, self.save)


@cache
def _adapter(kind: str) -> TypeAdapter[Entity]:
    """Make the adapter of a kind when its first row is read: making one takes longer than reading a world."""
    return TypeAdapter(KINDS[kind])


def _key(entity: Entity) -> tuple[str, str] | tuple[int, int]:
    match entity:
        case Message():
            return entity.channel_id, entity.id
        case Member():
            key = f"{entity.guild_id}:{entity.user_id}"
        case Facts():
            key = "world"
        case Record():
            key = entity.key
        case _:
            key = str(entity.id)
    return _KIND_OF[type(entity)], key
