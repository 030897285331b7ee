"""Shards: each guild lives on one, by its id; direct messages come on the first."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

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
