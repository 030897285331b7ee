"""`/innkeeper`: how it is doing, and what it is."""

import discord
from discord import app_commands

from bot.commands.status import describe
from bot.reply import split
from memory.manager import MemoryManager
from memory.tracing import request

ABOUT = (
    "I remember this server: I keep the messages I can read, and the facts people tell me.\n"
    "• “{name} remember that @someone likes tea”, “{name} forget that …”, “{name} what do you know about @someone?”\n"
    "• Mention me, or answer one of my messages, to ask me anything.\n"
    "• `/privacy opt-out`: I store nothing you write; `/privacy erase`: what I have of you goes.\n"
    "What was said in a private channel is not repeated where others could read it. A message that is deleted on "
    "Discord is deleted here too. I write to nobody who did not call me, and ping nobody."
)


class InnkeeperCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str) -> None:
        super().__init__(name="innkeeper", description="About Innkeeper itself", guild_only=True)
        self._memory = memory
        self._bot_name = bot_name

    @app_commands.command(name="status", description="How Innkeeper is doing")
    async def status(self, interaction: discord.Interaction) -> None:
        with request("status"):
            # Discord waits three seconds for an answer, and the database may take longer to say that it is away.
            await interaction.response.defer(ephemeral=True, thinking=True)
            manages = interaction.permissions.manage_guild
            for part in split(describe(await self._memory.health_report(), with_issues=manages)):
                await interaction.followup.send(part, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())

    @app_commands.command(name="about", description="What Innkeeper keeps, and how to talk to it")
    async def about(self, interaction: discord.Interaction) -> None:
        with request("about"):
            await interaction.response.send_message(ABOUT.format(name=self._bot_name), ephemeral=True)
