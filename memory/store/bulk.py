"""Many messages of one channel into the log at once, for imports: the rules of `memory.store.log` at the speed of COPY.

What could be in the way is asked first: what the log knows between the first and the last of them and, since the
policy judges by author and age, whether the oldest message of each author may be stored. Where nothing is in the way,
messages are copied. All others go the ordinary way, where each is judged by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import TypeAlias, TypeVar

import asyncpg
import orjson

from memory.core.model import AuthorKind, Message
from memory.store.copy_format import PACKED_COLUMNS, Oldest, Packed, unpack
from memory.store.copy_format import Arrival as Arrival
from memory.store.database import Connection
from memory.store.extras import read
from memory.store.log import NOT_DELETED, add_messages
from memory.store.policy import ADMITTED

RichArrival: TypeAlias = tuple[int, int, int, int, str, str, datetime, datetime | None, int | None, int | None, str]
"""An `Arrival`, and what came with its text as JSON (`memory.store.extras`)."""
AnyArrival: TypeAlias = Arrival | RichArrival

_Any = TypeVar("_Any", Arrival, RichArrival)

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


def _message(arrival: AnyArrival) -> Message:
    guild_id, channel_id, message_id, author_id, kind, text, sent_at, edited_at, reply_to, parent_id = arrival[:10]
    extras = arrival[10:]
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
        **read(orjson.loads(extras[0]) if extras else None),
    )


async def add_in_bulk(connection: Connection, plain: Sequence[Arrival], rich: Sequence[RichArrival]) -> BulkAdded:
    """Within the transaction of a caller who owns the log: store messages of one channel, as far as they may be."""
    if not plain and not rich:
        return BulkAdded(0, 0, [])
    arrivals: list[AnyArrival] = [*plain, *rich]
    ids = [arrival[2] for arrival in arrivals]
    way = await _look_ahead(connection, arrivals[0], min(ids), max(ids), oldest_of_each_author(arrivals))
    fresh, fresh_rich = way.free(plain), way.free(rich)
    others = [arrival for each in (plain, rich) for arrival in each if way.needs_a_look(arrival)]
    if not await _copy(connection, fresh, fresh_rich):
        others += (*fresh, *fresh_rich)
        fresh, fresh_rich = [], []
    added = await add_messages(connection, [_message(arrival) for arrival in others])
    known = len(way.stored.keys() & set(ids) - set(added.changed))
    return BulkAdded(len(fresh) + len(fresh_rich) + added.stored, known, added.changed)


async def add_packed(connection: Connection, packed: Packed, rich: Sequence[RichArrival]) -> BulkAdded:
    """The same for many that are ready for COPY; they are taken apart only if something is in the way."""
    (first,) = unpack(packed, 1)
    way = await _look_ahead(connection, first, packed.first_id, packed.last_id, packed.oldest)
    if way.is_clear and await _copy_packed(connection, packed):
        added = await add_in_bulk(connection, [], rich)
        return BulkAdded(packed.count + added.stored, added.known, added.changed)
    return await add_in_bulk(connection, unpack(packed), rich)


async def _copy_packed(connection: Connection, packed: Packed) -> bool:
    try:
        async with connection.transaction():
            await connection.copy_to_table(
                "chat_history", source=BytesIO(packed.data), columns=PACKED_COLUMNS, format="binary"
            )
    except asyncpg.UniqueViolationError:
        return False
    return True


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

    def free(self, arrivals: Sequence[_Any]) -> Sequence[_Any]:
        """Those that nothing is in the way of."""
        if self.is_clear:
            return arrivals
        return [arrival for arrival in arrivals if arrival[2] not in self.stored and not self._is_doubtful(arrival)]

    def needs_a_look(self, arrival: AnyArrival) -> bool:
        if arrival[2] not in self.stored:
            return self._is_doubtful(arrival)
        edited_at, known = arrival[7], self.stored[arrival[2]]
        # Links that were looked up later are no edit, yet may be new: what holds more than text is looked at.
        return len(arrival) == 11 or (edited_at is not None and (known is None or known < edited_at))

    def _is_doubtful(self, arrival: AnyArrival) -> bool:
        return arrival[2] in self.marked or arrival[3] in self.suspects


async def _copy(connection: Connection, plain: Sequence[Arrival], rich: Sequence[RichArrival]) -> bool:
    """False, and nothing done, if one of them is there after all: twice in the file, or in another channel."""
    try:
        async with connection.transaction():
            if plain:
                await connection.copy_records_to_table("chat_history", records=plain, columns=COLUMNS)
            if rich:
                await _copy_rich(connection, rich)
    except asyncpg.UniqueViolationError:
        return False
    return True


async def _copy_rich(connection: Connection, arrivals: Sequence[RichArrival]) -> None:
    """By a detour, because COPY takes no JSON as text."""
    await connection.execute(_MAKE_WAITING_ROOM)
    await connection.copy_records_to_table("arriving_with_extras", records=arrivals, columns=(*COLUMNS, "extras"))
    columns = ", ".join(COLUMNS)
    await connection.execute(
        f"""
        INSERT INTO chat_history ({columns}, extras)
        SELECT {columns}, extras::jsonb FROM arriving_with_extras ORDER BY message_id
        """  # noqa: S608 - made of constants
    )


async def _look_ahead(connection: Connection, place: AnyArrival, first_id: int, last_id: int, oldest: Oldest) -> _Way:
    guild_id, channel_id, *_ = place
    stored = await connection.fetch(_STORED_BETWEEN, guild_id, first_id, last_id, channel_id)
    marked = await connection.fetch(_MARKED_BETWEEN, guild_id, first_id, last_id)
    return _Way(
        stored={row["message_id"]: row["edited_at"] for row in stored},
        marked={row["message_id"] for row in marked},
        suspects=await _suspects(connection, place, oldest),
    )


def oldest_of_each_author(arrivals: Sequence[AnyArrival]) -> Oldest:
    """The lowest id and the earliest time: if these may be stored, so may all that is newer.

    Of each kind by itself: consent is asked of persons alone, and one id may have been both, say a webhook's.
    """
    oldest: Oldest = {}
    for arrival in arrivals:
        message_id, author, sent_at = arrival[2], (arrival[3], arrival[4]), arrival[6]
        known = oldest.get(author)
        if known is None:
            oldest[author] = (message_id, sent_at)
        elif message_id < known[0] or sent_at < known[1]:
            oldest[author] = (min(message_id, known[0]), min(sent_at, known[1]))
    return oldest


async def _suspects(connection: Connection, place: AnyArrival, oldest: Oldest) -> set[int]:
    """The authors whose oldest message may not be stored; of the others all may be."""
    rows = await connection.fetch(
        _ADMITTED_AUTHORS,
        place[0],
        place[1],
        place[9],
        [author_id for author_id, _ in oldest],
        [kind for _, kind in oldest],
        [message_id for message_id, _ in oldest.values()],
        [sent_at for _, sent_at in oldest.values()],
    )
    admitted = {(row["author_id"], row["author_kind"]) for row in rows}
    return {author[0] for author in oldest if author not in admitted}


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
SELECT author_id, author_kind
FROM (SELECT *, $2::bigint AS channel_id, $3::bigint AS parent_id
      FROM unnest($4::bigint[], $5::text[], $6::bigint[], $7::timestamptz[])
           AS oldest (author_id, author_kind, message_id, sent_at)) AS arrived
WHERE {NOT_DELETED} AND {ADMITTED}
"""  # noqa: S608 - made of constants

_MAKE_WAITING_ROOM = """
CREATE TEMPORARY TABLE IF NOT EXISTS arriving_with_extras (
    guild_id bigint, channel_id bigint, message_id bigint, author_id bigint, author_kind text, text text,
    sent_at timestamp with time zone, edited_at timestamp with time zone, reply_to bigint, parent_id bigint, extras text
) ON COMMIT DELETE ROWS
"""
