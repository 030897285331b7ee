"""Replies of ours that have to be taken back: told to whoever speaks on Discord, one process at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from memory.claims import Claims
from memory.core.clock import Clock
from memory.core.taking_back import Due
from memory.store.changes import ChangeStore
from memory.store.claims import ClaimStore
from memory.store.database import Database
from memory.store.taking_back import TakingBackStore

MOST_AT_ONCE = 50
MOST_BEGUN = 1_000
"""Questions whose replies were taken back lately."""


class TakingBack:
    def __init__(self, database: Database, clock: Clock) -> None:
        self._store = TakingBackStore(database)
        self._changes = ChangeStore(database)
        self._claims = Claims(ClaimStore(database), clock)
        self._clock = clock
        self._marked = asyncio.Event()
        self._begun: OrderedDict[tuple[int, int], None] = OrderedDict()

    def wake(self) -> None:
        """Something was deleted or changed: perhaps we quoted it."""
        self._marked.set()

    async def marked(self, seconds: float) -> bool:
        """Waits until something may have to be taken back, or the time is up; whether it was woken."""
        try:
            async with asyncio.timeout(seconds):
                await self._marked.wait()
        except TimeoutError:
            return False
        self._marked.clear()
        return True

    async def guilds(self, guild_ids: Collection[int]) -> list[int]:
        return await self._store.guilds(guild_ids, self._clock.now())

    @asynccontextmanager
    async def due(self, guild_id: int, but: Collection[int] = ()) -> AsyncIterator[list[Due]]:
        """What is due in a guild, for this process alone; nothing while another is at it."""
        async with self._claims.held(guild_id, "taking back") as claim:
            yield [] if claim is None else await self._store.due(guild_id, self._clock.now(), MOST_AT_ONCE, but)

    async def begin(self, due: Due) -> bool:
        """Whether it still has to be: whoever has something else stand there meanwhile withdrew the mark. If it has,
        nothing more of it is shown from now on, in case it is still growing."""
        if not await self._store.is_due(due):
            return False
        self._begun[due.key] = None
        if len(self._begun) > MOST_BEGUN:
            self._begun.popitem(last=False)
        return True

    def has_begun(self, guild_id: int, asked_in: int) -> bool:
        """Whether something that a reply is being made from has gone meanwhile."""
        return (guild_id, asked_in) in self._begun

    async def note_found(self, due: Due, message_ids: Collection[int]) -> bool:
        """Whether it still has to be taken back: looking for them takes a while."""
        return await self._store.note_found(due, message_ids)

    async def done(self, due: Due) -> None:
        await self._store.done(due)

    async def put_off(self, due: Due) -> None:
        await self._store.put_off(due)

    async def replaced(self, guild_id: int, message_id: int) -> None:
        """One of our messages says something else by now, and quotes nothing any more."""
        await self._store.replaced(guild_id, message_id)

    async def purge_changes(self) -> int:
        """The words of what cannot be undone any more."""
        return await self._changes.purge(self._clock.now())
