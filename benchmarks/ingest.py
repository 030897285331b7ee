"""Measures how many messages a second reach the table, against discord.py alone; and what memory a million leave.

Two local guilds alike pour the same messages in turn: one into discord.py with an empty handler, one into the bot with
its PostgreSQL, without and then with the indexer at work. Each round gives a ratio, to discord.py alone before it and
after, and the middle one counts: a core is half as fast again at one moment as at the next. No round is longer than
the log's queue, which leaves out what has no room.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import fmean, median

from benchmarks.bot_here import IndexingMemory, bot_running, index_running, opened_memory, pour_into_bot
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.firehose import connected, pour
from benchmarks.local_guild_process import local_guild_process
from benchmarks.resident import growth_elsewhere

WARM_UP = 3_000
MESSAGES = 6_000
MILLION = 1_000_000


async def measure(full: bool) -> list[Figure]:
    rounds, rounds_indexed = (25, 7) if full else (9, 3)
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
        alone.append((await pour(plain_guild, client, MESSAGES)).rate)
        for turn in range(rounds):
            stored.append(await pour_into_bot(guild, memory, MESSAGES))
            alone.append((await pour(plain_guild, client, MESSAGES)).rate)
            if turn >= rounds_indexed:
                continue
            async with index_running(memory):
                indexed.append(await pour_into_bot(guild, memory, MESSAGES))
        if await memory.rows() - before != MESSAGES * (rounds + rounds_indexed):
            raise RuntimeError("the table does not hold what was sent")
    ratio = median(mine / fmean(theirs) for mine, theirs in zip(stored, pairwise(alone), strict=True))
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
