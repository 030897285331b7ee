"""Keeps memory's view of what is not said in messages: reactions, pins, titles of threads, and scheduled events.

Reactions are counted here for a moment and written together. What is pinned is read anew whenever it changes.
"""

import asyncio
from collections import defaultdict
from functools import partial

import discord

from bot.background import Key, KeyedTaskQueue
from bot.translate import Readable, title_of
from memory.core.values import Marks
from memory.events import Event
from memory.manager import MemoryManager

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
