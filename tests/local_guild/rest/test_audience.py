"""Who sees what: in any guild the server agrees with discord.py's own `permissions_for`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import discord
from hypothesis import given, settings

from local_guild.actions.posting import Draft
from local_guild.payloads.objects import Payloads
from local_guild.state.permissions import Access, Permission
from local_guild.state.world import User, World
from tests.local_guild.running import Served, served
from tests.local_guild.wire import IDENTIFY, identity_of, open_wire
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


async def history_answer(running: Served, user: User, channel_id: int) -> tuple[int, int, int]:
    """Status, error code and number of messages."""
    answer = await running.call("GET", f"/channels/{channel_id}/messages", by=user)
    body = answer.json()
    return (200, 0, len(body)) if answer.is_success else (answer.status_code, body["code"], 0)


async def heard_by(running: Served, user: User, say: Callable[[], object]) -> Counter[int]:
    """In which channels this user's gateway socket hears a message, while they are said."""
    async with open_wire(f"{running.address.gateway_url}?v=10&encoding=json") as wire:
        await wire.send(IDENTIFY, identity_of(user.token))
        await wire.event("READY")
        say()
        events = await wire.events_so_far()
    return Counter(int(event["d"]["channel_id"]) for event in events if event["t"] == "MESSAGE_CREATE")


@settings(max_examples=max(8, settings().max_examples // 8), deadline=None)
@given(world=worlds())
async def test_over_the_wire_people_hear_and_read_what_they_may(world: World) -> None:
    guild = as_discord_py_sees_it(world)
    rooms = rooms_of(guild)
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        running = await stack.enter_async_context(served(Path(folder), world=world))

        def speak_everywhere() -> None:
            for channel in [world.channels[room.id] for room in rooms]:
                # Somebody who sits there already: a new face would change who does.
                author_id = guild.owner_id if channel.thread is None else channel.thread.owner_id
                running.server.posting.send(Draft(channel=channel, author_id=author_id or 0, content="hear, hear"))

        for number, person in enumerate(guild.members, start=1):
            user = world.users[person.id]
            may = {room.id: discord.Permissions(expected_permissions(world, room, person)) for room in rooms}
            assert await heard_by(running, user, speak_everywhere) == Counter(
                room_id for room_id, permissions in may.items() if permissions.view_channel
            )
            for room_id, permissions in may.items():
                readable = number if permissions.read_message_history else 0
                expected = (200, 0, readable) if permissions.view_channel else (403, 50001, 0)
                assert await history_answer(running, user, room_id) == expected
