"""How often sockets are opened. What is opened here is nothing; only the times matter."""

import asyncio
import logging
from itertools import pairwise
from unittest.mock import AsyncMock

import discord
import pytest
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.shard import Shard
from yarl import URL

from bot import run
from bot.shards import PatientClient, log_connections_briefly
from launch.logs import LineFormatter
from memory.core.clock import SystemClock
from memory.health import Health, PartState
from tests.virtual_time import in_virtual_time, now

TRIES = 1_500
"""More than Python has frames for."""


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


def test_a_gateway_that_cannot_be_reached_at_the_start_is_tried_for_ever_with_a_short_line_a_try(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = Health("bot", SystemClock())
    tried_at: list[float] = []

    async def connect() -> None:
        client = PatientClient(health.part("gateway"), intents=discord.Intents.none())

        async def ws_connect(_url: str, *, compress: int = 0) -> None:
            tried_at.append(now())
            if len(tried_at) == TRIES:
                raise asyncio.CancelledError  # as when it is told to stop
            raise ConnectionRefusedError

        monkeypatch.setattr(client.http, "ws_connect", ws_connect)
        await client.launch_shard(URL("wss://gateway.discord.gg/"), 0, initial=True)

    log_connections_briefly()
    with pytest.raises(asyncio.CancelledError), caplog.at_level(logging.INFO):
        in_virtual_time(connect())
    lines = [LineFormatter(as_json=False).format(record) for record in caplog.records]
    shown = [line for line in lines if "shard_id: 0. Retrying... (ConnectionRefusedError)" in line]
    assert (len(tried_at), len(shown)) == (TRIES, TRIES - 1)
    assert max(map(len, lines)) < 300
    pauses = [later - earlier for earlier, later in pairwise(tried_at)]
    assert pauses[0] == pytest.approx(5)
    assert max(pauses) == pytest.approx(30)
    gateway = health.part("gateway").snapshot()
    assert (gateway.state, "gateway cannot be reached (ConnectionRefusedError)" in gateway.issues[0]) == (
        PartState.FAILING,
        True,
    )
