"""`/ask`: a question whose answer nobody else sees, made from all that the asker can read."""

from typing import Any

import discord
from discord import app_commands

from bot.private_answers import PrivateAnswers
from memory.tasks import request

LONGEST_QUESTION = 1500


def ask_command(answers: PrivateAnswers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="ask", description="Ask me something. Only you see the answer, from all you can read")
    @app_commands.describe(question="What would you like to know?")
    @app_commands.guild_only()
    async def ask(
        interaction: discord.Interaction[discord.Client], question: app_commands.Range[str, 1, LONGEST_QUESTION]
    ) -> None:
        with request("ask"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await answers.answer(interaction, question)

    return ask
