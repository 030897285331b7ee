"""How many messages a second reach the table, compared with discord.py alone; and what memory a million of them leaves.

Two local guilds alike pour the same messages in turn: one into discord.py with an empty handler, one into the bot with
its PostgreSQL. Each round gives a ratio, and the middle one counts: what else the machine does hits both alike.
"""

from __future__ import annotations

import asyncio
import gc
import time
from statistics import median

import psutil

from benchmarks.bot_here import POLL_SECONDS, Memory, bot_running, opened_memory
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.firehose import connected, pour
from benchmarks.local_guild_process import LocalGuildProcess, local_guild_process
from memory.manager import MemoryManager

WARM_UP = 5_000
MILLION = 1_000_000
MEGABYTE = 1_000_000


async def pour_into_bot(guild: LocalGuildProcess, memory: Memory[MemoryManager], messages: int) -> float:
    """Messages a second, from the first sent to the last committed."""
    wanted = memory.counted("log", "messages") + messages
    started = time.perf_counter()
    order = asyncio.create_task(guild.http.post("/local/firehose", json={"count": messages}))
    while memory.counted("log", "messages") < wanted:
        if order.done():
            order.result().raise_for_status()
        await asyncio.sleep(POLL_SECONDS)
    seconds = time.perf_counter() - started
    (await order).raise_for_status()
    return messages / seconds


async def growth(guild: LocalGuildProcess, memory: Memory[MemoryManager], messages: int) -> float:
    """By how many megabytes this process is larger after so many messages."""
    own = psutil.Process()
    gc.collect()
    before = own.memory_info().rss
    await pour_into_bot(guild, memory, messages)
    gc.collect()
    return float(own.memory_info().rss - before) / MEGABYTE


async def measure(full: bool) -> list[Figure]:
    messages, rounds = (50_000, 7) if full else (10_000, 5)
    alone: list[float] = []
    stored: list[float] = []
    figures: list[Figure] = []
    async with (
        local_guild_process() as plain_guild,
        local_guild_process() as guild,
        opened_memory(MemoryManager) as memory,
        connected(plain_guild) as client,
        bot_running(guild, memory),
    ):
        await pour(plain_guild, client, WARM_UP)
        await pour_into_bot(guild, memory, WARM_UP)
        before = await memory.rows()
        for _ in range(rounds):
            alone.append((await pour(plain_guild, client, messages)).rate)
            stored.append(await pour_into_bot(guild, memory, messages))
        if await memory.rows() - before != messages * rounds:
            raise RuntimeError("the table does not hold what was sent")
        if full:
            name = "ingest: memory taken by 1,000,000 messages"
            figures.append(Figure(name, await growth(guild, memory, MILLION), "MB", at_most(30)))
    ratio = median(mine / theirs for mine, theirs in zip(stored, alone, strict=True))
    return [
        Figure("ingest: into Postgres over discord.py alone", ratio, "", at_least(0.7)),
        Figure("ingest: messages into Postgres", median(stored), "messages/s"),
        Figure("ingest: messages through discord.py alone", median(alone), "messages/s"),
        *figures,
    ]
