"""Slash commands: who may use which, who sees the answer, and what is refused or too late."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from discord import app_commands

from tests.local_guild.guests import Guest, listening
from tests.local_guild.running import Connect, Served

EPHEMERAL = 64


class Keeper(discord.Client):
    """A small bot."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.all(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)
        self.used: list[discord.Interaction[discord.Client]] = []
        inn = app_commands.Group(name="inn", description="The inn")

        @inn.command(description="How things are")
        async def status(interaction: discord.Interaction[discord.Client]) -> None:
            self.used.append(interaction)
            await interaction.response.send_message("Everything's working.", ephemeral=True)

        @self.tree.command(description="Say it to everyone")
        async def shout(interaction: discord.Interaction[discord.Client], text: str, times: int = 1) -> None:
            await interaction.response.send_message(text * times)

        @self.tree.command(description="Where")
        async def point(interaction: discord.Interaction[discord.Client], where: discord.TextChannel) -> None:
            await interaction.response.send_message(f"{where.id}")

        @self.tree.command(description="For those who manage")
        @app_commands.default_permissions(manage_guild=True)
        async def settings(interaction: discord.Interaction[discord.Client]) -> None:
            await interaction.response.send_message("Here.", ephemeral=True)

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
        assert outcome["message"]["content"] == "Everything's working."
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
