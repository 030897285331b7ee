"""Connecting, on the bare wire: HELLO, heartbeats, IDENTIFY and its refusals."""

from __future__ import annotations

import asyncio
import zlib

import aiohttp
import discord
import orjson
import pytest

from local_guild.gateway.socket import ACK_SECONDS
from tests.local_guild.people import Body
from tests.local_guild.running import Served
from tests.local_guild.scene import Meet, Scene
from tests.local_guild.wire import (
    ACK,
    HEARTBEAT,
    HELLO,
    IDENTIFY,
    INVALID_SESSION,
    REQUEST_MEMBERS,
    RESUME,
    dial,
    gateway_url,
    identity,
)
from tests.local_guild.witness import Witness


async def test_hello_heartbeat_and_ready_on_the_bare_wire(scene: Scene) -> None:
    async with dial(scene) as wire:
        hello = await wire.next()
        assert hello["op"] == HELLO
        assert 1000 <= hello["d"]["heartbeat_interval"] <= 60_000
        await wire.send(HEARTBEAT, None)
        assert (await wire.next())["op"] == ACK
        await wire.send(IDENTIFY, identity(scene))
        ready = await wire.next()
        assert (ready["t"], ready["s"], ready["op"]) == ("READY", 1, 0)
        assert ready["d"]["v"] == 10
        assert ready["d"]["resume_gateway_url"].startswith("ws://127.0.0.1:")
        assert ready["d"]["guilds"] == [{"id": str(scene.guild_id), "unavailable": True}]
        guild = await wire.next()
        assert (guild["t"], guild["s"]) == ("GUILD_CREATE", 2)


async def test_zlib_stream_is_one_stream_per_socket(scene: Scene) -> None:
    async with aiohttp.ClientSession() as http:
        url = f"{await gateway_url(scene)}&compress=zlib-stream"
        async with http.ws_connect(url) as socket:
            inflate = zlib.decompressobj()
            for _ in range(3):
                data = await socket.receive_bytes(timeout=10)
                assert data.endswith(b"\x00\x00\xff\xff")
                assert orjson.loads(inflate.decompress(data))["op"] in (HELLO, ACK)
                await socket.send_json({"op": HEARTBEAT, "d": None})


async def test_a_heartbeat_is_answered_as_late_as_over_a_network(scene: Scene) -> None:
    """discord.py takes an answer that comes before it noted its question for one that is a whole interval late."""
    async with dial(scene) as wire:
        await wire.next()
        before = asyncio.get_running_loop().time()
        await wire.send(HEARTBEAT, None)
        assert (await wire.next())["op"] == ACK
        assert asyncio.get_running_loop().time() - before >= ACK_SECONDS


CLOSE_CODES: list[tuple[int, Body, int]] = [
    (IDENTIFY, {"token": "nonsense"}, 4004),
    (IDENTIFY, {"intents": 1 << 60}, 4013),
    (IDENTIFY, {"shard": [2, 2]}, 4010),
    (REQUEST_MEMBERS, {}, 4003),
    (99, {}, 4001),
]


async def test_close_codes(scene: Scene) -> None:
    for op, fields, code in CLOSE_CODES:
        async with dial(scene) as wire:
            await wire.send(op, identity(scene, **fields) | {"guild_id": str(scene.guild_id), "query": "", "limit": 0})
            assert await wire.closed_with() == code


async def test_nonsense_on_the_wire_closes_with_4002(scene: Scene) -> None:
    async with dial(scene) as wire:
        await wire.socket.send_str("{not json")
        assert await wire.closed_with() == 4002


async def test_identifying_twice_closes_with_4005(scene: Scene) -> None:
    async with dial(scene) as wire:
        await wire.send(IDENTIFY, identity(scene))
        await wire.send(IDENTIFY, identity(scene))
        assert await wire.closed_with() == 4005


async def test_an_unknown_session_is_invalid(scene: Scene) -> None:
    async with dial(scene) as wire:
        await wire.next()
        token = scene.bot.token.removeprefix("Bot ")
        await wire.send(RESUME, {"token": token, "session_id": "0" * 32, "seq": 5})
        answer = await wire.next()
        assert (answer["op"], answer["d"]) == (INVALID_SESSION, False)


@pytest.mark.usefixtures("connect")
async def test_a_wrong_token_is_a_login_failure() -> None:
    async with Witness() as client:
        with pytest.raises(discord.LoginFailure):
            await client.start("nonsense")


async def test_intents_that_are_not_enabled_are_refused(local_guild: Served, scene: Scene, meet: Meet) -> None:
    local_guild.server.world.facts.privileged_intents = False
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await meet()
    witness = await meet(discord.Intents.default(), chunk_guilds_at_startup=False)
    assert [guild.id for guild in witness.guilds] == [scene.guild_id]
