"""What happens to messages in a channel reaches the client as the events Discord would send."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord

from tests.local_guild.people import Body
from tests.local_guild.running import Served
from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness, eventually


async def test_a_message_arrives_with_author_place_and_time(scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "Is anybody in?")
    message = await witness.heard("Is anybody in?")
    assert message.id == int(posted["id"])
    assert isinstance(message.author, discord.Member)
    assert message.author.id == scene.guest.id
    assert message.channel.id == scene.hall
    assert message.guild is not None
    assert message.guild.id == scene.guild_id
    assert message.type is discord.MessageType.default
    assert message.edited_at is None
    assert abs(message.created_at - datetime.now(UTC)) < timedelta(minutes=1)


async def test_a_reply_carries_what_it_answers(scene: Scene, witness: Witness) -> None:
    question = await scene.guest.say(scene.hall, "What is on the menu?")
    reference = {"message_reference": {"message_id": question["id"]}}
    await scene.stranger.say(scene.hall, "Soup.", **reference)
    reply = await witness.heard("Soup.")
    assert reply.type is discord.MessageType.reply
    assert reply.reference is not None
    assert reply.reference.message_id == int(question["id"])
    assert isinstance(reply.reference.resolved, discord.Message)
    assert reply.reference.resolved.content == "What is on the menu?"
    # A reply pings the person replied to, unless it says otherwise.
    assert [user.id for user in reply.mentions] == [scene.guest.id]


async def test_mentions_are_computed_from_the_text(scene: Scene, witness: Witness) -> None:
    content = f"<@{scene.stranger.id}> and <@!{scene.bot.id}>, see <#{scene.garden}>"
    await scene.guest.say(scene.hall, content)
    message = await witness.heard(content)
    assert {user.id for user in message.mentions} == {scene.stranger.id, scene.bot.id}
    assert [channel.id for channel in message.channel_mentions] == [scene.garden]
    assert not message.mention_everyone


async def test_an_edit_changes_the_text_and_sets_its_time(scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "befour")
    await witness.heard("befour")
    await scene.guest.edit(scene.hall, posted["id"], "before")
    (raw,) = await witness.saw("raw_message_edit")
    assert raw.message_id == int(posted["id"])
    assert raw.data["content"] == "before"
    assert raw.data["edited_timestamp"] is not None
    old, new = await witness.saw("message_edit")
    assert (old.content, new.content) == ("befour", "before")
    assert new.edited_at >= new.created_at


async def test_a_deleted_message_is_announced_by_its_id(scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "never mind")
    await witness.heard("never mind")
    await scene.guest.delete(scene.hall, posted["id"])
    (raw,) = await witness.saw("raw_message_delete")
    assert (raw.message_id, raw.channel_id, raw.guild_id) == (int(posted["id"]), scene.hall, scene.guild_id)
    (gone,) = await witness.saw("message_delete")
    assert gone.content == "never mind"


async def test_a_bulk_deletion_is_one_event(scene: Scene, witness: Witness) -> None:
    posted = [int((await scene.guest.say(scene.hall, f"spam {n}"))["id"]) for n in range(5)]
    await scene.grant(manage_messages=True)
    channel = scene.channel(witness)
    await channel.delete_messages([discord.Object(message_id) for message_id in posted])
    (raw,) = await witness.saw("raw_bulk_message_delete")
    assert raw.message_ids == set(posted)
    assert raw.channel_id == scene.hall
    assert not witness.count("raw_message_delete")
    assert [m.content async for m in channel.history() if m.id in posted] == []


async def test_reactions_come_and_go(scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "Cake!")
    message = await witness.heard("Cake!")
    await scene.guest.react(scene.hall, posted["id"], "🍰")
    await scene.stranger.react(scene.hall, posted["id"], "🍰")
    await message.add_reaction("👍")
    await eventually(lambda: witness.count("raw_reaction_add") == 3, "three reactions")
    added = witness.all("raw_reaction_add")
    assert [(payload.user_id, str(payload.emoji)) for payload in added] == [
        (scene.guest.id, "🍰"),
        (scene.stranger.id, "🍰"),
        (scene.bot.id, "👍"),
    ]
    assert all(payload.message_id == message.id and payload.guild_id == scene.guild_id for payload in added)
    assert added[0].member.id == scene.guest.id
    again = await message.fetch()
    assert {str(reaction.emoji): (reaction.count, reaction.me) for reaction in again.reactions} == {
        "🍰": (2, False),
        "👍": (1, True),
    }
    assert {user.id async for user in again.reactions[0].users()} == {scene.guest.id, scene.stranger.id}

    assert witness.user is not None
    await message.remove_reaction("👍", witness.user)
    (removed,) = await witness.saw("raw_reaction_remove")
    assert (removed.user_id, str(removed.emoji)) == (scene.bot.id, "👍")


async def test_a_moderator_clears_reactions(scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "Vote")
    for emoji in ("1️⃣", "2️⃣"):
        await scene.guest.react(scene.hall, posted["id"], emoji)
    path = f"/channels/{scene.hall}/messages/{posted['id']}/reactions"
    await scene.manager.call("DELETE", f"{path}/1️⃣")
    (cleared,) = await witness.saw("raw_reaction_clear_emoji")
    assert str(cleared.emoji) == "1️⃣"
    await scene.manager.call("DELETE", path)
    (emptied,) = await witness.saw("raw_reaction_clear")
    assert emptied.message_id == int(posted["id"])
    message = await scene.channel(witness).fetch_message(int(posted["id"]))
    assert message.reactions == []


async def test_typing_is_announced_with_who_and_where(scene: Scene, witness: Witness) -> None:
    await scene.guest.call("POST", f"/channels/{scene.garden}/typing")
    (raw,) = await witness.saw("raw_typing")
    assert (raw.user_id, raw.channel_id, raw.guild_id) == (scene.guest.id, scene.garden, scene.guild_id)
    channel, user, when = await witness.saw("typing")
    assert (channel.id, user.id) == (scene.garden, scene.guest.id)
    assert abs(when - datetime.now(UTC)) < timedelta(minutes=1)


async def test_events_of_a_channel_keep_their_order(scene: Scene, witness: Witness) -> None:
    for number in range(30):
        await scene.guest.say(scene.hall if number % 2 else scene.garden, f"line {number}")
    await witness.heard("line 29")
    assert [message.content for message in witness.all("message")] == [f"line {number}" for number in range(30)]


async def test_text_comes_through_unchanged(scene: Scene, witness: Witness) -> None:
    lines = [
        "𝕿𝖊𝖝𝖙 🏳️‍🌈 and \u202eright to left",
        "line one\nline two\ttabbed",
        "```py\nprint('x')\n```",
        '"quotes" \\ </div>',
        "x" * 2000,
    ]
    for line in lines:
        await scene.guest.say(scene.hall, line)
    await witness.heard(lines[-1])
    assert [message.content for message in witness.all("message")] == lines


async def test_a_link_unfurls_without_an_edit(local_guild: Served, scene: Scene, witness: Witness) -> None:
    posted = await scene.guest.say(scene.hall, "see https://example.org/soup")
    await witness.heard("see https://example.org/soup")
    preview = {"type": "link", "url": "https://example.org/soup", "title": "Soup of the day"}
    path = f"/local/channels/{scene.hall}/messages/{posted['id']}/unfurl"
    (await local_guild.http.post(path, json={"embeds": [preview]})).raise_for_status()
    (raw,) = await witness.saw("raw_message_edit")
    assert (raw.message_id, raw.data["content"]) == (int(posted["id"]), "see https://example.org/soup")
    assert raw.data["edited_timestamp"] is None
    fetched = await scene.channel(witness).fetch_message(int(posted["id"]))
    assert ([embed.title for embed in fetched.embeds], fetched.edited_at) == (["Soup of the day"], None)


async def test_messages_of_other_kinds(local_guild: Served, scene: Scene, witness: Witness) -> None:
    """Stickers, polls, forwarded messages and a system's own words: content may be empty."""
    sticker = {"id": "1", "name": "Wave", "format_type": 1}
    answers = [{"answer_id": 1, "poll_media": {"text": "Yes"}}]
    poll = {
        "question": {"text": "Soup?"},
        "answers": answers,
        "allow_multiselect": False,
        "layout_type": 1,
        "expiry": "2030-01-01T00:00:00+00:00",
    }
    said = {"content": "said elsewhere", "type": 0, "flags": 0, "attachments": [], "embeds": []}
    forwarded = {"message": said | {"timestamp": "2025-01-01T00:00:00+00:00", "edited_timestamp": None}}
    path = f"/local/channels/{scene.hall}/messages"
    kinds: list[Body] = [{"sticker_items": [sticker]}, {"poll": poll}, {"message_snapshots": [forwarded]}, {"type": 7}]
    for kind in kinds:
        (await local_guild.http.post(path, json={"author_id": scene.guest.id, **kind})).raise_for_status()
    await witness.saw("message", lambda message: message.type is discord.MessageType.new_member)
    waving, asking, forwarding, joining = witness.all("message")
    assert [found.name for found in waving.stickers] == ["Wave"]
    assert asking.poll.question == "Soup?"
    assert [snapshot.content for snapshot in forwarding.message_snapshots] == ["said elsewhere"]
    assert joining.type is discord.MessageType.new_member
    assert {message.content for message in witness.all("message")} == {""}
