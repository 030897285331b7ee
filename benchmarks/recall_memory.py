"""How much memory the bot holds with its vectors loaded, in a fresh process of its own: PostgreSQL and the local guild
are others. Looked at when everything that was said is in the index and has its vector."""

from __future__ import annotations

import asyncio
import sys

from benchmarks.bot_here import Memory, bot_running, opened_memory
from benchmarks.local_guild_process import local_guild_process
from benchmarks.resident import MEGABYTE, resident
from memory.manager import MemoryManager

MESSAGES = 5_000
PATIENCE_SECONDS = 300.0


async def held() -> float:
    """In megabytes, by this process."""
    async with (
        local_guild_process() as guild,
        opened_memory(MemoryManager) as memory,
        bot_running(guild, memory),
    ):
        await guild.pour(MESSAGES)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not _is_done(memory):  # noqa: ASYNC110 - another task's doing
                await asyncio.sleep(0.2)
        return resident() / MEGABYTE


def _is_done(memory: Memory[MemoryManager]) -> bool:
    return memory.counted("index", "embedded") >= MESSAGES


async def held_elsewhere() -> float:
    command = [sys.executable, "-m", "benchmarks.recall_memory"]
    measuring = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told, _ = await measuring.communicate()
    if measuring.returncode != 0:
        raise RuntimeError("the memory of the bot could not be measured")
    return float(told)


if __name__ == "__main__":
    print(asyncio.run(held()))
