"""The bot through the page: commands with their options, buttons, menus, modals, and what only one may see."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta

import discord
import pytest
import yarl
from discord import app_commands
from playwright.async_api import expect

from tests.local_guild.page.house import IN_THE_BROWSER, PATIENCE_MS, House, Windows

pytestmark = IN_THE_BROWSER

TOWNS = ("Lund", "Lyon", "Porto")


class Form(discord.ui.Modal, title="A new fact"):
    subject: discord.ui.TextInput["Form"] = discord.ui.TextInput(label="About whom?")
    words: discord.ui.TextInput["Form"] = discord.ui.TextInput(label="What?", style=discord.TextStyle.long)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{self.subject.value}: {self.words.value}")


class Choices(discord.ui.View):
    @discord.ui.button(label="Count", style=discord.ButtonStyle.primary)
    async def count(self, interaction: discord.Interaction, button: discord.ui.Button["Choices"]) -> None:
        button.label = "Counted"
        button.disabled = True
        await interaction.response.edit_message(content="counted once", view=self)

    @discord.ui.button(label="Write", style=discord.ButtonStyle.secondary)
    async def write(self, interaction: discord.Interaction, button: discord.ui.Button["Choices"]) -> None:
        await interaction.response.send_modal(Form())

    @discord.ui.button(label="Ignore me", style=discord.ButtonStyle.danger)
    async def ignore(self, interaction: discord.Interaction, button: discord.ui.Button["Choices"]) -> None:
        pass

    @discord.ui.select(placeholder="Which town?", options=[discord.SelectOption(label=town) for town in TOWNS])
    async def town(self, interaction: discord.Interaction, select: discord.ui.Select["Choices"]) -> None:
        await interaction.response.send_message(f"{select.values[0]} it is", ephemeral=True)

    @discord.ui.select(cls=discord.ui.UserSelect, placeholder="Who comes?", max_values=2)
    async def people(self, interaction: discord.Interaction, select: discord.ui.UserSelect["Choices"]) -> None:
        names = sorted(member.display_name for member in select.values)
        await interaction.response.send_message(" and ".join(names))


def _commands(tree: app_commands.CommandTree[discord.Client]) -> None:
    @tree.command(description="Keep a fact about somebody")
    @app_commands.describe(fact="What to keep", about="Whom it is about", town="Where")
    async def keep(
        interaction: discord.Interaction, fact: str, about: discord.Member, town: str = "", often: int = 1
    ) -> None:
        await interaction.response.defer(thinking=True)
        await interaction.followup.send(f"kept: {fact}, {about.display_name}, {town or 'nowhere'}, {often}")

    @keep.autocomplete("town")
    async def towns(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        fitting = [town for town in TOWNS if town.lower().startswith(current.lower())]
        return [app_commands.Choice(name=f"{town} (town)", value=town) for town in fitting]

    group = app_commands.Group(name="inn", description="About the inn")

    @group.command(description="Shows everything that can be pressed")
    async def choices(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("press something", view=Choices())

    tree.add_command(group)

    @tree.context_menu(name="Quote it")
    async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"quoted: {message.content}", ephemeral=True)


@pytest.fixture(scope="module")
def discord_is_here(house: House) -> Iterator[None]:
    gateway = yarl.URL(house.url.replace("http", "ws", 1)) / "gateway"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(discord.http.Route, "BASE", f"{house.url}/api/v10")
        patch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", gateway)
        yield


@pytest.fixture(scope="module")
async def bot(house: House, discord_is_here: None) -> AsyncIterator[discord.Client]:
    """A real discord.py client that answers as the world's bot."""
    client = discord.Client(intents=discord.Intents.all())
    ready = asyncio.Event()

    @client.event
    async def on_ready() -> None:
        ready.set()

    tree = app_commands.CommandTree(client)
    _commands(tree)
    running = asyncio.create_task(client.start(house.server.world.bot.token))
    try:
        await asyncio.wait_for(ready.wait(), PATIENCE_MS / 1000)
        await tree.sync()
        yield client
    finally:
        tree.clear_commands(guild=None)
        await tree.sync()
        await client.close()
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def test_a_command_is_completed_filled_in_and_answered(
    house: House, windows: Windows, bot: discord.Client
) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    await tom.box.press_sequentially("/ke", delay=5)
    offered = tom.page.get_by_role("listbox", name="Suggestions").get_by_role("option")
    await expect(offered).to_contain_text(["/keep"])
    await expect(offered).to_contain_text(["fact"])
    await tom.box.press("Enter")
    form = tom.page.get_by_role("form", name="Command keep")
    await expect(form.get_by_role("combobox", name="fact")).to_be_focused()
    await tom.page.keyboard.type("plays the violin")
    await tom.page.keyboard.press("Tab")
    await tom.page.keyboard.type("ayl")
    await tom.page.keyboard.press("Enter")
    await expect(form.get_by_role("combobox", name="about")).to_have_value("@Aylin")
    await form.get_by_role("button", name="+ town").click()
    await tom.page.keyboard.type("ly")
    await form.get_by_role("option", name="Lyon (town)").click()
    await form.get_by_role("button", name="+ often").click()
    await tom.page.keyboard.type("3")
    await tom.page.keyboard.press("Enter")
    answer = await tom.sees("kept: plays the violin, Aylin, Lyon, 3")
    await expect(answer).to_contain_text("used /keep")
    await expect(tom.box).to_be_focused()
    await tom.act("kept: plays the violin", "More actions")
    await tom.page.get_by_role("menuitem", name="Quote it").click()
    await tom.sees("quoted: kept: plays the violin")


async def test_buttons_menus_and_modals(
    house: House, windows: Windows, bot: discord.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    aylin = await windows.open("aylin", room.path)
    await tom.box.press_sequentially("/inn ch", delay=5)
    await tom.box.press("Enter")
    await tom.page.get_by_role("form", name="Command inn choices").get_by_role("button", name="Send").click()
    row = await tom.sees("press something")

    await row.get_by_role("button", name="Which town?").click()
    await tom.page.get_by_role("option", name="Porto").click()
    secret = await tom.sees("Porto it is")
    await expect(secret).to_contain_text("Only you can see this")
    await expect(aylin.message("Porto it is")).to_have_count(0)
    await secret.hover()
    await expect(secret).to_have_class(re.compile("active"))
    await expect(secret.get_by_role("toolbar")).to_have_count(0)
    gap = await secret.locator(".only-you").evaluate(
        "one => one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom"
    )
    assert gap >= 4, "it sticks to what it stands under"
    await secret.get_by_role("button", name="Dismiss").click()
    await expect(secret).to_have_count(0)

    await row.get_by_role("button", name="Who comes?").click()
    await tom.page.get_by_role("option", name="@Maren").click()
    await tom.page.get_by_role("option", name="@Jonas").click()
    await tom.page.get_by_role("button", name="Choose").click()
    await aylin.sees("Jonas and Maren")

    await row.get_by_role("button", name="Write").click()
    modal = tom.page.get_by_role("dialog", name="A new fact")
    await modal.get_by_label("About whom?").fill("Jonas")
    await modal.get_by_label("What?").fill("owns a van")
    await modal.get_by_role("button", name="Submit").click()
    await aylin.sees("Jonas: owns a van")
    await expect(modal).to_have_count(0)

    await row.get_by_role("button", name="Count").click()
    await expect(aylin.message("counted once").get_by_role("button", name="Counted", exact=True)).to_be_disabled()
    monkeypatch.setattr(house.server.interactions, "answer_within", timedelta(seconds=0.3))
    await tom.message("counted once").first.get_by_role("button", name="Ignore me").click()
    await expect(tom.page.get_by_text("The bot did not answer in time.")).to_be_visible()
