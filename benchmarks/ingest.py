"""Measures how many messages a second reach the table, against discord.py alone; and what memory a million leave.

Two local guilds alike pour the same messages in turn: one into discord.py with an empty handler, one into the bot with
its PostgreSQL, without and then with the indexer at work. Each round gives a ratio, and the middle one counts: what
else the machine does hits both alike.
"""

from __future__ import annotations

from statistics import median

from benchmarks.bot_here import IndexingMemory, bot_running, index_running, opened_memory, pour_into_bot
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.firehose import connected, pour
from benchmarks.local_guild_process import local_guild_process
from benchmarks.resident import growth_elsewhere

WARM_UP = 3_000
MILLION = 1_000_000


async def measure(full: bool) -> list[Figure]:
    messages, rounds, rounds_indexed = (50_000, 7, 7) if full else (6_000, 3, 2)
    alone: list[float] = []
    stored: list[float] = []
    indexed: list[float] = []
    async with (
        local_guild_process() as plain_guild,
        local_guild_process() as guild,
        opened_memory(IndexingMemory) as memory,
        connected(plain_guild) as client,
        bot_running(guild, memory),
    ):
        await pour(plain_guild, client, WARM_UP)
        await pour_into_bot(guild, memory, WARM_UP)
        before = await memory.rows()
        for turn in range(rounds):
            alone.append((await pour(plain_guild, client, messages)).rate)
            stored.append(await pour_into_bot(guild, memory, messages))
            if turn >= rounds_indexed:
                continue
            async with index_running(memory):
                indexed.append(await pour_into_bot(guild, memory, messages))
        if await memory.rows() - before != messages * (rounds + rounds_indexed):
            raise RuntimeError("the table does not hold what was sent")
    ratio = median(mine / theirs for mine, theirs in zip(stored, alone, strict=True))
    kept = median(with_index / without for with_index, without in zip(indexed, stored[:rounds_indexed], strict=True))
    return [
        Figure("ingest: into Postgres over discord.py alone", ratio, "", at_least(0.5)),
        Figure("ingest: with the indexer at work over without", kept, "", at_least(0.75)),
        Figure("ingest: messages into Postgres", median(stored), "messages/s"),
        Figure("ingest: messages through discord.py alone", median(alone), "messages/s"),
        *await _memory_taken(full),
    ]


async def _memory_taken(full: bool) -> list[Figure]:
    if not full:
        return []
    name = f"ingest: memory taken by {MILLION:,} messages"
    return [Figure(name, await growth_elsewhere(MILLION), "MB", at_most(30))]
