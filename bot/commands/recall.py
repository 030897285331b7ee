"""`/recall`: look for what was said, among all that one can read oneself; nobody else sees what is found."""

from typing import Any

import discord
from discord import app_commands

from bot.readable_places import offered
from bot.recalling import Recalling
from bot.sole_reader import sole_reader
from bot.wanted import Wanted
from memory.manager import MemoryManager
from memory.tasks import request

LONGEST_TEXT = 4_000
LONGEST_LIMIT = 200

Interaction = discord.Interaction[discord.Client]
Text = app_commands.Range[str, 1, LONGEST_TEXT]
Typed = app_commands.Range[str, 1, LONGEST_LIMIT]


def recall_command(recalling: Recalling, memory: MemoryManager) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="recall", description="Find what was said, in all that you can read. Only you see it")
    @app_commands.describe(
        text="Words, or a whole question: who said …, when did we …",
        author="Only what this person said",
        place="Only in this channel, with its threads, or in this thread",
        before="Only what was said before this day: 2026-03-01, yesterday, last week, March",
        after="Only what was said on this day or later: 2026-03-01, yesterday, last week, March",
    )
    @app_commands.rename(author="from", place="in")
    @app_commands.guild_only()
    async def recall(
        interaction: Interaction,
        text: Text,
        author: discord.Member | discord.User | None = None,
        place: Typed | None = None,
        before: Typed | None = None,
        after: Typed | None = None,
    ) -> None:
        with request("recall"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            author_id = None if author is None else author.id
            await recalling.recall(interaction, Wanted(text, author_id, place, before, after))

    @recall.autocomplete("place")
    async def places(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild is None:
            return []
        readable = offered(interaction.guild, sole_reader(memory, interaction), typed)
        return [app_commands.Choice(name=name, value=str(place_id)) for name, place_id in readable]

    return recall
