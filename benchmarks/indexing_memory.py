"""A memory that indexes only while it is told to: the same can be measured with the indexer beside it and without."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from benchmarks.bot_here import POLL_SECONDS, Memory
from memory.manager import MemoryManager

CATCH_UP_SECONDS = 300.0


class IndexingMemory(MemoryManager):
    def start_indexing(self) -> None:
        """The bot says so; here whoever measures decides."""

    def index(self) -> None:
        super().start_indexing()

    async def rest(self) -> None:
        await self._indexer.stop()


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
