"""Coming back after a lost connection, where discord.py would try in vain, or without a pause.

A socket that is lost before READY leaves no session behind. discord.py asks to resume it all the same, naming none, and
asks again at once when it is refused, for ever: the bot seems alive, and hears nothing. And its pauses go on growing
from one outage to the next, however long a connection held in between, up to 17 minutes.
"""

import asyncio
from collections import deque
from typing import Literal

import aiohttp
import discord
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket

MOST_SOCKETS = 10
WITHIN_SECONDS = 30.0

LONGEST_PAUSE_SECONDS = 30.0

_resume = DiscordWebSocket.resume


class Backoff(ExponentialBackoff[Literal[False]]):
    """Of a connection to Discord: nobody is to wait for us much longer than for Discord itself."""

    def __init__(self) -> None:
        super().__init__()
        self._max = 5  # as a power of 2, in seconds

    def delay(self) -> float:
        return min(super().delay(), LONGEST_PAUSE_SECONDS)


def pause_briefly() -> None:
    """From here on, for every client of this process."""
    # as below
    discord.shard.ExponentialBackoff = discord.client.ExponentialBackoff = Backoff  # type: ignore[assignment,attr-defined]


async def _resume_what_began(socket: DiscordWebSocket) -> None:
    if socket.session_id is None:
        await socket.identify()
    else:
        await _resume(socket)


def resume_only_what_began() -> None:
    """From here on, for every client of this process."""
    # discord.py offers no other way in
    DiscordWebSocket.resume = _resume_what_began  # type: ignore[method-assign,assignment]


def pace_sockets(client: discord.AutoShardedClient) -> None:
    """A few sockets a shard are opened at once; whoever needs more in a short time has to wait for them."""
    connect = client.http.ws_connect
    opened: deque[float] = deque()
    gate = asyncio.Lock()

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        async with gate:
            now = asyncio.get_running_loop().time()
            while opened and opened[0] <= now - WITHIN_SECONDS:
                opened.popleft()
            if len(opened) >= MOST_SOCKETS * (client.shard_count or 1):
                await asyncio.sleep(opened[0] + WITHIN_SECONDS - now)
                opened.popleft()
            opened.append(asyncio.get_running_loop().time())
        return await connect(url, compress=compress)

    client.http.ws_connect = ws_connect  # type: ignore[method-assign]  # as above
