"""An export: collected while its reader is told how far it has come, and handed over to them alone."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from io import BufferedIOBase

import discord

from bot.commands.handing_over import Parcel, file_name, parcelled
from bot.commands.holdings import grouped
from bot.commands.progress import Progress
from bot.commands.questions import SILENT, Interaction
from bot.notices.notice import Notice
from bot.phrases import Voice
from bot.sole_reader import sole_reader
from bot.sources import jump_link
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.privacy.export_queries import Exported, ExportUnderWay, OnRows, Signposts

logger = logging.getLogger(__name__)

Write = Callable[[Audience, Signposts, BufferedIOBase, OnRows], Awaitable[Exported]]


async def hand_over(
    interaction: Interaction,
    memory: MemoryManager,
    voice: Voice,
    write: Write,
    *,
    of: str,
    about: Sequence[Notice],
    ready: str,
) -> None:
    """For an interaction that has been deferred.

    `of` names the file, `about` is what it says of itself, and `ready` comes with it.
    """
    reader = sole_reader(memory, interaction)
    signposts = _signposts(interaction, reader, [voice.say(notice) for notice in about])
    name = file_name(of, interaction.created_at)
    try:
        with memory.exports.file() as file, memory.exports.file() as spare:
            async with _collecting(interaction, voice) as progress:
                await memory.settled(reader.guild_id)
                written = await write(reader, signposts, file, progress.note)
                parcel = await parcelled(file, spare, name, interaction.filesize_limit)
            # Collecting may have taken a while, in which a room was closed to them.
            if not sole_reader(memory, interaction).covers(reader):
                await _say_instead(interaction, voice.say(Notice.READS_CHANGED))
                return
            await _send(interaction, parcel, ready, voice)
    except ExportUnderWay:
        await _say_instead(interaction, voice.say(Notice.EXPORT_UNDER_WAY))
        return
    except StoreError as error:
        logger.warning("an export was not possible", extra={"reason": type(error).__name__})
        await _say_instead(interaction, voice.say(Notice.USAGE_UNKNOWN))
        return
    logger.info("exported", extra={"of": of, "bytes": written.size, "parts": parcel.parts})


def _collecting(interaction: Interaction, voice: Voice) -> Progress:
    def words(done: int, of: int) -> str:
        return voice.say(Notice.EXPORT_PROGRESS, done=grouped(done), total=grouped(of))

    return Progress(interaction, words, voice.say(Notice.EXPORT_LATE))


async def _say_instead(interaction: Interaction, words: str) -> None:
    await interaction.edit_original_response(content=words, allowed_mentions=SILENT)


async def _send(interaction: Interaction, parcel: Parcel, ready: str, voice: Voice) -> None:
    words = ready
    if parcel.parts > 1:
        words += "\n" + voice.say(Notice.EXPORT_PARTS, count=parcel.parts)
    elif parcel.is_packed:
        words += "\n" + voice.say(Notice.EXPORT_PACKED)
    files = parcel.files()
    await interaction.edit_original_response(content=words, attachments=[next(files)], allowed_mentions=SILENT)
    for file in files:
        await interaction.followup.send(file=file, ephemeral=True)


def _signposts(interaction: Interaction, reader: Audience, notes: list[str]) -> Signposts:
    guild = interaction.guild
    places: list[discord.abc.GuildChannel | discord.Thread] = []
    if guild is not None:
        places = [*guild.channels, *guild.threads]

    def link(channel_id: int, message_id: int) -> str:
        return jump_link(reader.guild_id, channel_id, message_id)

    return Signposts(
        guild_name="" if guild is None else guild.name,
        channel_names={place.id: place.name for place in places if place.id in reader.sources},
        link=link,
        notes=notes,
    )
