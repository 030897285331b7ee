"""“Innkeeper is typing …” while it works, never after its reply and never in the way of it."""

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import TypeVar

import aiohttp
import discord

LASTS_SECONDS = 8.0
"""Discord shows the notice for ten."""
PATIENCE_SECONDS = 2.0

Made = TypeVar("Made")


async def typing_while(work: Awaitable[Made], channel: discord.abc.Messageable) -> Made:
    """The notice goes out beside the work. It has arrived before the reply does: a late one would stay for seconds."""
    first = asyncio.Event()
    notice = asyncio.create_task(_keep_typing(channel, first))
    try:
        made = await work
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await first.wait()
        return made
    finally:
        notice.cancel()
        await asyncio.gather(notice, return_exceptions=True)


async def _keep_typing(channel: discord.abc.Messageable, first: asyncio.Event) -> None:
    try:
        while True:
            await channel.typing()
            first.set()
            await asyncio.sleep(LASTS_SECONDS)
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return  # no notice is no reason for no reply
    finally:
        first.set()
