"""Follows the log by `seq` and indexes it: makes of it what recall finds messages by.

It stays behind the log, never in its transactions, and gives way while the log is busy: it works in small steps then,
for a small share of the time, and never stops altogether. What it has not reached yet is read from the log by whoever
asks, so nobody has to wait for it. After a crash it goes on where it had committed. Of the kinds of work, words come
first: vectors only follow what is in the index, and what is wrong with them holds no word up. Any process indexes any
guild, one step in its turn, and each guild is worked on by one process at a time.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from memory.background import FairScheduler, start_task
from memory.core.clock import Clock
from memory.db.database import Database
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.health import Health, HealthReporter
from memory.leases import Leases, LeaseStore
from memory.recall.index_store import Batch, Behind, IndexStore
from memory.recall.query import Entry, read_text
from memory.recall.vectors import Embedders, VectorIndexer
from memory.tasks import end

logger = logging.getLogger(__name__)

MOST_AT_ONCE = 2_000
"""Messages in one transaction. The more, the fewer times a frequent term is counted."""
FEW_AT_ONCE = 300
"""Messages in one transaction while the log is busy: its messages wait no longer than this takes."""
PAUSE_SECONDS = 1.0
"""Between two looks at the log when there is nothing left to do."""
REST_AFTER_A_LOOK = 10
"""Times as long as a look at all guilds takes: the more there are, the less often."""
LONGEST_REST_SECONDS = 5.0
"""A look that met with a hanging database, or with a machine that slept, says nothing about the guilds."""
RETRY_SECONDS = 5.0
COUNTED = 100_000
REST_SHARE = 7.0
"""While the log is busy, so much longer than a step took nothing is done: an eighth of the time is the index's."""
CLAIMED_AT_ONCE = 16
"""Guilds. For each alone, claiming would cost half as much again as a small step."""
GLANCE_SECONDS = 0.1
"""So often it is looked whether the log is still busy, or somebody still asks."""
LONGEST_PASSING_SECONDS = 1.0
WITHOUT_VECTORS = "PostgreSQL has no pgvector here: recall finds by words, not by meaning."


class Indexer:
    def __init__(
        self,
        database: Database,
        embedders: Embedders | None,
        clock: Clock,
        health: Health,
        is_busy: Callable[[], bool] = lambda: False,
        is_asked: Callable[[], bool] = lambda: False,
    ) -> None:
        """`is_busy`: the log is being written. `is_asked`: somebody waits for a search."""
        self._index = IndexStore(database)
        self._claims = Leases(LeaseStore(database), clock, health)
        self._vectors = VectorIndexer(database, embedders, self._claims, health) if embedders is not None else None
        self._health = health
        self._is_busy = is_busy
        self._is_asked = is_asked
        self._has_vectors = False
        self._equipped = False
        self._turns = FairScheduler("indexing")
        self._vectors_failed = FairScheduler("making vectors")
        self._is_elsewhere = False
        """In the last round another process was at work for a guild."""
        self._look_seconds = 0.0
        """How long it took to see which guilds are behind."""
        self._task: asyncio.Task[None] | None = None

    @property
    def _part(self) -> HealthReporter:
        """Get the health of the index, named when first needed: a process that does not index has no such part."""
        return self._health.part("index")

    def start(self) -> None:
        if self._task is None:
            self._part.watch(seconds_waited=self._turns.seconds_waited)
            self._task = start_task("indexer", self._follow, self._fails)

    async def stop(self) -> None:
        if self._vectors is not None:
            await self._vectors.stop()
        if self._task is not None:
            await end(self._task)
            self._task = None

    async def catch_up(self) -> None:
        """Work until all that is in the log now is in the index, and has its vectors if they can be made."""
        while await self._round() or self._is_elsewhere or await self._follow_elsewhere():
            if self._is_elsewhere:
                await asyncio.sleep(GLANCE_SECONDS)

    async def _follow(self) -> None:
        while True:
            try:
                while await self._round():  # noqa: ASYNC110 - the rest belongs to each round
                    await asyncio.sleep(min(self._look_seconds * REST_AFTER_A_LOOK, LONGEST_REST_SECONDS))
                await self._report_health()
                await asyncio.sleep(PAUSE_SECONDS)
            except (StoreError, *DRIVER_ERRORS) as error:
                self._part.failing("The index does not get on; recall reads the newest messages from the log.")
                logger.warning("indexing is stuck: %s", type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    def _fails(self, issue: str) -> None:
        self._part.failing(issue)

    async def _report_health(self) -> None:
        failed = max(self._turns.failed, self._vectors_failed.failed)
        if failed:
            self._part.failing(f"The index does not get on for {failed} server(s); the log says why.")
        elif self._has_vectors or self._vectors is None:
            self._part.active(waiting=0)
        else:
            self._part.limited(WITHOUT_VECTORS, waiting=0)
        if self._vectors is not None and self._has_vectors:
            await self._vectors.report_health()

    async def _follow_elsewhere(self) -> bool:
        return self._vectors is not None and self._has_vectors and await self._vectors.follow_elsewhere()

    async def _round(self) -> bool:
        """Take one step for each guild that is behind; say whether any was."""
        await self._prepare()
        worked = self._is_elsewhere = False
        started = asyncio.get_running_loop().time()
        states = await self._index.behind()
        self._look_seconds = asyncio.get_running_loop().time() - started
        behind = {one.guild_id: one for one in states if _has_words(one) or self._lacks_vectors(one)}
        self._vectors_failed.begin(behind)
        order = [guild_id for guild_id in self._turns.begin(behind) if self._is_awake(behind[guild_id])]
        for first in range(0, len(order), CLAIMED_AT_ONCE):
            worked |= await self._claim_steps(order[first : first + CLAIMED_AT_ONCE])
        return worked

    async def _prepare(self) -> None:
        """Prepare the database and the vectors, once, at the start."""
        if self._equipped:
            return
        self._has_vectors = await self._index.equip()
        if self._vectors is not None and self._has_vectors:
            await self._vectors.ready()
            if self._task is not None:
                self._vectors.start()
        self._equipped = True

    def _lacks_vectors(self, behind: Behind) -> bool:
        return self._vectors is not None and self._has_vectors and self._vectors.is_behind_here(behind)

    def _is_awake(self, behind: Behind) -> bool:
        """Say whether something is to be done that did not fail just now."""
        has_words = _has_words(behind) and behind.guild_id not in self._turns.resting
        return has_words or (self._lacks_vectors(behind) and behind.guild_id not in self._vectors_failed.resting)

    async def _claim_steps(self, guild_ids: Sequence[int]) -> bool:
        """Take one step for each of these guilds that no other process is at; say whether there was any to be done."""
        worked = False
        async with self._claims.held_in(guild_ids, "index") as held:
            self._is_elsewhere |= len(held) < len(guild_ids)
            # Whoever was at it before may have done what there was.
            behind = {one.guild_id: one for one in await self._index.behind(held)} if held else {}
            for guild_id in guild_ids:
                # A step would take half as long as the question itself.
                await _wait_while(self._is_asked, LONGEST_PASSING_SECONDS)
                with self._turns.turn(guild_id):
                    started = asyncio.get_running_loop().time()
                    has_worked = guild_id in behind and await self._step(behind[guild_id])
                if has_worked:
                    worked = True
                    took = asyncio.get_running_loop().time() - started
                    await _wait_while(self._is_busy, took * REST_SHARE)
        return worked

    async def _step(self, behind: Behind) -> bool:
        """Index words and make vectors of what was indexed before, side by side; one by one if others work."""
        if self._is_busy():
            most = min(FEW_AT_ONCE, MOST_AT_ONCE)
            has_worked = await self._follow_with_words(behind, most)
            return await self._follow_with_vectors(behind, most) or has_worked
        done = await asyncio.gather(
            self._follow_with_words(behind, MOST_AT_ONCE),
            self._follow_with_vectors(behind, MOST_AT_ONCE),
            return_exceptions=True,  # neither ends before the other is done
        )
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
        return any(done)

    async def _follow_with_words(self, behind: Behind, most: int) -> bool:
        if not _has_words(behind) or behind.guild_id in self._turns.resting:
            return False
        return await self._turns.survived(behind.guild_id, self._index_words(behind, most)) is not None

    async def _index_words(self, behind: Behind, most: int) -> int:
        batch = await self._index.next_batch(behind, most)
        count = await self._index.write(batch, await entries_of(batch)) or 0
        if not batch.again:
            waiting = await self._index.waiting(behind.guild_id, batch.through, COUNTED)
            self._part.add({"indexed": count}, waiting=waiting)
        return count

    async def _follow_with_vectors(self, behind: Behind, most: int) -> bool:
        """Make the next vectors of a guild, of those that are made here."""
        if self._vectors is None or not self._lacks_vectors(behind) or behind.guild_id in self._vectors_failed.resting:
            return False
        made = await self._vectors_failed.survived(behind.guild_id, self._vectors.follow_here(behind, most))
        if made:
            self._part.add({"embedded": made})
        return made is not None


async def _wait_while(holds: Callable[[], bool], seconds: float) -> None:
    """Wait while something holds, but not for ever."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while holds() and (left := until - loop.time()) > 0:  # noqa: ASYNC110 - no single event ends it
        await asyncio.sleep(min(left, GLANCE_SECONDS))


def _has_words(behind: Behind) -> bool:
    """Say whether there are words to be indexed."""
    return behind.words_through < behind.newest or behind.again


async def entries_of(batch: Batch) -> list[Entry]:
    """Bring the words of each message to their stems."""
    return await asyncio.to_thread(read_text, batch.messages, batch.spoken_in)
