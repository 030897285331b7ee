"""The world on disk: an SQLite file of JSON rows, written behind in small batches by a thread of its own.

A commit goes to the operating system without waiting for the disk: it survives the death of the
process, which is what is played with here, not the machine's.
"""

import asyncio
import sqlite3
import threading
from pathlib import Path

from pydantic import TypeAdapter

from local_guild.message_log import Message
from local_guild.wire import encode
from local_guild.world import Channel, Entity, Facts, Guild, Member, Record, User, World

SCHEMA = """
CREATE TABLE IF NOT EXISTS entities (
    kind TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
    channel_id INTEGER NOT NULL, id INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (channel_id, id)
) WITHOUT ROWID;
"""
KINDS: dict[str, type[Entity]] = {
    "facts": Facts,
    "user": User,
    "guild": Guild,
    "member": Member,
    "channel": Channel,
    "record": Record,
}
_KIND_OF = {entity: kind for kind, entity in KINDS.items()}

Row = tuple[str, str]


class StateFile:
    """The journal of a world. What was kept before `saved()` returns is on file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.executescript(SCHEMA)
        self._changed = threading.Condition()
        self._pending: dict[Row, bytes | None] = {}
        self._emptied_channels: list[int] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._closing = False
        self._writer = threading.Thread(target=self._write, name="local-guild-state", daemon=True)
        self._writer.start()

    def load(self) -> World | None:
        """The world of last time; None when the file is new."""
        world = World()
        for kind, entity_type in KINDS.items():
            adapter: TypeAdapter[Entity] = TypeAdapter(entity_type)
            for (body,) in self._database.execute("SELECT body FROM entities WHERE kind = ?", (kind,)):
                world.place(adapter.validate_json(body))
        rows = self._database.execute("SELECT channel_id, id, body FROM messages ORDER BY channel_id, id")
        for channel_id, message_id, body in rows:
            world.log(channel_id).load(message_id, body)
        return world if world.users else None

    def keep(self, entity: Entity) -> None:
        self._note(_row_of(entity), encode(entity))

    def drop(self, entity: Entity) -> None:
        self._note(_row_of(entity), None)
        if isinstance(entity, Channel):
            with self._changed:
                self._emptied_channels.append(entity.id)

    async def saved(self) -> None:
        """Wait until everything kept or dropped so far is on file."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        with self._changed:
            if not self._pending and not self._emptied_channels and not self._waiting:
                return
            self._waiting.append(done)
            self._changed.notify()
        await done

    def close(self) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._writer.join()
        self._database.close()

    def _note(self, row: Row, body: bytes | None) -> None:
        with self._changed:
            self._pending[row] = body
            self._changed.notify()

    def _write(self) -> None:
        while True:
            with self._changed:
                while not (self._pending or self._waiting or self._emptied_channels or self._closing):
                    self._changed.wait()
                pending, self._pending = self._pending, {}
                emptied, self._emptied_channels = self._emptied_channels, []
                waiting, self._waiting = self._waiting, []
                closing = self._closing
            self._commit(pending, emptied)
            for future in waiting:
                future.get_loop().call_soon_threadsafe(_resolve, future)
            if closing and not pending:
                return

    def _commit(self, pending: dict[Row, bytes | None], emptied_channels: list[int]) -> None:
        if not pending and not emptied_channels:
            return
        self._database.execute("BEGIN")
        for (kind, key), body in pending.items():
            self._put(kind, key, body)
        for channel_id in emptied_channels:
            self._database.execute("DELETE FROM messages WHERE channel_id = ?", (channel_id,))
        self._database.execute("COMMIT")

    def _put(self, kind: str, key: str, body: bytes | None) -> None:
        if kind == "message":
            channel_id, message_id = key.split(":")
            place = (int(channel_id), int(message_id))
            if body is None:
                self._database.execute("DELETE FROM messages WHERE channel_id = ? AND id = ?", place)
            else:
                self._database.execute("INSERT OR REPLACE INTO messages VALUES (?, ?, ?)", (*place, body))
        elif body is None:
            self._database.execute("DELETE FROM entities WHERE kind = ? AND key = ?", (kind, key))
        else:
            self._database.execute("INSERT OR REPLACE INTO entities VALUES (?, ?, ?)", (kind, key, body))


def _row_of(entity: Entity) -> Row:
    match entity:
        case Message():
            return "message", f"{entity.channel_id}:{entity.id}"
        case Member():
            return "member", f"{entity.guild_id}:{entity.user_id}"
        case Facts():
            return "facts", "world"
        case Record():
            return "record", entity.key
        case _:
            return _KIND_OF[type(entity)], str(entity.id)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
