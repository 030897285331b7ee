"""Compares the last days of a guild with Discord after we have not heard of it for a while.

Up to when a guild was heard is noted every minute. After an absence the note stands still until the comparison is
done: one that is broken off, by a restart or whatever else, begins again.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta

import discord

from bot.background import Key, KeyedTaskQueue
from bot.connection import TROUBLE
from bot.history.pages import UnreadableError, archived_threads, open_places, page_before
from bot.history.reconcile import Comparison
from bot.translate import Readable
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.db.errors import StoreError
from memory.health import Part
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

NOTE_EVERY = timedelta(minutes=1)
ABSENCE = timedelta(minutes=5)
"""After less, the newest messages of each channel, which are compared at once, will do."""
REACH = timedelta(days=14)
PAUSE_SECONDS = 0.5
"""After each page of 100 messages: 7,000 pages an hour, far below what Discord grants a bot."""


class Absences:
    def __init__(self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock, part: Part) -> None:
        """`calm` waits for more urgent reading."""
        self._memory = memory
        self._calm = calm
        self._clock = clock
        self._part = part
        self._tasks = KeyedTaskQueue("absence", 1)
        self._heard: dict[int, datetime] = {}
        self._due: dict[int, datetime] = {}
        self._part.active()

    async def run(self, heard: Callable[[], Iterable[discord.Guild]]) -> None:
        """`heard` are the guilds whose events reach us at that moment."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._tasks.run())
            tasks.create_task(self._keep_noting(heard))

    async def _keep_noting(self, heard: Callable[[], Iterable[discord.Guild]]) -> None:
        while True:
            try:
                await self._note(list(heard()))
            except StoreError as error:
                # Whatever happens meanwhile may be lost as well, so it counts as an absence if it lasts.
                logger.info("what was heard could not be noted: %s", type(error).__name__)
            await asyncio.sleep(NOTE_EVERY.total_seconds())

    async def _note(self, guilds: Sequence[discord.Guild]) -> None:
        now = self._clock.now()
        unknown = {guild.id for guild in guilds} - self._heard.keys()
        if unknown:
            self._heard |= await self._memory.log.heard_until(unknown)
        for guild in guilds:
            if now - self._heard.get(guild.id, now) > ABSENCE:
                self._due[guild.id] = now
                self._ask(guild, now)
        await self._memory.log.note_heard([guild.id for guild in guilds if guild.id not in self._due], now)
        self._heard |= {guild.id: now for guild in guilds}

    def _ask(self, guild: discord.Guild, noticed: datetime) -> None:
        self._tasks.ask(Key(guild.id), lambda: self._compare(guild, noticed))

    async def _compare(self, guild: discord.Guild, noticed: datetime) -> bool:
        """Everything of the guild that was said in the last days; whether it is done."""
        oldest = discord.utils.time_snowflake(noticed - REACH)
        try:
            known = await self._memory.log.progress(guild.id)
            async for place in _places(guild):
                progress = known.get(place.id)
                if progress is None or _newest(place, progress) < oldest:
                    continue
                try:
                    await self._compare_place(place, progress, oldest)
                except UnreadableError:
                    # When that changes, it is caught up with; what is still wrong then, the sweep finds.
                    if guild.unavailable:
                        return False
        except (*TROUBLE, StoreError) as error:
            logger.warning(
                "comparing after an absence is tried again",
                extra={"guild_id": guild.id, "reason": type(error).__name__},
            )
            return False
        if guild.unavailable:
            return False
        if self._due.get(guild.id) == noticed:
            del self._due[guild.id]
        self._part.count("guilds")
        return True

    async def _compare_place(self, place: Readable, progress: ChannelProgress, oldest: int) -> None:
        comparison = Comparison(self._memory, place, progress)
        before: int | None = None
        while not comparison.is_over and (before is None or before >= oldest):
            await self._calm()
            page = await page_before(place, before)
            await comparison.take(page)
            before = page.ids[0] if page.ids else before
            await asyncio.sleep(PAUSE_SECONDS)


async def _places(guild: discord.Guild) -> AsyncIterator[Readable]:
    for place in open_places(guild):
        yield place
    async for thread in archived_threads(guild):
        yield thread


def _newest(place: Readable, progress: ChannelProgress) -> int:
    """Its last message counts even if it has been deleted since. 0 where nothing was read before."""
    through = progress.contiguous_through
    return 0 if through is None else max(place.last_message_id or 0, through)
