"""A memory that indexes only while it is told to: the same can be measured with the indexer beside it and without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from ai_clients.build import Models
from ai_clients.settings import ModelOptions
from benchmarks.bot_here import POLL_SECONDS, Memory
from memory.core.clock import Clock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.recall.indexer import Indexer
from memory.settings import MemoryOptions

CATCH_UP_SECONDS = 300.0


class IndexingMemory(MemoryManager):
    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: ModelOptions | None = None,
    ) -> None:
        super().__init__(database, options, clock, health, models, prices)
        vars(self.indexer)["start"] = lambda: None  # the bot says so; here whoever measures decides

    def index(self) -> None:
        Indexer.start(self.indexer)

    async def rest(self) -> None:
        await self.indexer.stop()


Manager = TypeVar("Manager", bound=IndexingMemory)


@asynccontextmanager
async def index_running(memory: Memory[Manager]) -> AsyncIterator[None]:
    """It has caught up when the block begins, and once more when it has ended."""
    memory.manager.index()
    try:
        await _all_indexed(memory)
        yield
        await _all_indexed(memory)
    finally:
        await memory.manager.rest()


async def _all_indexed(memory: Memory[Manager]) -> None:
    """All that was said by people is in the index and has its vector."""
    said = await memory.rows()
    async with asyncio.timeout(CATCH_UP_SECONDS):
        while memory.counted("index", "embedded") < said:  # noqa: ASYNC110 - another task's doing
            await asyncio.sleep(POLL_SECONDS)
