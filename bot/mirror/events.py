"""Keeps memory's list of scheduled events as Discord has it.

Whatever is told of one event, the whole list of its server is read again: it is short, and has how many are interested.
What was cancelled goes at once.
"""

from functools import partial

import discord

from bot.background import Key, KeyedTaskQueue
from memory.events import Event
from memory.manager import MemoryManager

AT_ONCE = 2
"""Servers whose lists are read side by side."""
COUNTING_SECONDS = 5.0
"""In a lively server many say within moments that they are interested."""


class EventMirror:
    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self._reading = KeyedTaskQueue("scheduled events", AT_ONCE)

    async def run(self) -> None:
        await self._reading.run()

    def changed(self, guild: discord.Guild) -> None:
        """An event was made or changed, or the server came into sight."""
        self._reading.ask(Key(guild.id), partial(self._read, guild))

    def counted(self, guild: discord.Guild) -> None:
        """Somebody is interested in an event, or is not any more."""
        self._reading.ask_later(Key(guild.id), partial(self._read, guild), COUNTING_SECONDS)

    async def cancelled(self, event: discord.ScheduledEvent) -> None:
        if event.guild is not None:
            self.changed(event.guild)
        await self._memory.events.remove(event.guild_id, event.id)

    def guild_disappeared(self, guild_id: int) -> None:
        self._reading.forget_guild(guild_id)

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
