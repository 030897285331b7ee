"""Stops reading from Discord while the log has no room: what is not read stays with Discord, and nothing here grows.

discord.py runs every event in a task of its own, so a handler that waits holds back nobody; the socket does.
"""

import asyncio

import aiohttp
from discord.http import HTTPClient

from memory.manager import MemoryManager

AT_ONE_GO = 50
"""So many events are read before everybody else has a turn: what has arrived together may be thousands, and neither
the log nor a reply should wait for all of them."""


def hold_back(http: HTTPClient, memory: MemoryManager) -> None:
    """Every socket that is opened from now on waits for room before it hands out the next event."""
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        socket = await connect(url, compress=compress)
        receive = socket.receive
        taken = 0

        async def receive_when_there_is_room(timeout: float | None = None) -> aiohttp.WSMessage:
            nonlocal taken
            taken += 1
            if not memory.has_room:
                await memory.room()
            elif taken % AT_ONE_GO == 0:
                await asyncio.sleep(0)
            return await receive(timeout)

        socket.receive = receive_when_there_is_room  # type: ignore[method-assign]  # discord.py offers no other way in
        return socket

    http.ws_connect = ws_connect  # type: ignore[method-assign]  # as above
