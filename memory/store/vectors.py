"""Writing the vectors of what is in the index, behind it.

They are compared by their distance alone (`<->`), which for vectors of length 1 says the same as the angle; see
docs/decisions/recall-index.md for why there is no index over them.
"""

import struct
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

import asyncpg

from memory.core.recall.words import text_of
from memory.store.database import Connection, Database
from memory.store.index import Behind, own_index
from memory.store.messages import message_of

_COLUMNS = ("guild_id", "message_id", "model", "channel_id", "embedding")
_BEGIN = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = b"\xff\xff"


@dataclass(frozen=True, slots=True)
class Unseen:
    """Indexed messages that have no vector yet."""

    guild_id: int
    after: int
    through: int
    texts: dict[int, str]
    channels: dict[int, int]
    seqs: dict[int, int]


class VectorStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin_anew(self, guild_id: int, model: str) -> None:
        """Another model than before: its vectors could not be compared with those that are there."""
        async with self._database.transaction("store.vectors.begin_anew") as connection:
            await own_index(connection, guild_id)
            await connection.execute("DELETE FROM message_vectors WHERE guild_id = $1 AND model <> $2", guild_id, model)
            await connection.execute(
                "UPDATE index_state SET vectors_through = 0, vector_model = $2 WHERE guild_id = $1", guild_id, model
            )

    async def unseen(self, behind: Behind, limit: int) -> Unseen:
        async with self._database.transaction("store.vectors.unseen", readonly=True) as connection:
            rows = await connection.fetch(_UNSEEN, behind.guild_id, behind.vectors_through, behind.words_through, limit)
        through = rows[-1]["seq"] if len(rows) == limit else behind.words_through
        indexed = [row for row in rows if row["is_indexed"]]
        return Unseen(
            behind.guild_id,
            behind.vectors_through,
            through,
            {row["message_id"]: _text(row) for row in indexed},
            {row["message_id"]: row["channel_id"] for row in indexed},
            {row["message_id"]: row["seq"] for row in rows},
        )

    async def write(self, unseen: Unseen, model: str, vectors: Mapping[int, bytes]) -> bool:
        """False if somebody else has written them meanwhile."""
        guild_id = unseen.guild_id
        async with self._database.transaction("store.vectors.write") as connection:
            await own_index(connection, guild_id)
            through: int | None = await connection.fetchval(
                "SELECT vectors_through FROM index_state WHERE guild_id = $1 AND vector_model = $2", guild_id, model
            )
            if through != unseen.after:
                return False
            await self.add(connection, guild_id, model, vectors, unseen.channels, unseen.seqs)
            await connection.execute(
                "UPDATE index_state SET vectors_through = $2 WHERE guild_id = $1", guild_id, unseen.through
            )
        return True

    async def add_again(
        self,
        guild_id: int,
        model: str,
        vectors: Mapping[int, bytes],
        channels: Mapping[int, int],
        seqs: Mapping[int, int],
    ) -> None:
        """Of messages that came to say more, and are in the index again."""
        async with self._database.transaction("store.vectors.add_again") as connection:
            await own_index(connection, guild_id)
            await self.add(connection, guild_id, model, vectors, channels, seqs)

    async def add(
        self,
        connection: Connection,
        guild_id: int,
        model: str,
        vectors: Mapping[int, bytes],
        channels: Mapping[int, int],
        seqs: Mapping[int, int],
    ) -> None:
        """Within the transaction of a caller who owns the index."""
        rows = await connection.fetch(_STILL_INDEXED, guild_id, list(vectors), [seqs[known] for known in vectors])
        alive = [row["message_id"] for row in rows]
        if not alive:
            return
        await connection.execute(
            "DELETE FROM message_vectors WHERE guild_id = $1 AND message_id = ANY($2) AND model = $3",
            guild_id,
            alive,
            model,
        )
        written = [_row(guild_id, message_id, model, channels[message_id], vectors[message_id]) for message_id in alive]
        await connection.copy_to_table("message_vectors", source=_whole(written), columns=_COLUMNS, format="binary")


def _text(row: asyncpg.Record) -> str:
    """Most messages are text alone."""
    text: str = row["text"] if row["extras"] is None else text_of(message_of(row))
    return text


async def _whole(rows: list[bytes]) -> AsyncIterator[bytes]:
    yield b"".join((_BEGIN, *rows, _END))


def _row(guild_id: int, message_id: int, model: str, channel_id: int, vector: bytes) -> bytes:
    """As COPY reads it: the driver knows nothing of vectors, and as text they would take ten times as long."""
    name = model.encode()
    return b"".join(
        (
            struct.pack(">hiqiqi", len(_COLUMNS), 8, guild_id, 8, message_id, len(name)),
            name,
            struct.pack(">iqihh", 8, channel_id, 4 + len(vector), len(vector) // 2, 0),
            vector,
        )
    )


_UNSEEN = """
SELECT said.*, EXISTS (
    SELECT FROM message_index i WHERE i.guild_id = said.guild_id AND i.message_id = said.message_id) AS is_indexed
FROM chat_history AS said WHERE said.guild_id = $1 AND said.seq > $2 AND said.seq <= $3 ORDER BY said.seq LIMIT $4
"""

_STILL_INDEXED = """
SELECT said.message_id FROM unnest($2::bigint[], $3::bigint[]) AS seen (message_id, seq)
JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = seen.message_id AND said.seq = seen.seq
JOIN message_index AS known ON known.guild_id = $1 AND known.message_id = seen.message_id
"""
