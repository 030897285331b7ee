"""Where the bot finds the local guild: at the web process's own address, with the token that guild gives its bot."""

import asyncio
import logging
from contextlib import suppress

import aiohttp
from pydantic import SecretStr

from bot.settings import BotOptions
from launch.settings import Settings

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
