"""The bot process, composed: memory first, then Discord, or the local guild where there is no token."""

import asyncio
import logging
from contextlib import suppress

import aiohttp
from pydantic import SecretStr

from bot.connection import BotError
from bot.run import run_bot
from bot.settings import BotOptions
from launch import logs
from launch.memory import CannotOpenError, Memory
from launch.settings import Settings
from launch.stop import give_up, until_stopped
from memory.core.clock import SystemClock
from memory.health import Health

# Where the bot finds the local guild: at the web process's own address, with the token that guild gives its bot.


logger = logging.getLogger(__name__)

PAUSE_S = 0.3
COMPLAIN_AFTER_S = 20.0


async def local_bot_options(settings: Settings, stop: asyncio.Event) -> BotOptions | None:
    """The bot's options for the local guild, as soon as the web process serves it; None when `stop` comes first."""
    loop = asyncio.get_running_loop()
    complain_at = loop.time() + COMPLAIN_AFTER_S
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as http:
        while not stop.is_set():
            token = await _token(http, settings.web.url)
            if token is not None:
                return settings.bot.model_copy(
                    update={
                        "token": SecretStr(token),
                        "api_base": f"{settings.web.url}/api/v10",
                        "gateway_url": f"{settings.web.url.replace('http', 'ws', 1)}/gateway",
                    }
                )
            if loop.time() > complain_at:
                logger.warning("still waiting for the local guild", extra={"at": settings.web.url})
                complain_at = loop.time() + COMPLAIN_AFTER_S
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), PAUSE_S)
    return None


async def _token(http: aiohttp.ClientSession, base: str) -> str | None:
    try:
        async with http.get(f"{base}/local/world") as answer:
            if answer.status != 200:
                return None
            world = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None
    return str(world["bot"]["token"])


async def run(settings: Settings, *, tethered: bool) -> int:
    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    health = Health("bot", clock)
    health.part("gateway")  # said to be initializing from the start, so that nobody takes a waiting bot for a ready one
    memory = Memory(settings.memory, clock, health, settings.models)
    async with until_stopped(tethered=tethered) as stop:
        try:
            manager = await memory.open(stop)
            options = await local_bot_options(settings, stop) if settings.is_local else settings.bot
            if options is not None and manager is not None:
                await run_bot(options, manager, health, clock, stop)
        except (CannotOpenError, BotError) as error:
            return give_up(error)
        finally:
            await memory.close()
    return 0
