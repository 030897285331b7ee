"""`/remember`, and "Remember this" in the menu of a message: the same as "Bot remember …" in a channel."""

from typing import Any

import discord
from discord import app_commands

from bot.private_tellings import PrivateTellings
from memory.tasks import request

LONGEST_TEXT = 2_000

Interaction = discord.Interaction[discord.Client]


def remember_command(tellings: PrivateTellings) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(
        name="remember", description="Have me remember something, for those who can read this channel"
    )
    @app_commands.describe(
        fact="What shall I remember? “gruzilkin is Sergey”, “I play the cello” …",
        about="The member it is about, if the words do not name them",
        everyone="Of yourself: may everyone on this server know it?",
    )
    @app_commands.guild_only()
    async def remember(
        interaction: Interaction,
        fact: app_commands.Range[str, 1, LONGEST_TEXT],
        about: discord.Member | discord.User | None = None,
        everyone: bool = False,
    ) -> None:
        with request("remember"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            text = fact if about is None else f"about <@{about.id}>: {fact}"
            await tellings.remember(interaction, text, everywhere=everyone)

    return remember


def remember_this_menu(tellings: PrivateTellings) -> app_commands.ContextMenu:
    @app_commands.guild_only()
    async def remember_this(interaction: Interaction, message: discord.Message) -> None:
        with request("remember"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await tellings.remember_this(interaction, message)

    return app_commands.ContextMenu(name="Remember this", callback=remember_this)
