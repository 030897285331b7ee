"""Many messages of one channel into the log at once, for imports: the rules of `memory.store.log` at the speed of COPY.

What could be in the way is asked first: what the log knows between the first and the last of them, and whether the
oldest message of each author may be stored. Where nothing is in the way, messages are copied. All others go the
ordinary way, where each is judged by itself.

To ask for the oldest alone is right only as long as the rule of `memory.core.admission` looks at nothing of a message
but its place, its author, and whether it is *old*: an id or a time that may be stored makes every later one of the same
author, kind and channel storable too. A rule that also refuses what is new, or looks at anything else, has to be asked
for each message; tests/memory/test_import_bulk.py fails then.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from memory.core.model import Message
from memory.store.copy_format import COLUMNS, Packed, joined, unpack
from memory.store.database import Connection
from memory.store.log import NOT_DELETED, add_messages
from memory.store.policy import ADMITTED


@dataclass(frozen=True, slots=True)
class BulkAdded:
    """What became of the messages that were offered."""

    stored: int = 0
    known: int = 0
    """Were there already, no older than this copy."""
    changed: Sequence[int] = ()
    """Known ones of which this is a later edited copy."""


@dataclass(frozen=True, slots=True)
class _Way:
    """What is in the way of messages that arrive."""

    stored: dict[int, datetime | None]
    """Those that are there, and when they were last edited."""
    marked: set[int]
    """Those that were deleted, or edited before they came."""
    suspects: set[int]
    """Authors of whom not everything may be stored."""

    @property
    def is_clear(self) -> bool:
        return not (self.stored or self.marked or self.suspects)

    def is_free(self, message: Message) -> bool:
        return message.message_id not in self.stored and not self._is_doubtful(message)

    def needs_a_look(self, message: Message) -> bool:
        if message.message_id not in self.stored:
            return self._is_doubtful(message)
        # Links that were looked up later are no edit, yet may be new.
        return bool(message.embeds) or _is_later(message.edited_at, self.stored[message.message_id])

    def _is_doubtful(self, message: Message) -> bool:
        return message.message_id in self.marked or message.author_id in self.suspects


async def add_in_bulk(connection: Connection, packed: Packed) -> BulkAdded:
    """Within the transaction of a caller who owns the log: store messages of one channel, as far as they may be."""
    way = await _look_ahead(connection, packed)
    if way.is_clear and await _copy(connection, packed.data):
        return BulkAdded(stored=packed.count)
    rows = unpack(packed)
    fresh = [] if way.is_clear else [row for row in rows if way.is_free(row.message)]
    others = [row.message for row in rows if way.is_clear or way.needs_a_look(row.message)]
    if fresh and not await _copy(connection, joined(fresh)):
        others += (row.message for row in fresh)
        fresh = []
    added = await add_messages(connection, others, imported=True)
    known = way.stored.keys() & {row.message.message_id for row in rows} - set(added.changed)
    return BulkAdded(len(fresh) + added.stored, len(known), added.changed)


async def _copy(connection: Connection, data: bytes) -> bool:
    """False, and nothing done, if one of them is there after all: twice in the file, or in another channel."""
    try:
        async with connection.transaction():
            await connection.copy_to_table("chat_history", source=_whole(data), columns=COLUMNS, format="binary")
    except asyncpg.UniqueViolationError:
        return False
    return True


async def _whole(data: bytes) -> AsyncIterator[bytes]:
    """Not as a file: for each one asyncpg makes a class, which keeps the file until Python next looks for garbage."""
    yield data


async def _look_ahead(connection: Connection, packed: Packed) -> _Way:
    rows = await connection.fetch(
        _IN_THE_WAY,
        packed.guild_id,
        packed.channel_id,
        packed.parent_id,
        packed.first_id,
        packed.last_id,
        [oldest.author_id for oldest in packed.oldest],
        # Each kind by itself: consent is asked of persons alone, and one id may have been both, say a webhook's.
        [oldest.author_kind for oldest in packed.oldest],
        [oldest.message_id for oldest in packed.oldest],
        [oldest.sent_at for oldest in packed.oldest],
    )
    return _Way(
        stored={row["id"]: row["edited_at"] for row in rows if row["what"] == "stored"},
        marked={row["id"] for row in rows if row["what"] == "marked"},
        suspects={row["id"] for row in rows if row["what"] == "suspect"},
    )


async def missing(
    connection: Connection, guild_id: int, message_ids: Sequence[int], edited_at: Sequence[datetime | None]
) -> list[int]:
    """The positions of those that the log does not have, or has only as they were before this edit."""
    # Compared here: a join of so many ids is only as fast as the planner's guess about the guild's rows is right.
    rows = await connection.fetch(
        "SELECT message_id, edited_at FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)",
        guild_id,
        message_ids,
    )
    known = {row["message_id"]: row["edited_at"] for row in rows}
    return [
        position
        for position, (message_id, edited) in enumerate(zip(message_ids, edited_at, strict=True))
        if message_id not in known or _is_later(edited, known[message_id])
    ]


def _is_later(edited_at: datetime | None, known: datetime | None) -> bool:
    return edited_at is not None and (known is None or known < edited_at)


async def guild_names(connection: Connection) -> dict[int, str]:
    """The guilds we are in."""
    rows = await connection.fetch("SELECT guild_id, name FROM guilds WHERE left_at IS NULL ORDER BY name")
    return {row["guild_id"]: row["name"] for row in rows}


async def own_ids(connection: Connection, guild_id: int) -> frozenset[int]:
    """The accounts Innkeeper speaks or has spoken by, as far as this database can tell."""
    rows = await connection.fetch(
        """
        SELECT application_id AS user_id FROM command_definitions
        UNION
        (SELECT author_id FROM chat_history WHERE guild_id = $1 AND author_kind = 'self' LIMIT 1)
        """,
        guild_id,
    )
    return frozenset(row["user_id"] for row in rows)


_IN_THE_WAY = f"""
SELECT 'stored' AS what, message_id AS id, edited_at FROM chat_history
WHERE guild_id = $1 AND channel_id = $2 AND message_id BETWEEN $4 AND $5
UNION ALL
SELECT 'marked', message_id, NULL FROM tombstones WHERE guild_id = $1 AND message_id BETWEEN $4 AND $5
UNION ALL
SELECT 'marked', message_id, NULL FROM early_edits WHERE guild_id = $1 AND message_id BETWEEN $4 AND $5
UNION ALL
SELECT 'suspect', author_id, NULL
FROM (SELECT *, $2::bigint AS channel_id, $3::bigint AS parent_id
      FROM unnest($6::bigint[], $7::text[], $8::bigint[], $9::timestamptz[])
           AS oldest (author_id, author_kind, message_id, sent_at)) AS arrived
WHERE NOT ({NOT_DELETED} AND {ADMITTED})
"""  # noqa: S608 - made of constants
