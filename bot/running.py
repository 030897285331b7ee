"""Runs the bot until it is told to stop: signs in, falls back where Discord grants less, returns after outages."""

import asyncio
import logging

import aiohttp
import discord
from discord.gateway import ReconnectWebSocket

from bot.client import InnkeeperClient
from bot.collecting import collecting_seldom
from bot.endpoint import endpoint
from bot.errors import BotError, GatewayRefusedError, TokenRefusedError
from bot.intents import LABEL, LOST, REMEDY, Privileged, not_granted
from bot.reconnecting import Backoff, pace_sockets, pause_briefly, resume_only_what_began
from bot.settings import BotOptions
from memory.core.clock import Clock
from memory.health import Health
from memory.manager import MemoryManager

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
    options: BotOptions, memory: MemoryManager, health: Health, clock: Clock, stop: asyncio.Event
) -> None:
    """Returns after `stop`; raises `BotError` where only a person can help."""
    if options.token is None:
        raise BotError("DISCORD_TOKEN: is needed to run the bot.")
    endpoint(options).use()
    memory.start_indexing()
    memory.diary.nightly.start()
    resume_only_what_began()
    pause_briefly()
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # it never speaks, and people would wonder
    with collecting_seldom():
        await _stay_connected(options, options.token.get_secret_value(), memory, health, clock, stop)


async def _stay_connected(
    options: BotOptions, token: str, memory: MemoryManager, health: Health, clock: Clock, stop: asyncio.Event
) -> None:
    without: frozenset[Privileged] = frozenset()
    backoff = Backoff()
    gateway = health.part("gateway")
    while not stop.is_set():
        client = InnkeeperClient(options, memory, health, clock, without)
        pace_sockets(client)
        started = clock.now()
        try:
            await _run_until(stop, client, token)
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
            logger.exception("the connection to Discord ended", extra={"again_in_seconds": round(pause, 1)})
            await _pause(stop, pause)


async def _run_until(stop: asyncio.Event, client: InnkeeperClient, token: str) -> None:
    running = asyncio.create_task(client.start(token), name="discord")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    try:
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            await running
    finally:
        await client.close()
        # discord.py tries to launch a shard for ever, even after it was closed.
        running.cancel()
        stopping.cancel()
        await asyncio.gather(stopping, running, return_exceptions=True)


def _fall_back(client: InnkeeperClient, without: frozenset[Privileged]) -> frozenset[Privileged]:
    """Goes on without what was not granted. Where the application does not say what that is: without all of it."""
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
