"""How long it takes to come back: pauses stay short, and a first connection that fails is tried anew from outside."""

import asyncio
from unittest.mock import AsyncMock

import discord
import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.shard import Shard

from bot import run


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
