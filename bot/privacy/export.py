"""Collects an export while its reader is told how far it has come, and hands it over to them alone."""

import asyncio
import gzip
import logging
import math
import shutil
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from io import BufferedIOBase, BufferedRandom, BytesIO

import discord

from bot.connection import TROUBLE
from bot.privacy.holdings import grouped
from bot.replies.draft import sole_reader
from bot.replies.interactions import SILENT, Interaction
from bot.replies.split import jump_link
from bot.words import Notice, Voice
from memory.core.log_values import OnProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.privacy.export import written_to_disk
from memory.privacy.export_queries import ExportNotWritten, ExportUnderWay, Inventory, Signposts

# A file for one reader, as Discord takes it: as it is, packed, or packed and in parts.


ROOM = 64 * 1024
"""Left below Discord's limit, for what goes around a file."""


def _pack(file: BufferedRandom, packed: BufferedRandom) -> None:
    file.seek(0)
    with written_to_disk(), gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as packing:
        shutil.copyfileobj(file, packing)
    with written_to_disk():
        packed.flush()


logger = logging.getLogger(__name__)

EVERY_SECONDS = 2.0
WHILE_DISCORD_LETS_US = timedelta(minutes=14)
"""The answer to an interaction can be changed for 15 minutes."""


class Progress:
    """Shows in the answer to an interaction how far something has come, while whoever does it tells of it."""

    def __init__(self, interaction: Interaction, words: Callable[[int, int], str], goes_on: str) -> None:
        """`words` say how much is done, and of how much; `goes_on` is the last word on what takes longer."""
        self._interaction = interaction
        self._words = words
        self._goes_on = goes_on
        self._next_at = time.monotonic() + EVERY_SECONDS
        self.reached: tuple[int, int] | None = None
        """How much is done, and of how much; None before anything was told."""
        self._showing: asyncio.Task[None] | None = None

    async def note(self, done: int, of: int) -> None:
        self.reached = (done, of)
        if time.monotonic() < self._next_at or (self._showing is not None and not self._showing.done()):
            return
        is_late = discord.utils.utcnow() - self._interaction.created_at > WHILE_DISCORD_LETS_US
        self._next_at = math.inf if is_late else time.monotonic() + EVERY_SECONDS
        # The work does not wait for Discord.
        self._showing = asyncio.create_task(self._show(self._goes_on if is_late else self._words(done, of)))

    async def shown(self) -> None:
        """Wait until Discord has shown what was told, so that it does not come behind the last word."""
        if self._showing is not None:
            await self._showing

    async def _show(self, words: str) -> None:
        try:
            await self._interaction.edit_original_response(content=words, view=None, allowed_mentions=SILENT)
        except TROUBLE as error:
            logger.info("could not show progress", extra={"reason": type(error).__name__})


Write = Callable[[Audience, Signposts, BufferedIOBase, OnProgress], Awaitable[Inventory]]


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
    """Write an export, and hand over its file in an interaction that has been deferred.

    `of` names the file, `about` is what it says of itself, and `ready` comes with it.
    """
    reader = sole_reader(memory, interaction)
    signposts = _signposts(interaction, reader, [voice.say(notice) for notice in about])
    name = f"innkeeper-{of}-{interaction.created_at:%Y-%m-%d}.json"

    def words(done: int, of: int) -> str:
        return voice.say(Notice.EXPORT_PROGRESS, done=grouped(done), total=grouped(of))

    progress = Progress(interaction, words, voice.say(Notice.EXPORT_LATE))
    try:
        with memory.exports.file() as file, memory.exports.file() as spare:
            await memory.log.settled(reader.guild_id)
            try:
                await write(reader, signposts, file, progress.note)
            finally:
                await progress.shown()
            sent, parts, limit = file, 1, interaction.filesize_limit - ROOM
            if file.seek(0, 2) > limit:
                await asyncio.to_thread(_pack, file, spare)
                sent, name, parts = spare, f"{name}.gz", -(-spare.seek(0, 2) // limit)
                packed = Notice.EXPORT_PARTS if parts > 1 else Notice.EXPORT_PACKED
                ready = f"{ready}\n{voice.say(packed, count=parts)}"
            # Collecting may have taken a while, in which a room was closed to them.
            if not sole_reader(memory, interaction).covers(reader):
                await _say_instead(interaction, voice.say(Notice.READS_CHANGED))
                return
            await _send(interaction, sent, name, parts, limit, ready)
    except (ExportUnderWay, ExportNotWritten, StoreError) as error:
        logger.warning("export failed", extra={"reason": type(error).__name__})
        await _say_instead(interaction, voice.say(_FAILED.get(type(error), Notice.USAGE_UNKNOWN)))
        return
    logger.info("exported", extra={"of": of, "parts": parts})


_FAILED = {ExportUnderWay: Notice.EXPORT_UNDER_WAY, ExportNotWritten: Notice.EXPORT_NOT_WRITTEN}


async def _say_instead(interaction: Interaction, words: str) -> None:
    await interaction.edit_original_response(content=words, allowed_mentions=SILENT)


async def _send(interaction: Interaction, file: BufferedRandom, name: str, parts: int, limit: int, words: str) -> None:
    """Send a file, in parts where it is larger than Discord takes; each lies in memory only while it is sent."""
    file.seek(0)
    for number in range(1, parts + 1):
        piece = file if parts == 1 else BytesIO(file.read(limit))
        part = discord.File(piece, filename=name if parts == 1 else f"{name}.{number:03}")
        if number == 1:
            await interaction.edit_original_response(content=words, attachments=[part], allowed_mentions=SILENT)
        else:
            await interaction.followup.send(file=part, ephemeral=True)


def _signposts(interaction: Interaction, reader: Audience, notes: list[str]) -> Signposts:
    guild = interaction.guild
    places = [] if guild is None else [*guild.channels, *guild.threads]
    return Signposts(
        guild_name="" if guild is None else guild.name,
        channel_names={place.id: place.name for place in places if place.id in reader.sources},
        link=partial(jump_link, reader.guild_id),
        notes=notes,
    )
