"""How long it takes to come back: pauses stay short, and a first connection that fails is tried anew from outside."""

import asyncio
from unittest.mock import AsyncMock

import discord
import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.shard import Shard
from yarl import URL

from bot import run
from bot.client import InnkeeperClient
from bot.connection import GatewayAwayError
from bot.settings import BotOptions
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.bot.discord_objects import lease_in


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


async def test_a_first_connection_that_fails_is_not_tried_again_within_the_try(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = Health("bot", SystemClock())
    memory = MemoryManager(database, MemoryOptions(), SystemClock(), health)
    client = InnkeeperClient(BotOptions(), memory, health, SystemClock(), lease_in(database))
    dials = AsyncMock(side_effect=ConnectionRefusedError)
    monkeypatch.setattr(DiscordWebSocket, "from_client", dials)
    monkeypatch.setattr(asyncio, "sleep", AsyncMock())  # discord.py pauses before it would try again
    with pytest.raises(GatewayAwayError):
        await client.launch_shard(URL("wss://gateway.discord.gg/"), 0, initial=True)
    assert dials.call_count == 1
