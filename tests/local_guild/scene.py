"""The default world as a test sees it: its rooms, its people, its bot, and clients that watch it."""

from __future__ import annotations

from dataclasses import dataclass

import discord
import httpx
import pytest

from tests.local_guild.people import Body, Person, RefusedError
from tests.local_guild.running import Served


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
