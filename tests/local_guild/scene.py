"""The default world as a test sees it: its rooms, its people, its bot, and clients that watch it."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol

import discord
import httpx
import pytest

from tests.local_guild.people import Body, Person, RefusedError
from tests.local_guild.running import Connect, Served
from tests.local_guild.witness import Witness, eventually


@dataclass(frozen=True, slots=True)
class Scene:
    """Ids of rooms, and people to act with. The cellar is private: guest and stranger stay outside."""

    world: Body
    guild_id: int
    hall: int
    garden: int
    cellar: int
    manager: Person
    insider: Person
    guest: Person
    stranger: Person
    bot: Person

    def channel(self, witness: Witness, channel_id: int | None = None) -> discord.TextChannel:
        """The client's own view of a channel; the hall, unless another is named."""
        channel = witness.get_channel(channel_id or self.hall)
        assert isinstance(channel, discord.TextChannel)
        return channel

    def guild(self, witness: Witness) -> discord.Guild:
        guild = witness.get_guild(self.guild_id)
        assert guild is not None
        return guild

    def member(self, witness: Witness, person: Person) -> discord.Member:
        member = self.guild(witness).get_member(person.id)
        assert member is not None
        return member

    async def grant(self, **permissions: bool) -> None:
        """Give the bot a role with these permissions, which its invite did not ask for."""
        bits = str(discord.Permissions(**permissions).value)
        path = f"/guilds/{self.guild_id}"
        role = await self.manager.call("POST", f"{path}/roles", {"name": "Steward", "permissions": bits})
        await self.manager.call("PUT", f"{path}/members/{self.bot.id}/roles/{role['id']}")


async def _manages(person: Person) -> bool:
    (guild,) = await person.call("GET", "/users/@me/guilds")
    return discord.Permissions(int(guild["permissions"])).manage_guild


async def _may_enter(person: Person, channel_id: int) -> bool:
    try:
        await person.history(channel_id, limit=1)
    except RefusedError:
        return False
    return True


@pytest.fixture
def http_to(local_guild: Served) -> httpx.AsyncClient:
    """A plain HTTP client whose paths start at the local guild's root."""
    local_guild.http.base_url = httpx.URL(local_guild.address.url)
    return local_guild.http


@pytest.fixture
async def scene(http_to: httpx.AsyncClient) -> Scene:
    """Who and what there is, found out as any HTTP client would."""
    world = (await http_to.get("/local/world")).json()
    (told,) = world["guilds"]
    rooms = [channel for channel in told["channels"] if channel["type"] == discord.ChannelType.text.value]
    hall, garden = (int(room["id"]) for room in rooms if not room["private"])
    (cellar,) = (int(room["id"]) for room in rooms if room["private"])
    people = [Person(http_to, int(who["id"]), who["name"], who["token"]) for who in told["members"]]
    (manager,) = [person for person in people if await _manages(person)]
    others = [person for person in people if person is not manager]
    (insider,) = [person for person in others if await _may_enter(person, cellar)]
    guest, stranger = (person for person in others if person is not insider)
    bot = Person(http_to, int(world["bot"]["id"]), world["bot"]["name"], f"Bot {world['bot']['token']}")
    return Scene(world, int(told["id"]), hall, garden, cellar, manager, insider, guest, stranger, bot)


class Meet(Protocol):
    """Connects a watching client as the bot."""

    def __call__(
        self, intents: discord.Intents | None = None, *, chunk_guilds_at_startup: bool = True
    ) -> Awaitable[Witness]: ...


@pytest.fixture
def meet(connect: Connect) -> Meet:
    async def met(intents: discord.Intents | None = None, *, chunk_guilds_at_startup: bool = True) -> Witness:
        client = Witness(intents=intents, chunk_guilds_at_startup=chunk_guilds_at_startup)
        await connect(client)
        await eventually(lambda: not any(guild.unavailable for guild in client.guilds), "the guilds to come")
        return client

    return met


@pytest.fixture
async def witness(meet: Meet) -> Witness:
    """A client with every intent, connected and ready."""
    return await meet()
