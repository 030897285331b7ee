"""Makes the vectors of what is in the index, at a pace of its own: words never wait for it.

Those of this machine are made along with the words. Those of a model that is asked over a network are made in a task
beside that, one request after the other; while the model is out of quota or away it is left alone, for as long as it
wants or longer each time, and recall goes by words and by the vectors there are.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cachetools import TTLCache
from pgvector import HalfVector

from ai_clients.base import Embedder
from ai_clients.embedding import GuardedEmbedder, StaticVectors
from ai_clients.errors import BudgetExhausted, ModelError, RateLimited, Refused
from memory.background import FairScheduler, start_task
from memory.db.database import Database
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.health import Health, HealthReporter
from memory.language.word_caches import register_cache
from memory.leases import Leases
from memory.models.metering import Metering
from memory.models.usage import Requester, Routine
from memory.recall.index_store import Behind, IndexStore
from memory.recall.vector_store import Unseen, VectorStore
from memory.tasks import end

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

    def at_once(self, embedder: Embedder) -> int:
        """Say how many texts go into one request: what has been paid for is written down before the next one."""
        return embedder.texts_at_once if isinstance(embedder, GuardedEmbedder) else A_FEW

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


logger = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0
"""Between two looks when there is nothing left to do."""
FIRST_REST_SECONDS = 5.0
LONGEST_REST_SECONDS = 300.0
HARMLESS = "hello"
"""A model that does not even take this has something against us, and not against what was said."""


class VectorIndexer:
    def __init__(
        self,
        database: Database,
        embedders: Embedders,
        claims: Leases,
        health: Health,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._index = IndexStore(database)
        self._store = VectorStore(database)
        self._embedders = embedders
        self._claims = claims
        self._health = health
        self._now = now
        self._task: asyncio.Task[None] | None = None
        self._turns = FairScheduler("making vectors", now=now)
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
                return await self._follow_with(embedder, behind, self._embedders.at_once(embedder))
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
                await asyncio.sleep(FIRST_REST_SECONDS)

    def _rest(self, error: ModelError) -> None:
        """Rest after an error, at least as long as the model wants, if it says."""
        wanted = error.retry_after if isinstance(error, RateLimited | BudgetExhausted) else None
        backoff = min(FIRST_REST_SECONDS * 2**self._failures, LONGEST_REST_SECONDS)
        seconds = max(wanted, 0.0) if wanted is not None else backoff
        self._failures = min(self._failures + 1, 10)
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
        if behind.vectors_again:
            return await self._make(embedder, await self._store.again(behind, most))
        return await self._make(embedder, await self._store.unseen(behind, behind.vectors_through, most))

    async def _make(self, embedder: Embedder, unseen: Unseen) -> int:
        told = {known: text for known, text in unseen.texts.items() if text.strip()}
        vectors = await self._embedded(unseen.guild_id, embedder, list(told.values())) if told else []
        made = {known: vector for known, vector in zip(told, vectors, strict=True) if vector is not None}
        await self._store.write(unseen, embedder.name, made)
        return len(unseen.texts)

    async def _embedded(
        self, guild_id: int, embedder: Embedder, texts: list[str], *, refuses_all: bool = True
    ) -> list[HalfVector | None]:
        """Make vectors; a text that a model refuses goes without, and holds nothing up: it is found by halves."""
        try:
            return await self._embedders.embed(guild_id, embedder, texts, by=Routine.INDEX)
        except Refused as error:
            if type(error) is not Refused:
                raise
        if refuses_all:  # for all that is known
            await self._embedders.embed(guild_id, embedder, [HARMLESS], by=Routine.INDEX)
        if len(texts) == 1:
            self._part.count("refused")
            return [None]
        middle = len(texts) // 2
        first = await self._embedded(guild_id, embedder, texts[:middle], refuses_all=False)
        return [*first, *await self._embedded(guild_id, embedder, texts[middle:], refuses_all=False)]


def _lacks(behind: Behind, model: str) -> bool:
    """Say whether vectors of a model may have to be made."""
    return behind.vector_model == model and (behind.vectors_again or behind.vectors_through < behind.words_through)


PATIENCE_SECONDS = 1.0
"""Then words find alone."""
KEPT = 500
"""Questions with their vectors, up to 6 kB each."""
KEPT_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Meant:
    model: str
    vector: HalfVector | None
    """None: words have to do."""


class QuestionVectors:
    def __init__(self, embedders: Embedders, store: VectorStore) -> None:
        self._embedders = embedders
        self._store = store
        self._kept: TTLCache[tuple[str, str], HalfVector | None] = TTLCache(KEPT, KEPT_SECONDS)
        register_cache(self)

    def forget_words(self) -> None:
        self._kept.clear()

    async def of(self, guild_id: int, text: str, by: Requester | None = None) -> Meant:
        """Make a question's vector for `by`; without them, or beyond their limit, words have to do without a model."""
        here = self._embedders.here
        if self._embedders.is_here:
            return Meant(here.name, (await here.embed([text]))[0])
        serving = await self._store.serving(guild_id)
        if serving is None:
            return Meant("", None)
        if serving.model == here.name:
            vector = (await here.embed([text]))[0]
        elif serving.model == self._embedders.chosen.name:
            vector = await self._asked(guild_id, text, by)
        else:
            return Meant("", None)
        # A server may have another model by the same name; until all is made anew nothing compares with it.
        fits = vector is not None and vector.dimensions() == serving.dimensions
        return Meant(serving.model, vector if fits else None)

    async def _asked(self, guild_id: int, text: str, by: Requester | None) -> HalfVector | None:
        chosen = self._embedders.chosen
        key = chosen.name, text
        if key not in self._kept and by is not None:
            try:
                [vector] = await self._embedders.embed(
                    guild_id, chosen, [text], by=by, live=True, seconds=PATIENCE_SECONDS
                )
            except ModelError:
                return None
            self._kept[key] = vector
        return self._kept.get(key)
