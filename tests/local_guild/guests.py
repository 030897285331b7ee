"""A member of the local guild as a chat client plays one: plain HTTP to act, a gateway socket to listen."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import httpx
import orjson

from local_guild.state.world import User
from tests.local_guild.running import Served, until

IDENTIFY, HEARTBEAT = 2, 1

# JSON as it came over the wire; the test that reads a field says what it expects there.
Body = Any


@dataclass(slots=True)
class Guest:
    served: Served
    user: User
    heard: list[tuple[str, Body]] = field(default_factory=list)

    async def post(self, path: str, body: Body, **query: str) -> httpx.Response:
        return await self.served.http.post(
            f"{self.served.address.api_url}{path}",
            json=body,
            params=query,
            headers={"Authorization": self.user.token},
        )

    async def interact(self, kind: int, channel: str, data: Body, *, wait: bool = True, **fields: Body) -> Body:
        """Begin an interaction; with `wait` what came of it, otherwise its id."""
        body = {"type": kind, "channel_id": str(self.served.channel(channel).id), "data": data, **fields}
        answer = await self.post("/interactions", body, **({"wait": "true"} if wait else {}))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def use(self, name: str, *options: Body, channel: str = "general", **fields: Body) -> Body:
        """Use a slash command and read its answer."""
        return await self.interact(2, channel, {"name": name, "options": list(options)}, **fields)

    async def press(self, message: Body, custom_id: str, values: list[str] | None = None) -> Body:
        data: Body = {"custom_id": custom_id}
        if values is not None:
            data["values"] = values
        channel = self.served.server.world.channels[int(message["channel_id"])].name
        return await self.interact(3, channel, data, message_id=message["id"])

    async def submit(self, modal: Body, components: Body, *, channel: str = "general") -> Body:
        data = {"id": modal["id"], "custom_id": modal["custom_id"], "components": components}
        return await self.interact(5, channel, data)

    def events(self, name: str) -> list[Body]:
        return [data for told, data in self.heard if told == name]

    async def hears(self, name: str, matching: Callable[[Body], bool] = lambda _: True) -> Body:
        """The first such event, waiting for it if need be."""
        await until(lambda: any(map(matching, self.events(name))))
        return next(filter(matching, self.events(name)))


@contextlib.asynccontextmanager
async def listening(served: Served, name: str) -> AsyncIterator[Guest]:
    """The member of this name, with an open gateway session."""
    guest = Guest(served, served.user(name))
    async with aiohttp.ClientSession() as http, http.ws_connect(served.address.gateway_url) as socket:
        await socket.send_bytes(orjson.dumps({"op": IDENTIFY, "d": {"token": guest.user.token}}))
        reading = asyncio.create_task(_read(socket, guest))
        try:
            await guest.hears("READY")
            yield guest
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


async def _read(socket: aiohttp.ClientWebSocketResponse, guest: Guest) -> None:
    async for message in socket:
        frame = orjson.loads(message.data)
        if frame["t"] is not None:
            guest.heard.append((frame["t"], frame["d"]))
