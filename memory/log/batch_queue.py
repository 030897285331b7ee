"""Queues events in bounds and writes them in batches: nobody waits for the database, and nothing grows without end.

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
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Protocol, Self, TypeAlias

from memory.core.values import Message, MessageEdit
from memory.db.database import LogWrite
from memory.tasks import drop

# What happens to messages, as it waits to be written, and a batch of it sorted so that it can be written at once.
#
# The end of create, edit and delete does not depend on their order (see `memory.log.store`), so a batch needs no order
# either: what was deleted in it need not be stored first.


@dataclass(frozen=True, slots=True)
class Deletion:
    guild_id: int
    channel_id: int
    message_ids: frozenset[int]


@dataclass(frozen=True, slots=True)
class ChannelDeletion:
    guild_id: int
    channel_id: int


Change: TypeAlias = MessageEdit | Deletion | ChannelDeletion
Event: TypeAlias = Message | Change


class ChangeListener(Protocol):
    """Follows what happens to messages from which facts were taken."""

    def hear(self, change: Change) -> None:
        """Hear of a change at once, before it is written."""

    async def follow(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """Follow the edits of these messages."""

    async def forget(self, connection: LogWrite, guild_id: int, message_ids: Collection[int]) -> None:
        """Forget what was taken from these messages, which were deleted."""

    async def forget_channels(self, connection: LogWrite, guild_id: int, channel_ids: Collection[int]) -> None:
        """Forget what was taken from these channels, which were deleted with their messages."""


@dataclass(slots=True)
class Batch:
    """Holds events of one guild that are written in one transaction."""

    guild_id: int
    events: Sequence[Event] = ()
    messages: list[Message] = field(default_factory=list)
    edits: list[Message] = field(default_factory=list)
    deleted: set[tuple[int, int]] = field(default_factory=set)
    """As (channel, message)."""
    closed: set[int] = field(default_factory=set)
    """Channels."""

    @classmethod
    def of(cls, guild_id: int, events: Sequence[Event]) -> Self:
        batch = cls(guild_id, events)
        for event in events:
            match event:
                case Message():
                    batch.messages.append(event)
                case MessageEdit():
                    batch.edits.append(event.now)
                case Deletion():
                    batch.deleted.update((event.channel_id, message_id) for message_id in event.message_ids)
                case ChannelDeletion():
                    batch.closed.add(event.channel_id)
        return batch

    def lasting(self) -> list[Message]:
        """List the messages that this batch does not delete itself."""
        if not self.deleted:
            return self.messages
        gone = {message_id for _, message_id in self.deleted}
        return [message for message in self.messages if message.message_id not in gone]


# The queue.

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

Settled: TypeAlias = "asyncio.Future[None]"


class _Lane:
    """Holds what waits of one guild, in its order; a future among it is done when all before it has been written."""

    def __init__(self, now: float) -> None:
        self.queue: deque[Event | Settled] = deque()
        self.hurry = asyncio.Event()
        self.oldest_at = now
        self.task: asyncio.Task[None] | None = None


class BatchQueue:
    """Queues events for each guild and writes them in batches. A lane runs only while it has something to write."""

    def __init__(
        self, commit: Callable[[Batch], Awaitable[None]], fails: Callable[[str], None] = lambda _issue: None
    ) -> None:
        """Take `commit`, which deals with failures itself: after it a batch is either written or given up. `fails`
        tells health of an error that nobody thought of."""
        self._commit = commit
        self._fails = fails
        self._lanes: dict[int, _Lane] = {}
        self._writers = asyncio.Semaphore(WRITERS)
        self._taken = asyncio.Event()
        self.limit = ROOM
        self.waiting = 0
        """How much has been put and not been taken up yet."""
        self.late_ms = 0
        """How long the oldest of the last batch had waited when it was committed."""

    def put(self, event: Event, *, always: bool = False) -> bool:
        """Queue an event; False if there is no room and it is left out, which does not happen to what fits `always`."""
        if self.waiting >= self.limit and not always:
            return False
        self.waiting += 1
        lane = self._lanes.get(event.guild_id)
        if lane is None:
            lane = self._lanes[event.guild_id] = _Lane(asyncio.get_running_loop().time())
            lane.task = asyncio.create_task(self._drain(event.guild_id, lane), name="log writer")
        lane.queue.append(event)
        if len(lane.queue) >= MOST_ROWS:
            lane.hurry.set()
        return True

    async def room(self) -> None:
        """Wait until an event fits."""
        while self.waiting >= self.limit:
            self._taken.clear()
            await self._taken.wait()

    async def settled(self, guild_id: int | None = None) -> None:
        """Wait until all that was put before has been written, of one guild or of all."""
        goals: list[Settled] = []
        for lane in [lane for key, lane in self._lanes.items() if guild_id in (None, key)]:
            goals.append(asyncio.get_running_loop().create_future())
            lane.queue.append(goals[-1])
            lane.hurry.set()
        for goal in goals:
            await goal

    async def close(self) -> None:
        """Write everything that was put, if the database takes it in time, and stop."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.settled()
        except TimeoutError:
            logger.warning("closed before everything was written", extra={"left": self.waiting})
        await drop(*(lane.task for lane in self._lanes.values()))

    async def _drain(self, guild_id: int, lane: _Lane) -> None:
        loop = asyncio.get_running_loop()
        try:
            while lane.queue:
                await self._linger(lane, lane.oldest_at + LINGER_SECONDS - loop.time())
                async with self._writers:
                    taken = [lane.queue.popleft() for _ in range(min(len(lane.queue), MOST_ROWS))]
                    oldest_at, lane.oldest_at = lane.oldest_at, loop.time()
                    if not lane.queue:
                        lane.hurry.clear()
                    await self._write(guild_id, [one for one in taken if not isinstance(one, asyncio.Future)])
                    self.late_ms = round((loop.time() - oldest_at) * 1000)
                for goal in taken:
                    if isinstance(goal, asyncio.Future) and not goal.done():
                        goal.set_result(None)
        finally:
            del self._lanes[guild_id]

    async def _write(self, guild_id: int, events: list[Event]) -> None:
        self.waiting -= len(events)
        self._taken.set()
        if not events:
            return
        try:
            await self._commit(Batch.of(guild_id, events))
        except Exception:
            logger.exception("batch of messages lost to an unexpected error")
            self._fails("Some of what was said could not be written for an unexpected error; the log says why.")

    async def _linger(self, lane: _Lane, seconds: float) -> None:
        """Wait for more, unless there is enough or somebody is waiting for what there is."""
        if seconds > 0 and not lane.hurry.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await lane.hurry.wait()
