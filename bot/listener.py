"""Takes what happens in a guild from Discord's events into memory: messages, reactions, pins, titles of threads, and
scheduled events; and passes what was said to us on to `answering`.

Every message of every guild passes here, so nothing is awaited before it is on the queue, and nothing is logged. Events
are put on the queue in the order in which Discord told them; where they overtake each other all the same, the log knows
how to end up right.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from functools import partial

import discord

from bot.answering.answer import Answerer, Call
from bot.background import Key, KeyedTaskQueue
from bot.mirror.guilds import GuildMirror
from bot.shared_files import FileWorker
from bot.translate import Readable, edit_of, title_of, to_edit, to_message
from memory.core.values import Marks, Message, MessageEdit
from memory.events import Event
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


# What is not said in messages. Reactions are counted here for a moment and written together. What is pinned is read
# anew whenever it changes.


AT_ONCE = 2
GATHERING_SECONDS = 2.0
MOST_WAITING = 10_000
"""Messages of a server, while the database is away: of more, the history tells later how many reacted."""


class MarkMirror:
    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self.tasks = KeyedTaskQueue("reactions and pins", AT_ONCE)
        self._marks: defaultdict[int, dict[int, Marks]] = defaultdict(dict)

    def reacted(self, guild_id: int | None, message_id: int, marks: Marks) -> None:
        """Note that somebody reacted, or took it back."""
        if guild_id is None:
            return
        waiting = self._marks[guild_id]
        if not waiting:
            asyncio.get_running_loop().call_later(
                GATHERING_SECONDS, self.tasks.ask, Key(guild_id), partial(self._write, guild_id)
            )
        if len(waiting) < MOST_WAITING or message_id in waiting:
            waiting[message_id] = waiting.get(message_id, Marks()) | marks

    def titled(self, thread: discord.Thread) -> None:
        """Note the title of a thread that began or was renamed. Its first message has the number of the thread."""
        self.reacted(thread.guild.id, thread.id, Marks(thread=title_of(thread), owner_id=thread.owner_id))

    def guild_appeared(self, guild: discord.Guild) -> None:
        """Note the titles of a guild's threads: they may have been renamed while we were away."""
        for thread in guild.threads:
            self.titled(thread)

    def pins_changed(self, place: Readable) -> None:
        self.tasks.ask(Key(place.guild.id, place.id), partial(self._read_pins, place))

    def guild_disappeared(self, guild_id: int) -> None:
        self._marks.pop(guild_id, None)
        self.tasks.forget_guild(guild_id)

    async def _write(self, guild_id: int) -> bool:
        """Write a guild's marks; what comes meanwhile is written next; what could not be written is still to be."""
        marks = self._marks.pop(guild_id, {})
        try:
            if marks:
                await self._memory.log.note_marks(guild_id, marks)
        except BaseException:
            for message_id, later in self._marks[guild_id].items():
                marks[message_id] = marks.get(message_id, Marks()) | later
            self._marks[guild_id] = marks
            raise
        return True

    async def _read_pins(self, place: Readable) -> bool:
        """Read the pins of a place; where we may not read them back, none are known."""
        if not place.permissions_for(place.guild.me).read_message_history:
            return True
        pinned = [message.id async for message in place.pins(limit=None)]
        await self._memory.log.note_pins(place.guild.id, place.id, pinned)
        return True


# Scheduled events. Whatever is told of one, the whole list of its server is read again: it is short, and has how many
# are interested. What was cancelled goes at once.


COUNTING_SECONDS = 5.0
"""In a lively server many say within moments that they are interested."""


class EventMirror:
    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self.tasks = KeyedTaskQueue("scheduled events", AT_ONCE)

    def changed(self, guild: discord.Guild | None) -> None:
        """Read a server's events: one was made or changed, or the server came into sight."""
        if guild is not None:
            self.tasks.ask(Key(guild.id), partial(self._read, guild))

    def counted(self, guild: discord.Guild | None) -> None:
        """Read a server's events after a while: somebody is interested in one, or is not any more."""
        if guild is not None:
            self.tasks.ask_later(Key(guild.id), partial(self._read, guild), COUNTING_SECONDS)

    async def cancelled(self, event: discord.ScheduledEvent) -> None:
        self.changed(event.guild)
        await self._memory.events.remove(event.guild_id, event.id)

    async def _read(self, guild: discord.Guild) -> bool:
        listed = await guild.fetch_scheduled_events()
        await self._memory.events.replace(guild.id, [_to_event(event) for event in listed])
        return True


def _to_event(event: discord.ScheduledEvent) -> Event:
    return Event(
        event.guild_id,
        event.id,
        event.name,
        event.start_time,
        event.channel_id,
        event.creator_id,
        event.description or "",
        event.location or "",
        event.end_time,
        event.user_count or 0,
    )
