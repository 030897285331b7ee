"""What the REST API tells of the application, its guilds, rooms, people and direct messages."""

from __future__ import annotations

import discord
import pytest

from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness


async def test_the_gateway_is_on_this_machine(scene: Scene, witness: Witness) -> None:
    shards, url, limit = await witness.http.get_bot_gateway()
    assert shards == 1
    assert url.startswith("ws://127.0.0.1:")
    assert limit["total"] >= limit["remaining"] > 0
    assert limit["max_concurrency"] >= 1


async def test_the_bot_knows_itself_and_its_application(scene: Scene, witness: Witness) -> None:
    assert witness.user is not None
    assert (witness.user.id, witness.user.name, witness.user.bot) == (scene.bot.id, scene.bot.name, True)
    info = await witness.application_info()
    assert witness.application_id == info.id
    assert info.flags.gateway_message_content or info.flags.gateway_message_content_limited
    assert info.flags.gateway_guild_members or info.flags.gateway_guild_members_limited
    assert info.interactions_endpoint_url is None


async def test_a_member_asks_who_they_are_and_where(scene: Scene) -> None:
    me = await scene.guest.call("GET", "/users/@me")
    assert (int(me["id"]), me["username"]) == (scene.guest.id, scene.guest.name)
    (guild,) = await scene.guest.call("GET", "/users/@me/guilds")
    assert int(guild["id"]) == scene.guild_id
    assert guild["owner"] is False
    assert discord.Permissions(int(guild["permissions"])).view_channel
    managed = (await scene.manager.call("GET", "/users/@me/guilds"))[0]
    assert discord.Permissions(int(managed["permissions"])).manage_guild


async def test_the_bot_lists_its_guilds(scene: Scene, witness: Witness) -> None:
    listed = [guild async for guild in witness.fetch_guilds(with_counts=True)]
    assert [guild.id for guild in listed] == [scene.guild_id]
    assert listed[0].approximate_member_count == len(scene.world["guilds"][0]["members"]) + 1
    fetched = await witness.fetch_guild(scene.guild_id)
    assert fetched.name == scene.world["guilds"][0]["name"]
    assert {role.id for role in fetched.roles} >= {scene.guild_id}


async def test_channels_are_fetched_alike_from_guild_and_by_id(scene: Scene, witness: Witness) -> None:
    guild = scene.guild(witness)
    fetched = {channel.id: channel for channel in await guild.fetch_channels()}
    assert set(fetched) == {channel.id for channel in guild.channels}
    hall = await witness.fetch_channel(scene.hall)
    assert isinstance(hall, discord.TextChannel)
    assert hall.name == fetched[scene.hall].name == scene.channel(witness).name
    assert hall.overwrites == scene.channel(witness).overwrites


async def test_members_are_listed_in_pages_by_id(scene: Scene, witness: Witness) -> None:
    everybody = sorted([scene.bot.id, *(int(member["id"]) for member in scene.world["guilds"][0]["members"])])
    path = f"/guilds/{scene.guild_id}/members"
    first = await scene.bot.call("GET", path, limit=2)
    assert [int(member["user"]["id"]) for member in first] == everybody[:2]
    rest = await scene.bot.call("GET", path, limit=1000, after=everybody[1])
    assert [int(member["user"]["id"]) for member in rest] == everybody[2:]
    assert sorted([member.id async for member in scene.guild(witness).fetch_members(limit=None)]) == everybody
    guest = await scene.guild(witness).fetch_member(scene.guest.id)
    assert (guest.id, guest.name) == (scene.guest.id, scene.guest.name)
    assert guest.joined_at is not None


async def test_roles_are_fetched(scene: Scene, witness: Witness) -> None:
    roles = await scene.guild(witness).fetch_roles()
    assert {role.id for role in roles} == {role.id for role in scene.guild(witness).roles}
    assert (await scene.guild(witness).fetch_role(scene.guild_id)).is_default()


async def test_a_user_is_fetched_by_id(scene: Scene, witness: Witness) -> None:
    user = await witness.fetch_user(scene.stranger.id)
    assert user.name == scene.stranger.name
    with pytest.raises(discord.NotFound) as unknown:
        await witness.fetch_user(scene.stranger.id + 1)
    assert unknown.value.code == 10013


async def test_direct_messages_both_ways(scene: Scene, witness: Witness) -> None:
    opened = await scene.guest.call("POST", "/users/@me/channels", {"recipient_id": str(scene.bot.id)})
    assert opened["type"] == discord.ChannelType.private.value
    await scene.guest.say(int(opened["id"]), "psst")
    message = await witness.heard("psst")
    assert message.guild is None
    assert isinstance(message.channel, discord.DMChannel)
    assert message.author.id == scene.guest.id
    sent = await message.channel.send("yes?")
    assert [said["content"] for said in await scene.guest.history(int(opened["id"]))] == ["yes?", "psst"]
    assert sent.channel.id == int(opened["id"])
    # The same two people always meet in the same channel, whoever opens it.
    user = await witness.fetch_user(scene.guest.id)
    assert (await user.create_dm()).id == int(opened["id"])
    assert (await scene.stranger.refusal("GET", f"/channels/{opened['id']}/messages")).code == 50001


async def test_the_bot_writes_first(scene: Scene, witness: Witness) -> None:
    sent = await scene.member(witness, scene.stranger).send("Your table is ready.")
    assert isinstance(sent.channel, discord.DMChannel)
    (latest,) = await scene.stranger.history(sent.channel.id, limit=1)
    assert latest["content"] == "Your table is ready."


async def test_the_bot_leaves(scene: Scene, witness: Witness) -> None:
    await scene.guild(witness).leave()
    (left,) = await witness.saw("guild_remove")
    assert left.id == scene.guild_id
    assert list(witness.guilds) == []
    assert [guild async for guild in witness.fetch_guilds()] == []
