"""`/channel-memory open-import` and `close-import`: whoever manages a server decides who can read what only an import
knows."""

import discord
from discord import app_commands

from bot.privacy.channel import ChannelMemoryCommands
from bot.replies.interactions import Interaction, answer
from bot.settings_ui.commands import Channel
from bot.words.commands import described
from bot.words.keys import Notice, Slash
from memory.db.errors import StoreError
from memory.importing.imported_channels import ImportedChannel
from memory.manager import MemoryManager
from memory.tasks import request

MOST_OFFERED = 25
LONGEST_NAME = 100


def add_import_commands(group: ChannelMemoryCommands, memory: MemoryManager) -> None:
    @group.command(name="open-import", description=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT))
    @app_commands.describe(
        imported=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_IMPORTED),
        readers=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_READERS),
        name=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_NAME),
    )
    async def open_import(
        interaction: Interaction,
        imported: str,
        readers: Channel,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    ) -> None:
        called = name or f"imported-{imported}"[:LONGEST_NAME]
        await change(interaction, imported, readers, called)

    @group.command(name="close-import", description=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT))
    @app_commands.describe(imported=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT_IMPORTED))
    async def close_import(interaction: Interaction, imported: str) -> None:
        await change(interaction, imported, None, "")

    async def change(interaction: Interaction, imported: str, readers: Channel | None, name: str) -> None:
        with request("channel memory"):
            voice, guild, channels = group.voice_of(interaction), interaction.guild, memory.imported_channels
            if guild is None or not await group.manages(interaction, voice):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            channel_id = int(imported) if imported.isdecimal() and len(imported) <= 20 else 0
            by, done = interaction.user.id, None
            try:
                if readers is None:
                    done = await channels.close(guild.id, channel_id, by)
                elif await _is_gone(guild, channel_id):
                    done = await channels.open(guild.id, channel_id, readers.id, name, by)
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            if done is None:
                words = voice.say(Notice.IMPORT_UNKNOWN)
            elif readers is None:
                words = voice.say(Notice.IMPORT_CLOSED, count=done.messages)
            else:
                words = voice.say(Notice.IMPORT_OPENED, channel=readers.mention, count=done.messages)
            await answer(interaction, words)

    async def offer(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        try:
            known = await memory.imported_channels.all(interaction.guild_id)
        except StoreError:
            return []
        labels = [(_label(one), str(one.channel_id)) for one in known]
        choices = [app_commands.Choice(name=label, value=number) for label, number in labels if typed in label]
        return choices[:MOST_OFFERED]

    open_import.autocomplete("imported")(offer)
    close_import.autocomplete("imported")(offer)


async def _is_gone(guild: discord.Guild, channel_id: int) -> bool:
    """Whether Discord says so. What is only out of our view has readers of its own."""
    try:
        await guild.fetch_channel(channel_id)
    except discord.NotFound:
        return True
    except (discord.HTTPException, discord.InvalidData):
        return False
    return False


def _label(one: ImportedChannel) -> str:
    """Days, how many messages, what managers called it, and the id that stands in the name of the exported file."""
    name = f" · #{one.name}" if one.readers_of is not None else ""
    days = f"{one.first_at:%Y-%m-%d} – {one.last_at:%Y-%m-%d}"
    return f"{days} · ✉ {one.messages:,}{name[:40]} · {one.channel_id}"
