"""Makes and keeps the vectors of what is in the index, at a pace of its own: words never wait for it.

Those of this machine are made along with the words. Those of a model that is asked over a network are made in a task
beside that, one request after the other; while the model is out of quota or away it is left alone, for as long as it
wants or longer each time, and recall goes by words and by the vectors there are.

A guild's vectors are those of one model. Where another is chosen they are made anew, each in the place of an old one;
meanwhile recall goes by words and by the new ones there are. They are compared by their distance alone (`<->`), which
for vectors of length 1 says the same as the angle; see docs/decisions/recall.md for why there is no index over them.
"""

import asyncio
import logging
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pgvector import HalfVector

from ai_clients.base import Embedder
from ai_clients.embedding import GuardedEmbedder, StaticVectors
from ai_clients.errors import ModelError, Refused
from memory.background import FairScheduler, pause_after, start_task
from memory.core.values import text_of
from memory.db.database import Connection, Database, Record
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.health import Health, HealthReporter
from memory.language.word_caches import register_cache
from memory.leases import Leases
from memory.log.reading import message_of
from memory.models.metering import Metering
from memory.models.usage import Requester, Routine
from memory.recall.index_store import Behind, IndexStore, own_index
from memory.tasks import end

logger = logging.getLogger(__name__)

# Who can be asked for vectors: the model that is configured, and those of this machine, which are always there.


A_FEW = 100


class Embedders:
    def __init__(self, chosen: Embedder, metering: Metering | None = None) -> None:
        """Take the chosen embedder. Without metering nobody records what is asked: for vectors free of charge."""
        self.chosen = chosen
        self.here = chosen if isinstance(chosen, StaticVectors) else StaticVectors()
        """Quick enough for single words, and loaded when it is first asked."""
        register_cache(self.here)
        self._metering = metering

    @property
    def is_here(self) -> bool:
        """Say whether vectors are made here alone, so that nothing is sent anywhere."""
        return self.chosen is self.here

    async def embed(
        self,
        guild_id: int,
        embedder: Embedder,
        texts: Sequence[str],
        *,
        by: Requester | Routine,
        live: bool = False,
        seconds: float | None = None,
    ) -> list[HalfVector | None]:
        """Make vectors of texts. Raises `ModelError`, and nothing else. `by`: on whose behalf."""
        if embedder is self.here or self._metering is None:
            return await embedder.embed(texts)
        return await self._metering.embed(guild_id, embedder, texts, by=by, live=live, seconds=seconds)


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
    turns: dict[int, int]
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

    async def unseen(self, behind: Behind, limit: int) -> Unseen:
        """Read what is next in the index; before that, messages that came to say more, and are in the index again."""
        guild_id, after, through = behind.guild_id, behind.vectors_through, behind.words_through
        if behind.vectors_again:
            rows, through = await self._database.read("store.vectors.again", _AGAIN, guild_id, limit), after
        else:
            rows = await self._database.read("store.vectors.unseen", _UNSEEN, guild_id, after, through, limit)
            through = rows[-1]["seq"] if len(rows) >= limit else through
        indexed = [row for row in rows if row["is_indexed"]]
        return Unseen(
            guild_id,
            after,
            through,
            texts={row["message_id"]: _text(row) for row in indexed},
            channels={row["message_id"]: row["channel_id"] for row in indexed},
            seqs={row["message_id"]: row["seq"] for row in rows},
            turns={row["message_id"]: row["turn"] for row in rows} if behind.vectors_again else {},
        )

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


def _text(row: Record) -> str:
    """Read a row's text; most messages are text alone."""
    text: str = row["text"] if row["extras"] is None else text_of(message_of(row))
    return text


PAUSE_SECONDS = 1.0
"""Between two looks when there is nothing left to do."""
FIRST_REST, LONGEST_REST = timedelta(seconds=5), timedelta(minutes=5)
HARMLESS = "hello"
"""A model that does not even take this has something against us, and not against what was said."""


class VectorIndexer:
    def __init__(self, database: Database, embedders: Embedders, claims: Leases, health: Health) -> None:
        self._index = IndexStore(database)
        self._store = VectorStore(database)
        self._embedders = embedders
        self._claims = claims
        self._health = health
        self._now = time.monotonic
        self._task: asyncio.Task[None] | None = None
        self._turns = FairScheduler("making vectors")
        self._failures = 0
        self._rests_until = -math.inf
        self._problem: str | None = None

    @property
    def _part(self) -> HealthReporter:
        """Get the health of vectors, named when first needed: where all are made here, the index says how they are."""
        return self._health.part("vectors")

    def start(self) -> None:
        if self._task is None and not self._embedders.is_here:
            self._part.watch(seconds_waited=self._turns.seconds_waited)
            self._task = start_task("vectors", self._follow, self._fails)

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None

    async def ready(self) -> None:
        """Load the vectors made here: not in the middle of a flood, because it takes a while, and room for good."""
        await self._embedders.here.embed(["ready"])

    def is_behind_here(self, behind: Behind) -> bool:
        """Say whether there may be something to do for `follow_here`."""
        wants_others = behind.vector_model != self._embedders.chosen.name
        return behind.words_through > 0 and (wants_others or _lacks(behind, self._embedders.here.name))

    async def follow_here(self, behind: Behind, most: int) -> int | None:
        """Make one step of what takes neither a network nor long; give how many vectors, None if nothing was to do."""
        if behind.words_through > 0 and behind.vector_model != self._embedders.chosen.name:
            await self._store.want(behind.guild_id, self._embedders.chosen.name)
            return 0
        return await self._follow_with(self._embedders.here, behind, most)

    async def follow_elsewhere(self) -> bool:
        """Send one request for each guild that is behind; say whether there was any, and it is worth going on."""
        if self._embedders.is_here or self._now() < self._rests_until:
            return False
        worked = False
        name = self._embedders.chosen.name
        behind = {one.guild_id for one in await self._index.behind() if _lacks(one, name)}
        for guild_id in self._turns.begin(behind):
            if guild_id in self._turns.resting:
                continue
            try:
                with self._turns.turn(guild_id):
                    made = await self._turns.survived(guild_id, self._claim_request(guild_id))
            except ModelError as error:
                self._rest(error)
                return False
            if made is not None:
                worked, self._failures, self._problem = True, 0, None
                self._part.add({"embedded": made})
        return worked

    async def _claim_request(self, guild_id: int) -> int | None:
        """Claim a guild for one request: whoever waits for it elsewhere does not pay for the same vectors."""
        embedder = self._embedders.chosen
        async with self._claims.held(guild_id, "vectors") as claim:
            for behind in [] if claim is None else await self._index.behind([guild_id]):
                # What has been paid for is written down before the next request.
                most = embedder.texts_at_once if isinstance(embedder, GuardedEmbedder) else A_FEW
                return await self._follow_with(embedder, behind, most)
        return None

    async def report_health(self) -> None:
        """Tell health how many servers wait for their vectors, and why these do not get on."""
        if self._embedders.is_here:
            return
        waiting = sum(_lacks(one, self._embedders.chosen.name) for one in await self._index.behind())
        issues = [self._problem] if self._problem is not None else []
        if waiting:
            issues.append(f"Vectors of {waiting} server(s) are still being made by {self._embedders.chosen.name}.")
        if self._turns.failed:
            self._part.failing(f"Vectors cannot be made for {self._turns.failed} server(s); the log says why.", *issues)
        elif issues:
            self._part.limited(*issues)
        else:
            self._part.active()

    def _fails(self, issue: str) -> None:
        self._part.failing(issue)

    async def _follow(self) -> None:
        while True:
            try:
                worked = await self.follow_elsewhere()
                await self.report_health()
                if not worked:
                    await asyncio.sleep(PAUSE_SECONDS)
            except (StoreError, *DRIVER_ERRORS) as error:
                self._part.failing("Vectors cannot be written; recall goes by words.")
                logger.warning("cannot write vectors: %s", type(error).__name__)
                await asyncio.sleep(FIRST_REST.total_seconds())

    def _rest(self, error: ModelError) -> None:
        """Rest after an error, at least as long as the model wants, if it says."""
        self._failures += 1
        seconds = pause_after(self._failures, error, first=FIRST_REST, longest=LONGEST_REST).total_seconds()
        self._rests_until = self._now() + seconds
        self._problem = (
            "No vectors of new messages for now; recall goes by words and by the vectors there are "
            f"({type(error).__name__}: {error}). Tried again within {math.ceil(seconds)} s."
        )
        logger.warning("pausing vectors for %.0f s: %s", seconds, type(error).__name__)

    async def _follow_with(self, embedder: Embedder, behind: Behind, most: int) -> int | None:
        """Make the next vectors of a model for a guild, if they are its own and it is behind."""
        if not _lacks(behind, embedder.name):
            return None
        unseen = await self._store.unseen(behind, most)
        told = {known: text for known, text in unseen.texts.items() if text.strip()}
        vectors = await self._embedded(unseen.guild_id, embedder, list(told.values())) if told else []
        made = {known: vector for known, vector in zip(told, vectors, strict=True) if vector is not None}
        await self._store.write(unseen, embedder.name, made)
        return len(unseen.texts)

    async def _embedded(self, guild_id: int, embedder: Embedder, texts: list[str]) -> list[HalfVector | None]:
        """Make vectors; a text that a model refuses goes without, and holds nothing up."""
        try:
            return await self._embedders.embed(guild_id, embedder, texts, by=Routine.INDEX)
        except Refused as error:
            if type(error) is not Refused:
                raise
        if len(texts) > 1:
            middle = len(texts) // 2
            first = await self._embedded(guild_id, embedder, texts[:middle])
            return [*first, *await self._embedded(guild_id, embedder, texts[middle:])]
        await self._embedders.embed(guild_id, embedder, [HARMLESS], by=Routine.INDEX)
        self._part.count("refused")
        return [None]


def _lacks(behind: Behind, model: str) -> bool:
    """Say whether vectors of a model may have to be made."""
    return behind.vector_model == model and (behind.vectors_again or behind.vectors_through < behind.words_through)


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
