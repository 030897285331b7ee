"""What a client did not ask for it does not get: content, member events, member lists."""

from __future__ import annotations

import discord
import pytest

from tests.local_guild.running import Served
from tests.local_guild.scene import Meet, Scene
from tests.local_guild.witness import eventually


def intents(**without: bool) -> discord.Intents:
    chosen = discord.Intents.all()
    for name, value in without.items():
        setattr(chosen, name, value)
    return chosen


async def test_without_message_content_only_mentions_dms_and_own_are_readable(scene: Scene, meet: Meet) -> None:
    witness = await meet(intents(message_content=False))
    for_the_bot, private = f"<@{scene.bot.id}> are you there?", "between us"
    embed = {"title": "a preview"}
    await scene.guest.say(scene.hall, "nothing for the bot", embeds=[embed])
    await scene.guest.say(scene.hall, for_the_bot)
    opened = await scene.guest.call("POST", "/users/@me/channels", {"recipient_id": str(scene.bot.id)})
    await scene.guest.say(int(opened["id"]), private)
    await scene.channel(witness).send("my own words")
    await eventually(lambda: witness.count("message") == 4, "four messages")
    first, *others = witness.all("message")
    assert (first.content, first.embeds, first.attachments, first.components) == ("", [], [], [])
    assert [message.content for message in others] == [for_the_bot, private, "my own words"]
    edited = await scene.guest.edit(scene.hall, first.id, "still nothing")
    (raw,) = await witness.saw("raw_message_edit")
    assert (raw.message_id, raw.data["content"]) == (int(edited["id"]), "")


async def test_over_rest_the_applications_setting_counts(local_guild: Served, scene: Scene, meet: Meet) -> None:
    witness = await meet(intents(message_content=False))
    await scene.guest.say(scene.hall, "plain words")
    await scene.guest.say(scene.hall, f"for <@{scene.bot.id}>")
    channel = scene.channel(witness)
    # A session may go without content; what counts here is whether the application may have it.
    assert [message.content async for message in channel.history()] == [f"for <@{scene.bot.id}>", "plain words"]
    await local_guild.server.control.allow_privileged_intents(False)
    assert [message.content async for message in channel.history()] == [f"for <@{scene.bot.id}>", ""]
    assert (await scene.guest.history(scene.hall))[-1]["content"] == "plain words"


async def test_without_members_there_are_no_member_events_and_no_list(scene: Scene, meet: Meet) -> None:
    witness = await meet(intents(members=False, presences=False), chunk_guilds_at_startup=False)
    guild = scene.guild(witness)
    assert [member.id for member in guild.members] == [scene.bot.id]
    assert guild.member_count == len(scene.world["guilds"][0]["members"]) + 1
    await scene.manager.call("PATCH", f"/guilds/{scene.guild_id}/members/{scene.guest.id}", {"nick": "Somebody"})
    await scene.manager.call("DELETE", f"/guilds/{scene.guild_id}/members/{scene.stranger.id}")
    await scene.guest.say(scene.hall, "last event")
    await witness.heard("last event")
    happened = {event for event, _ in witness.seen}
    assert not happened & {"member_update", "raw_member_remove", "member_remove", "member_join"}
    with pytest.raises(discord.ClientException, match=r"Intents\.members"):
        await guild.chunk()
    # Single members may still be asked for.
    (guest,) = await guild.query_members(user_ids=[scene.guest.id])
    assert guest.nick == "Somebody"


@pytest.mark.parametrize(
    ("intent", "event"),
    [
        ("guild_messages", "message"),
        ("guild_reactions", "raw_reaction_add"),
        ("guild_typing", "raw_typing"),
    ],
)
async def test_each_kind_of_event_needs_its_intent(scene: Scene, meet: Meet, intent: str, event: str) -> None:
    witness = await meet(intents(**{intent: False}))
    posted = await scene.guest.say(scene.hall, "hello")
    await scene.guest.react(scene.hall, posted["id"], "👋")
    await scene.guest.call("POST", f"/channels/{scene.hall}/typing")
    # Roles are told to everybody who asked for guilds, and come after the above.
    await scene.manager.call("POST", f"/guilds/{scene.guild_id}/roles", {"name": "marker"})
    await witness.saw("guild_role_create")
    happened = {name for name, _ in witness.seen}
    everything = {"message", "raw_reaction_add", "raw_typing"}
    assert happened & everything == everything - {event}


async def test_without_direct_messages_nothing_is_whispered(scene: Scene, meet: Meet) -> None:
    witness = await meet(intents(dm_messages=False))
    opened = await scene.guest.call("POST", "/users/@me/channels", {"recipient_id": str(scene.bot.id)})
    await scene.guest.say(int(opened["id"]), "psst")
    await scene.guest.say(scene.hall, "aloud")
    await witness.heard("aloud")
    assert [message.content for message in witness.all("message")] == ["aloud"]
