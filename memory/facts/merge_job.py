"""Looks after the blobs: heals those that do not say what the ledger says, and has a model merge what is too much.

It stays behind the ledger, which is the truth. Until a merge is done, or if there is no model, whole facts serve, as
many as there is room for. One process at a time merges the facts of a member; what changed meanwhile is merged anew.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta

from ai_clients.errors import BadReply, BudgetExhausted, ModelError, RateLimited, Refused
from memory.background import Turns, start_task
from memory.core.clock import Clock
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.facts import blob
from memory.facts.blob_store import BlobStore, Unmerged
from memory.facts.reader import FactReader
from memory.health import Health
from memory.leases import Leases
from memory.tasks import end

logger = logging.getLogger(__name__)

AT_ONCE = 3
"""Guilds that are worked for side by side."""
LOOK_SECONDS = 60.0
"""Between two looks at what waits, if nobody tells of something new."""
RETRY_SECONDS = 5.0
FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=6)
MOST_TRIES = 3
"""For the same facts, of a model that answers, but not usably."""


class MergeJob:
    def __init__(self, blobs: BlobStore, reader: FactReader, claims: Leases, clock: Clock, health: Health) -> None:
        self._blobs = blobs
        self._reader = reader
        self._claims = claims
        self._clock = clock
        self._part = health.part("facts")
        self._turns = Turns("merging facts")
        self._part.watch(seconds_waited=self._turns.seconds_waited)
        self._has_failed = False
        self._something_new = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        if self._task is None:
            self._task = start_task("merging", self._look_after, self._fails)

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None

    def wake(self) -> None:
        """The ledger has changed."""
        self._something_new.set()

    async def heal(self) -> int:
        """Blobs that a crash, an older version or a hand in the database left behind the ledger; how many."""
        seen: set[tuple[int, int]] = set()
        users: dict[int, list[int]] = {}

        async def heal(guild_id: int) -> None:
            await self._blobs.heal(guild_id, users[guild_id], self._clock.now())

        while outdated := set(await self._blobs.outdated(but_for=self._turns.resting)) - seen:
            users = {guild_id: [user for guild, user in outdated if guild == guild_id] for guild_id, _ in outdated}
            await self._turns.round(users, heal)
            seen |= outdated
        if seen:
            logger.info("blobs were made anew from the ledger", extra={"blobs": len(seen)})
        return len(seen)

    async def merge_waiting(self) -> int:
        """Have a model merge what waits for it, of one member of each guild; of how many that succeeded."""
        merged: list[int] = []

        async def merge(guild_id: int) -> None:
            merged.append(await self._merge_facts_of(guild_id, waiting[guild_id]))

        waiting = await self._blobs.to_merge(self._clock.now())
        await self._turns.round(waiting, merge, at_once=AT_ONCE)
        return sum(merged)

    async def _merge_facts_of(self, guild_id: int, user_id: int) -> int:
        async with self._claims.held(guild_id, f"blob {user_id}") as claim:
            unmerged = None if claim is None else await self._blobs.unmerged(guild_id, user_id, self._clock.now())
            return 0 if unmerged is None else int(await self._merge(unmerged))

    async def _look_after(self) -> None:
        is_healed = False
        while True:
            try:
                self._something_new.clear()
                if not is_healed:
                    await self.heal()
                    is_healed = True
                if not self._reader.is_there:
                    return
                while await self.merge_waiting():
                    pass
                self._tell()
                with suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_SECONDS):
                        await self._something_new.wait()
            except (StoreError, *DRIVER_ERRORS) as error:
                logger.warning("the blobs cannot be looked after: %s", type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    def _tell(self) -> None:
        if self._turns.failed:
            self._fails(f"Facts cannot be merged for {self._turns.failed} server(s); the log says why.")
        elif self._has_failed:
            self._has_failed = False
            self._part.active()

    def _fails(self, issue: str) -> None:
        self._has_failed = True
        self._part.failing(issue)

    async def _merge(self, unmerged: Unmerged) -> bool:
        task = blob.Task(unmerged.subject, unmerged.members, unmerged.facts, self._blobs.aim)
        try:
            text = await self._reader.merge(unmerged.guild_id, task)
        except ModelError as error:
            logger.warning("facts were not merged: %s", error, extra={"reason": type(error).__name__})
            self._part.count("merges failed")
            pause = pause_after(error, unmerged.tries)
            await self._blobs.put_off(unmerged, None if pause is None else self._clock.now() + pause)
            return False
        is_put = await self._blobs.put(unmerged, text, self._clock.now())
        self._part.count("merged", int(is_put))
        return is_put


def pause_after(error: ModelError, tries: int) -> timedelta | None:
    """Before the next try; None if there is no point in another one with the same words."""
    if isinstance(error, BadReply | Refused) and tries + 1 >= MOST_TRIES:
        return None
    pause: timedelta = min(FIRST_PAUSE * 2 ** min(tries, 10), LONGEST_PAUSE)
    if isinstance(error, RateLimited | BudgetExhausted) and error.retry_after is not None:
        return max(pause, timedelta(seconds=error.retry_after))
    return pause
