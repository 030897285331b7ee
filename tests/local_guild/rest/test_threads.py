"""Threads: public and private, their members, archiving, and who gets to know of them."""

from __future__ import annotations

import discord
import pytest

from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness, eventually

PUBLIC, PRIVATE = 11, 12


async def test_a_thread_on_a_message(scene: Scene, witness: Witness) -> None:
    sent = await scene.channel(witness).send("Who comes to dinner?")
    thread = await sent.create_thread(name="dinner", auto_archive_duration=60)
    assert (thread.id, thread.parent_id, thread.owner_id) == (sent.id, scene.hall, scene.bot.id)
    assert (thread.type, thread.auto_archive_duration) == (discord.ChannelType.public_thread, 60)
    (seen,) = await witness.saw("thread_create")
    assert seen.id == thread.id
    await scene.guest.say(thread.id, "Me!")
    said = await witness.heard("Me!")
    assert isinstance(said.channel, discord.Thread)
    assert said.channel.parent_id == scene.hall
    assert [message.content async for message in thread.history() if message.content] == ["Me!"]
    starter = await scene.channel(witness).fetch_message(sent.id)
    assert starter.flags.has_thread
    assert (await sent.fetch()).thread is not None


async def test_a_public_thread_started_by_a_member_is_seen(scene: Scene, witness: Witness) -> None:
    created = await scene.guest.call("POST", f"/channels/{scene.hall}/threads", {"name": "aside", "type": PUBLIC})
    (thread,) = await witness.saw("thread_create")
    assert (thread.id, thread.name, thread.owner_id) == (int(created["id"]), "aside", scene.guest.id)
    assert not thread.is_private()
    active = await scene.guild(witness).active_threads()
    assert [found.id for found in active] == [thread.id]


async def test_archiving_and_waking_a_thread(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_threads=True)
    thread = await scene.channel(witness).create_thread(name="done", type=discord.ChannelType.public_thread)
    await witness.saw("thread_create")
    await thread.edit(archived=True, locked=True)
    (raw,) = await witness.saw("raw_thread_update")
    assert raw.data["thread_metadata"]["archived"]
    assert await scene.guild(witness).active_threads() == []
    archived = [found async for found in scene.channel(witness).archived_threads()]
    assert [(found.id, found.archived, found.locked) for found in archived] == [(thread.id, True, True)]
    refused = await scene.guest.refusal("POST", f"/channels/{thread.id}/messages", {"content": "one more"})
    assert refused.code in {50083, 160005}
    woken = await archived[0].edit(archived=False, locked=False)
    assert not woken.archived
    await scene.guest.say(thread.id, "one more")
    await witness.heard("one more")


async def test_a_message_wakes_an_archived_thread(scene: Scene, witness: Witness) -> None:
    thread = await scene.channel(witness).create_thread(name="asleep", type=discord.ChannelType.public_thread)
    await thread.edit(archived=True)
    await scene.guest.say(thread.id, "wake up")
    await witness.heard("wake up")
    assert [found.id for found in await scene.guild(witness).active_threads()] == [thread.id]


async def test_archived_threads_page_by_time(scene: Scene, witness: Witness) -> None:
    channel = scene.channel(witness)
    made = []
    for number in range(5):
        thread = await channel.create_thread(name=f"t{number}", type=discord.ChannelType.public_thread)
        await thread.edit(archived=True)
        made.append(thread.id)
    assert [found.id async for found in channel.archived_threads(limit=2)] == made[:-3:-1]
    first_page = await scene.bot.call("GET", f"/channels/{scene.hall}/threads/archived/public", limit=2)
    assert first_page["has_more"] is True
    before = first_page["threads"][-1]["thread_metadata"]["archive_timestamp"]
    rest = await scene.bot.call("GET", f"/channels/{scene.hall}/threads/archived/public", before=before)
    assert [int(found["id"]) for found in rest["threads"]] == made[2::-1]
    assert rest["has_more"] is False


async def test_a_deleted_thread_is_gone(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_threads=True)
    thread = await scene.channel(witness).create_thread(name="brief", type=discord.ChannelType.public_thread)
    await witness.saw("thread_create")
    await thread.delete()
    (raw,) = await witness.saw("raw_thread_delete")
    assert (raw.thread_id, raw.parent_id) == (thread.id, scene.hall)
    with pytest.raises(discord.NotFound) as unknown:
        await witness.fetch_channel(thread.id)
    assert unknown.value.code == 10003


async def test_thread_members_come_and_go(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_threads=True)
    thread = await scene.channel(witness).create_thread(name="table", type=discord.ChannelType.public_thread)
    await witness.saw("thread_create")
    guest = scene.member(witness, scene.guest)
    await thread.add_user(guest)
    (joined,) = await witness.saw("thread_member_join", lambda member: member.id == scene.guest.id)
    assert joined.thread_id == thread.id
    assert {member.id for member in await thread.fetch_members()} == {scene.bot.id, scene.guest.id}
    assert (await thread.fetch_member(scene.guest.id)).id == scene.guest.id
    await thread.remove_user(guest)
    (left,) = await witness.saw("raw_thread_member_remove")
    assert left.thread_id == thread.id
    assert {member.id for member in await thread.fetch_members()} == {scene.bot.id}
    await thread.leave()
    assert await thread.fetch_members() == []


async def test_a_private_thread_is_for_its_members(scene: Scene, witness: Witness) -> None:
    created = await scene.guest.call("POST", f"/channels/{scene.hall}/threads", {"name": "secret", "type": PRIVATE})
    thread_id = int(created["id"])
    await scene.guest.say(thread_id, "just us")
    assert (await scene.stranger.refusal("GET", f"/channels/{thread_id}/messages")).code == 50001
    assert (await scene.stranger.refusal("POST", f"/channels/{thread_id}/messages", {"content": "?"})).code == 50001
    await scene.guest.call("PUT", f"/channels/{thread_id}/thread-members/{scene.stranger.id}")
    assert [said["content"] for said in await scene.stranger.history(thread_id) if said["content"]] == ["just us"]
    threads = [
        int(found["id"])
        for found in (await scene.stranger.call("GET", f"/guilds/{scene.guild_id}/threads/active"))["threads"]
    ]
    assert threads == [thread_id]


async def test_the_bot_is_told_of_a_private_thread_when_it_is_added(scene: Scene, witness: Witness) -> None:
    created = await scene.guest.call("POST", f"/channels/{scene.hall}/threads", {"name": "secret", "type": PRIVATE})
    thread_id = int(created["id"])
    await scene.guest.say(thread_id, "not for the bot")
    await scene.guest.say(scene.hall, "a public word")
    await witness.heard("a public word")
    assert not witness.count("thread_create")
    assert not witness.count("thread_join")
    await scene.guest.call("PUT", f"/channels/{thread_id}/thread-members/{scene.bot.id}")
    await eventually(lambda: scene.guild(witness).get_thread(thread_id) is not None, "the thread to be known")
    await scene.guest.say(thread_id, "welcome")
    await witness.heard("welcome")
    assert [m.content for m in witness.all("message")] == ["a public word", "welcome"]
    await scene.guest.call("DELETE", f"/channels/{thread_id}/thread-members/{scene.bot.id}")
    await scene.guest.say(thread_id, "alone again")
    await scene.guest.say(scene.hall, "another public word")
    await witness.heard("another public word")
    assert "alone again" not in [m.content for m in witness.all("message")]


async def test_archived_private_threads_are_listed_to_who_may_see_them(scene: Scene, witness: Witness) -> None:
    made = []
    for name in ("joined", "of others"):
        created = await scene.guest.call("POST", f"/channels/{scene.hall}/threads", {"name": name, "type": PRIVATE})
        made.append(int(created["id"]))
    await scene.guest.call("PUT", f"/channels/{made[0]}/thread-members/{scene.bot.id}")
    for thread_id in made:
        await scene.guest.call("PATCH", f"/channels/{thread_id}", {"archived": True})
    channel = scene.channel(witness)
    assert [thread.id async for thread in channel.archived_threads(private=True, joined=True)] == made[:1]
    assert [thread.id async for thread in channel.archived_threads()] == []
    with pytest.raises(discord.Forbidden) as forbidden:
        await anext(channel.archived_threads(private=True))
    assert forbidden.value.code == 50013
    await scene.grant(manage_threads=True)
    assert [thread.id async for thread in channel.archived_threads(private=True)] == made[::-1]
