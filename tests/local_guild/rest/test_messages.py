"""Sending, changing and reading messages through discord.py's own calls."""

from __future__ import annotations

import io

import discord
import pytest

from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness


async def test_send_reply_edit_delete(scene: Scene, witness: Witness) -> None:
    channel = scene.channel(witness)
    sent = await channel.send("Good evening.")
    assert sent.author.id == scene.bot.id
    reply = await sent.reply("And welcome.", mention_author=False)
    assert reply.reference is not None
    assert reply.reference.message_id == sent.id
    assert reply.mentions == []
    edited = await sent.edit(content="Good night.")
    assert edited.content == "Good night."
    assert edited.edited_at is not None
    await reply.delete()
    assert [message.content async for message in channel.history(limit=1)] == ["Good night."]
    with pytest.raises(discord.NotFound) as gone:
        await channel.fetch_message(reply.id)
    assert gone.value.code == 10008
    # Its own messages come back as events, too.
    assert (await witness.heard("And welcome.")).id == reply.id


async def test_a_reply_to_a_deleted_message_is_refused_unless_it_says_otherwise(scene: Scene, witness: Witness) -> None:
    channel = scene.channel(witness)
    ghost = await channel.send("soon gone")
    await ghost.delete()
    with pytest.raises(discord.HTTPException) as unknown:
        await channel.send("answer", reference=ghost.to_reference())
    assert (unknown.value.status, unknown.value.code) == (400, 50035)
    sent = await channel.send("answer", reference=ghost.to_reference(fail_if_not_exists=False))
    assert sent.content == "answer"


@pytest.fixture
async def diary(scene: Scene) -> list[int]:
    """The ids of 130 numbered messages in the garden, oldest first."""
    return [int((await scene.guest.say(scene.garden, str(number)))["id"]) for number in range(130)]


async def test_history_pages_through_everything_in_both_directions(
    scene: Scene, witness: Witness, diary: list[int]
) -> None:
    garden = scene.channel(witness, scene.garden)
    backwards = [message.id async for message in garden.history(limit=len(diary))]
    assert backwards == diary[::-1]
    after = discord.Object(diary[9])
    forwards = [message.id async for message in garden.history(limit=None, after=after, oldest_first=True)]
    assert forwards == diary[10:]


async def test_history_before_after_around_and_limit(scene: Scene, witness: Witness, diary: list[int]) -> None:
    pivot = diary[60]
    cases: list[tuple[dict[str, int], list[int]]] = [
        ({}, diary[-50:]),
        ({"limit": 3}, diary[-3:]),
        ({"limit": 100}, diary[-100:]),
        ({"before": pivot, "limit": 5}, diary[55:60]),
        ({"after": pivot, "limit": 5}, diary[61:66]),
        ({"before": diary[2], "limit": 10}, diary[:2]),
        ({"after": diary[-2], "limit": 10}, diary[-1:]),
        ({"after": 0, "limit": 4}, diary[:4]),
    ]
    for query, expected in cases:
        found = [int(message["id"]) for message in await scene.bot.history(scene.garden, **query)]
        # Newest first, whatever was asked for.
        assert found == expected[::-1], query
    around = [int(message["id"]) for message in await scene.bot.history(scene.garden, around=pivot, limit=11)]
    assert around == diary[55:66][::-1]
    middle = [m.id async for m in scene.channel(witness, scene.garden).history(around=discord.Object(pivot), limit=7)]
    assert pivot in middle
    assert sorted(middle) == diary[57:64]


async def test_history_limits_are_1_to_100(scene: Scene) -> None:
    for limit in (0, 101, -1):
        refused = await scene.bot.refusal("GET", f"/channels/{scene.hall}/messages?limit={limit}")
        assert (refused.status, refused.code) == (400, 50035)
        assert "limit" in refused.body["errors"]


async def test_the_same_enforced_nonce_sends_once(scene: Scene, witness: Witness) -> None:
    channel = scene.channel(witness)
    body = {"nonce": "outbox-1", "enforce_nonce": True}
    first = await scene.bot.say(scene.hall, "Once only.", **body)
    again = await scene.bot.say(scene.hall, "Once only.", **body)
    assert again["id"] == first["id"]
    other = await scene.bot.say(scene.hall, "Once only.", nonce="outbox-2", enforce_nonce=True)
    assert other["id"] != first["id"]
    assert len([m async for m in channel.history() if m.content == "Once only."]) == 2
    # Without enforcement a nonce is only a label.
    for _ in range(2):
        await scene.bot.say(scene.hall, "Twice.", nonce="label")
    assert len([m async for m in channel.history() if m.content == "Twice."]) == 2
    # discord.py enforces every nonce it is given, and sends it as text.
    sent = await channel.send("with a nonce", nonce=12345)
    assert sent.nonce == "12345"
    assert (await channel.send("with a nonce", nonce=12345)).id == sent.id


async def test_a_nonce_is_the_senders_own(scene: Scene) -> None:
    body = {"nonce": "same", "enforce_nonce": True}
    mine = await scene.bot.say(scene.hall, "mine", **body)
    theirs = await scene.guest.say(scene.hall, "theirs", **body)
    assert mine["id"] != theirs["id"]


async def test_files_are_uploaded_and_can_be_read_back(scene: Scene, witness: Witness) -> None:
    pictures = [
        discord.File(io.BytesIO(b"\x89PNG\r\n\x1a\n" + bytes(200)), "map.png", description="the way here"),
        discord.File(io.BytesIO("späte Gäste".encode()), "gästebuch.txt"),
    ]
    sent = await scene.channel(witness).send("Two files", files=pictures)
    picture, text = sent.attachments
    assert (picture.filename, picture.size, picture.description) == ("map.png", 208, "the way here")
    assert picture.content_type == "image/png"
    assert (await text.read()).decode() == "späte Gäste"
    arrived = await witness.heard("Two files")
    assert [attachment.id for attachment in arrived.attachments] == [picture.id, text.id]
    kept = await sent.edit(attachments=[picture])
    assert [attachment.id for attachment in kept.attachments] == [picture.id]


async def test_embeds_come_back_as_sent(scene: Scene, witness: Witness) -> None:
    embed = discord.Embed(title="Yesterday", description="Much was said.", colour=0x336699, url="https://example.org/")
    embed.add_field(name="Ann", value="arrived", inline=False).set_footer(text="in the hall").set_author(name="Bot")
    sent = await scene.channel(witness).send(embed=embed)
    assert sent.content == ""
    fetched = await scene.channel(witness).fetch_message(sent.id)
    for message in (sent, fetched):
        (got,) = message.embeds
        assert got.to_dict() == embed.to_dict()


async def test_components_come_back_as_sent(scene: Scene, witness: Witness) -> None:
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="More", custom_id="more", style=discord.ButtonStyle.primary))
    options = [discord.SelectOption(label="Today"), discord.SelectOption(label="Yesterday", default=True)]
    view.add_item(discord.ui.Select(custom_id="day", options=options))
    sent = await scene.channel(witness).send("Choose", view=view)
    rows = (await scene.channel(witness).fetch_message(sent.id)).components
    assert [type(row) for row in rows] == [discord.ActionRow, discord.ActionRow]
    button, select = (row.children[0] for row in rows if isinstance(row, discord.ActionRow))
    assert isinstance(button, discord.Button)
    assert (button.label, button.custom_id) == ("More", "more")
    assert isinstance(select, discord.SelectMenu)
    assert [(option.label, option.default) for option in select.options] == [("Today", False), ("Yesterday", True)]
    cleared = await sent.edit(view=None)
    assert cleared.components == []


async def test_allowed_mentions_decide_who_is_mentioned(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_roles=True)
    everyone, guest, stranger = "@everyone", scene.guest.id, scene.stranger.id
    role = await scene.guild(witness).create_role(name="Regulars", mentionable=True)
    content = f"{everyone} <@{guest}> <@{stranger}> <@&{role.id}>"
    none, some = discord.AllowedMentions.none(), discord.AllowedMentions(everyone=False, users=[discord.Object(guest)])
    cases: list[tuple[discord.AllowedMentions | None, bool, set[int], set[int]]] = [
        (None, True, {guest, stranger}, {role.id}),
        (none, False, set(), set()),
        (some, False, {guest}, {role.id}),
        (discord.AllowedMentions(everyone=False, roles=False), False, {guest, stranger}, set()),
        (discord.AllowedMentions(everyone=True, users=False, roles=False), True, set(), set()),
    ]
    for allowed, all_of_them, users, roles in cases:
        sent = (
            await scene.channel(witness).send(content)
            if allowed is None
            else await scene.channel(witness).send(content, allowed_mentions=allowed)
        )
        assert sent.mention_everyone is all_of_them
        assert {user.id for user in sent.mentions} == users
        assert {mentioned.id for mentioned in sent.role_mentions} == roles


async def test_allowed_mentions_spare_the_person_replied_to(scene: Scene, witness: Witness) -> None:
    await scene.guest.say(scene.hall, "ping me not")
    question = await witness.heard("ping me not")
    quiet = await question.reply("as you wish", mention_author=False)
    loud = await question.reply("sorry", mention_author=True)
    assert (quiet.mentions, [user.id for user in loud.mentions]) == ([], [scene.guest.id])


async def test_typing_while_working(scene: Scene, witness: Witness) -> None:
    async with scene.channel(witness).typing():
        (raw,) = await witness.saw("raw_typing")
    assert raw.user_id == scene.bot.id


async def test_pins(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_messages=True, pin_messages=True)
    sent = await scene.channel(witness).send("House rules")
    await sent.pin()
    assert [message.id async for message in scene.channel(witness).pins()] == [sent.id]
    await sent.unpin()
    assert [message.id async for message in scene.channel(witness).pins()] == []
