"""Messages as no story sends or reads them: replies to nothing, nonces, mentions, pins, pages of history."""

from __future__ import annotations

import discord
import pytest

from tests.local_guild.scene import Scene
from tests.local_guild.witness import Witness


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


async def test_pins(scene: Scene, witness: Witness) -> None:
    await scene.grant(manage_messages=True, pin_messages=True)
    sent = await scene.channel(witness).send("House rules")
    await sent.pin()
    assert [message.id async for message in scene.channel(witness).pins()] == [sent.id]
    await sent.unpin()
    assert [message.id async for message in scene.channel(witness).pins()] == []
