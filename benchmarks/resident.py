"""Measures how much memory the bot holds with its vectors loaded, and how much that grows over a million messages.

The bot alone in a fresh process of its own, so that nothing else that was measured before has widened the heap: its
PostgreSQL and the local guild are other processes.
"""

from __future__ import annotations

import asyncio
import gc
import sys

import psutil

from benchmarks.bot_here import bot_running, opened_memory
from benchmarks.local_guild_process import local_guild_process
from memory.manager import MemoryManager

MEGABYTE = 1_000_000
REST_SECONDS = 5.0
"""What is done on connecting (names, catch-up, commands) is over by then."""
PATIENCE_SECONDS = 600.0
INDEXED = 5_000
"""Messages."""


def resident() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


async def growth(messages: int) -> float:
    """Measure the growth of this process, in megabytes.

    The start is taken when it is connected and has come to rest, before the first message; the end when all of them are
    in the table, be it that some had to be read back.
    """
    async with (
        local_guild_process() as guild,
        opened_memory(MemoryManager) as memory,
        bot_running(guild, memory),
    ):
        await asyncio.sleep(REST_SECONDS)
        rows, before = await memory.rows(), resident()
        wanted = rows + messages
        await guild.pour(messages)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while rows < wanted:
                await asyncio.sleep(1)
                rows = await memory.rows()
        return (resident() - before) / MEGABYTE


async def held() -> float:
    """Measure this process in megabytes, when everything that was said is in the index and has its vector."""
    async with (
        local_guild_process() as guild,
        opened_memory(MemoryManager) as memory,
        bot_running(guild, memory),
    ):
        await guild.pour(INDEXED)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while memory.counted("index", "embedded") < INDEXED:  # noqa: ASYNC110 - another task's doing
                await asyncio.sleep(0.2)
        return resident() / MEGABYTE


async def growth_elsewhere(messages: int) -> float:
    """Measure the growth of a process that does nothing else."""
    return await _elsewhere(str(messages))


async def held_elsewhere() -> float:
    """Measure what a process that does nothing else holds."""
    return await _elsewhere()


async def _elsewhere(*arguments: str) -> float:
    command = [sys.executable, "-m", "benchmarks.resident", *arguments]
    measuring = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told, _ = await measuring.communicate()
    if measuring.returncode != 0:
        raise RuntimeError("the memory of the bot could not be measured")
    return float(told)


if __name__ == "__main__":
    print(asyncio.run(growth(int(sys.argv[1])) if sys.argv[1:] else held()))
