"""Slash commands and context menus: the real discord.py command tree answers, members see what they may."""

from __future__ import annotations

import asyncio
import io
import json
from datetime import timedelta

import discord
import pytest
from discord import app_commands

from local_guild.actions.interactions import ANSWER_WITHIN
from tests.local_guild.guests import Guest, listening
from tests.local_guild.running import Connect, Served, until

EPHEMERAL, LOADING = 64, 128


class Keeper(discord.Client):
    """A small bot with one of each kind of command."""

    def __init__(self, intents: discord.Intents | None = None) -> None:
        super().__init__(intents=intents or discord.Intents.all(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.used: list[discord.Interaction[discord.Client]] = []
        inn = app_commands.Group(name="inn", description="The inn")

        @inn.command(description="How things are")
        async def status(interaction: discord.Interaction[discord.Client]) -> None:
            self.used.append(interaction)
            await interaction.response.send_message("All is well.", ephemeral=True)

        @self.tree.command(description="Say it to everyone")
        async def shout(interaction: discord.Interaction[discord.Client], text: str, times: int = 1) -> None:
            await interaction.response.send_message(text * times)

        @self.tree.command(description="Think first")
        async def ponder(interaction: discord.Interaction[discord.Client], secretly: bool) -> None:
            await interaction.response.defer(thinking=True, ephemeral=secretly)
            self.used.append(interaction)

        @self.tree.command(description="Who, where, what, which")
        async def point(
            interaction: discord.Interaction[discord.Client],
            who: discord.Member,
            where: discord.TextChannel,
            what: discord.Role,
            which: discord.Attachment | None = None,
        ) -> None:
            read = b"" if which is None else await which.read()
            await interaction.response.send_message(f"{who.id} {where.id} {what.id} {read.decode()}")

        @self.tree.command(description="For those who manage")
        @app_commands.default_permissions(manage_guild=True)
        async def settings(interaction: discord.Interaction[discord.Client]) -> None:
            await interaction.response.send_message("Here.", ephemeral=True)

        @self.tree.command(description="Never answers")
        async def sulk(interaction: discord.Interaction[discord.Client]) -> None:
            self.used.append(interaction)

        @self.tree.command(description="Hand over papers")
        async def papers(interaction: discord.Interaction[discord.Client], secretly: bool) -> None:
            first = discord.File(io.BytesIO(b"one"), "one.txt", description="The first")
            await interaction.response.send_message("Here", file=first, ephemeral=secretly)
            second = discord.File(io.BytesIO(b"two"), "two.txt")
            await interaction.followup.send(file=second, ephemeral=secretly)
            kept = (await interaction.original_response()).attachments
            third = discord.File(io.BytesIO(b"three"), "three.txt")
            await interaction.edit_original_response(content="There", attachments=[*kept, third])

        @self.tree.context_menu(name="Greet")
        async def greet(interaction: discord.Interaction[discord.Client], member: discord.Member) -> None:
            await interaction.response.send_message(f"Hello {member.display_name}")

        @self.tree.context_menu(name="Quote")
        async def quote(interaction: discord.Interaction[discord.Client], message: discord.Message) -> None:
            await interaction.response.send_message(f"{message.author.name}: {message.content}")

        self.tree.add_command(inn)


@pytest.fixture
async def keeper(local_guild: Served, connect: Connect) -> Keeper:
    # On a busy machine three seconds pass easily; the tests about the deadline set their own.
    local_guild.server.interactions.answer_within = timedelta(seconds=30)
    keeper = Keeper()
    await connect(keeper)
    await keeper.tree.sync()
    return keeper


async def test_an_ephemeral_answer_reaches_its_reader_alone(local_guild: Served, keeper: Keeper) -> None:
    async with listening(local_guild, "aylin") as aylin, listening(local_guild, "jonas") as jonas:
        outcome = await aylin.use("inn", {"name": "status"}, nonce="n1")
        assert (outcome["type"], outcome["failed"]) == (4, False)
        assert outcome["message"]["content"] == "All is well."
        assert outcome["message"]["flags"] & EPHEMERAL
        told = await aylin.hears("MESSAGE_CREATE")
        assert told["id"] == outcome["message"]["id"]
        assert told["interaction_metadata"]["name"] == "inn status"
        assert (await aylin.hears("INTERACTION_CREATE"))["nonce"] == "n1"
        assert (await aylin.hears("INTERACTION_SUCCESS"))["id"] == outcome["id"]
        # What jonas hears next proves that the secret did not come before it.
        await local_guild.say("jonas", "general", "anybody here?")
        assert (await jonas.hears("MESSAGE_CREATE"))["content"] == "anybody here?"
        assert not jonas.events("INTERACTION_CREATE")
    history = await local_guild.call("GET", f"/channels/{local_guild.channel('general').id}/messages", by=aylin.user)
    assert [message["content"] for message in history.json()] == ["anybody here?"]
    used = keeper.used[0]
    assert used.user.id == local_guild.user("aylin").id
    assert used.permissions.send_messages
    assert not used.permissions.manage_guild
    assert used.app_permissions.read_message_history
    assert used.guild_id == local_guild.guild.id
    assert used.channel is not None
    assert used.channel.id == local_guild.channel("general").id
    assert used.is_guild_integration()


async def test_a_public_answer_is_an_ordinary_message_of_the_bot(local_guild: Served, keeper: Keeper) -> None:
    async with listening(local_guild, "aylin") as aylin, listening(local_guild, "jonas") as jonas:
        await aylin.use("shout", {"name": "text", "value": "Soup! "}, {"name": "times", "value": 2})
        heard = await jonas.hears("MESSAGE_CREATE")
        assert heard["content"] == "Soup! Soup!"
        assert heard["author"]["id"] == str(keeper.user.id if keeper.user else 0)
        assert heard["interaction_metadata"]["user"]["id"] == str(aylin.user.id)
        assert heard["type"] == discord.MessageType.chat_input_command.value
    channel = keeper.get_channel(local_guild.channel("general").id)
    assert isinstance(channel, discord.TextChannel)
    stored = await channel.fetch_message(int(heard["id"]))
    assert stored.interaction_metadata is not None
    assert stored.interaction_metadata.user.id == aylin.user.id


@pytest.mark.parametrize("secretly", [False, True])
async def test_a_deferred_answer_is_filled_in_followed_up_and_deleted(
    local_guild: Served, keeper: Keeper, secretly: bool
) -> None:
    async with listening(local_guild, "tom") as tom:
        begun = await tom.use("ponder", {"name": "secretly", "value": secretly}, wait=False)
        thinking = await tom.hears("MESSAGE_CREATE")
        assert thinking["flags"] & LOADING
        assert bool(thinking["flags"] & EPHEMERAL) is secretly
        await until(lambda: keeper.used)
        interaction = keeper.used[0]
        # One who waits is told when the thinking is over, not before.
        filled = await interaction.edit_original_response(content="It is 42.")
        updated = await tom.hears("MESSAGE_UPDATE")
        assert (updated["id"], updated["content"]) == (thinking["id"], "It is 42.")
        assert updated["flags"] & LOADING == 0
        assert updated["edited_timestamp"] is None
        changed = await filled.edit(content="It is 43.")
        assert changed.edited_at is not None
        follow = await interaction.followup.send("And a half.", ephemeral=secretly, wait=True)
        assert (await interaction.followup.fetch_message(follow.id)).content == "And a half."
        await follow.edit(content="And a third.")
        assert (await interaction.original_response()).content == "It is 43."
        outcome = await local_guild.http.get(
            f"{local_guild.address.url}/local/interactions/{begun['id']}", headers={"Authorization": tom.user.token}
        )
        assert outcome.json()["message"]["content"] == "It is 43."
        assert [one["content"] for one in outcome.json()["followups"]] == ["And a third."]
        await follow.delete()
        await interaction.delete_original_response()
        await until(lambda: len(tom.events("MESSAGE_DELETE")) == 2)
        with pytest.raises(discord.NotFound) as gone:
            await interaction.edit_original_response(content="too late")
        assert gone.value.code == 10008


async def test_the_first_follow_up_takes_the_place_of_the_thinking(local_guild: Served, keeper: Keeper) -> None:
    async with listening(local_guild, "tom") as tom:
        waiting = asyncio.create_task(tom.use("ponder", {"name": "secretly", "value": True}))
        await until(lambda: keeper.used)
        thinking = await tom.hears("MESSAGE_CREATE")
        message = await keeper.used[0].followup.send("Thought.", wait=True)
        outcome = await waiting
    assert str(message.id) == thinking["id"] == outcome["message"]["id"]
    assert outcome["message"]["content"] == "Thought."
    assert outcome["message"]["flags"] & EPHEMERAL


async def test_options_arrive_resolved(local_guild: Served, keeper: Keeper) -> None:
    jonas, hall = local_guild.user("jonas"), local_guild.channel("general")
    role = next(role for role in local_guild.guild.roles.values() if role.name == "Cellar")
    options = [
        {"name": "who", "value": str(jonas.id)},
        {"name": "where", "value": str(hall.id)},
        {"name": "what", "value": str(role.id)},
        {"name": "which", "value": "0"},
    ]
    body = {"type": 2, "channel_id": str(hall.id), "data": {"name": "point", "options": options}}
    answer = await local_guild.http.post(
        f"{local_guild.address.api_url}/interactions?wait=true",
        data={"payload_json": json.dumps(body)},
        files={"files[0]": ("key.txt", io.BytesIO(b"under the mat"), "text/plain")},
        headers={"Authorization": local_guild.user("aylin").token},
    )
    assert answer.json()["message"]["content"] == f"{jonas.id} {hall.id} {role.id} under the mat"


@pytest.mark.parametrize("secretly", [False, True])
async def test_files_come_with_answers(local_guild: Served, keeper: Keeper, secretly: bool) -> None:
    async with listening(local_guild, "aylin") as aylin:
        await aylin.use("papers", {"name": "secretly", "value": secretly})
        changed = await aylin.hears("MESSAGE_UPDATE", lambda told: told["content"] == "There")
        assert [one["filename"] for one in changed["attachments"]] == ["one.txt", "three.txt"]
        assert changed["attachments"][0]["description"] == "The first"
        followed = await aylin.hears("MESSAGE_CREATE", lambda told: told["content"] == "")
        fetched = await local_guild.http.get(followed["attachments"][0]["url"])
        assert fetched.content == b"two"


async def test_bad_options_are_refused_where_they_are_wrong(local_guild: Served, keeper: Keeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    back_room = local_guild.channel("back-room").id
    cases = [
        ("shout", [], "text"),
        ("shout", [{"name": "text", "value": 7}], "0"),
        ("shout", [{"name": "text", "value": "a"}, {"name": "times", "value": "two"}], "1"),
        ("shout", [{"name": "text", "value": "a"}, {"name": "volume", "value": 3}], "1"),
        # A room she cannot see is nothing she could name.
        ("point", [{"name": "where", "value": str(back_room)}], "0"),
        ("inn", [], "_errors"),
    ]
    for name, options, place in cases:
        body = {"type": 2, "channel_id": str(local_guild.channel("general").id)}
        answer = await aylin.post("/interactions", body | {"data": {"name": name, "options": options}})
        assert (answer.status_code, answer.json()["code"]) == (400, 50035), answer.text
        assert place in answer.json()["errors"]["data"]["options"], answer.text


async def test_who_may_use_which_command(local_guild: Served, keeper: Keeper) -> None:
    maren, aylin = Guest(local_guild, local_guild.user("maren")), Guest(local_guild, local_guild.user("aylin"))
    assert (await maren.use("settings"))["message"]["content"] == "Here."
    general, back_room = (str(local_guild.channel(name).id) for name in ("general", "back-room"))
    refusals = [
        ({"channel_id": general, "data": {"name": "settings"}}, (403, 50013)),
        ({"channel_id": back_room, "data": {"name": "inn", "options": [{"name": "status"}]}}, (403, 50001)),
        ({"channel_id": general, "data": {"name": "dance"}}, (404, 10063)),
        ({"channel_id": "1", "data": {"name": "inn"}}, (404, 10003)),
    ]
    for body, expected in refusals:
        answer = await aylin.post("/interactions", {"type": 2, **body})
        assert (answer.status_code, answer.json()["code"]) == expected
    bot = await local_guild.call("POST", "/interactions", by=local_guild.server.world.bot, json={"type": 2, **body})
    assert (bot.status_code, bot.json()["code"]) == (403, 20001)

    async def offered(guest: Guest) -> set[str]:
        url = f"{local_guild.address.url}/local/guilds/{local_guild.guild.id}/commands"
        answer = await local_guild.http.get(url, headers={"Authorization": guest.user.token})
        return {command["name"] for command in answer.json()}

    assert await offered(maren) - await offered(aylin) == {"settings"}


async def test_context_menus(local_guild: Served, keeper: Keeper) -> None:
    aylin, tom = Guest(local_guild, local_guild.user("aylin")), local_guild.user("tom")
    greeted = await aylin.interact(2, "general", {"type": 2, "name": "Greet", "target_id": str(tom.id)})
    assert greeted["message"]["content"] == "Hello Tom"
    assert greeted["message"]["interaction_metadata"]["target_user"]["id"] == str(tom.id)
    said = await local_guild.say("tom", "general", "I lost my key")
    quoted = await aylin.interact(2, "general", {"type": 3, "name": "Quote", "target_id": said["id"]})
    assert quoted["message"]["content"] == "tom: I lost my key"
    assert quoted["message"]["type"] == discord.MessageType.context_menu_command.value


async def test_no_answer_in_time_fails(local_guild: Served, keeper: Keeper) -> None:
    local_guild.server.interactions.answer_within = timedelta(seconds=0.3)
    async with listening(local_guild, "aylin") as aylin:
        outcome = await aylin.use("sulk", nonce="n2")
        assert outcome["failed"]
        failure = await aylin.hears("INTERACTION_FAILURE")
        assert (failure["id"], failure["nonce"], failure["reason_code"]) == (outcome["id"], "n2", 2)
    with pytest.raises(discord.NotFound) as late:
        await keeper.used[0].response.send_message("Sorry, I was asleep.")
    assert late.value.code == 10062


async def test_the_clock_decides_over_deadline_and_token(local_guild: Served, keeper: Keeper) -> None:
    assert timedelta(seconds=3) == ANSWER_WITHIN
    aylin = Guest(local_guild, local_guild.user("aylin"))
    await aylin.use("sulk", wait=False)
    await until(lambda: keeper.used)
    local_guild.server.clock.advance(timedelta(seconds=31))
    with pytest.raises(discord.NotFound) as late:
        await keeper.used[0].response.send_message("Sorry.")
    assert late.value.code == 10062
    await aylin.use("inn", {"name": "status"})
    answered = keeper.used[1]
    # The library refuses a second answer itself; the server must, too.
    answered.response._response_type = None
    with pytest.raises(discord.HTTPException) as second:
        await answered.response.send_message("again")
    assert (second.value.status, second.value.code) == (400, 40060)
    await answered.followup.send("within a quarter of an hour", ephemeral=True)
    local_guild.server.clock.advance(timedelta(minutes=16))
    with pytest.raises(discord.HTTPException) as expired:
        await answered.followup.send("after it")
    assert (expired.value.status, expired.value.code) == (401, 50027)


async def test_a_room_that_is_gone_and_a_guild_in_outage(local_guild: Served, keeper: Keeper) -> None:
    aylin, maren = Guest(local_guild, local_guild.user("aylin")), local_guild.user("maren")
    await aylin.use("ponder", {"name": "secretly", "value": True}, channel="kitchen-table", wait=False)
    await until(lambda: keeper.used)
    await local_guild.call("DELETE", f"/channels/{local_guild.channel('kitchen-table').id}", by=maren)
    with pytest.raises(discord.NotFound) as gone:
        await keeper.used[0].followup.send("Where is everybody?")
    assert gone.value.code == 10003
    local_guild.guild.unavailable = True
    body = {"type": 2, "channel_id": str(local_guild.channel("general").id), "data": {"name": "sulk"}}
    assert (await aylin.post("/interactions", body)).status_code == 503


async def test_a_bot_without_any_intent_is_still_used(local_guild: Served, connect: Connect) -> None:
    local_guild.server.interactions.answer_within = timedelta(seconds=30)
    keeper = Keeper(discord.Intents.none())
    await connect(keeper)
    await keeper.tree.sync(guild=None)
    outcome = await Guest(local_guild, local_guild.user("aylin")).use("inn", {"name": "status"})
    assert outcome["message"]["content"] == "All is well."
    assert keeper.used[0].user.display_name == "Aylin"


async def test_a_command_in_a_thread(local_guild: Served, keeper: Keeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    path = f"/channels/{local_guild.channel('general').id}/threads"
    thread = (await aylin.post(path, {"name": "Soup of the week", "type": 11})).json()
    outcome = await aylin.use("shout", {"name": "text", "value": "Lentils!"}, channel="Soup of the week")
    assert (outcome["message"]["channel_id"], outcome["message"]["content"]) == (thread["id"], "Lentils!")
    await aylin.use("inn", {"name": "status"}, channel="Soup of the week")
    assert isinstance(keeper.used[0].channel, discord.Thread)


async def test_a_command_in_a_direct_message(local_guild: Served, keeper: Keeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    opened = await aylin.post("/users/@me/channels", {"recipient_id": str(local_guild.server.world.bot.id)})
    body = {"type": 2, "channel_id": opened.json()["id"], "data": {"name": "inn", "options": [{"name": "status"}]}}
    answer = await aylin.post("/interactions", body, wait="true")
    assert answer.json()["message"]["content"] == "All is well."
    assert keeper.used[0].guild is None
    assert keeper.used[0].user.id == aylin.user.id
