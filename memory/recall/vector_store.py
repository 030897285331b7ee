"""Writing the vectors of what is in the index, behind it.

A guild has one set of them that questions are compared with. While those of another model are made, that set stays; the
new one takes its place in the transaction that completes it, and the old vectors are removed afterwards. They are
compared by their distance alone (`<->`), which for vectors of length 1 says the same as the angle; see
docs/decisions/recall-index.md for why there is no index over them.
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
    """Indexed messages that have no vector yet."""

    guild_id: int
    after: int
    through: int
    """Equal for messages that were indexed once more."""
    is_last: bool
    """Nothing of the index lies beyond, as it was when this was read."""
    texts: dict[int, str]
    channels: dict[int, int]
    seqs: dict[int, int]
    turns: dict[int, int] = field(default_factory=dict)
    """Of those that were indexed once more."""


@dataclass(frozen=True, slots=True)
class Serving:
    """The vectors that a guild's questions are compared with."""

    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Progress:
    """Of all guilds whose vectors are made anew."""

    made: int
    wanted: int


class VectorStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def serving(self, guild_id: int) -> Serving | None:
        """None where there is nothing to compare a question with."""
        async with self._database.transaction("store.vectors.serving", readonly=True) as connection:
            if not await connection.fetchval("SELECT to_regclass('message_vectors') IS NOT NULL"):
                return None
            row = await connection.fetchrow(_SERVING, guild_id)
        return None if row is None else Serving(**row)

    async def want(self, guild_id: int, model: str) -> None:
        """From now on this model's vectors are made, and if they are the guild's first ones, compared with as well."""
        async with self._database.transaction("store.vectors.want") as connection:
            await own_index(connection, guild_id)
            await connection.execute(_WANT, guild_id, model)

    async def unseen(self, behind: Behind, after: int, limit: int) -> Unseen:
        rows = await self._database.read(
            "store.vectors.unseen", _UNSEEN, behind.guild_id, after, behind.words_through, limit
        )
        is_last = len(rows) < limit
        return _unseen(behind.guild_id, after, behind.words_through if is_last else rows[-1]["seq"], is_last, rows)

    async def again(self, behind: Behind, model: str, after: int, limit: int) -> Unseen:
        """Messages that came to say more, and are in the index again."""
        rows = await self._database.read("store.vectors.again", _AGAIN, behind.guild_id, model, limit)
        turns = {row["message_id"]: row["turn"] for row in rows}
        return _unseen(behind.guild_id, after, after, False, rows, turns)

    async def write(self, unseen: Unseen, model: str, vectors: Mapping[int, HalfVector]) -> bool:
        """False if somebody else has written them meanwhile, or nobody wants them any longer."""
        guild_id = unseen.guild_id
        async with self._database.transaction("store.vectors.write") as connection:
            await own_index(connection, guild_id)
            state = await connection.fetchrow(_STATE, guild_id, model)
            if state is None or state["through"] != unseen.after:
                return False
            if not await _fit(connection, guild_id, model, vectors):
                await connection.execute(_BEGIN_ANEW, guild_id, model)
                return True
            await self._add(connection, guild_id, model, vectors, unseen)
            if turns := unseen.turns:
                await connection.execute(_DONE_AGAIN, guild_id, model, list(turns), list(turns.values()))
            elif not state["is_next"]:
                await connection.execute(
                    "UPDATE index_state SET vectors_through = $2 WHERE guild_id = $1", guild_id, unseen.through
                )
            elif unseen.is_last:
                await connection.execute(_TAKE_OVER, guild_id, model, unseen.through)
            else:
                await connection.execute(
                    "UPDATE index_state SET next_through = $2 WHERE guild_id = $1", guild_id, unseen.through
                )
        return True

    async def _add(
        self, connection: Connection, guild_id: int, model: str, vectors: Mapping[int, HalfVector], unseen: Unseen
    ) -> None:
        """Of what is still in the index as it was when it was read."""
        seqs = [unseen.seqs[known] for known in vectors]
        rows = await connection.fetch(_STILL_INDEXED, guild_id, list(vectors), seqs)
        alive = [row["message_id"] for row in rows]
        if not alive:
            return
        await connection.execute(
            "DELETE FROM message_vectors WHERE guild_id = $1 AND message_id = ANY($2) AND model = $3",
            guild_id,
            alive,
            model,
        )
        records = [(guild_id, known, model, unseen.channels[known], vectors[known]) for known in alive]
        await connection.copy_records_to_table("message_vectors", records=records, columns=_COLUMNS)

    async def remove_outdated(self, guild_id: int, start: int, limit: int) -> int | None:
        """Looks at so many vectors, from a message on, and removes what no longer serves; where to go on, if at all."""
        async with self._database.transaction("store.vectors.remove_outdated") as connection:
            await own_index(connection, guild_id)
            looked_at = await connection.fetchrow(_REMOVE_OUTDATED, guild_id, start, limit)
            if looked_at is not None and looked_at["vectors"] == limit:
                last: int = looked_at["last"]
                return last
            await connection.execute("UPDATE index_state SET has_outdated = false WHERE guild_id = $1", guild_id)
        return None

    async def progress(self) -> Progress | None:
        """None while nothing is made anew."""
        async with self._database.transaction("store.vectors.progress", readonly=True) as connection:
            row = await connection.fetchrow(_PROGRESS)
        return None if row is None or row["made"] is None else Progress(**row)


async def _fit(connection: Connection, guild_id: int, model: str, vectors: Mapping[int, HalfVector]) -> bool:
    """Whether they are of the size of those that are there: a server may have another model by the same name."""
    known: int | None = await connection.fetchval(_DIMENSIONS, guild_id, model)
    return known is None or all(vector.dimensions() == known for vector in vectors.values())


def _unseen(
    guild_id: int,
    after: int,
    through: int,
    is_last: bool,
    rows: list[Record],
    turns: dict[int, int] | None = None,
) -> Unseen:
    indexed = [row for row in rows if row["is_indexed"]]
    return Unseen(
        guild_id,
        after,
        through,
        is_last,
        {row["message_id"]: _text(row) for row in indexed},
        {row["message_id"]: row["channel_id"] for row in indexed},
        {row["message_id"]: row["seq"] for row in rows},
        turns or {},
    )


def _text(row: Record) -> str:
    """Most messages are text alone."""
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

# The right sides are all of the row as it was.
_WANT = """
WITH left_over AS (
    DELETE FROM vectors_again USING index_state AS state
    WHERE vectors_again.guild_id = $1 AND state.guild_id = $1 AND model <> $2 AND model <> state.vector_model
)
UPDATE index_state SET
    vector_model = coalesce(vector_model, $2),
    next_model = CASE WHEN coalesce(vector_model, $2) <> $2 THEN $2 END,
    next_through = CASE WHEN next_model = $2 THEN next_through ELSE 0 END,
    has_outdated = has_outdated OR (next_model IS NOT NULL AND next_model <> $2)
WHERE guild_id = $1
"""

_STATE = """
SELECT CASE WHEN vector_model = $2 THEN vectors_through ELSE next_through END AS through,
    vector_model <> $2 AS is_next
FROM index_state WHERE guild_id = $1 AND $2 IN (vector_model, next_model)
"""

_BEGIN_ANEW = """
WITH gone AS (DELETE FROM message_vectors WHERE guild_id = $1 AND model = $2)
UPDATE index_state SET
    vectors_through = CASE WHEN vector_model = $2 THEN 0 ELSE vectors_through END,
    next_through = CASE WHEN next_model = $2 THEN 0 ELSE next_through END
WHERE guild_id = $1
"""

_TAKE_OVER = """
WITH left_over AS (DELETE FROM vectors_again WHERE guild_id = $1 AND model <> $2)
UPDATE index_state SET vector_model = $2, vectors_through = $3, next_model = NULL, next_through = 0, has_outdated = true
WHERE guild_id = $1
"""

_UNSEEN = """
SELECT said.*, EXISTS (
    SELECT FROM message_index i WHERE i.guild_id = said.guild_id AND i.message_id = said.message_id) AS is_indexed
FROM chat_history AS said WHERE said.guild_id = $1 AND said.seq > $2 AND said.seq <= $3 ORDER BY said.seq LIMIT $4
"""

_AGAIN = """
SELECT said.*, turn, true AS is_indexed FROM vectors_again JOIN chat_history AS said USING (guild_id, message_id)
WHERE guild_id = $1 AND model = $2 ORDER BY message_id LIMIT $3
"""

_DONE_AGAIN = """
DELETE FROM vectors_again USING unnest($3::bigint[], $4::bigint[]) AS done (message_id, turn)
WHERE guild_id = $1 AND model = $2 AND vectors_again.message_id = done.message_id AND vectors_again.turn = done.turn
"""

_STILL_INDEXED = """
SELECT said.message_id FROM unnest($2::bigint[], $3::bigint[]) AS seen (message_id, seq)
JOIN chat_history AS said ON said.guild_id = $1 AND said.message_id = seen.message_id AND said.seq = seen.seq
JOIN message_index AS known ON known.guild_id = $1 AND known.message_id = seen.message_id
"""

_REMOVE_OUTDATED = """
WITH looked_at AS MATERIALIZED (
    SELECT message_id, model FROM message_vectors WHERE guild_id = $1 AND message_id >= $2
    ORDER BY message_id, model LIMIT $3
), gone AS (
    DELETE FROM message_vectors AS old USING looked_at, index_state AS state
    WHERE old.guild_id = $1 AND old.message_id = looked_at.message_id AND old.model = looked_at.model
        AND state.guild_id = $1 AND old.model <> ALL (ARRAY[state.vector_model, coalesce(next_model, vector_model)])
)
SELECT count(*) AS vectors, max(message_id) AS last FROM looked_at
"""

_PROGRESS = """
SELECT sum((SELECT count(*) FROM message_vectors AS made
            WHERE made.guild_id = state.guild_id AND made.model = state.next_model))::bigint AS made,
    sum((SELECT coalesce(sum(messages), 0) FROM index_channels AS said
         WHERE said.guild_id = state.guild_id))::bigint AS wanted
FROM index_state AS state WHERE next_model IS NOT NULL
"""
