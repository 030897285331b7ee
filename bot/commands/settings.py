"""`/settings`: those who manage a server see what was decided about it, and change it."""

import asyncio
from dataclasses import replace

import discord
from discord import app_commands

from bot.commands.changing import Changing
from bot.commands.questions import Interaction, Questions
from bot.commands.saying import answer, voice_of
from bot.commands.settings_facts import facts_command
from bot.commands.settings_log import LogSettingsCommands
from bot.commands.zone_words import zone_objection
from memory.language.time_zones import offset_of, zone_meant, zones_like
from memory.manager import MemoryManager

Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel


class SettingsCommands(app_commands.Group):
    """Discord hides it from others; whoever gets at it all the same is refused when it runs."""

    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(
            name="settings",
            description="What Innkeeper may keep of this server, and where it may speak",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._bot_name = bot_name
        self._changing = Changing(memory, bot_name, questions)
        self.add_command(LogSettingsCommands(self._changing))
        self.add_command(facts_command(self._changing))
        self.add_command(SpeakingCommands(self._changing))

    @app_commands.command(name="show", description="Everything that was decided about this server")
    async def show(self, interaction: Interaction) -> None:
        await self._changing.show(interaction)

    @app_commands.command(name="time-zone", description="When a day begins and ends on this server")
    @app_commands.describe(zone="A time zone, or the nearest large city")
    async def time_zone(self, interaction: Interaction, zone: app_commands.Range[str, 1, 60]) -> None:
        meant = await asyncio.to_thread(zone_meant, zone)
        if meant is None:
            near = await asyncio.to_thread(zones_like, zone, interaction.created_at)
            await answer(interaction, zone_objection(zone, near, voice_of(interaction, self._bot_name)))
            return
        await self._changing.change(interaction, lambda settings: replace(settings, time_zone=meant))

    @time_zone.autocomplete("zone")
    async def zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        now = interaction.created_at

        def choices() -> list[app_commands.Choice[str]]:
            found = zones_like(typed, now)
            return [app_commands.Choice(name=f"{zone} ({offset_of(zone, now)})", value=zone) for zone in found]

        return await asyncio.to_thread(choices)

    @app_commands.command(name="hall-role", description="The role whose holders make the hall")
    @app_commands.describe(role="What everyone with this role can read may be repeated to them")
    async def hall_role(self, interaction: Interaction, role: discord.Role) -> None:
        await self._changing.change(interaction, lambda settings: replace(settings, hall_role_id=role.id))


class SpeakingCommands(app_commands.Group):
    def __init__(self, changing: Changing) -> None:
        super().__init__(name="speak-in", description="The channels Innkeeper may write in")
        self._changing = changing

    @app_commands.command(name="add", description="Let Innkeeper write in this channel, and in those added before")
    @app_commands.describe(channel="The channel")
    async def add(self, interaction: Interaction, channel: Channel) -> None:
        await self._changing.change(
            interaction, lambda settings: replace(settings, speaks_in=settings.speaks_in | {channel.id})
        )

    @app_commands.command(name="remove", description="Take a channel from those it may write in; with the last, all")
    @app_commands.describe(channel="The channel")
    async def remove(self, interaction: Interaction, channel: Channel) -> None:
        await self._changing.change(
            interaction, lambda settings: replace(settings, speaks_in=settings.speaks_in - {channel.id})
        )

    @app_commands.command(name="everywhere", description="Let Innkeeper write wherever Discord lets it")
    async def everywhere(self, interaction: Interaction) -> None:
        await self._changing.change(interaction, lambda settings: replace(settings, speaks_in=frozenset()))
