"""Measures how fast the bot catches up with what it missed, against the rate at which Discord hands out the pages.

While the bot is away, 20,000 messages are said in ten channels. The pages alone are fetched by discord.py as well, with
as many channels side by side, and its messages are thrown away: once before the bot catches up and once after, so that
a machine that grows busier meanwhile favours neither. Each round gives a ratio, and the middle one counts. How much
of the rate is left with the indexer at work is told, too.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from statistics import fmean, median

import discord

from benchmarks.bot_here import POLL_SECONDS, IndexingMemory, Memory, bot_running, index_running, opened_memory
from benchmarks.figures import Figure, at_least
from benchmarks.firehose import connected
from benchmarks.local_guild_process import LocalGuildProcess, local_guild_process
from bot.history.catch_up import AT_ONCE
from memory.core.log_values import ChannelProgress
from memory.core.values import Message
from memory.log.service import Log

MISSED = 20_000
CHANNELS = 10
PATIENCE_SECONDS = 120.0


class TimedLog(Log):
    """Notes when catching up begins, and when how many messages have been stored."""

    began: float | None = None
    ended = 0.0
    stored = 0

    def start_over(self) -> None:
        self.began, self.stored = None, 0

    async def progress(self, guild_id: int) -> dict[int, ChannelProgress]:
        if self.began is None:
            self.began = time.perf_counter()
        return await super().progress(guild_id)

    async def store_page(
        self,
        guild_id: int,
        channel_id: int,
        messages: Sequence[Message],
        *,
        through: int | None = None,
        backfilled_to: int | None = None,
        backfill_done: bool = False,
    ) -> int:
        stored = await super().store_page(
            guild_id,
            channel_id,
            messages,
            through=through,
            backfilled_to=backfilled_to,
            backfill_done=backfill_done,
        )
        self.stored += stored
        self.ended = time.perf_counter()
        return stored


async def catch_up(guild: LocalGuildProcess, memory: Memory[IndexingMemory]) -> float:
    """Measure messages a second, from looking where to begin to the last page stored."""
    timed = memory.manager.log
    timed.__class__ = TimedLog
    assert isinstance(timed, TimedLog)
    timed.start_over()
    async with bot_running(guild, memory), asyncio.timeout(PATIENCE_SECONDS):
        while timed.stored < MISSED:  # noqa: ASYNC110 - counted by the memory's own tasks
            await asyncio.sleep(POLL_SECONDS)
    if timed.began is None:
        raise RuntimeError("nobody looked where to begin")
    return MISSED / (timed.ended - timed.began)


async def fetch(guild: LocalGuildProcess, since: Mapping[int, int]) -> float:
    """Measure messages a second where nothing is done with them. `since` is the last message known of each channel."""
    async with connected(guild) as client:
        return await _fetch_by(client, since)


async def _fetch_by(client: discord.Client, since: Mapping[int, int]) -> float:
    side_by_side = asyncio.Semaphore(AT_ONCE)

    async def fetch_channel(channel_id: int, after: int) -> int:
        async with side_by_side:
            return await _pages(client, channel_id, after)

    started = time.perf_counter()
    fetched = sum(await asyncio.gather(*(fetch_channel(channel_id, after) for channel_id, after in since.items())))
    seconds = time.perf_counter() - started
    if fetched != MISSED:
        raise RuntimeError(f"{fetched} messages came instead of {MISSED}")
    return fetched / seconds


async def _pages(client: discord.Client, channel_id: int, after: int) -> int:
    channel = client.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        raise TypeError("the benchmark's channels are text channels")
    history = channel.history(limit=None, after=discord.Object(after), oldest_first=True)
    return len([message async for message in history])


async def say(guild: LocalGuildProcess, channels: Sequence[int], messages: int) -> None:
    order = {"count": messages, "channels": list(channels)}
    (await guild.http.post("/local/firehose", json=order)).raise_for_status()


async def new_channels(guild: LocalGuildProcess) -> list[int]:
    """Make a guild with ten channels, and list those."""
    rooms = [{"name": f"room-{number}"} for number in range(CHANNELS)]
    described = {"guilds": [{"name": "Absence", "owner": "maren", "members": [{"name": "maren"}], "channels": rooms}]}
    answer = (await guild.http.post("/local/world", json=described)).raise_for_status()
    (guild_id,) = answer.json()["guilds"]
    world = (await guild.http.get("/local/world")).json()
    channels = next(each["channels"] for each in world["guilds"] if each["id"] == guild_id)
    return [int(channel["id"]) for channel in channels]


async def last_messages(guild: LocalGuildProcess, channels: Sequence[int]) -> dict[int, int]:
    headers = {"Authorization": f"Bot {await guild.bot_token()}"}
    last: dict[int, int] = {}
    for channel_id in channels:
        answer = await guild.http.get(f"/api/v10/channels/{channel_id}/messages?limit=1", headers=headers)
        last[channel_id] = int(answer.raise_for_status().json()[0]["id"])
    return last


async def measure(full: bool) -> list[Figure]:
    rounds, rounds_indexed = (15, 9) if full else (7, 3)
    fetched: list[float] = []
    caught_up: list[float] = []
    indexed: list[float] = []
    async with local_guild_process() as guild, opened_memory(IndexingMemory) as memory:
        channels = await new_channels(guild)
        await say(guild, channels, MISSED)
        await catch_up(guild, memory)  # the back-fill of a first meeting, and a warm-up
        for turn in range(rounds):
            since = await last_messages(guild, channels)
            await say(guild, channels, MISSED)
            before = await fetch(guild, since)
            caught_up.append(await catch_up(guild, memory))
            fetched.append(fmean((before, await fetch(guild, since))))
            if turn >= rounds_indexed:
                continue
            async with index_running(memory):
                await say(guild, channels, MISSED)
                indexed.append(await catch_up(guild, memory))
    return [
        Figure("catching up: into Postgres over the pages alone", _middle(caught_up, fetched), "", at_least(0.5)),
        Figure(
            "catching up: with the indexer at work over without",
            _middle(indexed, caught_up[:rounds_indexed]),
            "",
            at_least(0.75),
        ),
        Figure("catching up: messages into Postgres", median(caught_up), "messages/s"),
        Figure("catching up: messages of the pages alone", median(fetched), "messages/s"),
    ]


def _middle(mine: Sequence[float], theirs: Sequence[float]) -> float:
    return median(one / other for one, other in zip(mine, theirs, strict=True))
