"""`/settings log`: what is stored, of whom and for how long."""

from collections.abc import Callable
from dataclasses import replace

import discord
from discord import app_commands

from bot.commands.changing import Changing
from bot.commands.questions import Interaction
from memory.core.log_values import Consent, LogSettings

LONGEST_RETENTION_DAYS = 3650

Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | discord.Thread


class LogSettingsCommands(app_commands.Group):
    def __init__(self, changing: Changing) -> None:
        super().__init__(name="log", description="What is stored, of whom and for how long")
        self._changing = changing

    @app_commands.command(name="show", description="Everything that was decided about this server")
    async def show(self, interaction: Interaction) -> None:
        await self._changing.show(interaction)

    @app_commands.command(
        name="consent", description="Whether members are stored unless they opt out, or only if they opt in"
    )
    @app_commands.describe(mode="Who is stored; what is stored of the others is removed, after asking you")
    @app_commands.choices(
        mode=[
            app_commands.Choice(name="Everyone who has not opted out", value=Consent.OPT_OUT.value),
            app_commands.Choice(name="Only those who have opted in", value=Consent.OPT_IN.value),
        ]
    )
    async def consent(self, interaction: Interaction, mode: str) -> None:
        await self._change(interaction, lambda log: replace(log, consent=Consent(mode)))

    @app_commands.command(name="retention", description="After how many days messages are removed from the log")
    @app_commands.describe(days="Days to keep messages; 0 keeps them until they are deleted")
    async def retention(
        self, interaction: Interaction, days: app_commands.Range[int, 0, LONGEST_RETENTION_DAYS]
    ) -> None:
        await self._change(interaction, lambda log: replace(log, retention_days=days or None))

    @app_commands.command(name="summaries", description="After how many days summaries of what was said are removed")
    @app_commands.describe(days="Days to keep summaries; 0 keeps them as long as what they were made from")
    async def summaries(
        self, interaction: Interaction, days: app_commands.Range[int, 0, LONGEST_RETENTION_DAYS]
    ) -> None:
        await self._change(interaction, lambda log: replace(log, summary_days=days or None))

    @app_commands.command(name="facts", description="After how many days facts are removed that nobody told me again")
    @app_commands.describe(days="Days to keep a fact after it was last told; 0 keeps it until it is forgotten")
    async def facts(self, interaction: Interaction, days: app_commands.Range[int, 0, LONGEST_RETENTION_DAYS]) -> None:
        await self._change(interaction, lambda log: replace(log, fact_days=days or None))

    @app_commands.command(
        name="exclude-channel", description="Store nothing of a channel and its threads, and remove what is"
    )
    @app_commands.describe(channel="The channel or thread")
    async def exclude_channel(self, interaction: Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda log: replace(log, excluded_channels=log.excluded_channels | {channel.id})
        )

    @app_commands.command(name="include-channel", description="Store what is said in a channel from now on again")
    @app_commands.describe(channel="The channel or thread")
    async def include_channel(self, interaction: Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda log: replace(log, excluded_channels=log.excluded_channels - {channel.id})
        )

    @app_commands.command(name="exclude-role", description="Store nothing of those who have a role, and remove what is")
    @app_commands.describe(role="The role")
    async def exclude_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda log: replace(log, excluded_roles=log.excluded_roles | {role.id}))

    @app_commands.command(name="include-role", description="Store the members who have a role again")
    @app_commands.describe(role="The role")
    async def include_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda log: replace(log, excluded_roles=log.excluded_roles - {role.id}))

    async def _change(self, interaction: Interaction, change: Callable[[LogSettings], LogSettings]) -> None:
        await self._changing.change(interaction, lambda settings: replace(settings, log=change(settings.log)))
