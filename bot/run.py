"""Runs the bot until it is told to stop: signs in, falls back where Discord grants less, returns after outages."""

import asyncio
import gc
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Literal

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.client import InnkeeperClient
from bot.connection import (
    LABEL,
    LOST,
    REMEDY,
    TROUBLE,
    BotError,
    GatewayRefusedError,
    Privileged,
    TokenRefusedError,
    endpoint,
    log_connections_briefly,
    not_granted,
)
from bot.settings import BotOptions
from memory.core.clock import Clock
from memory.health import Health
from memory.manager import MemoryManager
from memory.shards import ALL, LEASE_TIMES, LeaseTimes, ShardLease, Shards

# Coming back after a lost connection, where discord.py would try in vain, or without a pause.
#
# A socket that is lost before READY leaves no session behind. discord.py asks to resume it all the same, naming none,
# and asks again at once when it is refused, for ever: the bot seems alive, and hears nothing. And its pauses go on
# growing from one outage to the next, however long a connection held in between, up to 17 minutes.


LONGEST_PAUSE_SECONDS = 30.0

_resume = DiscordWebSocket.resume


class Backoff(ExponentialBackoff[Literal[False]]):
    """Waits between tries to connect: nobody is to wait for us much longer than for Discord itself."""

    def delay(self) -> float:
        # Not cut at the longest: after a few tries all would come at the same moment.
        return super().delay() % LONGEST_PAUSE_SECONDS


def pause_briefly() -> None:
    """Pause briefly between tries to connect from here on, for every client of this process."""
    # as below
    discord.shard.ExponentialBackoff = discord.client.ExponentialBackoff = Backoff  # type: ignore[assignment,attr-defined]


async def _resume_what_began(socket: DiscordWebSocket) -> None:
    if socket.session_id is None:
        await socket.identify()
    else:
        await _resume(socket)


def resume_only_what_began() -> None:
    """Resume only sessions that began, and identify otherwise, for every client of this process from here on."""
    # discord.py offers no other way in
    DiscordWebSocket.resume = _resume_what_began  # type: ignore[method-assign,assignment]


# Python's collector, set for a process that keeps a whole guild in memory and makes much that lives for a moment.
#
# As it comes, the collector looks through the young objects after every 700 new ones, and now and then through all
# there are. Reading a page of history makes thousands that are gone again without its help: a sixth of the time that
# catching up takes went into looking. And looking through ten thousand members stops everything for a tenth of a
# second.


THRESHOLDS = (10_000, 20, 50)
"""New objects before the young are looked through; so many times before the middle-aged, and those before all."""


@contextmanager
def garbage_collected_seldom() -> Iterator[None]:
    """Collect garbage seldom, in a process that does nothing else; what is there already is never looked through."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


logger = logging.getLogger(__name__)

# What discord.py raises while Discord cannot be reached. KeyError and the like are its way of stumbling over a payload
# it does not understand, which ends the connection; a new one is better than none.
_COME_BACK_AFTER = (
    discord.GatewayNotFound,
    discord.HTTPException,
    ReconnectWebSocket,
    aiohttp.ClientError,
    TimeoutError,
    OSError,
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
)
_TOKEN_REFUSED = 4004


async def run_bot(
    options: BotOptions,
    memory: MemoryManager,
    health: Health,
    clock: Clock,
    stop: asyncio.Event,
    shards: Shards = ALL,
    times: LeaseTimes = LEASE_TIMES,
) -> None:
    """Run the bot until `stop`; raises `BotError` where only a person can help. Waits while others have its shards."""
    if options.token is None:
        raise BotError("DISCORD_TOKEN: is needed to run the bot.")
    endpoint(options).use()
    memory.indexer.start()
    memory.day_answers.nightly.start()
    memory.memories.start()
    memory.channels.start()
    resume_only_what_began()
    pause_briefly()
    log_connections_briefly()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it never speaks, and people would wonder
    gateway = health.part("gateway")
    while not stop.is_set():
        async with memory.shard_leases.held(shards, stop, gateway.failing, times) as lease:
            if lease is not None:
                logger.info("shard lease acquired", extra={"as": shards.process})
                gateway.initializing()
                await _stay_connected(options, options.token.get_secret_value(), memory, health, clock, stop, lease)


async def _stay_connected(
    options: BotOptions,
    token: str,
    memory: MemoryManager,
    health: Health,
    clock: Clock,
    stop: asyncio.Event,
    lease: ShardLease,
) -> None:
    without: frozenset[Privileged] = frozenset()
    backoff = Backoff()
    gateway = health.part("gateway")
    while not stop.is_set() and not lease.lost.is_set():
        client = InnkeeperClient(options, memory, health, clock, lease, without)
        started = clock.now()
        try:
            await _run_until((stop, lease.lost), client, token)
        except discord.PrivilegedIntentsRequired:
            without = _fall_back(client, without)
        except discord.LoginFailure as error:
            raise TokenRefusedError from error
        except discord.ConnectionClosed as error:
            raise TokenRefusedError if error.code == _TOKEN_REFUSED else GatewayRefusedError(error.code) from error
        except _COME_BACK_AFTER as error:
            if (clock.now() - started).total_seconds() > 600:
                backoff = Backoff()
            pause = backoff.delay()
            gateway.failing(f"Discord cannot be reached ({type(error).__name__}); it is tried again and again.")
            # Where in the code it was matters only if it is not the connection that failed.
            frames = logger.isEnabledFor(logging.DEBUG) or not isinstance(error, (discord.GatewayNotFound, *TROUBLE))
            logger.error(
                "connection to Discord ended: %s",
                type(error).__name__,
                exc_info=frames,
                extra={"again_in_seconds": round(pause, 1)},
            )
            await _pause(stop, pause)


async def _run_until(ends: Iterable[asyncio.Event], client: InnkeeperClient, token: str) -> None:
    running = asyncio.create_task(client.start(token), name="discord")
    ending = [asyncio.create_task(event.wait(), name="stop") for event in ends]
    try:
        await asyncio.wait({running, *ending}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
    finally:
        await client.close()
        # discord.py tries to launch a shard for ever, even after it was closed.
        for task in (running, *ending):
            task.cancel()
        await asyncio.gather(running, *ending, return_exceptions=True)


def _fall_back(client: InnkeeperClient, without: frozenset[Privileged]) -> frozenset[Privileged]:
    """Go on without what was not granted. Where the application does not say what that is: without all of it."""
    flags = client.application_flags
    missing = not_granted(flags)
    if not missing - without:
        missing = frozenset(Privileged)
    for intent in missing - without:
        logger.warning("%s is off: %s. %s", LABEL[intent], LOST[intent], REMEDY.format(label=LABEL[intent]))
    return without | missing


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
