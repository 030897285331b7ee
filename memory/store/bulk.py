"""Many messages of one channel into the log at once, for imports: the rules of `memory.store.log` at the speed of COPY.

Which of them are new and may be stored is asked first, in one statement; those are copied. The few that meet something
(a copy that is there, an edit that came first) or hold more than text go the ordinary way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from memory.core.model import AuthorKind, Message
from memory.store.database import Connection
from memory.store.log import NOT_DELETED, add_messages
from memory.store.policy import ADMITTED

Arrival: TypeAlias = tuple[int, int, int, int, AuthorKind, str, datetime, datetime | None, int | None, int | None]
"""A message of text alone: the first fields of `Message` in their order, with nothing left to repair."""

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


async def add_in_bulk(connection: Connection, plain: Sequence[Arrival], rich: Sequence[Message]) -> BulkAdded:
    """Within the transaction of a caller who owns the log: store messages of one channel, as far as they may be."""
    single = {arrival[2]: arrival for arrival in plain}
    arrivals = [*single.values()]
    twice = [arrival for arrival in plain if single[arrival[2]] is not arrival] if len(arrivals) < len(plain) else []
    fresh, meeting, known = await _sort_out(connection, arrivals) if arrivals else ([], [], 0)
    if fresh:
        await connection.copy_records_to_table(
            "chat_history", records=[arrivals[place] for place in fresh], columns=COLUMNS
        )
    known_rich = await _known(connection, rich) if rich else set()
    ordinary = [Message(*arrivals[place]) for place in meeting] + [Message(*arrival) for arrival in twice] + [*rich]
    added = await add_messages(connection, ordinary)
    unchanged = known + len(known_rich.difference(added.changed))
    return BulkAdded(len(fresh) + added.stored, unchanged, added.changed)


async def _sort_out(connection: Connection, arrivals: Sequence[Arrival]) -> tuple[list[int], list[int], int]:
    """Which of them are new, which have to be brought together with what is there, and how many are simply known."""
    guild_id, channel_id, *_, parent_id = arrivals[0]
    _, _, message_ids, author_ids, kinds, _, sent_at, edited_at, _, _ = zip(*arrivals, strict=True)
    row = await connection.fetchrow(
        _SORT_OUT, guild_id, channel_id, parent_id, message_ids, author_ids, kinds, sent_at, edited_at
    )
    assert row is not None  # noqa: S101 - an aggregate has exactly one row
    return row["fresh"] or [], row["meeting"] or [], row["known"]


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


async def _known(connection: Connection, messages: Sequence[Message]) -> set[int]:
    rows = await connection.fetch(
        "SELECT message_id FROM chat_history WHERE guild_id = $1 AND message_id = ANY($2)",
        messages[0].guild_id,
        [message.message_id for message in messages],
    )
    return {row["message_id"] for row in rows}


_SORT_OUT = f"""
WITH arrived AS (
    SELECT *, $2::bigint AS channel_id, $3::bigint AS parent_id
    FROM unnest($4::bigint[], $5::bigint[], $6::text[], $7::timestamptz[], $8::timestamptz[]) WITH ORDINALITY
         AS offered (message_id, author_id, author_kind, sent_at, edited_at, place)
), sorted AS (
    SELECT arrived.place - 1 AS place,
           CASE WHEN known.message_id IS NOT NULL
                     AND coalesce(arrived.edited_at <= coalesce(known.edited_at, '-infinity'), true) THEN 'known'
                WHEN known.message_id IS NOT NULL OR early.message_id IS NOT NULL THEN 'meeting'
                ELSE 'fresh' END AS lot
    FROM arrived
    LEFT JOIN chat_history known ON known.guild_id = $1 AND known.message_id = arrived.message_id
    LEFT JOIN early_edits early ON early.guild_id = $1 AND early.message_id = arrived.message_id
    WHERE {NOT_DELETED} AND {ADMITTED}
)
SELECT array_agg(place ORDER BY place) FILTER (WHERE lot = 'fresh') AS fresh,
       array_agg(place) FILTER (WHERE lot = 'meeting') AS meeting,
       count(*) FILTER (WHERE lot = 'known') AS known
FROM sorted
"""  # noqa: S608 - put together from our own constants
