"""Writes the vectors of what is in the index, behind it.

A guild's vectors are those of one model. Where another is chosen they are made anew, each in the place of an old one;
meanwhile recall goes by words and by the new ones there are. They are compared by their distance alone (`<->`), which
for vectors of length 1 says the same as the angle; see docs/decisions/recall.md for why there is no index over them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pgvector import HalfVector

from memory.core.values import text_of
from memory.db.database import Connection, Database, Record
from memory.log.reading import message_of
from memory.recall.index_store import Behind, own_index

_COLUMNS = ("guild_id", "message_id", "model", "channel_id", "embedding")


@dataclass(frozen=True, slots=True)
class Unseen:
    """Holds indexed messages that have no vector yet."""

    guild_id: int
    after: int
    through: int
    """Equal for messages that were indexed once more."""
    texts: dict[int, str]
    channels: dict[int, int]
    seqs: dict[int, int]
    turns: dict[int, int] = field(default_factory=dict)
    """Of those that were indexed once more."""


@dataclass(frozen=True, slots=True)
class Serving:
    """Tells which vectors a guild's questions are compared with."""

    model: str
    dimensions: int


class VectorStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def serving(self, guild_id: int) -> Serving | None:
        """Find the vectors that serve a guild; None where there is nothing to compare a question with."""
        async with self._database.transaction("store.vectors.serving", readonly=True) as connection:
            if not await connection.fetchval("SELECT to_regclass('message_vectors') IS NOT NULL"):
                return None
            row = await connection.fetchrow(_SERVING, guild_id)
        return None if row is None else Serving(**row)

    async def want(self, guild_id: int, model: str) -> None:
        """Have this model's vectors made and compared with from now on; those of another go as theirs come."""
        async with self._database.transaction("store.vectors.want") as connection:
            await own_index(connection, guild_id)
            await connection.execute(_WANT, guild_id, model)

    async def unseen(self, behind: Behind, after: int, limit: int) -> Unseen:
        rows = await self._database.read(
            "store.vectors.unseen", _UNSEEN, behind.guild_id, after, behind.words_through, limit
        )
        through = behind.words_through if len(rows) < limit else rows[-1]["seq"]
        return _unseen(behind.guild_id, after, through, rows)

    async def again(self, behind: Behind, limit: int) -> Unseen:
        """Read messages that came to say more, and are in the index again."""
        rows = await self._database.read("store.vectors.again", _AGAIN, behind.guild_id, limit)
        turns = {row["message_id"]: row["turn"] for row in rows}
        return _unseen(behind.guild_id, behind.vectors_through, behind.vectors_through, rows, turns)

    async def write(self, unseen: Unseen, model: str, vectors: Mapping[int, HalfVector]) -> bool:
        """Write vectors; False if somebody else has written them meanwhile, or nobody wants them any longer."""
        guild_id = unseen.guild_id
        async with self._database.transaction("store.vectors.write") as connection:
            await own_index(connection, guild_id)
            if await connection.fetchval(_REACHED, guild_id, model) != unseen.after:
                return False
            if not await _fit(connection, guild_id, model, vectors):
                await connection.execute(_BEGIN_ANEW, guild_id)
                return True
            await self._add(connection, guild_id, model, vectors, unseen)
            if turns := unseen.turns:
                await connection.execute(_DONE_AGAIN, guild_id, list(turns), list(turns.values()))
            else:
                await connection.execute(
                    "UPDATE index_state SET vectors_through = $2 WHERE guild_id = $1", guild_id, unseen.through
                )
        return True

    async def _add(
        self, connection: Connection, guild_id: int, model: str, vectors: Mapping[int, HalfVector], unseen: Unseen
    ) -> None:
        """Add vectors of what is still in the index as it was when it was read; what another model made of it goes."""
        rows = await connection.fetch(_STILL_INDEXED, guild_id, list(unseen.seqs), list(unseen.seqs.values()))
        alive = [row["message_id"] for row in rows]
        await connection.execute(
            "DELETE FROM message_vectors WHERE guild_id = $1 AND message_id = ANY($2)", guild_id, alive
        )
        records = [
            (guild_id, known, model, unseen.channels[known], vectors[known]) for known in alive if known in vectors
        ]
        await connection.copy_records_to_table("message_vectors", records=records, columns=_COLUMNS)


async def _fit(connection: Connection, guild_id: int, model: str, vectors: Mapping[int, HalfVector]) -> bool:
    """Say whether vectors have the size of those that are there: a server may have another model by the same name."""
    known: int | None = await connection.fetchval(_DIMENSIONS, guild_id, model)
    return known is None or all(vector.dimensions() == known for vector in vectors.values())


def _unseen(
    guild_id: int,
    after: int,
    through: int,
    rows: list[Record],
    turns: dict[int, int] | None = None,
) -> Unseen:
    indexed = [row for row in rows if row["is_indexed"]]
    return Unseen(
        guild_id,
        after,
        through,
        {row["message_id"]: _text(row) for row in indexed},
        {row["message_id"]: row["channel_id"] for row in indexed},
        {row["message_id"]: row["seq"] for row in rows},
        turns or {},
    )


def _text(row: Record) -> str:
    """Read a row's text; most messages are text alone."""
    text: str = row["text"] if row["extras"] is None else text_of(message_of(row))
    return text


# In the order of the key, which finds one at once; left to itself the planner may look through all guilds.
_DIMENSIONS = """
SELECT vector_dims(embedding) FROM message_vectors WHERE guild_id = $1 AND model = $2 ORDER BY message_id LIMIT 1
"""

_SERVING = """
SELECT vector_model AS model, vector_dims(embedding) AS dimensions FROM index_state CROSS JOIN LATERAL (
    SELECT embedding FROM message_vectors WHERE guild_id = $1 AND model = vector_model ORDER BY message_id LIMIT 1
) AS first_one WHERE guild_id = $1
"""

_WANT = """
UPDATE index_state SET vector_model = $2, vectors_through = 0
WHERE guild_id = $1 AND vector_model IS DISTINCT FROM $2
"""

_REACHED = "SELECT vectors_through FROM index_state WHERE guild_id = $1 AND vector_model = $2"

_BEGIN_ANEW = """
WITH gone AS (DELETE FROM message_vectors WHERE guild_id = $1)
UPDATE index_state SET vectors_through = 0 WHERE guild_id = $1
"""

_UNSEEN = """
SELECT said.*, EXISTS (
    SELECT FROM message_index i WHERE i.guild_id = said.guild_id AND i.message_id = said.message_id) AS is_indexed
FROM chat_history AS said WHERE said.guild_id = $1 AND said.seq > $2 AND said.seq <= $3 ORDER BY said.seq LIMIT $4
"""

_AGAIN = """
SELECT said.*, turn, true AS is_indexed FROM vectors_again JOIN chat_history AS said USING (guild_id, message_id)
WHERE guild_id = $1 ORDER BY message_id LIMIT $2
"""

_DONE_AGAIN = """
DELETE FROM vectors_again USING unnest($2::bigint[], $3::bigint[]) AS done (message_id, turn)
WHERE guild_id = $1 AND vectors_again.message_id = done.message_id AND vectors_again.turn = done.turn
"""

_STILL_INDEXED = """
SELECT said.message_id FROM unnest($2::bigint[], $3::bigint[]) AS seen (message_id, seq)
JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = seen.message_id AND said.seq = seen.seq
JOIN message_index AS known ON known.guild_id = $1 AND known.message_id = seen.message_id
"""
