"""Shards: each guild lives on one, by its id; direct messages come on the first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import discord
import pytest

from local_guild.state.ids import Clock
from tests.local_guild.generate import WorldPlan, generate
from tests.local_guild.people import Person
from tests.local_guild.running import Served, point_discord_at, served
from tests.local_guild.witness import Witness, eventually

SHARDS = 2


@pytest.fixture
async def many_guilds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    """Guilds made at different moments, until there are some on each of the shards."""
    clock = Clock()
    world = generate(WorldPlan(guilds=1, members=2, seed=1), clock)
    async with served(tmp_path, world=world) as running:
        for number in count():
            text = {
                "name": f"Inn of {number}",
                "owner": f"keeper-{number}",
                "members": [{"name": f"keeper-{number}"}],
                "channels": [{"name": "hall"}],
            }
            (await running.http.post("/local/world", json={"guilds": [text]})).raise_for_status()
            shards = Counter((id_ >> 22) % SHARDS for id_ in world.guilds)
            if len(shards) == SHARDS and shards.total() > 5:
                break
        point_discord_at(running.address, monkeypatch)
        yield running


class Sharded(discord.AutoShardedClient):
    """Two shards in one client, each guild's messages with the shard they came by."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.all(), shard_count=SHARDS, guild_ready_timeout=0.05)
        self.heard: list[tuple[int, str]] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """No waiting between two IDENTIFYs."""

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append((message.guild.shard_id if message.guild else -1, message.content))


async def test_an_auto_sharded_client_gets_every_guild_once(many_guilds: Served) -> None:
    client = Sharded()
    running = asyncio.create_task(client.start(many_guilds.server.world.bot.token))
    await eventually(client.is_ready, "both shards")
    ids = set(many_guilds.server.world.guilds)
    assert {guild.id for guild in client.guilds} == ids
    assert {guild.id: guild.shard_id for guild in client.guilds} == {id_: (id_ >> 22) % SHARDS for id_ in ids}
    for guild in many_guilds.server.world.guilds.values():
        owner = many_guilds.server.world.users[guild.owner_id]
        channel = next(many_guilds.server.world.channels_of(guild.id))
        person = Person(many_guilds.http, owner.id, owner.name, owner.token)
        await person.say(channel.id, str(guild.id))
    await eventually(lambda: len(client.heard) == len(ids), "a message of each guild")
    assert sorted(client.heard) == sorted(((id_ >> 22) % SHARDS, str(id_)) for id_ in ids)
    assert {shard: info.is_closed() for shard, info in client.shards.items()} == {0: False, 1: False}
    await client.close()
    await asyncio.gather(running, return_exceptions=True)


async def test_direct_messages_come_on_the_first_shard(many_guilds: Served) -> None:
    world = many_guilds.server.world
    clients = [Witness(shard_id=shard, shard_count=SHARDS) for shard in range(SHARDS)]
    running = [asyncio.create_task(client.start(world.bot.token)) for client in clients]
    await eventually(lambda: all(client.is_ready() for client in clients), "both clients")
    for shard, client in enumerate(clients):
        assert {guild.id for guild in client.guilds} == {id_ for id_ in world.guilds if (id_ >> 22) % SHARDS == shard}
    guild = next(guild for guild in world.guilds.values() if (guild.id >> 22) % SHARDS == 1)
    owner = world.users[guild.owner_id]
    person = Person(many_guilds.http, owner.id, owner.name, owner.token)
    opened = await person.call("POST", "/users/@me/channels", {"recipient_id": str(world.bot.id)})
    await person.say(int(opened["id"]), "psst")
    await person.say(next(world.channels_of(guild.id)).id, "aloud")
    await clients[0].heard("psst")
    await clients[1].heard("aloud")
    assert [message.content for client in clients for message in client.all("message")] == ["psst", "aloud"]
    for client in clients:
        await client.close()
    await asyncio.gather(*running, return_exceptions=True)
