"""`/forget`: the same as "Bot forget …" in a channel, among all that the one who asks can read."""

from typing import Any

import discord
from discord import app_commands

from bot.private_tellings import PrivateTellings
from memory.tasks import request

LONGEST_TEXT = 1_000

Interaction = discord.Interaction[discord.Client]


def forget_command(tellings: PrivateTellings) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="forget", description="Have me forget something I was told. Only you see what went")
    @app_commands.describe(fact="What shall I forget? “that gruzilkin likes pizza”, “everything about me” …")
    @app_commands.guild_only()
    async def forget(interaction: Interaction, fact: app_commands.Range[str, 1, LONGEST_TEXT]) -> None:
        with request("forget"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await tellings.forget(interaction, fact)

    return forget
