"""Who sees what: in any guild the server agrees with discord.py's own `permissions_for`."""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import discord
from hypothesis import given

from local_guild.payloads.objects import Payloads
from local_guild.state.permissions import Access, Permission
from local_guild.state.world import World
from tests.local_guild.worlds import worlds

# What can matter in a text channel: neither the guild's own affairs nor voice.
IN_A_CHANNEL = discord.Permissions.all_channel().value & sum(Permission) & ~discord.Permissions.voice().value

Room: TypeAlias = discord.TextChannel | discord.Thread

CLIENT = discord.Client(intents=discord.Intents.all())


def as_discord_py_sees_it(world: World) -> discord.Guild:
    """The world's guild, built by discord.py from what the server would send to its owner."""
    (guild,) = world.guilds.values()
    payload = Payloads(world, Access(world)).guild_create(guild, guild.owner_id, all_members=True, listening=True)
    return discord.Guild(data=payload, state=CLIENT._connection)  # type: ignore[arg-type]  # an untyped payload


def rooms_of(guild: discord.Guild) -> list[Room]:
    return [*guild.text_channels, *guild.threads]


def expected_in_thread(world: World, thread: discord.Thread, person: discord.Member) -> int:
    """discord.py does not know who sits in a private thread; Discord lets in those, and who manages threads."""
    theirs = thread.permissions_for(person)
    seated = world.channels[thread.id].thread
    assert seated is not None
    if not theirs.view_channel:
        return 0
    if thread.is_private() and person.id not in seated.member_since and not theirs.manage_threads:
        return 0
    theirs.send_messages = theirs.send_messages_in_threads
    return theirs.value & IN_A_CHANNEL


def expected_permissions(world: World, room: Room, person: discord.Member) -> int:
    if isinstance(room, discord.Thread):
        return expected_in_thread(world, room, person)
    return room.permissions_for(person).value & IN_A_CHANNEL


@given(worlds())
def test_permissions_are_those_discord_py_computes(world: World) -> None:
    guild, access = as_discord_py_sees_it(world), Access(world)
    assert len(guild.members) == len(world.members(guild.id))
    assert len(guild.channels) + len(guild.threads) == len(world.channels)
    for room, person in product(rooms_of(guild), guild.members):
        expected = expected_permissions(world, room, person)
        ours = access.in_channel(world.channels[room.id], person.id) & IN_A_CHANNEL
        assert discord.Permissions(ours) == discord.Permissions(expected), (room.name, person.name)
    known = sum(Permission)
    for person in guild.members:
        ours = access.in_guild(world.guilds[guild.id], person.id)
        assert ours & known == person.guild_permissions.value & known
    for channel in guild.channels:
        viewers = {person.id for person in guild.members if channel.permissions_for(person).view_channel}
        assert access.viewers(world.channels[channel.id]) == viewers
