"""A member who listens on the gateway, as the Discord client of a person does."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import discord

from tests.end_to_end.house import Person

IDENTIFY = 2


@asynccontextmanager
async def ears_of(person: Person) -> AsyncIterator[list[dict[str, Any]]]:
    """Every event that reaches the person, in order, from READY on."""
    events: list[dict[str, Any]] = []
    ready = asyncio.Event()
    identity = {
        "token": person.user.token,
        "intents": discord.Intents.all().value,
        "properties": {"os": "linux", "browser": "test", "device": "test"},
    }

    async def listen(socket: aiohttp.ClientWebSocketResponse) -> None:
        async for frame in socket:
            event = json.loads(frame.data)
            if event["t"] is not None:
                events.append(event)
                ready.set()

    url = f"{person.inn.house.address.gateway_url}?v=10&encoding=json"
    async with aiohttp.ClientSession() as http, http.ws_connect(url) as socket:
        await socket.send_json({"op": IDENTIFY, "d": identity})
        listening = asyncio.create_task(listen(socket))
        async with asyncio.timeout(30):
            await ready.wait()
        yield events
        listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await listening
