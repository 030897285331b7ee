"""“Innkeeper is typing …” while it works, never after its reply and never in the way of it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import aiohttp
import discord

LASTS_SECONDS = 8.0
"""Discord shows the notice for ten."""
PATIENCE_SECONDS = 2.0


@asynccontextmanager
async def typing_in(channel: discord.abc.Messageable) -> AsyncIterator[Callable[[], None]]:
    """The notice goes out beside the work. It has arrived before the reply does: a late one would stay for seconds.

    Yields what has it go out once more at once: a message ends it, also one that is not finished.
    """
    first, once_more = asyncio.Event(), asyncio.Event()
    notice = asyncio.create_task(_keep_typing(channel, first, once_more))
    try:
        yield once_more.set
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await first.wait()
    finally:
        notice.cancel()
        await asyncio.gather(notice, return_exceptions=True)


async def _keep_typing(channel: discord.abc.Messageable, first: asyncio.Event, once_more: asyncio.Event) -> None:
    try:
        while True:
            await channel.typing()
            first.set()
            once_more.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LASTS_SECONDS):
                    await once_more.wait()
    except (discord.HTTPException, aiohttp.ClientError, OSError):
        return  # no notice is no reason for no reply
    finally:
        first.set()
