"""What happens to messages in a guild, from Discord's events into the log; and what was said to us, on to `answering`.

Events about one message keep their order: discord.py runs each in a task of its own, and a deletion that overtook the
storing would leave the message behind.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager, nullcontext

import discord

from bot.answering import Answering, Call
from bot.mirroring import Mirroring
from bot.outages import Outages
from bot.translate import to_edit, to_message
from bot.turns import Turns
from memory.core.model import Message
from memory.health import Part
from memory.manager import MemoryManager
from memory.tracing import request

logger = logging.getLogger(__name__)

STORING_AT_ONCE = 4
"""Fewer than the database has connections for us: a flood of messages must not keep a reply waiting behind it."""
PATIENCE_SECONDS = 2.0
"""How long a reply waits for what was said before it to be written down."""


class Listening:
    def __init__(self, memory: MemoryManager, answering: Answering, mirroring: Mirroring, part: Part) -> None:
        self._memory = memory
        self._answering = answering
        self._mirroring = mirroring
        self._part = part
        self._outages = Outages(part)
        self._turns = Turns()
        self._room = asyncio.Semaphore(STORING_AT_ONCE)

    async def message(self, message: discord.Message, me: discord.ClientUser) -> None:
        with request("message"):
            if message.guild is None:
                await self._answering.greet(message, me)
                return
            stored = to_message(message, me.id)
            if stored is None:
                return
            # Up to here nothing was awaited: whoever spoke first stands first in line.
            call = self._answering.hear(message, stored, me)
            earlier = self._turns.under_way() | self._mirroring.under_way() if call else set()
            try:
                await self._write_down(message, stored, nullcontext() if call else self._room)
                if call is not None:
                    await self._answer(call, earlier)
            finally:
                if call is not None:
                    call.turn.pass_on()

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        edit = to_edit(event)
        if edit is None:
            return
        turn = self._turns.take([edit.message_id])
        with request("edit"):
            async with turn.come(), self._room:
                if await self._outages.survived(self._memory.edit_message(edit)):
                    logger.debug("edited", extra={"channel_id": edit.channel_id, "message_id": edit.message_id})

    async def deleted(self, guild_id: int | None, channel_id: int, message_ids: Iterable[int]) -> None:
        message_ids = set(message_ids)
        if guild_id is None or not message_ids:
            return
        turn = self._turns.take(message_ids)
        with request("delete"):
            async with turn.come(), self._room:
                if await self._outages.survived(self._memory.delete_messages(guild_id, channel_id, message_ids)):
                    logger.debug("deleted", extra={"channel_id": channel_id, "messages": len(message_ids)})

    async def channel_deleted(self, guild_id: int, channel_id: int) -> None:
        """A channel or thread takes its messages with it, without a word about each."""
        earlier = self._turns.under_way()
        with request("delete"):
            if earlier:
                await asyncio.wait(earlier)
            if await self._outages.survived(self._memory.delete_channel(guild_id, channel_id)):
                logger.info("a channel was deleted, and its messages with it", extra={"channel_id": channel_id})

    async def settle(self) -> None:
        """Until everything that has been heard so far is in the log."""
        await self._turns.settle()

    async def _write_down(
        self, message: discord.Message, stored: Message, room: AbstractAsyncContextManager[None]
    ) -> None:
        """Whatever goes wrong here, whoever spoke to us still gets an answer."""
        turn = self._turns.take([stored.message_id])
        try:
            async with turn.come(), room:
                if await self._outages.survived(self._memory.ingest_message(stored)):
                    logger.debug("stored", extra={"channel_id": stored.channel_id, "message_id": stored.message_id})
            if isinstance(message.author, discord.Member):
                await self._mirroring.seen(message.author)
        except Exception:
            logger.exception("a message could not be stored", extra={"channel_id": stored.channel_id})
            self._part.failing("A message could not be stored; the log says why.")

    async def _answer(self, call: Call, earlier: set[asyncio.Future[None]]) -> None:
        """Not before what happened earlier is written down, and the guild's people are known by name."""
        if earlier:
            await asyncio.wait(earlier, timeout=PATIENCE_SECONDS)
        await self._mirroring.met(call.guild.id)
        await self._answering.answer(call)
