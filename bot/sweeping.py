"""Reads all history once more, slowly, every thirty days: what changed unnoticed is put right in the log.

One channel after the other and a pause after each page. How far it has come in a channel is noted with each page, so
that a restart goes on there.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta

import discord

from bot.comparing import Comparison
from bot.errors import TROUBLE
from bot.missing_places import MissingPlaces
from bot.readable import Readable
from bot.reading import UnreadableError, archived_threads, open_places, page_before
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.db.errors import StoreError
from memory.health import Part
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

LOOK_EVERY = timedelta(hours=1)
"""How often it is looked which channels are due."""
LIST_EVERY = timedelta(days=1)
"""How often archived threads are listed for those that are due: what is out of our view may be due for ever."""


class Sweeping:
    def __init__(
        self,
        memory: MemoryManager,
        missing_places: MissingPlaces,
        *,
        every: timedelta,
        pause: timedelta,
        calm: Callable[[], Awaitable[None]],
        clock: Clock,
        part: Part,
    ) -> None:
        self._memory = memory
        self._missing_places = missing_places
        self._every = every
        self._pause = pause
        self._calm = calm
        self._clock = clock
        self._part = part
        self._listed: dict[int, datetime] = {}
        self._part.active()

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        while True:
            await asyncio.sleep(min(LOOK_EVERY, self._every).total_seconds())
            await self._sweep_all(list(guilds()))
            self._part.active()

    async def _sweep_all(self, guilds: Sequence[discord.Guild]) -> None:
        for guild in guilds:
            with request("sweep"):
                await self._survived(guild, None, self._sweep_guild(guild))
        self._part.touch()

    async def _sweep_guild(self, guild: discord.Guild) -> None:
        known = await self._memory.progress(guild.id)
        due = {place_id: progress for place_id, progress in known.items() if self._is_due(progress)}
        places = open_places(guild)
        if due.keys() - {place.id for place in places} and self._may_list(guild.id):
            places += [thread async for thread in archived_threads(guild)]
            self._listed[guild.id] = self._clock.now()
            self._missing_places.look(guild, {place.id for place in places})
        for place in places:
            if place.id in due:
                await self._survived(guild, place, self._sweep(place, due[place.id]))

    def _may_list(self, guild_id: int) -> bool:
        listed = self._listed.get(guild_id)
        return listed is None or self._clock.now() - listed >= min(LIST_EVERY, self._every)

    def _is_due(self, progress: ChannelProgress) -> bool:
        """What is still being back-filled is read anyway."""
        if not progress.backfill_done:
            return False
        return progress.swept_at is None or self._clock.now() - progress.swept_at >= self._every

    async def _sweep(self, place: Readable, progress: ChannelProgress) -> None:
        """From the newest message, or from where it was broken off, down to where back-fill ended."""
        started = self._clock.now()
        before = progress.swept_to
        comparison = Comparison(self._memory, place, progress, below=before)
        while not comparison.is_over:
            await self._calm()
            page = await page_before(place, before)
            await comparison.take(page)
            if page.ids:
                before = page.ids[0]
                await self._memory.sweep_reached(place.guild.id, place.id, before)
            await asyncio.sleep(self._pause.total_seconds())
        await self._memory.swept(place.guild.id, place.id, started)
        self._part.count("channels")

    async def _survived(self, guild: discord.Guild, place: Readable | None, work: Awaitable[None]) -> None:
        """Whatever fails is due again at the next look."""
        where = {"guild_id": guild.id, "channel_id": place.id if place else None}
        try:
            await work
        except UnreadableError:
            return
        except (*TROUBLE, StoreError) as error:
            logger.warning("a sweep is put off", extra=where | {"reason": type(error).__name__})
        except Exception:
            logger.exception("a sweep failed", extra=where)
