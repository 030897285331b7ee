"""Does work in the background, a few pieces at a time, each under a key.

Asked for twice, a piece is done once; asked for while it is under way, it is done once more afterwards. A piece that
failed is tried again, after growing pauses, without holding up the others.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import TypeAlias

from bot.connection import TROUBLE
from memory.core.clock import Clock
from memory.core.log_values import Purged
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Key:
    """Names what a piece of work is about: a guild, a channel or thread of it, or the threads that it has archived."""

    guild_id: int
    place_id: int | None = None
    is_archive: bool = False


Work: TypeAlias = Callable[[], Awaitable[bool]]
"""Returns whether it is done. If not, or where Discord or the database is in trouble, it is tried again."""


class KeyedTaskQueue:
    def __init__(self, name: str, at_once: int) -> None:
        self._name = name
        self._at_once = at_once
        self._due: dict[Key, Work] = {}
        self._under_way: set[Key] = set()
        self._again: dict[Key, Work] = {}
        self._later: dict[Key, asyncio.TimerHandle] = {}
        self._failures: dict[Key, int] = {}
        self._wake = asyncio.Semaphore(0)
        self._idle = asyncio.Event()
        self._idle.set()

    def ask(self, key: Key, work: Work) -> None:
        waiting = self._later.pop(key, None)
        if waiting is not None:
            waiting.cancel()
        if key in self._under_way:
            self._again[key] = work
            return
        if key not in self._due:
            self._wake.release()
        self._due[key] = work
        self._idle.clear()

    def ask_later(self, key: Key, work: Work, seconds: float) -> None:
        """Ask for a piece of work after a while, unless it is asked for before."""
        waiting = self._later.pop(key, None)
        if waiting is not None:
            waiting.cancel()
        self._later[key] = asyncio.get_running_loop().call_later(seconds, self.ask, key, work)

    def forget_guild(self, guild_id: int) -> None:
        """Forget the work of a guild; what is under way is finished, and not tried again."""
        for key in [key for key in (*self._due, *self._again, *self._later) if key.guild_id == guild_id]:
            self._due.pop(key, None)
            self._again.pop(key, None)
            self._failures.pop(key, None)
            timer = self._later.pop(key, None)
            if timer is not None:
                timer.cancel()
        self._note_idle()

    async def idle(self) -> None:
        """Wait until the queue has nothing to do at this moment."""
        await self._idle.wait()

    async def run(self) -> None:
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._at_once):
                    workers.create_task(self._work())
        finally:
            for timer in self._later.values():
                timer.cancel()

    async def _work(self) -> None:
        while True:
            await self._wake.acquire()
            await self._do_next()

    async def _do_next(self) -> None:
        """Do the next work, apart from the loop that waits: it would hold on to what was done last, and for whom."""
        key = next(iter(self._due), None)
        if key is None:
            return  # it was forgotten meanwhile
        work = self._due.pop(key)
        self._under_way.add(key)
        try:
            with request(self._name):
                done = await self._tried(key, work)
        finally:
            self._under_way.discard(key)
        self._settle(key, work, done=done)
        self._note_idle()

    async def _tried(self, key: Key, work: Work) -> bool:
        where = {"guild_id": key.guild_id, "channel_id": key.place_id}
        try:
            return await work()
        except (*TROUBLE, StoreError) as error:
            logger.warning("%s postponed", self._name, extra=where | {"reason": type(error).__name__})
        except Exception:
            # The edge: a piece that stumbles over something nobody thought of must not take the others with it.
            logger.exception("%s failed", self._name, extra=where)
        return False

    def _settle(self, key: Key, work: Work, *, done: bool) -> None:
        again = self._again.pop(key, None)
        if done:
            self._failures.pop(key, None)
        else:
            self._failures[key] = self._failures.get(key, 0) + 1
        if again is not None:
            self.ask(key, again)
        elif not done:
            pause = min(FIRST_PAUSE_SECONDS * 2 ** (self._failures[key] - 1), LONGEST_PAUSE_SECONDS)
            self.ask_later(key, work, pause)

    def _note_idle(self) -> None:
        if not self._due and not self._under_way:
            self._idle.set()


class KeyedLocks:
    """Has things that concern the same key happen one after the other, in the order in which they were announced.

    discord.py starts a task for every event. Without this, the deletion of a message could overtake its storing, and
    the message would stay. Different keys do not wait for each other.
    """

    def __init__(self) -> None:
        self._last: dict[Hashable, asyncio.Future[None]] = {}

    def take(self, key: Hashable) -> "KeyedLock":
        """Announce something about a key. Not a coroutine: the place in the line is taken at once."""
        before = self._last.get(key)
        done = self._last[key] = asyncio.get_running_loop().create_future()
        return KeyedLock(self._last, key, before, done)

    def under_way(self) -> set[asyncio.Future[None]]:
        """List what has been announced and is not over yet."""
        return set(self._last.values())

    async def settle(self) -> None:
        """Wait until what was announced is over; what is announced meanwhile is not waited for."""
        if self._last:
            await asyncio.wait(self.under_way())

    def __len__(self) -> int:
        """Count the keys that have something under way."""
        return len(self._last)


@dataclass(frozen=True, slots=True)
class KeyedLock:
    _last: dict[Hashable, asyncio.Future[None]]
    _key: Hashable
    _before: asyncio.Future[None] | None
    _done: asyncio.Future[None]

    @asynccontextmanager
    async def acquired(self) -> AsyncIterator[None]:
        """Wait for what was announced before, and let the next one go when left."""
        try:
            if self._before is not None:
                await asyncio.wait([self._before])
            yield
        finally:
            self.release()

    def when_over(self, tell: Callable[[], object]) -> None:
        """Call something when the turn is over, also if it was never acquired."""
        self._done.add_done_callback(lambda _: tell())

    def release(self, _earlier: asyncio.Future[None] | None = None) -> None:
        """Let the next one go, but not past the one before us: to stop waiting does not open the way."""
        if self._before is not None and not self._before.done():
            self._before.add_done_callback(self.release)
        elif not self._done.done():
            if self._last.get(self._key) is self._done:
                del self._last[self._key]
            self._done.set_result(None)


class Outages:
    """Says once that memory cannot be reached, and once that it is back, however many events come in between."""

    def __init__(self, part: HealthReporter) -> None:
        self._part = part
        self._missed = 0

    async def survived(self, work: Awaitable[None]) -> bool:
        """Await some work; say whether memory took it. A failure of the store ends here; a bug goes on."""
        try:
            await work
        except StoreError as error:
            reason = type(error).__name__
            if not self._missed:
                logger.error("database unavailable; events are missed", extra={"reason": reason})
            self._missed += 1
            self._part.count("missed")
            self._part.failing(f"Memory cannot be reached ({reason}); {self._missed} events were missed.")
            return False
        if self._missed:
            logger.warning("database is back", extra={"missed": self._missed})
            self._missed = 0
        self._part.active()
        self._part.touch()
        return True


EVERY = timedelta(hours=1)
AFTER_START = timedelta(minutes=1)
"""At a start there is enough to do."""
SOON = timedelta(seconds=30)
"""When an erasure has broken off: whatever kept it from going on may be over by then."""


class Purge:
    """Removes once an hour what is past its time, and sooner what an erasure left that broke off."""

    def __init__(
        self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock, part: HealthReporter
    ) -> None:
        """`calm` waits for what is more urgent."""
        self._memory = memory
        self._calm = calm
        self._clock = clock
        self._outages = Outages(part)
        self._part = part
        self._part.active()
        self._part.watch(seconds_waited=memory.privacy.purging.seconds_waited)
        self._failed = 0

    async def run(self) -> None:
        await asyncio.sleep(AFTER_START.total_seconds())
        while True:
            await self._calm()
            with request("purge"):
                if await self._outages.survived(self._tidy()) and self._failed:
                    self._part.failing(
                        f"Servers on which old messages could not be removed: {self._failed}; the log says why."
                    )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY.total_seconds()):
                    await self._memory.privacy.is_unfinished.wait()
                    await asyncio.sleep(SOON.total_seconds())

    async def _tidy(self) -> None:
        purged = await self._memory.purge(self._clock.now())
        self._failed = purged.failed
        if purged != Purged():
            self._part.count("messages", purged.messages)
            self._part.count("facts", purged.facts)
            logger.info("purged what retention no longer keeps", extra=asdict(purged))
