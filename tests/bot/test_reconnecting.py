"""How often sockets are opened. What is opened here is nothing; only the times matter."""

import asyncio
from unittest.mock import AsyncMock

import discord
import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.shard import Shard

from bot import run


async def test_many_sockets_in_a_short_time_have_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MOST_SOCKETS", 3)
    monkeypatch.setattr(run, "WITHIN_SECONDS", 0.3)
    opened: list[float] = []

    async def ws_connect(url: str, *, compress: int = 0) -> None:
        opened.append(asyncio.get_running_loop().time())

    client = discord.AutoShardedClient(intents=discord.Intents.none())
    monkeypatch.setattr(client.http, "ws_connect", ws_connect)
    run.pace_sockets(client)
    for _ in range(10):
        await client.http.ws_connect("ws://127.0.0.1/gateway")
    waited = [later - earlier for earlier, later in zip(opened, opened[3:], strict=False)]
    assert len(opened) == 10
    assert min(waited) >= 0.29


async def test_however_many_outages_there_were_a_pause_is_half_a_minute_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (discord.shard, discord.client):
        monkeypatch.setattr(module, "ExponentialBackoff", ExponentialBackoff)  # to be put back afterwards
    run.pause_briefly()
    client = discord.AutoShardedClient(intents=discord.Intents.none())
    client._reconnect = True  # as `connect` sets it
    socket = DiscordWebSocket(AsyncMock(), loop=asyncio.get_running_loop())
    socket.shard_id = 0
    shard = Shard(socket, client, lambda _: None)
    pauses = [shard._backoff.delay() for _ in range(200)]
    assert max(pauses) <= 30
    assert max(pauses) > 10, "they should grow"
