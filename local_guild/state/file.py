"""Keeps the world on disk: an SQLite file of JSON rows, written behind in small batches.

A commit goes to the operating system without waiting for the disk: it survives the death of the
process, which is what is played with here, not the machine's.
"""

import asyncio
import contextlib
import sqlite3
from functools import cache
from itertools import groupby
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
STATEMENTS = {
    "keep entity": "INSERT OR REPLACE INTO entities VALUES (?, ?, ?)",
    "drop entity": "DELETE FROM entities WHERE kind = ? AND key = ?",
    "keep message": "INSERT OR REPLACE INTO messages VALUES (?, ?, ?)",
    "drop message": "DELETE FROM messages WHERE channel_id = ? AND id = ?",
    "empty channel": "DELETE FROM messages WHERE channel_id = ?",
}
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

# What is to be stored under which key; no body means that it is gone.
EntityRow = tuple[str, str, bytes | None]
MessageRow = tuple[int, int, bytes | None]
WholeChannel = int
Change = EntityRow | MessageRow | WholeChannel


class StateFile:
    """Keeps the journal of a world. What was kept before `save()` is on file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=OFF")
        self._database.executescript(SCHEMA)
        self._changes: list[Change] = []
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
        self._note(_row_of(entity, encode(entity)))

    def drop(self, entity: Entity) -> None:
        self._note(_row_of(entity, None))
        if isinstance(entity, Channel):
            self._note(entity.id)

    def save(self) -> None:
        """Bring everything kept or dropped so far onto the file."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._changes:
            self._database.execute("BEGIN")
            for kind, group in groupby(self._changes, key=_statement):
                self._database.executemany(STATEMENTS[kind], map(_parameters, group))
            self._database.execute("COMMIT")
            self._changes.clear()

    def close(self) -> None:
        self.save()
        self._database.close()

    def _note(self, change: Change) -> None:
        self._changes.append(change)
        if self._timer is None:
            with contextlib.suppress(RuntimeError):  # where no loop runs, somebody saves in the end
                self._timer = asyncio.get_running_loop().call_later(GATHERING_SECONDS, self.save)


@cache
def _adapter(kind: str) -> TypeAdapter[Entity]:
    """Make a kind's adapter when its first row is read: making one takes longer than reading a world."""
    return TypeAdapter(KINDS[kind])


def _row_of(entity: Entity, body: bytes | None) -> EntityRow | MessageRow:
    match entity:
        case Message():
            return entity.channel_id, entity.id, body
        case Member():
            return "member", f"{entity.guild_id}:{entity.user_id}", body
        case Facts():
            return "facts", "world", body
        case Record():
            return "record", entity.key, body
        case _:
            return _KIND_OF[type(entity)], str(entity.id), body


def _statement(change: Change) -> str:
    if isinstance(change, int):
        return "empty channel"
    what = "message" if isinstance(change[0], int) else "entity"
    return f"drop {what}" if change[2] is None else f"keep {what}"


def _parameters(change: Change) -> tuple[str | int | bytes, ...]:
    if isinstance(change, int):
        return (change,)
    return change[:2] if change[2] is None else (change[0], change[1], change[2])
