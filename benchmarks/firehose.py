"""Measures how many messages a second the local guild can pour into the real discord.py client.

The client, with a handler that does nothing, has to be the side that cannot go faster: then whatever is measured
later with the local guild as its source measures the consumer.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import discord
import psutil
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from benchmarks.figures import Figure, at_least, at_most
from benchmarks.local_guild_process import LocalGuildProcess, local_guild_process
from benchmarks.yardsticks import calibrated_loop

POLL_SECONDS = 0.005


# What processor time a process used, and how long it wanted a core: on a busy machine the two differ.


@dataclass(frozen=True, slots=True)
class ProcessorTime:
    """Holds processor time: `used` of all threads, `wanted` of the main thread, with its waits for a free core."""

    used: float
    wanted: float

    def __sub__(self, earlier: ProcessorTime) -> ProcessorTime:
        return ProcessorTime(self.used - earlier.used, self.wanted - earlier.wanted)


def processor_time(process: psutil.Process) -> ProcessorTime:
    times = process.cpu_times()
    used = float(times.user + times.system)
    return ProcessorTime(used, _wanted(process.pid) or used)


def _wanted(pid: int) -> float | None:
    """Read how long the main thread ran, and how long it stood in the queue for a core, as Linux tells of each."""
    try:
        running, queued, _ = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text("ascii").split()
    except (OSError, ValueError):
        return None
    return (int(running) + int(queued)) / 1e9


class Listener(discord.Client):
    """Takes every message and does nothing with it."""

    async def on_message(self, message: discord.Message) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Run:
    """Holds one pour: how long it took, and how busy both sides were meanwhile."""

    messages: int
    seconds: float
    client: ProcessorTime
    server: ProcessorTime

    @property
    def rate(self) -> float:
        return self.messages / self.seconds


@asynccontextmanager
async def connected(guild: LocalGuildProcess) -> AsyncIterator[Listener]:
    """Connect discord.py with nothing changed but its two addresses."""
    Route.BASE = f"{guild.url}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(guild.gateway_url)
    client = Listener(intents=discord.Intents.all(), guild_ready_timeout=0.1)
    running = asyncio.create_task(client.start(await guild.bot_token()))
    try:
        while not client.is_ready():
            if running.done():
                running.result()
            await asyncio.sleep(POLL_SECONDS)
        yield client
    finally:
        await client.close()
        await asyncio.gather(running, return_exceptions=True)


async def pour(guild: LocalGuildProcess, client: Listener, messages: int) -> Run:
    """Send so many messages, and wait until the client has taken the last one."""
    own = psutil.Process()
    last = (client.ws.sequence or 0) + messages
    client_before, server_before = processor_time(own), processor_time(guild.process)
    started = time.perf_counter()
    order = asyncio.create_task(guild.pour(messages))
    # Counting in the handler would be work; the sequence number tells the same for nothing.
    while (client.ws.sequence or 0) < last:
        if order.done():
            order.result()
        await asyncio.sleep(POLL_SECONDS)
    seconds = time.perf_counter() - started
    client_used, server_used = processor_time(own) - client_before, processor_time(guild.process) - server_before
    await order
    return Run(messages, seconds, client_used, server_used)


async def without_a_socket(client: Listener, messages: int) -> float:
    """Measure the rate at which the same client takes the same frames when they are handed to it in memory."""
    channel = next(channel for channel in client.get_all_channels() if isinstance(channel, discord.TextChannel))
    (sample,) = await client.http.logs_from(channel.id, limit=1)
    member = await client.http.get_member(channel.guild.id, int(sample["author"]["id"]))
    data = {**sample, "guild_id": str(channel.guild.id), "member": member}
    frame = json.dumps({"op": 0, "t": "MESSAGE_CREATE", "s": client.ws.sequence, "d": data})
    started = time.perf_counter()
    for _ in range(messages):
        await client.ws.received_message(frame)
        await asyncio.sleep(0)
    return messages / (time.perf_counter() - started)


async def measure(full: bool) -> list[Figure]:
    messages, rounds = (100_000, 5) if full else (15_000, 3)
    async with local_guild_process() as guild, connected(guild) as client:
        await pour(guild, client, 2_000)
        runs = [await pour(guild, client, messages) for _ in range(rounds)]
        limit = max([await without_a_socket(client, messages // 2) for _ in range(rounds)])
    # Other programs on the machine only ever make it slower.
    best = max(runs, key=lambda run: run.rate)
    sent = sum(run.messages for run in runs)
    client_used, server_used = sum(run.client.used for run in runs), sum(run.server.used for run in runs)
    return [
        *calibrated_loop().figures("firehose: a message through the gateway", 1 / best.rate, at_most(0.45), unit="µs"),
        Figure("firehose: messages through the gateway", best.rate, "messages/s"),
        Figure("firehose: client busy over wall time", best.client.wanted / best.seconds, ""),
        Figure("firehose: client's CPU over wall time", best.client.used / best.seconds, "", at_least(0.9)),
        Figure("firehose: server's CPU over the client's", server_used / client_used, "", at_most(1.0)),
        Figure("firehose: client's CPU a message", client_used / sent * 1e6, "µs"),
        Figure("firehose: server's CPU a message", server_used / sent * 1e6, "µs"),
        Figure("firehose: the client without a socket", limit, "messages/s"),
        Figure("firehose: share of that limit reached", best.rate / limit, ""),
    ]
