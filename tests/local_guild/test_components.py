"""Buttons and menus, with discord.py's own views: who may press which, and what is refused."""

from __future__ import annotations

from datetime import timedelta

import discord
import pytest
from discord import app_commands, ui

from tests.local_guild.guests import Body, Guest, listening
from tests.local_guild.running import Connect, Served

Interaction = discord.Interaction[discord.Client]
DRINKS = ["ale", "cider", "milk", "mead"]


class Counter(ui.View):
    """A button that tells everyone, and one that is out of order."""

    @ui.button(label="Announce", custom_id="announce")
    async def announce(self, interaction: Interaction, button: ui.Button[Counter]) -> None:
        await interaction.response.send_message("Somebody counted.")
        await interaction.followup.send("And again.")

    @ui.button(label="Broken", custom_id="broken", disabled=True)
    async def broken(self, interaction: Interaction, button: ui.Button[Counter]) -> None:
        raise AssertionError("a disabled button cannot be pressed")


class Menus(ui.View):
    """A menu that answers with what was chosen."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(custom_id="text", max_values=2, options=[discord.SelectOption(label=one) for one in DRINKS])
    async def text(self, interaction: Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.send_message(" ".join(menu.values))


class Barkeeper(discord.Client):
    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.all(), guild_ready_timeout=0.1)
        self.tree = app_commands.CommandTree(self)

        @self.tree.command(description="A counter")
        async def counter(interaction: Interaction, secretly: bool = False) -> None:
            await interaction.response.send_message("Counted 0", view=Counter(), ephemeral=secretly)

        @self.tree.command(description="Menus")
        async def menus(interaction: Interaction) -> None:
            await interaction.response.send_message("Choose", view=Menus(), ephemeral=True)


@pytest.fixture
async def barkeeper(local_guild: Served, connect: Connect) -> Barkeeper:
    local_guild.server.interactions.answer_within = timedelta(seconds=30)
    barkeeper = Barkeeper()
    await connect(barkeeper)
    await barkeeper.tree.sync()
    return barkeeper


async def test_a_public_answer_to_something_secret_does_not_show_it(local_guild: Served, barkeeper: Barkeeper) -> None:
    async with listening(local_guild, "aylin") as aylin, listening(local_guild, "jonas") as jonas:
        counter = (await aylin.use("counter", {"name": "secretly", "value": True}))["message"]
        await aylin.press(counter, "announce")
        told = await jonas.hears("MESSAGE_CREATE", lambda told: told["content"] == "Somebody counted.")
        again = await jonas.hears("MESSAGE_CREATE", lambda told: told["content"] == "And again.")
        assert "referenced_message" not in told
        assert again["referenced_message"]["id"] == told["id"]
        # Nor can anybody have it shown by replying to it.
        reply = {"content": "what is it?", "message_reference": {"message_id": counter["id"]}}
        for guest in (aylin, jonas):
            assert (await guest.post(f"/channels/{counter['channel_id']}/messages", reply)).status_code == 400


async def test_what_cannot_be_pressed(local_guild: Served, barkeeper: Barkeeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    counter = (await aylin.use("counter"))["message"]
    menus = (await aylin.use("menus"))["message"]
    said = await local_guild.say("tom", "general", "no buttons here")
    cases: list[tuple[Body, Body, int]] = [
        (counter, {"custom_id": "broken"}, 50035),
        (counter, {"custom_id": "absent"}, 50035),
        (menus, {"custom_id": "text", "values": ["wine"]}, 50035),
        (menus, {"custom_id": "text", "values": []}, 50035),
        (menus, {"custom_id": "text", "values": ["ale", "milk", "mead"]}, 50035),
        (said, {"custom_id": "count"}, 10008),
    ]
    for message, data, code in cases:
        body = {"type": 3, "channel_id": message["channel_id"], "message_id": message["id"], "data": data}
        answer = await aylin.post("/interactions", body)
        assert answer.json()["code"] == code, (data, answer.text)
