"""Compares a channel's history with the log, from the newest message backwards, and puts the log right.

A message counts as deleted only where Discord returned messages on both sides of it, or where Discord, asked about
messages on both sides of it by name, answered (it says "unknown message" only to those who may read) and showed nothing
between the two meanwhile. An empty answer alone proves nothing: it is what those get who may not read.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial

import discord

from bot.background import Key, KeyedTaskQueue
from bot.connection import TROUBLE
from bot.history.pages import (
    UnreadableError,
    archived_threads,
    ids_between,
    is_deleted,
    is_gone,
    open_places,
    page_before,
)
from bot.translate import Page, Readable
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

BEYOND_EVERY_ID = 2**63 - 1
SETTLED_AT_ONCE = 100
"""Messages at an end of a channel that Discord is asked about together: as many as a page shows."""


async def compare_back(
    memory: MemoryManager,
    place: Readable,
    progress: ChannelProgress,
    *,
    below: int | None = None,
    is_enough: Callable[[Page], bool] = lambda _: False,
    between: Callable[[int | None], Awaitable[None]] | None = None,
) -> None:
    """Compare page after page, from the newest message or `below` an earlier walk's end, down to where back-fill ended
    (what lies below was not asked for) or until it is enough. `between` is awaited before each page and at the end.

    Raises `UnreadableError` where the channel can no longer be read; nothing is concluded from that.
    """
    floor, edge, is_over = progress.backfilled_to or 0, below, False
    while not is_over:
        if between is not None:
            await between(edge)
        page = await page_before(place, edge)
        # Together with the oldest message of the page before.
        await _reconcile(memory, place, floor, page, page.ids if edge is None else (*page.ids, edge))
        if edge is None:
            # A message may have been heard and never read: neither progress nor Discord's last id need reach it.
            await settle(memory, place, above=page.ids[-1] if page.ids else 0, below=BEYOND_EVERY_ID)
        edge = page.ids[0] if page.ids else edge
        if not page.is_full and edge is not None:
            await settle(memory, place, above=0, below=edge)
        is_over = not page.is_full or page.ids[0] <= floor or is_enough(page)
    if between is not None:
        await between(edge)


async def _reconcile(memory: MemoryManager, place: Readable, floor: int, page: Page, ids: tuple[int, ...]) -> None:
    returned = [message for message in page.messages if message.message_id >= floor]
    found = await memory.log.reconcile(place.guild.id, place.id, returned, ids)
    if found.stored or found.edited or found.deleted:
        counts = {"stored": found.stored, "edited": found.edited, "deleted": found.deleted}
        logger.info("message log compared with Discord and corrected", extra={"channel_id": place.id, **counts})


async def settle(memory: MemoryManager, place: Readable, *, above: int, below: int) -> None:
    """Delete what the log has strictly between two ids where Discord has shown nothing.

    Raises `UnreadableError` where Discord says nothing; what was settled before that stays so.
    """
    reached = above
    while stored := await memory.log.stored_between(
        place.guild.id, place.id, above=reached, below=below, limit=SETTLED_AT_ONCE
    ):
        gone = await _gone_among(place, stored)
        if gone:
            await memory.log.delete_messages(place.guild.id, place.id, gone)
            logger.info(
                "message log compared with Discord and corrected", extra={"channel_id": place.id, "deleted": len(gone)}
            )
        reached = stored[-1]


async def _gone_among(place: Readable, stored: list[int]) -> set[int]:
    first, *between, last = stored if len(stored) > 1 else (stored[0], stored[0])
    gone = {first} if await is_gone(place, first) else set()
    if between:
        shown = await ids_between(place, first, last)
        gone.update(message_id for message_id in between if message_id not in shown)
    if last != first and await is_gone(place, last):
        gone.add(last)
    return gone


# Finds the channels and threads of the log that were deleted while nobody told us.
#
# Whatever Discord has shown us once and shows no longer is asked for by its id: it may be an archived thread, or out of
# our view. Only "unknown channel" counts as deleted, and only while Discord knows a channel that we do see: a guild
# that fell out of sight, or that we were sent away from, loses nothing. Channels that an import alone knows were never
# shown to us, so nobody asks for them.


ASKED_AT_ONCE = 5
ASK_AGAIN_AFTER = timedelta(days=1)
"""An answer holds so long, over restarts too: a guild may have hundreds of threads that nobody lists for us."""


class MissingPlaces:
    def __init__(self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock) -> None:
        """`calm` waits for more urgent reading."""
        self._memory = memory
        self._calm = calm
        self._clock = clock
        self.tasks = KeyedTaskQueue("missing places", 1)

    def look(self, guild: discord.Guild, listed: Collection[int]) -> None:
        """Look for missing places in a guild whose open and archived ones have just been `listed`."""
        self.tasks.ask(Key(guild.id), lambda: self._look(guild, listed))

    async def _look(self, guild: discord.Guild, listed: Collection[int]) -> bool:
        if not open_places(guild):
            return True  # an outage, or nothing is in view; when that changes, catching up comes by again
        await self._memory.log.note_heard_channels(guild.id)
        known = await self._memory.log.progress(guild.id)
        shown = {*listed, *(channel.id for channel in guild.channels), *(thread.id for thread in guild.threads)}
        suspects = [progress.channel_id for progress in known.values() if self._is_suspect(progress, shown)]
        for start in range(0, len(suspects), ASKED_AT_ONCE):
            await self._calm()
            if not await self._settle(guild, suspects[start : start + ASKED_AT_ONCE]):
                return False
        return True

    def _is_suspect(self, progress: ChannelProgress, shown: Collection[int]) -> bool:
        if progress.channel_id in shown:
            return False
        return progress.asked_at is None or self._clock.now() - progress.asked_at >= ASK_AGAIN_AFTER

    async def _settle(self, guild: discord.Guild, suspects: list[int]) -> bool:
        """Delete missing places that Discord says are gone; say whether its answers could be believed."""
        deleted = await asyncio.gather(*(is_deleted(guild, place_id) for place_id in suspects))
        gone = [place_id for place_id, is_gone in zip(suspects, deleted, strict=True) if is_gone]
        if gone and not await _is_in_sight(guild):
            logger.warning(
                "Discord lists no channels for a guild; not treating them as deleted", extra={"guild_id": guild.id}
            )
            return False
        for place_id in gone:
            logger.info(
                "channel was deleted while the bot was away", extra={"guild_id": guild.id, "channel_id": place_id}
            )
            await self._memory.log.delete_channel(guild.id, place_id)
        await self._memory.log.channels_exist(guild.id, set(suspects) - set(gone))
        return True


async def _is_in_sight(guild: discord.Guild) -> bool:
    seen = open_places(guild)
    return bool(seen) and not await is_deleted(guild, seen[0].id)


# Reads all history once more, slowly, every thirty days: what changed unnoticed is put right in the log.
#
# One channel after the other and a pause after each page. How far it has come in a channel is noted with each page, so
# that a restart goes on there.


LOOK_EVERY = timedelta(hours=1)
"""How often it is looked which channels are due."""
LIST_EVERY = timedelta(days=1)
"""How often archived threads are listed for those that are due: what is out of our view may be due for ever."""


class Sweep:
    def __init__(
        self,
        memory: MemoryManager,
        missing_places: MissingPlaces,
        *,
        every: timedelta,
        pause: timedelta,
        calm: Callable[[], Awaitable[None]],
        clock: Clock,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._missing_places = missing_places
        self._every = every
        self._pause = pause
        self._calm = calm
        self._clock = clock
        self._part = part
        self._tasks = KeyedTaskQueue("history sweep", 1)
        self._listed: dict[int, datetime] = {}
        self._part.active()

    async def run(self, guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._tasks.run())
            tasks.create_task(self._look(guilds))

    async def _look(self, guilds: Callable[[], Iterable[discord.Guild]]) -> None:
        while True:
            await asyncio.sleep(min(LOOK_EVERY, self._every).total_seconds())
            for guild in guilds():
                self._tasks.ask(Key(guild.id), partial(self._ask_for_due, guild))
            self._part.active()
            self._part.touch()

    async def _ask_for_due(self, guild: discord.Guild) -> bool:
        known = await self._memory.log.progress(guild.id)
        due = {place_id for place_id, progress in known.items() if self._is_due(progress)}
        places = open_places(guild)
        if due - {place.id for place in places} and self._may_list(guild.id):
            places += [thread async for thread in archived_threads(guild)]
            self._listed[guild.id] = self._clock.now()
            self._missing_places.look(guild, {place.id for place in places})
        for place in places:
            if place.id in due:
                self._tasks.ask(Key(guild.id, place.id), partial(self._sweep, place))
        return True

    def _may_list(self, guild_id: int) -> bool:
        listed = self._listed.get(guild_id)
        return listed is None or self._clock.now() - listed >= min(LIST_EVERY, self._every)

    def _is_due(self, progress: ChannelProgress) -> bool:
        """Say whether a channel is due for a sweep: what is still being back-filled is read anyway."""
        if not progress.backfill_done:
            return False
        return progress.swept_at is None or self._clock.now() - progress.swept_at >= self._every

    async def _sweep(self, place: Readable) -> bool:
        """Sweep a channel from its newest message, or from where it broke off, down to where back-fill ended."""
        try:
            progress = (await self._memory.log.progress(place.guild.id)).get(place.id)
            if progress is not None and self._is_due(progress):  # else it was asked for twice
                await self._compare(place, progress)
        except UnreadableError:
            pass
        except (*TROUBLE, StoreError) as error:
            where = {"guild_id": place.guild.id, "channel_id": place.id}
            logger.warning("history sweep postponed", extra=where | {"reason": type(error).__name__})
        return True  # what failed is due again at the next look

    async def _compare(self, place: Readable, progress: ChannelProgress) -> None:
        started = self._clock.now()

        async def between(reached: int | None) -> None:
            if reached is not None and reached != progress.swept_to:
                await self._memory.log.sweep_reached(place.guild.id, place.id, reached)
                await asyncio.sleep(self._pause.total_seconds())
            await self._calm()

        await compare_back(self._memory, place, progress, below=progress.swept_to, between=between)
        await self._memory.log.swept(place.guild.id, place.id, started)
        self._part.count("channels")


NOTE_EVERY = timedelta(minutes=1)
ABSENCE = timedelta(minutes=5)
"""After less, the newest messages of each channel, which are compared at once, will do."""
REACH = timedelta(days=14)
PAUSE_SECONDS = 0.5
"""After each page of 100 messages: 7,000 pages an hour, far below what Discord grants a bot."""


class Absences:
    def __init__(
        self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock, part: HealthReporter
    ) -> None:
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
        """Compare guilds after absences; `heard` are those whose events reach us at that moment."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._tasks.run())
            tasks.create_task(self._keep_noting(heard))

    async def _keep_noting(self, heard: Callable[[], Iterable[discord.Guild]]) -> None:
        while True:
            try:
                await self._note(list(heard()))
            except StoreError as error:
                # Whatever happens meanwhile may be lost as well, so it counts as an absence if it lasts.
                logger.info("could not note the last contact: %s", type(error).__name__)
            await asyncio.sleep(NOTE_EVERY.total_seconds())

    async def _note(self, guilds: Sequence[discord.Guild]) -> None:
        now = self._clock.now()
        unknown = {guild.id for guild in guilds} - self._heard.keys()
        if unknown:
            self._heard |= await self._memory.log.heard_until(unknown)
        for guild in guilds:
            if now - self._heard.get(guild.id, now) > ABSENCE:
                self._due[guild.id] = now
                self._tasks.ask(Key(guild.id), partial(self._compare, guild, now))
        await self._memory.log.note_heard([guild.id for guild in guilds if guild.id not in self._due], now)
        self._heard |= {guild.id: now for guild in guilds}

    async def _compare(self, guild: discord.Guild, noticed: datetime) -> bool:
        """Compare everything of the guild that was said in the last days; say whether it is done."""
        oldest = discord.utils.time_snowflake(noticed - REACH)
        known = await self._memory.log.progress(guild.id)
        for place in open_places(guild):
            await self._compare_place(place, known.get(place.id), oldest)
        async for thread in archived_threads(guild):
            await self._compare_place(thread, known.get(thread.id), oldest)
        if guild.unavailable:
            return False
        if self._due.get(guild.id) == noticed:
            del self._due[guild.id]
        self._part.count("guilds")
        return True

    async def _compare_place(self, place: Readable, progress: ChannelProgress | None, oldest: int) -> None:
        if progress is None or progress.contiguous_through is None:
            return  # nothing was read of it before
        # Its last message counts even if it was deleted since.
        if max(place.last_message_id or 0, progress.contiguous_through) < oldest:
            return

        async def between(reached: int | None) -> None:
            await asyncio.sleep(0 if reached is None else PAUSE_SECONDS)
            await self._calm()

        # When it can be read again, it is caught up with; what is still wrong then, the sweep finds.
        with contextlib.suppress(UnreadableError):
            await compare_back(
                self._memory, place, progress, is_enough=lambda page: page.ids[0] < oldest, between=between
            )
