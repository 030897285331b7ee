"""Guards every job in the background: what goes wrong is logged, said in health, and tried again later.

An error that nobody thought of ends no job for good, and what goes wrong for one guild does not stop another's work.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

from ai_clients.errors import BudgetExhausted, ModelError, RateLimited
from memory.db.errors import DatabaseSlow, GuildNotMet, StoreError

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 300.0

T = TypeVar("T")

_ABOUT_ALL = (StoreError, OSError, ModelError)
_ABOUT_ONE_GUILD = (DatabaseSlow, GuildNotMet)
"""Of those."""


def pause_after(
    failures: int,
    error: ModelError | None = None,
    *,
    first: timedelta = timedelta(minutes=5),
    longest: timedelta = timedelta(hours=6),
) -> timedelta:
    """Say how long a model rests after so many failures in a row: twice as long each time, and as its provider says."""
    delay = error.retry_after if isinstance(error, RateLimited | BudgetExhausted) else None
    pause: timedelta = min(first * 2 ** min(max(failures - 1, 0), 10), longest)
    return max(pause, timedelta(seconds=delay or 0.0))


def start_task(
    what: str, work: Callable[[], Awaitable[None]], fails: Callable[[str], None], *, again: bool = True
) -> "asyncio.Task[None]":
    """Start work as a task. An error that nobody thought of is one line of the log, and `fails` tells health; then the
    work is begun again, unless `again` says no."""
    return asyncio.create_task(keep_alive(what, work, fails, again=again), name=what)


async def keep_alive(
    what: str, work: Callable[[], Awaitable[None]], fails: Callable[[str], None], *, again: bool = True
) -> None:
    """Begin the work again, after pauses that grow, whenever it fails; `fails` tells health. Ends when it ends."""
    failures = 0
    while True:
        began = asyncio.get_running_loop().time()
        try:
            return await work()
        except Exception:
            if not again:
                logger.exception("%s failed", what)
                return fails(f"Something unexpected stopped it ({what}); the log says why.")
            if asyncio.get_running_loop().time() - began > LONGEST_PAUSE_SECONDS:
                failures = 0
            failures += 1
            pause = _pause(failures)
            logger.exception("%s failed; starting it again", what, extra={"in_s": pause})
            fails(f"Something unexpected stopped it ({what}); it is tried again, and the log says why.")
        await asyncio.sleep(pause)


class FairScheduler:
    """Gives each guild a fair turn in a job: who has waited longest comes first, and one for whom it failed is left
    alone for a pause that grows. So neither a busy guild nor a broken one holds up another."""

    def __init__(self, what: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._now = now
        self._failures: dict[int, int] = {}
        self._until: dict[int, float] = {}
        self._since: dict[int, float] = {}
        """When the last turn of each ended that has something to do, or when that was first seen; in this order."""
        self._waiting: set[int] = set()
        """Those of this round whose turn is yet to come."""
        self._longest = self._longest_before = 0.0

    @property
    def failed(self) -> int:
        """Count the guilds for which the job failed when it was last tried."""
        return len(self._failures)

    @property
    def resting(self) -> list[int]:
        """List the guilds that are left alone now."""
        return [guild_id for guild_id, until in self._until.items() if self._now() < until]

    def seconds_waited(self) -> int:
        """Say the longest that a guild has waited for its turn, in this round or the last, those that rest included."""
        waiting = (self._now() - self._since[guild_id] for guild_id in self._waiting)
        return int(max(self._longest, self._longest_before, *waiting, 0.0))

    def begin(self, guild_ids: Collection[int]) -> list[int]:
        """Begin a round for all that have something to do; give them in their order, and forget all others."""
        now, known = self._now(), self._since
        self._waiting = set(guild_ids)
        self._since = {guild_id: at for guild_id, at in known.items() if guild_id in self._waiting}
        self._since |= {guild_id: now for guild_id in guild_ids if guild_id not in known}
        self._longest_before, self._longest = self._longest, 0.0
        for guild_id in self._failures.keys() - self._waiting:
            del self._failures[guild_id], self._until[guild_id]
        return list(self._since)

    @contextmanager
    def turn(self, guild_id: int) -> Iterator[None]:
        """Note the turn of one guild, also if another process is found to be at it."""
        self._waiting.discard(guild_id)
        self._longest = max(self._longest, self._now() - self._since.get(guild_id, self._now()))
        try:
            yield
        finally:
            if self._since.pop(guild_id, None) is not None:
                self._since[guild_id] = self._now()

    async def round(
        self, guild_ids: Collection[int], work: Callable[[int], Awaitable[object]], *, at_once: int = 1
    ) -> None:
        """Give each guild that does not rest one turn, some at once. Raises what is no guild's own, and ends then."""
        trouble: list[Exception] = []
        resting = self.resting
        due = deque(guild_id for guild_id in self.begin(guild_ids) if guild_id not in resting)

        async def work_off() -> None:
            while due:
                guild_id = due.popleft()
                try:
                    with self.turn(guild_id):
                        await self.survived(guild_id, work(guild_id))
                except _ABOUT_ALL as error:
                    trouble.append(error)
                    due.clear()

        await (work_off() if at_once == 1 else asyncio.gather(*(work_off() for _ in range(at_once))))
        if trouble:
            raise trouble[0]

    async def survived(self, guild_id: int, work: Awaitable[T]) -> T | None:
        """Do a guild's work and give its result; None where it fails as nobody thought of.

        Raised are a database that cannot be reached, which is no guild's own, and errors of models, which jobs know.
        """
        try:
            done = await work
        except Exception as error:
            is_its_own = isinstance(error, _ABOUT_ONE_GUILD) or not isinstance(error, _ABOUT_ALL)
            if not is_its_own:
                raise
            self._failures[guild_id] = self._failures.get(guild_id, 0) + 1
            pause = _pause(self._failures[guild_id])
            self._until[guild_id] = self._now() + pause
            logger.exception("%s failed for a guild", self._what, extra={"guild_id": guild_id, "again_in_s": pause})
            return None
        self._failures.pop(guild_id, None)
        self._until.pop(guild_id, None)
        return done


def _pause(failures: int) -> float:
    return min(FIRST_PAUSE_SECONDS * (1 << min(failures - 1, 10)), LONGEST_PAUSE_SECONDS)
