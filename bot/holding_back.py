"""Stops reading from Discord while the log has no room: what is not read stays with Discord, and nothing here grows.

discord.py runs every event in a task of its own, so a handler that waits holds back nobody; the socket does.
"""

import aiohttp
from discord.http import HTTPClient

from memory.manager import MemoryManager


def hold_back(http: HTTPClient, memory: MemoryManager) -> None:
    """Every socket that is opened from now on waits for room before it hands out the next event."""
    connect = http.ws_connect

    async def ws_connect(url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        socket = await connect(url, compress=compress)
        receive = socket.receive

        async def receive_when_there_is_room(timeout: float | None = None) -> aiohttp.WSMessage:
            if not memory.has_room:
                await memory.room()
            return await receive(timeout)

        socket.receive = receive_when_there_is_room  # type: ignore[method-assign]  # discord.py offers no other way in
        return socket

    http.ws_connect = ws_connect  # type: ignore[method-assign]  # as above
