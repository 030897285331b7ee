"""Changes to a guild's rooms, roles and people reach the client, and its cache agrees afterwards."""

from __future__ import annotations

import discord

from tests.local_guild.people import Person
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness, eventually


async def test_channels_come_change_and_go(scene: Scene, witness: Witness) -> None:
    created = await scene.manager.call(
        "POST", f"/guilds/{scene.guild_id}/channels", {"name": "attic", "type": 0, "topic": "old things"}
    )
    attic = int(created["id"])
    (channel,) = await witness.saw("guild_channel_create")
    assert (channel.id, channel.name, channel.topic) == (attic, "attic", "old things")

    await scene.manager.call("PATCH", f"/channels/{attic}", {"name": "loft", "nsfw": True})
    before, after = await witness.saw("guild_channel_update")
    assert (before.name, after.name, after.nsfw) == ("attic", "loft", True)

    await scene.manager.call("DELETE", f"/channels/{attic}")
    (gone,) = await witness.saw("guild_channel_delete")
    assert gone.id == attic
    assert witness.get_channel(attic) is None


async def test_a_category_holds_channels(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_channels=True)
    guild = scene.guild(witness)
    category = await guild.create_category("Upstairs")
    room = await guild.create_text_channel("landing", category=category)
    assert room.category_id == category.id
    await eventually(lambda: [c.id for c in category.channels] == [room.id], "the category to list its room")


async def test_closing_a_channel_to_everyone(scene: Scene, witness: Witness) -> None:
    path = f"/channels/{scene.garden}/permissions/{scene.guild_id}"
    view = discord.Permissions(view_channel=True).value
    await scene.manager.call("PUT", path, {"type": 0, "allow": "0", "deny": str(view)})
    _, after = await witness.saw("guild_channel_update")
    guest = scene.member(witness, scene.guest)
    assert not after.permissions_for(guest).view_channel
    refused = await scene.guest.refusal("GET", f"/channels/{scene.garden}/messages")
    assert refused.code == 50001
    await scene.manager.call("DELETE", path)
    await eventually(lambda: witness.count("guild_channel_update") == 2, "the overwrite to go")
    assert scene.channel(witness, scene.garden).permissions_for(guest).view_channel


async def test_the_bot_sets_overwrites_through_discord_py(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_channels=True, manage_roles=True)
    garden, guest = scene.channel(witness, scene.garden), scene.member(witness, scene.guest)
    await garden.set_permissions(guest, send_messages=False, add_reactions=True)
    await witness.saw("guild_channel_update")
    overwrite = scene.channel(witness, scene.garden).overwrites_for(guest)
    assert (overwrite.send_messages, overwrite.add_reactions, overwrite.view_channel) == (False, True, None)
    assert (await scene.guest.refusal("POST", f"/channels/{scene.garden}/messages", {"content": "x"})).code == 50013
    await garden.set_permissions(guest, overwrite=None)
    await eventually(lambda: scene.channel(witness, scene.garden).overwrites_for(guest).is_empty())
    await scene.guest.say(scene.garden, "thank you")


async def test_roles_come_change_and_go(scene: Scene, witness: Witness) -> None:
    path = f"/guilds/{scene.guild_id}/roles"
    created = await scene.manager.call("POST", path, {"name": "Cook", "permissions": "8192", "color": 255})
    role_id = int(created["id"])
    (role,) = await witness.saw("guild_role_create")
    assert (role.id, role.name, role.colour.value) == (role_id, "Cook", 255)
    assert role.permissions.manage_messages

    await scene.manager.call("PATCH", f"{path}/{role_id}", {"name": "Chef", "permissions": "0"})
    before, after = await witness.saw("guild_role_update")
    assert (before.name, after.name, after.permissions.value) == ("Cook", "Chef", 0)

    await scene.manager.call("DELETE", f"{path}/{role_id}")
    (gone,) = await witness.saw("guild_role_delete")
    assert gone.id == role_id
    assert scene.guild(witness).get_role(role_id) is None


async def test_members_are_given_roles_and_nicknames(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_roles=True, manage_nicknames=True)
    role = await scene.guild(witness).create_role(name="Regular")
    guest = scene.member(witness, scene.guest)
    await guest.add_roles(role)
    before, after = await witness.saw("member_update", lambda _, member: member.id == scene.guest.id)
    assert role not in before.roles
    assert role in after.roles
    await guest.edit(nick="The Early One")
    _, renamed = await witness.saw("member_update", lambda _, member: member.nick is not None)
    assert renamed.display_name == "The Early One"
    await guest.remove_roles(role)
    await eventually(lambda: role not in scene.member(witness, scene.guest).roles, "the role to be taken")


async def test_deleting_a_role_takes_it_from_its_members(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_roles=True)
    role = await scene.guild(witness).create_role(name="Passing")
    await scene.member(witness, scene.guest).add_roles(role)
    await role.delete()
    await witness.saw("guild_role_delete")
    fetched = await scene.guild(witness).fetch_member(scene.guest.id)
    assert role.id not in [kept.id for kept in fetched.roles]


async def test_a_kicked_member_is_gone(scene: Scene, witness: Witness) -> None:
    await scene.manager.call("DELETE", f"/guilds/{scene.guild_id}/members/{scene.stranger.id}")
    (raw,) = await witness.saw("raw_member_remove")
    assert raw.user.id == scene.stranger.id
    (member,) = await witness.saw("member_remove")
    assert member.id == scene.stranger.id
    assert scene.guild(witness).get_member(scene.stranger.id) is None
    refused = await scene.stranger.refusal("GET", f"/channels/{scene.hall}/messages")
    assert refused.code == 50001


async def test_somebody_new_joins(local_guild: Served, scene: Scene, witness: Witness) -> None:
    joined = await local_guild.http.post(f"/local/guilds/{scene.guild_id}/members", json={"name": "newcomer"})
    (member,) = await witness.saw("member_join")
    assert (member.id, member.name) == (int(joined.json()["id"]), "newcomer")
    newcomer = Person(local_guild.http, member.id, member.name, joined.json()["token"])
    await newcomer.say(scene.hall, "Hello!")
    assert (await witness.heard("Hello!")).author == member
    await local_guild.http.delete(f"/local/guilds/{scene.guild_id}/members/{member.id}")
    (left,) = await witness.saw("member_remove")
    assert left.id == member.id


async def test_an_outage_is_not_a_leave(local_guild: Served, scene: Scene, witness: Witness) -> None:
    outage = f"/local/guilds/{scene.guild_id}/outage"
    await local_guild.http.post(outage)
    (gone,) = await witness.saw("guild_unavailable")
    assert gone.id == scene.guild_id
    assert not witness.count("guild_remove")
    assert scene.guild(witness).unavailable
    await local_guild.http.delete(outage)
    (back,) = await witness.saw("guild_available")
    assert back.id == scene.guild_id
    assert len(back.members) == len(scene.world["guilds"][0]["members"]) + 1
    await scene.guest.say(scene.hall, "lights are on again")
    await witness.heard("lights are on again")


async def test_being_removed_is_a_leave_and_being_added_a_join(
    local_guild: Served, scene: Scene, witness: Witness
) -> None:
    await local_guild.http.delete(f"/local/guilds/{scene.guild_id}/members/{scene.bot.id}")
    (left,) = await witness.saw("guild_remove")
    assert left.id == scene.guild_id
    await scene.guest.say(scene.hall, "unheard")
    await local_guild.http.post(f"/local/guilds/{scene.guild_id}/members", json={"user_id": scene.bot.id})
    (joined,) = await witness.saw("guild_join")
    assert joined.id == scene.guild_id
    await scene.guest.say(scene.hall, "heard again")
    await witness.heard("heard again")
    assert "unheard" not in [message.content for message in witness.all("message")]


async def test_what_the_bot_may_not_view_it_does_not_hear(scene: Scene, witness: Witness) -> None:
    view = str(discord.Permissions(view_channel=True).value)
    path = f"/channels/{scene.garden}/permissions/{scene.bot.id}"
    await scene.manager.call("PUT", path, {"type": 1, "allow": "0", "deny": view})
    posted = await scene.guest.say(scene.garden, "between ourselves")
    await scene.guest.react(scene.garden, posted["id"], "🤫")
    await scene.guest.call("POST", f"/channels/{scene.garden}/typing")
    await scene.guest.edit(scene.garden, posted["id"], "still between ourselves")
    await scene.guest.delete(scene.garden, posted["id"])
    await scene.guest.say(scene.hall, "for all")
    await witness.heard("for all")
    heard = {event for event, _ in witness.seen}
    assert not heard & {"raw_reaction_add", "raw_typing", "raw_message_edit", "raw_message_delete"}
    assert [message.content for message in witness.all("message")] == ["for all"]
    await scene.manager.call("DELETE", path)
    await scene.guest.say(scene.garden, "come in")
    await witness.heard("come in")
