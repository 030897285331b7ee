"""Keeps the world on disk: an SQLite file of JSON rows, written behind in small batches.

A commit goes to the operating system without waiting for the disk: it survives the death of the
process, which is what is played with here, not the machine's.
"""

import asyncio
import contextlib
import sqlite3
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from pydantic import TypeAdapter

from local_guild.state.ids import encode
from local_guild.state.messages import Message
from local_guild.state.world import Channel, Entity, Facts, Guild, Member, Record, User, World

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
}
_KIND_OF = {entity: kind for kind, entity in KINDS.items()}


class StateFile:
    """Keeps the journal of a world. What was kept before `save()` is on file."""

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
        rows = self._database.execute("SELECT channel_id, id, body FROM messages ORDER BY channel_id, id")
        for channel_id, message_id, body in rows:
            world.log(channel_id).load(message_id, body)
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
    """Make a kind's adapter when its first row is read: making one takes longer than reading a world."""
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
