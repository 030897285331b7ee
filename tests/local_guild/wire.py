"""The gateway without a library's good manners: one socket, frame by frame."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import discord
import orjson

from tests.local_guild.people import Body
from tests.local_guild.scene import Scene

HEARTBEAT, IDENTIFY, RESUME, REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 1, 2, 6, 8, 9, 10, 11


class Wire:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def send(self, op: int, data: Body) -> None:
        await self.socket.send_str(orjson.dumps({"op": op, "d": data}).decode())

    async def next(self) -> Body:
        message = await self.socket.receive(timeout=10)
        assert message.type is aiohttp.WSMsgType.TEXT, message
        return orjson.loads(message.data)

    async def answer(self, op: int) -> Body:
        """The next frame with this opcode."""
        while (frame := await self.next())["op"] != op:
            pass
        return frame

    async def event(self, name: str) -> Body:
        """The next dispatch of this event."""
        while (frame := await self.next())["t"] != name:
            pass
        return frame

    async def events_so_far(self) -> list[Body]:
        """Everything dispatched up to now: the server acknowledges a heartbeat after what came before it."""
        await self.send(HEARTBEAT, None)
        found = []
        while (frame := await self.next())["op"] != ACK:
            found.append(frame)
        return found

    async def closed_with(self) -> int | None:
        """Read on until the server closes, and say with which code."""
        while True:
            message = await self.socket.receive(timeout=10)
            if message.type in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED):
                return self.socket.close_code


async def gateway_url(scene: Scene) -> str:
    return f"{(await scene.bot.call('GET', '/gateway'))['url']}?v=10&encoding=json"


@asynccontextmanager
async def open_wire(url: str) -> AsyncIterator[Wire]:
    async with aiohttp.ClientSession() as http, http.ws_connect(url) as socket:
        yield Wire(socket)


@asynccontextmanager
async def dial(scene: Scene) -> AsyncIterator[Wire]:
    async with open_wire(await gateway_url(scene)) as wire:
        yield wire


def identity_of(token: str) -> Body:
    properties = {"os": "linux", "browser": "test", "device": "test"}
    return {"token": token, "intents": discord.Intents.all().value, "properties": properties}


def identity(scene: Scene, **fields: Body) -> Body:
    """What the bot identifies with, but for the fields given."""
    return identity_of(scene.bot.token.removeprefix("Bot ")) | fields
