"""Reading sketches of a guild's vectors: a question is compared with far more of them than could be read each time."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ai_clients.sketches import Sketches, record_bytes
from memory.core.audience import Audience
from memory.core.recall.found import Limits
from memory.store.database import Database

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""From here PostgreSQL counts microseconds."""


FEW = 4_000
"""So many vectors are compared as quickly as they are sketched."""
PICKED = 200
"""So many are worth a closer look."""


@dataclass(frozen=True, slots=True)
class Picked:
    message_ids: list[int]
    through: int
    """The `seq` up to which there was a choice."""


@dataclass(frozen=True, slots=True)
class Sketched:
    """A guild's vectors as they were at some moment."""

    sketches: Sketches
    through: int
    """The `seq` up to which they reach; what came later is not among them."""

    @property
    def size(self) -> int:
        return self.sketches.size

    def pick(self, vector: bytes, audience: Audience, limits: Limits) -> Picked | None:
        """None for an audience that can read so little that all of it is compared; whatever else there is in the
        guild, it must make no difference to them."""
        if self.sketches.among(audience.sources) <= FEW:
            return None
        found = self.sketches.nearest(
            vector,
            limits.among(audience.sources),
            PICKED,
            author_ids=limits.author_ids,
            after=_moment(limits.after),
            before=_moment(limits.before),
        )
        return Picked(found, self.through)


class SketchStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def read(self, guild_id: int, model: str, most_bytes: int) -> Sketched | None:
        """Of each channel the newest, as many as fit; None where there are few, or none at all.

        How many of a channel depends on how many channels there are, and not on what is said in the others: what
        somebody finds must not tell what goes on behind closed doors.
        """
        async with self._database.transaction("store.sketches.read", readonly=True) as connection:
            if not await connection.fetchval("SELECT to_regclass('message_vectors') IS NOT NULL"):
                return None
            state = await connection.fetchrow(_STATE, guild_id, model)
            if state is None or state["messages"] <= FEW:
                return None
            of_each = most_bytes // record_bytes(state["dimensions"]) // state["channels"]
            rows = await connection.fetch(_SKETCHES, guild_id, model, max(of_each, 1))
        records: dict[int, bytes] = {row["channel_id"]: row["records"] for row in rows}
        return Sketched(await asyncio.to_thread(Sketches, records, state["dimensions"]), state["through"])


def _moment(at: datetime | None) -> int | None:
    """As the records have it."""
    return None if at is None else (at - _EPOCH) // timedelta(microseconds=1)


_STATE = """
SELECT vectors_through AS through, channels, messages, vector_dims(embedding) AS dimensions
FROM index_state CROSS JOIN LATERAL (
    SELECT count(*) AS channels, coalesce(sum(messages), 0)::bigint AS messages
    FROM index_channels WHERE guild_id = $1 AND messages > 0
) AS counted CROSS JOIN LATERAL (
    SELECT embedding FROM message_vectors WHERE guild_id = $1 AND model = $2 ORDER BY message_id LIMIT 1
) AS first_one
WHERE guild_id = $1 AND vector_model = $2
"""

# The bits as they are sent, behind four bytes that tell how many they are.
_SKETCHES = """
SELECT heard.channel_id, string_agg(
    int8send(meant.message_id) || int8send(said.author_id) || timestamptz_send(said.sent_at)
    || substring(bit_send(binary_quantize(meant.embedding)) FROM 5), ''::bytea) AS records
FROM index_channels AS heard CROSS JOIN LATERAL (
    SELECT message_id, embedding FROM message_vectors
    WHERE guild_id = $1 AND channel_id BETWEEN heard.channel_id AND heard.channel_id AND model = $2
    ORDER BY channel_id DESC, message_id DESC LIMIT $3
) AS meant CROSS JOIN LATERAL (
    SELECT author_id, sent_at FROM message_index WHERE guild_id = $1 AND message_id = meant.message_id LIMIT 1
) AS said
WHERE heard.guild_id = $1 AND heard.messages > 0 GROUP BY heard.channel_id
"""
