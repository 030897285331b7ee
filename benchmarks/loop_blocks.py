"""How long the event loop is held by one step of anything that runs on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Blocks:
    """The longest time between two turns of the loop, in seconds.

    `worked` is what the loop's thread was busy for, and does not grow when other programs take the core away; `waited`
    is what a clock on the wall says, and would also show a call that blocks without working.
    """

    worked: float = 0.0
    waited: float = 0.0


@asynccontextmanager
async def longest_block() -> AsyncIterator[Blocks]:
    blocks = Blocks()
    watching = asyncio.create_task(_watch(blocks))
    try:
        yield blocks
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _watch(blocks: Blocks) -> None:
    """Takes every turn of the loop, so that between two of its own steps stands one step of everybody else."""
    while True:
        worked, waited = time.thread_time(), time.perf_counter()
        await asyncio.sleep(0)
        blocks.worked = max(blocks.worked, time.thread_time() - worked)
        blocks.waited = max(blocks.waited, time.perf_counter() - waited)
