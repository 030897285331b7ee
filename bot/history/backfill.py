"""Reads a channel's past when it is first seen: from the present backwards, in the background, a page at a time.

Each page is stored together with how far back it reaches, so that a restart goes on from there. Live messages and
catching up go first.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

import discord

from bot.background import Key, KeyedTaskQueue
from bot.history.pages import UnreadableError, page_before
from bot.history.reconcile import settle
from bot.translate import AddressCheck, Page, Readable
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.health import HealthReporter
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

AT_ONCE = 2
PAGES_BETWEEN_LINES = 50
"""How often a long back-fill says in the log how far it is."""


class Backfill:
    def __init__(
        self,
        memory: MemoryManager,
        days: int | None,
        calm: Callable[[], Awaitable[None]],
        address_check: AddressCheck,
        clock: Clock,
        part: HealthReporter,
    ) -> None:
        """`days` is how far back to read, None is everything; `calm` waits for more urgent reading."""
        self._memory = memory
        self._days = days
        self._calm = calm
        self._address_check = address_check
        self._clock = clock
        self._part = part
        self.tasks = KeyedTaskQueue("back-fill", AT_ONCE)
        self._reached: dict[int, int | None] = {}
        self._done: set[int] = set()
        self._report_health()

    async def begin(self, place: Readable) -> int:
        """Read the newest page of a channel never read before, to catch up from there; return how much was read."""
        self._reached[place.id] = None
        newest_told = place.last_message_id or 0
        page = await page_before(place, None)
        through = max((newest_told, *page.ids))
        await self._store(place, page, through=through)
        await settle(self._memory, place, above=page.ids[-1] if page.ids else 0, below=through + 1)
        self._ask(place)
        return len(page.ids)

    def go_on(self, place: Readable, known: ChannelProgress) -> None:
        """Go on with a channel's back-fill where an earlier run stopped."""
        self._reached[place.id] = known.backfilled_to
        if known.backfill_done:
            self._done.add(place.id)
        self._ask(place)

    async def _read_on(self, place: Readable) -> bool:
        pages = 0
        try:
            while place.id not in self._done:
                await self._calm()
                await self._memory.log.settled(place.guild.id)
                await self._store(place, await page_before(place, self._reached[place.id]))
                pages += 1
                if pages % PAGES_BETWEEN_LINES == 0:
                    self._say("back-fill goes on", place)
        except UnreadableError:
            return True  # when that changes, catching up comes by again
        self._say("back-fill of a channel done", place)
        return True

    async def _store(self, place: Readable, page: Page, through: int | None = None) -> None:
        """Store a page, and how far it reaches; what an import brought and was deleted since goes on the way."""
        guild_id, horizon = place.guild.id, self._horizon()
        said = self._address_check.listened_to(page, place)  # long ago: it is not answered
        wanted = [message for message in said if message.message_id >= horizon]
        reached = max(page.ids[0], horizon) if page.ids else self._reached[place.id]
        done = not page.is_full or reached == horizon
        stored = await self._memory.log.store_page(
            guild_id, place.id, wanted, through=through, backfilled_to=reached, backfill_done=done
        )
        edge = self._reached[place.id]
        await self._memory.log.reconcile(guild_id, place.id, (), page.ids if edge is None else (*page.ids, edge))
        self._part.count("messages", stored)
        self._reached[place.id] = reached
        if done:
            oldest = page.ids[0] if page.ids else reached
            if not page.is_full and oldest is not None:
                await settle(self._memory, place, above=0, below=oldest)
            self._done.add(place.id)
            await self._memory.log.swept(guild_id, place.id, self._clock.now())  # it has just been read, all of it
        self._report_health()

    def _horizon(self) -> int:
        """Find the id below which messages are too old to be read."""
        if self._days is None:
            return 0
        return discord.utils.time_snowflake(self._clock.now() - timedelta(days=self._days))

    def _ask(self, place: Readable) -> None:
        if place.id not in self._done:
            self.tasks.ask(Key(place.guild.id, place.id), lambda: self._read_on(place))
        self._report_health()

    def _report_health(self) -> None:
        self._part.active(channels=len(self._reached), channels_done=len(self._done))

    def _say(self, what: str, place: Readable) -> None:
        counts = self._part.snapshot().counts
        logger.info(
            what,
            extra={
                "channel_id": place.id,
                "channels": len(self._reached),
                "channels_done": len(self._done),
                "messages": counts.get("messages", 0),
            },
        )
