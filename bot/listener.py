"""Takes messages in a guild from Discord's events into the log; and what was said to us, on to `answering`.

Every message of every guild passes here, so nothing is awaited before it is on the queue, and nothing is logged. Events
are put on the queue in the order in which Discord told them; where they overtake each other all the same, the log knows
how to end up right.
"""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace

import discord

from bot.answering.answer import Answerer, Call
from bot.mirror.guilds import GuildMirror
from bot.shared_files import FileWorker
from bot.translate import edit_of, to_edit, to_message
from memory.core.values import Message, MessageEdit
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0
"""How long a reply waits for what was said before it to be written down."""


class MessageListener:
    def __init__(
        self,
        memory: MemoryManager,
        answering: Answerer,
        files: FileWorker,
        guild_mirror: GuildMirror,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._answerer = answering
        self._files = files
        self._guild_mirror = guild_mirror
        self._part = part
        self._heard = 0

    async def message(self, message: discord.Message, me: discord.ClientUser) -> None:
        if isinstance(message.channel, discord.DMChannel):
            with request("message"):
                await self._answerer.greet(message, me)
            return
        stored = to_message(message, me.id)
        if stored is None:
            if message.type is discord.MessageType.poll_result:
                await self._poll_ended(message, me)
            return
        self._heard += 1
        # Up to here nothing was awaited: whoever spoke first stands first in line.
        call = self._answerer.hear(message, stored, me.id)
        if call is None:
            await self._write_down(message, stored)
            return
        with request("message"):
            try:
                earlier = self._guild_mirror.under_way()
                await self._write_down(message, call.stored)
                await self._answer(call, earlier)
            finally:
                call.turn.release()

    async def _poll_ended(self, result: discord.Message, me: discord.ClientUser) -> None:
        """Store the votes of a poll that is over: they stand in the poll, and the result only says where that is."""
        if result.reference is None or result.reference.message_id is None:
            return
        try:
            poll = await result.channel.fetch_message(result.reference.message_id)
        except discord.HTTPException as error:
            logger.info("could not read a poll that is over", extra={"discord_code": error.code})
            return
        if (edit := edit_of(poll, me.id)) is not None:
            await self._memory.log.edit_message(MessageEdit(replace(edit.now, edited_at=None)))

    async def edited(self, event: discord.RawMessageUpdateEvent, me: discord.ClientUser) -> None:
        edit = to_edit(event, me.id)
        if edit is None:
            return
        call = (
            await self._answerer.handle_edited_command(event.message, me.id) if edit.now.edited_at is not None else None
        )
        if call is None:
            await self._memory.log.edit_message(edit)
            return
        with request("message"):
            try:
                await self._memory.log.edit_message(edit)
                await self._answer(call, self._guild_mirror.under_way())
            finally:
                call.turn.release()

    async def deleted(self, guild_id: int | None, channel_id: int, message_ids: Iterable[int]) -> None:
        message_ids = set(message_ids)
        if guild_id is not None and message_ids:
            await self._memory.log.delete_messages(guild_id, channel_id, message_ids)

    async def channel_deleted(self, guild_id: int, channel_id: int) -> None:
        """Delete a channel or thread, which takes its messages with it, without a word about each."""
        logger.info("channel deleted, with its messages", extra={"channel_id": channel_id})
        await self._memory.log.delete_channel(guild_id, channel_id)

    async def settle(self) -> None:
        """Wait until everything that has been heard so far is in the log."""
        await self._memory.log.settled()

    def report_health(self) -> None:
        """Report how much was heard; not counted one by one, because there is so much."""
        self._part.active(heard=self._heard)

    async def _write_down(self, message: discord.Message, stored: Message) -> None:
        # Of a thread that has just left the archive we may not know yet which channel it belongs to, and so not
        # whether it may be stored. Catching up reads it as soon as it is known.
        if not isinstance(message.channel, discord.PartialMessageable):
            self._memory.log.put_message(stored)
            self._files.heard(message)
        if isinstance(message.author, discord.Member) and not self._guild_mirror.knows(message.author):
            await self._guild_mirror.meet(message.author)

    async def _answer(self, call: Call, earlier: set[asyncio.Future[None]]) -> None:
        """Answer a call, not before what came earlier is written down and the guild's people are known by name."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._memory.log.settled(call.guild.id)
                if earlier:
                    await asyncio.wait(earlier)
        except TimeoutError:
            logger.warning("answering before the message is stored", extra={"channel_id": call.stored.channel_id})
        else:
            logger.debug("stored", extra={"channel_id": call.stored.channel_id, "message_id": call.stored.message_id})
        await self._guild_mirror.members_loaded(call.guild.id)
        await self._answerer.answer(call)
