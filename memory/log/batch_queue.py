"""A bounded queue that is written in batches: nobody waits for the database, and nothing grows without end.

queue = BatchQueue(commit)
queue.put(event)                # at once; False where it is full, and the event was left out
queue.put(event, always=True)   # for what is told only once
await queue.settled()           # everything that was put before has been committed or given up

Each guild has a lane of its own. A batch that takes long keeps its own lane waiting, and no other. Where more lanes
have something to write than can write at a time, what comes to one while it stands in line goes into the same batch:
the more there is to do, the fewer transactions it takes.
"""

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from memory.core.log_values import HistoryPage

logger = logging.getLogger(__name__)

ROOM = 10_000
"""How much may wait, of all guilds together."""
MOST_ROWS = 500
"""When so many wait, they are written at once, and never more in one batch."""
LINGER_SECONDS = 0.04
"""How long a batch that is not full waits for more. With the commit itself nothing is written over 50 ms late."""
WRITERS = 8
"""Batches that are taken up at a time: as many as the log has connections, and some that wait for others in their own
guild."""
CLOSE_SECONDS = 10.0

Item = TypeVar("Item")


class BatchQueue(Generic[Item]):
    """Its lanes run only while there is something to write."""

    def __init__(
        self,
        commit: Callable[[list[Item]], Awaitable[None]],
        *,
        lane_of: Callable[[Item], int] = lambda _item: 0,
        room: int = ROOM,
        fails: Callable[[str], None] = lambda _issue: None,
    ) -> None:
        """`commit` deals with failures itself: after it a batch is either written or given up. `fails` tells health of
        an error that nobody thought of."""
        self._commit = commit
        self._lane_of = lane_of
        self._limit = room
        self._fails = fails
        self._lanes: dict[int, _Lane[Item]] = {}
        self._writers = asyncio.Semaphore(WRITERS)
        self._late_ms = 0
        self._taken = asyncio.Event()
        self.waiting = 0
        """How much has been put and not been taken up yet."""

    @property
    def late_ms(self) -> int:
        """How long the oldest of the last batch had waited when it was committed, where that was longest."""
        return max((lane.late_ms for lane in self._lanes.values()), default=self._late_ms)

    def put(self, item: Item, *, always: bool = False) -> bool:
        """Queue an item; False if there is no room and it was left out, which does not happen to what fits `always`."""
        if self.waiting >= self._limit and not always:
            return False
        self.waiting += 1
        key = self._lane_of(item)
        lane = self._lanes.get(key)
        if lane is None:
            lane = _Lane(self._commit, self._writers, self._batch_taken, lambda: self._idle(key), self._fails)
            self._lanes[key] = lane
        lane.put(item)
        return True

    async def room(self) -> None:
        """Wait until an item fits."""
        while self.waiting >= self._limit:
            self._taken.clear()
            await self._taken.wait()

    async def settled(self, lane: int | None = None) -> None:
        """Of one lane, or of all."""
        lanes = list(self._lanes.values()) if lane is None else [self._lanes[lane]] if lane in self._lanes else []
        for waiting in [each.settling() for each in lanes]:
            await waiting

    async def close(self) -> None:
        """Everything that was put is written first, if the database takes it in time."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.settled()
        except TimeoutError:
            left = sum(lane.left for lane in self._lanes.values())
            logger.warning("not everything could be written before closing", extra={"left": left})
        for lane in list(self._lanes.values()):
            await lane.cancel()

    def _batch_taken(self, size: int) -> None:
        self.waiting -= size
        self._taken.set()

    def _idle(self, key: int) -> None:
        self._late_ms = self._lanes.pop(key).late_ms


class _Lane(Generic[Item]):
    def __init__(
        self,
        commit: Callable[[list[Item]], Awaitable[None]],
        writers: asyncio.Semaphore,
        on_taken: Callable[[int], None],
        on_idle: Callable[[], None],
        fails: Callable[[str], None],
    ) -> None:
        self._commit = commit
        self._writers = writers
        self._on_taken = on_taken
        self._on_idle = on_idle
        self._fails = fails
        self._queue: deque[Item] = deque()
        self._put = 0
        self._done = 0
        self._full = asyncio.Event()
        self._settling: list[tuple[int, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        self._oldest_at = 0.0
        self.late_ms = 0

    @property
    def left(self) -> int:
        return self._put - self._done

    def put(self, item: Item) -> None:
        self._put += 1
        self._queue.append(item)
        if self._task is None:
            self._oldest_at = asyncio.get_running_loop().time()
            self._start()
        elif len(self._queue) >= MOST_ROWS:
            self._full.set()

    def settling(self) -> "asyncio.Future[None]":
        """Done when everything is that has been put by now."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._settling.append((self._put, future))
        self._full.set()
        self._release()
        return future

    async def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def _start(self) -> None:
        self._task = asyncio.create_task(self._drain(), name="log writer")
        self._task.add_done_callback(self._ended)

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            await self._gather(self._oldest_at + LINGER_SECONDS - loop.time())
            async with self._writers:
                batch = [self._queue.popleft() for _ in range(min(len(self._queue), MOST_ROWS))]
                oldest_at, self._oldest_at = self._oldest_at, loop.time()
                self._on_taken(len(batch))
                try:
                    await self._commit(batch)
                finally:
                    self.late_ms = round((loop.time() - oldest_at) * 1000)
                    self._done += len(batch)
                    self._release()

    async def _gather(self, seconds: float) -> None:
        """Wait for more, unless there is enough or somebody is waiting for what there is."""
        if seconds <= 0 or self._settling or len(self._queue) >= MOST_ROWS:
            return
        self._full.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._full.wait()

    def _release(self) -> None:
        waiting = self._settling
        self._settling = [(goal, future) for goal, future in waiting if goal > self._done]
        for goal, future in waiting:
            if goal <= self._done and not future.done():
                future.set_result(None)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a batch was lost to an error", exc_info=error)
            self._fails("Some of what was said could not be written for an unexpected error; the log says why.")
        if self._queue and not task.cancelled():
            self._start()
        else:
            self._on_idle()


# Pages of history on their way into the log: those of one guild that wait for each other are written together.
#
# A guild's log has one writer at a time, so while a page is being written others of the same guild arrive. Each
# transaction costs a handful of round trips, whether it holds one page or ten.


ROWS_AT_ONCE = 1_000
"""Live messages of the guild wait while these are written."""


Write: TypeAlias = Callable[[Sequence[HistoryPage]], Awaitable[Mapping[int, int]]]
"""Writes pages of one guild, each of another channel; how many messages of which channel were new."""


@dataclass(slots=True, eq=False)
class _Waiting:
    page: HistoryPage
    stored: "asyncio.Future[int]"


class HistoryPages:
    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: defaultdict[int, list[_Waiting]] = defaultdict(list)
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def store(self, page: HistoryPage) -> int:
        """How many of its messages were new; it is committed then. What the store raises is raised here."""
        mine = _Waiting(page, asyncio.get_running_loop().create_future())
        self._waiting[page.guild_id].append(mine)
        try:
            async with self._turns[page.guild_id]:
                while not mine.stored.done():
                    await self._write_some(page.guild_id)
        finally:
            if mine in self._waiting[page.guild_id]:
                self._waiting[page.guild_id].remove(mine)
        return mine.stored.result()

    async def _write_some(self, guild_id: int) -> None:
        """The pages that have waited longest, those of whoever has gone on to something else included."""
        taken = self._take(guild_id)
        try:
            stored = await self._write([waiting.page for waiting in taken])
        except asyncio.CancelledError:
            # It is only our caller who gives up: the others write theirs by themselves.
            self._waiting[guild_id][:0] = taken
            raise
        except BaseException as error:
            for waiting in taken:
                waiting.stored.set_exception(error)
                waiting.stored.exception()  # asked for once, so that nobody is missed who has given up meanwhile
            raise
        for waiting in taken:
            waiting.stored.set_result(stored.get(waiting.page.channel_id, 0))

    def _take(self, guild_id: int) -> list[_Waiting]:
        taken: dict[int, _Waiting] = {}
        rows = 0
        for waiting in self._waiting[guild_id]:
            size = len(waiting.page.messages)
            if waiting.page.channel_id not in taken and (not taken or rows + size <= ROWS_AT_ONCE):
                taken[waiting.page.channel_id] = waiting
                rows += size
        self._waiting[guild_id] = [each for each in self._waiting[guild_id] if each not in taken.values()]
        return list(taken.values())
