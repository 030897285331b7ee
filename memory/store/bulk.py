"""Many messages of one channel into the log at once, for imports: the rules of `memory.store.log` at the speed of COPY.

What could be in the way is asked first: what the log knows between the first and the last of them and, since the
policy judges by author and age, whether the oldest message of each author may be stored. Where nothing is in the way,
messages are copied. All others, and those that hold more than text, go the ordinary way: each is judged by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import asyncpg

from memory.core.model import Attachment, AuthorKind, Message
from memory.store.database import Connection
from memory.store.log import NOT_DELETED, add_messages
from memory.store.policy import ADMITTED

Arrival: TypeAlias = tuple[int, int, int, int, str, str, datetime, datetime | None, int | None, int | None]
"""A message of text alone: the first fields of `Message` in their order, with nothing left to repair."""

RichParts: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Files with their sizes, embeds, forwarded messages, stickers."""
RichArrival: TypeAlias = tuple[Arrival, RichParts]
"""A message and what came with its text. Plain tuples, because they travel between processes."""

COLUMNS = (
    "guild_id",
    "channel_id",
    "message_id",
    "author_id",
    "author_kind",
    "text",
    "sent_at",
    "edited_at",
    "reply_to",
    "parent_id",
)


@dataclass(frozen=True, slots=True)
class BulkAdded:
    """What became of the messages that were offered."""

    stored: int
    known: int
    """Were there already, no older than this copy."""
    changed: list[int]
    """Known ones of which this is a later edited copy."""


def _message(arrival: Arrival, parts: RichParts = ((), (), (), ())) -> Message:
    guild_id, channel_id, message_id, author_id, kind, text, sent_at, edited_at, reply_to, parent_id = arrival
    files, embeds, forwarded, stickers = parts
    return Message(
        guild_id,
        channel_id,
        message_id,
        author_id,
        AuthorKind(kind),
        text,
        sent_at,
        edited_at,
        reply_to,
        parent_id,
        attachments=tuple(Attachment(name, size=size) for name, size in files),
        embeds=embeds,
        forwarded=forwarded,
        stickers=stickers,
    )


async def add_in_bulk(connection: Connection, plain: Sequence[Arrival], rich: Sequence[RichArrival]) -> BulkAdded:
    """Within the transaction of a caller who owns the log: store messages of one channel, as far as they may be."""
    fresh, others, known = await _sort_out(connection, plain) if plain else ([], [], 0)
    if fresh and not await _copy(connection, fresh):
        others += fresh
        fresh = []
    known_rich = await _known(connection, rich) if rich else set()
    ordinary = [*map(_message, others), *(_message(arrival, parts) for arrival, parts in rich)]
    added = await add_messages(connection, ordinary)
    unchanged = known + len(known_rich.difference(added.changed))
    return BulkAdded(len(fresh) + added.stored, unchanged, added.changed)


async def _copy(connection: Connection, arrivals: Sequence[Arrival]) -> bool:
    """False, and nothing done, if one of them is there after all: twice in the file, or in another channel."""
    try:
        async with connection.transaction():
            await connection.copy_records_to_table("chat_history", records=arrivals, columns=COLUMNS)
    except asyncpg.UniqueViolationError:
        return False
    return True


async def _sort_out(
    connection: Connection, arrivals: Sequence[Arrival]
) -> tuple[Sequence[Arrival], list[Arrival], int]:
    """Those that nothing is in the way of, those that have to be looked at, and how many the log has just so."""
    guild_id, channel_id, *_ = arrivals[0]
    ids = [arrival[2] for arrival in arrivals]
    between = (guild_id, min(ids), max(ids))
    stored = {
        row["message_id"]: row["edited_at"] for row in await connection.fetch(_STORED_BETWEEN, *between, channel_id)
    }
    marked = {row["message_id"] for row in await connection.fetch(_MARKED_BETWEEN, *between)}
    authors = _oldest_of_each_author(arrivals)
    admitted = await _admitted(connection, arrivals[0], authors)
    if not stored and not marked and len(admitted) == len(authors):
        return arrivals, [], 0
    fresh: list[Arrival] = []
    others: list[Arrival] = []
    for arrival in arrivals:
        message_id, edited_at = arrival[2], arrival[7]
        if message_id in stored:
            known_edit = stored[message_id]
            if edited_at is not None and (known_edit is None or known_edit < edited_at):
                others.append(arrival)
        elif message_id in marked or arrival[3] not in admitted:
            others.append(arrival)
        else:
            fresh.append(arrival)
    return fresh, others, len(arrivals) - len(fresh) - len(others)


def _oldest_of_each_author(arrivals: Sequence[Arrival]) -> dict[int, tuple[int, datetime, str]]:
    """The lowest id and the earliest time: if these may be stored, so may all that is newer."""
    oldest: dict[int, tuple[int, datetime, str]] = {}
    for _, _, message_id, author_id, kind, _, sent_at, _, _, _ in arrivals:
        known = oldest.get(author_id)
        if known is None:
            oldest[author_id] = (message_id, sent_at, kind)
        elif message_id < known[0] or sent_at < known[1]:
            oldest[author_id] = (min(message_id, known[0]), min(sent_at, known[1]), kind)
    return oldest


async def _admitted(connection: Connection, place: Arrival, oldest: dict[int, tuple[int, datetime, str]]) -> set[int]:
    """The authors whose oldest message may be stored, and with it all of theirs."""
    rows = await connection.fetch(
        _ADMITTED_AUTHORS,
        place[0],
        place[1],
        place[9],
        [*oldest],
        [message_id for message_id, _, _ in oldest.values()],
        [sent_at for _, sent_at, _ in oldest.values()],
        [kind for _, _, kind in oldest.values()],
    )
    return {row["author_id"] for row in rows}


async def missing(
    connection: Connection, guild_id: int, message_ids: Sequence[int], edited_at: Sequence[datetime | None]
) -> list[int]:
    """The positions of those that the log does not have, or has only as they were before this edit."""
    positions: list[int] | None = await connection.fetchval(
        """
        SELECT array_agg(place - 1 ORDER BY place)
        FROM unnest($2::bigint[], $3::timestamptz[]) WITH ORDINALITY AS arrived (message_id, edited_at, place)
        WHERE NOT EXISTS (
            SELECT 1 FROM chat_history known WHERE known.guild_id = $1 AND known.message_id = arrived.message_id
              AND (arrived.edited_at IS NULL OR arrived.edited_at <= known.edited_at))
        """,
        guild_id,
        message_ids,
        edited_at,
    )
    return positions or []


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


async def _known(connection: Connection, rich: Sequence[RichArrival]) -> set[int]:
    rows = await connection.fetch(
        "SELECT message_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)",
        rich[0][0][0],
        [arrival[2] for arrival, _ in rich],
    )
    return {row["message_id"] for row in rows}


_STORED_BETWEEN = """
SELECT message_id, edited_at FROM chat_history
WHERE guild_id = $1 AND channel_id = $4 AND message_id BETWEEN $2 AND $3
"""

_MARKED_BETWEEN = """
SELECT message_id FROM tombstones WHERE guild_id = $1 AND message_id BETWEEN $2 AND $3
UNION ALL
SELECT message_id FROM early_edits WHERE guild_id = $1 AND message_id BETWEEN $2 AND $3
"""

_ADMITTED_AUTHORS = f"""
SELECT author_id
FROM (SELECT *, $2::bigint AS channel_id, $3::bigint AS parent_id
      FROM unnest($4::bigint[], $5::bigint[], $6::timestamptz[], $7::text[])
           AS oldest (author_id, message_id, sent_at, author_kind)) AS arrived
WHERE {NOT_DELETED} AND {ADMITTED}
"""  # noqa: S608 - made of constants
