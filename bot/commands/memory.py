"""`/memory`: what is held about oneself or another member, and for managers, who looked at it or changed it."""

import discord
from discord import app_commands

from bot.looking import MemoryLooks
from memory.tasks import request

Interaction = discord.Interaction[discord.Client]


class MemoryCommands(app_commands.Group):
    def __init__(self, looking: MemoryLooks) -> None:
        super().__init__(
            name="memory", description="What Innkeeper holds about members, and from whom", guild_only=True
        )
        self._looking = looking

    @app_commands.command(
        name="show", description="What I hold about you or somebody else, and what you can do about it"
    )
    @app_commands.describe(member="Whom it is about; without it, you")
    async def show(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        with request("memory"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._looking.show(interaction, interaction.user.id if member is None else member.id)

    @app_commands.command(
        name="audit", description="Who looked at or changed what I hold about others; for those who manage this server"
    )
    @app_commands.describe(member="Whose memory it was; without it, everybody's")
    async def audit(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        with request("memory"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._looking.audit(interaction, None if member is None else member.id)
