"""How often sockets are opened. What is opened here is nothing; only the times matter."""

import asyncio

import discord
import pytest

from bot import reconnecting


async def test_many_sockets_in_a_short_time_have_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnecting, "MOST_SOCKETS", 3)
    monkeypatch.setattr(reconnecting, "WITHIN_SECONDS", 0.3)
    opened: list[float] = []

    async def ws_connect(url: str, *, compress: int = 0) -> None:
        opened.append(asyncio.get_running_loop().time())

    client = discord.AutoShardedClient(intents=discord.Intents.none())
    monkeypatch.setattr(client.http, "ws_connect", ws_connect)
    reconnecting.pace_sockets(client)
    for _ in range(10):
        await client.http.ws_connect("ws://127.0.0.1/gateway")
    waited = [later - earlier for earlier, later in zip(opened, opened[3:], strict=False)]
    assert len(opened) == 10
    assert min(waited) >= 0.29
