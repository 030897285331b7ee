"""`/settings log`: those who manage a server decide what its log may hold."""

import logging
from collections.abc import Callable, Collection
from dataclasses import replace

import discord
from discord import app_commands

from bot.commands.saying import answer, voice_of
from bot.notices import Notice
from bot.phrases import Voice
from memory.core.admission import Consent
from memory.core.log import LogSettings
from memory.errors import StoreError
from memory.manager import MemoryManager
from memory.tracing import request

logger = logging.getLogger(__name__)

LONGEST_RETENTION_DAYS = 3650

Change = Callable[[LogSettings], LogSettings]
Channel = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | discord.Thread

_WORDS_FOR = {Consent.OPT_OUT: Notice.CONSENT_OPT_OUT, Consent.OPT_IN: Notice.CONSENT_OPT_IN}


class SettingsCommands(app_commands.Group):
    """Discord hides it from others; whoever gets at it all the same is refused when it runs."""

    def __init__(self, memory: MemoryManager, bot_name: str) -> None:
        super().__init__(
            name="settings",
            description="What Innkeeper may keep of this server",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self.add_command(LogSettingsCommands(memory, bot_name))


class LogSettingsCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str) -> None:
        super().__init__(name="log", description="What is stored, of whom and for how long")
        self._memory = memory
        self._bot_name = bot_name

    @app_commands.command(name="show", description="What is stored, of whom and for how long")
    async def show(self, interaction: discord.Interaction) -> None:
        await self._change(interaction, lambda settings: settings)

    @app_commands.command(
        name="consent", description="Whether members are stored unless they opt out, or only if they opt in"
    )
    @app_commands.describe(mode="Who is stored")
    @app_commands.choices(
        mode=[
            app_commands.Choice(name="Everyone who has not opted out", value=Consent.OPT_OUT.value),
            app_commands.Choice(name="Only those who have opted in", value=Consent.OPT_IN.value),
        ]
    )
    async def consent(self, interaction: discord.Interaction, mode: str) -> None:
        await self._change(interaction, lambda settings: replace(settings, consent=Consent(mode)))

    @app_commands.command(name="retention", description="After how many days messages are removed from the log")
    @app_commands.describe(days="Days to keep messages; 0 keeps them until they are deleted")
    async def retention(
        self, interaction: discord.Interaction, days: app_commands.Range[int, 0, LONGEST_RETENTION_DAYS]
    ) -> None:
        await self._change(interaction, lambda settings: replace(settings, retention_days=days or None))

    @app_commands.command(
        name="exclude-channel", description="Store nothing of a channel and its threads, and remove what is"
    )
    @app_commands.describe(channel="The channel or thread")
    async def exclude_channel(self, interaction: discord.Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda now: replace(now, excluded_channels=now.excluded_channels | {channel.id})
        )

    @app_commands.command(name="include-channel", description="Store what is said in a channel from now on again")
    @app_commands.describe(channel="The channel or thread")
    async def include_channel(self, interaction: discord.Interaction, channel: Channel) -> None:
        await self._change(
            interaction, lambda now: replace(now, excluded_channels=now.excluded_channels - {channel.id})
        )

    @app_commands.command(name="exclude-role", description="Store nothing of those who have a role, and remove what is")
    @app_commands.describe(role="The role")
    async def exclude_role(self, interaction: discord.Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda now: replace(now, excluded_roles=now.excluded_roles | {role.id}))

    @app_commands.command(name="include-role", description="Store the members who have a role again")
    @app_commands.describe(role="The role")
    async def include_role(self, interaction: discord.Interaction, role: discord.Role) -> None:
        await self._change(interaction, lambda now: replace(now, excluded_roles=now.excluded_roles - {role.id}))

    async def _change(self, interaction: discord.Interaction, change: Change) -> None:
        """Applies it, and shows the settings as they are then."""
        with request("settings"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                before = await self._memory.log_settings(interaction.guild_id)
                after = change(before)
                removed = 0
                if after != before:
                    removed = await self._memory.change_log_settings(interaction.guild_id, after)
                    logger.info("log settings were changed", extra={"guild_id": interaction.guild_id})
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            cleaned = [voice.say(Notice.LOG_CLEANED, messages=removed)] if removed else []
            await answer(interaction, "\n".join([describe_settings(after, voice), *cleaned]))


def describe_settings(settings: LogSettings, voice: Voice) -> str:
    days = settings.retention_days
    return voice.say(
        Notice.LOG_SETTINGS,
        consent=voice.say(_WORDS_FOR[settings.consent]),
        kept=voice.say(Notice.KEPT_FOREVER) if days is None else voice.say(Notice.KEPT_DAYS, days=days),
        channels=_listed("<#{}>", settings.excluded_channels, voice),
        roles=_listed("<@&{}>", settings.excluded_roles, voice),
    )


def _listed(mention: str, ids: Collection[int], voice: Voice) -> str:
    return ", ".join(mention.format(one) for one in sorted(ids)) or voice.say(Notice.NONE)
