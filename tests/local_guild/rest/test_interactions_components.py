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
    """A button that counts, one that tells everyone, one that is out of order."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0

    @ui.button(label="0", custom_id="count")
    async def up(self, interaction: Interaction, button: ui.Button[Counter]) -> None:
        self.count += 1
        button.label = str(self.count)
        await interaction.response.edit_message(content=f"Counted {self.count}", view=self)

    @ui.button(label="Announce", custom_id="announce")
    async def announce(self, interaction: Interaction, button: ui.Button[Counter]) -> None:
        await interaction.response.send_message("Somebody counted.")
        await interaction.followup.send("And again.")

    @ui.button(label="Broken", custom_id="broken", disabled=True)
    async def broken(self, interaction: Interaction, button: ui.Button[Counter]) -> None:
        raise AssertionError("a disabled button cannot be pressed")


class Menus(ui.View):
    """One menu of each kind; each answers with what was chosen."""

    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(custom_id="text", max_values=2, options=[discord.SelectOption(label=one) for one in DRINKS])
    async def text(self, interaction: Interaction, menu: ui.Select[Menus]) -> None:
        await interaction.response.send_message(" ".join(menu.values))

    @ui.select(cls=ui.UserSelect, custom_id="user")
    async def user(self, interaction: Interaction, menu: ui.UserSelect[Menus]) -> None:
        await interaction.response.send_message(f"{type(menu.values[0]).__name__} {menu.values[0].id}")

    @ui.select(cls=ui.RoleSelect, custom_id="role")
    async def role(self, interaction: Interaction, menu: ui.RoleSelect[Menus]) -> None:
        await interaction.response.send_message(f"{type(menu.values[0]).__name__} {menu.values[0].id}")

    @ui.select(cls=ui.ChannelSelect, custom_id="channel")
    async def channel(self, interaction: Interaction, menu: ui.ChannelSelect[Menus]) -> None:
        await interaction.response.send_message(f"{type(menu.values[0]).__name__} {menu.values[0].id}")

    @ui.select(cls=ui.MentionableSelect, custom_id="mentionable", max_values=2)
    async def mentionable(self, interaction: Interaction, menu: ui.MentionableSelect[Menus]) -> None:
        kinds = sorted(type(value).__name__ for value in menu.values)
        await interaction.response.send_message(" ".join(kinds))


class Board(ui.LayoutView):
    """A layout: a button beside a text, inside a container."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        button: ui.Button[Board] = ui.Button(label="Take", custom_id="take")
        button.callback = self.take  # type: ignore[method-assign] # discord.py's way to set one without a subclass
        self.add_item(ui.Container(ui.Section("Soup, one portion", accessory=button)))

    async def take(self, interaction: Interaction) -> None:
        await interaction.response.send_message("Taken.", ephemeral=True)


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

        @self.tree.command(description="What there is")
        async def board(interaction: Interaction) -> None:
            await interaction.response.send_message(view=Board())


@pytest.fixture
async def barkeeper(local_guild: Served, connect: Connect) -> Barkeeper:
    local_guild.server.interactions.answer_within = timedelta(seconds=30)
    barkeeper = Barkeeper()
    await connect(barkeeper)
    await barkeeper.tree.sync()
    return barkeeper


@pytest.mark.parametrize("secretly", [False, True])
async def test_a_button_changes_its_message(local_guild: Served, barkeeper: Barkeeper, secretly: bool) -> None:
    async with listening(local_guild, "aylin") as aylin, listening(local_guild, "jonas") as jonas:
        counter = (await aylin.use("counter", {"name": "secretly", "value": secretly}))["message"]
        assert (await aylin.press(counter, "count"))["message"]["content"] == "Counted 1"
        pressed = await aylin.press(counter, "count")
        assert pressed["type"] == 7
        assert pressed["message"]["id"] == counter["id"]
        assert pressed["message"]["components"][0]["components"][0]["label"] == "2"
        updated = await aylin.hears("MESSAGE_UPDATE", lambda told: told["content"] == "Counted 2")
        assert updated["id"] == counter["id"]
        by_another = await jonas.post(
            "/interactions",
            {
                "type": 3,
                "channel_id": counter["channel_id"],
                "message_id": counter["id"],
                "data": {"custom_id": "count", "component_type": 2},
            },
            wait="true",
        )
        if secretly:
            assert by_another.json()["code"] == 10008
            assert not jonas.events("MESSAGE_UPDATE")
        else:
            assert by_another.json()["message"]["content"] == "Counted 3"


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
        (menus, {"custom_id": "user", "values": ["1"]}, 50035),
        (said, {"custom_id": "count"}, 10008),
    ]
    for message, data, code in cases:
        body = {"type": 3, "channel_id": message["channel_id"], "message_id": message["id"], "data": data}
        answer = await aylin.post("/interactions", body)
        assert answer.json()["code"] == code, (data, answer.text)


async def test_every_kind_of_menu(local_guild: Served, barkeeper: Barkeeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    menus = (await aylin.use("menus"))["message"]
    tom, general = str(local_guild.user("tom").id), str(local_guild.channel("general").id)
    cellar = next(str(role.id) for role in local_guild.guild.roles.values() if role.name == "Cellar")
    cases = [
        ("text", ["milk", "ale"], "milk ale"),
        ("user", [tom], f"Member {tom}"),
        ("role", [cellar], f"Role {cellar}"),
        ("channel", [general], f"AppCommandChannel {general}"),
        ("mentionable", [tom, cellar], "Member Role"),
    ]
    for custom_id, values, expected in cases:
        assert (await aylin.press(menus, custom_id, values))["message"]["content"] == expected


async def test_a_button_inside_a_layout(local_guild: Served, barkeeper: Barkeeper) -> None:
    aylin = Guest(local_guild, local_guild.user("aylin"))
    board = (await aylin.use("board"))["message"]
    assert discord.MessageFlags._from_value(board["flags"]).components_v2
    assert (await aylin.press(board, "take"))["message"]["content"] == "Taken."


async def test_components_that_discord_refuses(local_guild: Served, barkeeper: Barkeeper) -> None:
    refusals: list[discord.HTTPException] = []

    @barkeeper.tree.command(description="Two buttons of one id")
    async def twins(interaction: Interaction) -> None:
        view = ui.View()
        for label in ("one", "other"):
            view.add_item(ui.Button(label=label, custom_id="same"))
        try:
            await interaction.response.send_message("Choose", view=view)
        except discord.HTTPException as refused:
            refusals.append(refused)
            await interaction.response.send_message("They are too alike.")

    await barkeeper.tree.sync()
    outcome = await Guest(local_guild, local_guild.user("aylin")).use("twins")
    # A refused answer is none: the bot may answer again.
    assert outcome["message"]["content"] == "They are too alike."
    assert [(refused.status, refused.code) for refused in refusals] == [(400, 50035)]
    assert "duplicated" in str(refusals[0])
