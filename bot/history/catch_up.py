"""Reads what Discord kept while we were not listening, channel by channel, until each is live again.

A channel is live when everything up to its newest message is in the log and its events reach us: from then on each
stored message moves its progress along. It stops being live when a session was lost for good, when the database was
away, and when we may no longer read it. Catching up starts at the saved progress, so it may end anywhere in between.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import TypeGuard

import discord

from bot.answering.backlog import Backlog
from bot.background import Key, KeyedTaskQueue, Purge
from bot.history.pages import (
    RefusedError,
    UnreadableError,
    archived_threads,
    may_read,
    open_places,
    page_before,
    pages_after,
    shown_places,
)
from bot.history.reconcile import Absences, MissingPlaces, Sweep, compare_back, settle
from bot.settings import BotOptions
from bot.translate import AddressCheck, Page, Readable
from memory.background import start_task
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.core.values import AuthorKind
from memory.health import Health, HealthReporter
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

AT_ONCE = 6
"""Channels read side by side: well below the 50 requests a second that Discord grants a bot in all."""
ACTIVE_FOR = timedelta(days=30)
"""Older channels are left to the sweep: nobody is likely to edit there."""
CLOCKS_DIFFER = timedelta(minutes=1)
"""By so much ours may be behind Discord's. What was heard meanwhile is known to have been heard."""
REFUSED_AGAIN_AFTER = timedelta(hours=1)
"""Where Discord says no though we should be able to read, no event may tell when it says yes."""

Parent = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel


class CatchUp:
    def __init__(
        self,
        memory: MemoryManager,
        recent_window: int,
        backfill: "Backfill",
        missing_places: MissingPlaces,
        thread_found: Callable[[discord.Thread], None],
        pins_changed: Callable[[Readable], None],
        address_check: AddressCheck,
        backlog: Backlog,
        clock: Clock,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._recent_window = recent_window
        self._backfill = backfill
        self._missing_places = missing_places
        self._thread_found = thread_found
        self._pins_changed = pins_changed
        self._address_check = address_check
        self._backlog = backlog
        self._part = part
        self.tasks = KeyedTaskQueue("catch-up", AT_ONCE)
        self._live = memory.log.live
        self._session: defaultdict[int, int] = defaultdict(int)
        self._away_until: dict[int, datetime] = {}
        self._part.active(channels=0)

    # What follows is told by events, and takes effect before the next event is looked at.

    def begin_session(self, guild_ids: Iterable[int]) -> None:
        """Begin a new session: what happened before will not be told, so no channel of these is live any more."""
        for guild_id in guild_ids:
            self._session[guild_id] += 1
            self._live.end(guild_id)

    def guild_appeared(self, guild: discord.Guild, *, is_joined: bool = False) -> None:
        """Read what came before a guild appeared; its events reach us from here on.

        Unless we have just joined, it was we who were away: what was said to us meanwhile is still to be answered.
        """
        self.begin_session([guild.id])
        self._away_until.pop(guild.id, None)
        if not is_joined:
            self._away_until[guild.id] = self._clock.now() + CLOCKS_DIFFER
        self.tasks.ask(Key(guild.id), lambda: self._open_guild(guild, is_fresh=True))

    def guild_disappeared(self, guild_id: int) -> None:
        self.begin_session([guild_id])
        for working in (self, self._backlog, self._backfill, self._missing_places):
            working.tasks.forget_guild(guild_id)

    def database_returned(self, guild: discord.Guild) -> None:
        """Read what was said while the database was away: Discord has it all."""
        if not guild.unavailable:
            self.guild_appeared(guild)

    def messages_left_out(self, place: Readable) -> None:
        """Read a channel again from where the log stands, which had no room for some messages."""
        self._ask(place, None)

    def view_changed(self, guild: discord.Guild) -> None:
        """Read what came into view when our roles or what they allow changed, and what may have been out of it.

        By now further events may have changed the view again, so nothing tells any more which channels those were.
        """
        self.begin_session([guild.id])
        self.tasks.ask(Key(guild.id), lambda: self._open_guild(guild, is_fresh=False))

    def channel_changed(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Follow a channel that could not be read before or cannot be now, and its threads with it."""
        if not isinstance(before, Parent) or not isinstance(after, Parent) or may_read(before) == may_read(after):
            return
        guild = after.guild
        self._session[guild.id] += 1
        for place_id in self._live.of(guild.id):
            place = guild.get_channel_or_thread(place_id)
            # An archived thread is not known any more; it is read again to be sure.
            if place is None or after.id in (place_id, getattr(place, "parent_id", None)):
                self._live.leave(guild.id, place_id)
        if may_read(after):
            self.tasks.ask(Key(guild.id), lambda: self._open_guild(guild, is_fresh=False))

    def place_appeared(self, place: Readable) -> None:
        """Read a channel that was made, or a thread that came into view."""
        if not self._is_live(place) and may_read(place):
            self._ask(place, None)

    def place_disappeared(self, guild_id: int, place_id: int) -> None:
        if self._live.is_live(guild_id, place_id):
            # A page that is being read of it must not make it live: that counts as a new session.
            self._session[guild_id] += 1
            self._live.leave(guild_id, place_id)

    # The reading.

    def _is_live(self, place: Readable) -> bool:
        return self._live.is_live(place.guild.id, place.id)

    def _ask(self, place: Readable, known: ChannelProgress | None, *, is_fresh: bool = False) -> None:
        key = Key(place.guild.id, place.id)
        self.tasks.ask(key, lambda: self._catch_up(place, known, is_fresh=is_fresh))

    async def _open_guild(self, guild: discord.Guild, *, is_fresh: bool) -> bool:
        """Give every readable channel and thread that is not live its turn."""
        known = await self._memory.log.progress(guild.id)
        for place in open_places(guild):
            if not self._is_live(place):
                self._ask(place, known.get(place.id), is_fresh=is_fresh)
        # What is heard in a channel that cannot be read back goes with it, too.
        if new := {place.id for place in shown_places(guild)} - known.keys():
            await self._memory.log.note_channels(guild.id, new)
        # After the channels: in most guilds that is where the people are.
        self.tasks.ask(Key(guild.id, is_archive=True), lambda: self._open_archive(guild))
        return True

    async def _open_archive(self, guild: discord.Guild) -> bool:
        """Give archived threads their turn, too; whatever is not shown by now may have been deleted."""
        archived: set[int] = set()
        known = await self._memory.log.progress(guild.id)
        async for thread in archived_threads(guild):
            archived.add(thread.id)
            self._thread_found(thread)
            if not self._is_live(thread):
                # Discord has just told its last message.
                self._ask(thread, known.get(thread.id), is_fresh=True)
        self._missing_places.look(guild, archived)
        return True

    async def _catch_up(self, place: Readable, known: ChannelProgress | None, *, is_fresh: bool) -> bool:
        guild_id, session = place.guild.id, self._session[place.guild.id]
        try:
            if known is None:
                known = (await self._memory.log.progress(guild_id)).get(place.id)
            read = await self._read_up(place, known, is_fresh=is_fresh)
            if session != self._session[guild_id]:
                return False  # something was missed while we were reading
            if not self._live.begin(guild_id, place.id):
                return False
            self._backlog.look(place)
            if _was_read(known) and read < self._recent_window and self._is_active(place, known):
                await self._compare_newest(place, known)
        except RefusedError:
            logger.warning("Discord refused to read a channel it lists", extra={"channel_id": place.id})
            again = partial(self._catch_up, place, None, is_fresh=False)
            self.tasks.ask_later(Key(guild_id, place.id), again, REFUSED_AGAIN_AFTER.total_seconds())
            return True
        except UnreadableError:
            return True  # when that changes, an event will say so
        self._part.active(channels=len(self._live))
        self._part.touch()
        return True

    async def _compare_newest(self, place: Readable, known: ChannelProgress) -> None:
        """Compare the newest messages for what was edited or deleted while we were not there."""
        seen = 0

        def is_enough(page: Page) -> bool:
            nonlocal seen
            seen += len(page.ids)
            return seen >= self._recent_window

        await compare_back(self._memory, place, known, is_enough=is_enough)

    async def _read_up(self, place: Readable, known: ChannelProgress | None, *, is_fresh: bool) -> int:
        """Store everything up to the newest message in the log; return how much was read."""
        if not _was_read(known):
            return await self._backfill.begin(place)
        self._backfill.go_on(place, known)
        through, newest_told = known.contiguous_through or 0, place.last_message_id or 0
        if is_fresh and newest_told <= through:
            return 0
        read = 0
        async with aclosing(pages_after(place, through)) as pages:
            async for page in pages:
                through = page.ids[-1]
                heard = await self._with_replies_to_us(page, place)
                said = self._address_check.listened_to(heard, place, self._away_until.get(place.guild.id))
                await self._memory.log.store_page(place.guild.id, place.id, said, through=through)
                self._part.count("messages", len(page.ids))
                read += len(page.ids)
                if page.has_pins:
                    self._pins_changed(place)
        if newest_told > through:
            # It had been sent before we began to read, and is not there: it was deleted.
            await self._memory.log.store_page(place.guild.id, place.id, (), through=newest_told)
        if read:
            logger.info("caught up", extra={"channel_id": place.id, "messages": read})
        return read

    async def _with_replies_to_us(self, page: Page, place: Readable) -> Page:
        """Find which messages reply to us, also where Discord does not say it: the log knows, or the page itself."""
        replies = {said.message_id: said.reply_to for said in page.messages if said.reply_to is not None}
        ours = await self._memory.log.ours_among(place.guild.id, set(replies.values()))
        ours |= {said.message_id for said in page.messages if said.author_kind is AuthorKind.SELF}
        to_us = {message_id for message_id, replied_to in replies.items() if replied_to in ours}
        return replace(page, replies_to_us=page.replies_to_us | to_us)

    def _is_active(self, place: Readable, known: ChannelProgress) -> bool:
        """Say whether a channel was active lately: its last message counts even if it was deleted since."""
        last = max(place.last_message_id or 0, known.contiguous_through or 0)
        return self._clock.now() - discord.utils.snowflake_time(last) < ACTIVE_FOR


def _was_read(known: ChannelProgress | None) -> TypeGuard[ChannelProgress]:
    """Say whether a channel was read before, at least in part."""
    return known is not None and known.contiguous_through is not None


# A channel's past, when it is first seen: from the present backwards, in the background, a page at a time.
#
# Each page is stored together with how far back it reaches, so that a restart goes on from there. Live messages and
# catching up go first.


BACKFILLED_AT_ONCE = 2
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
        self.tasks = KeyedTaskQueue("back-fill", BACKFILLED_AT_ONCE)
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


# What is read besides live events, put together: catching up first, then the last days after an absence, and the
# past, then the slow sweep; and what goes.
#
# Each gives way to the one before it.


class History:
    def __init__(
        self,
        memory: MemoryManager,
        options: BotOptions,
        health: Health,
        clock: Clock,
        thread_found: Callable[[discord.Thread], None],
        pins_changed: Callable[[Readable], None],
        backlog: Backlog,
    ) -> None:
        """`thread_found` is told of every archived thread: Discord does not list them by itself; `pins_changed`, of a
        channel in which something was pinned while we were away."""
        self._health = health
        address_check = AddressCheck(options.names)
        self._backlog = backlog
        self._backfill = Backfill(
            memory, options.backfill_days, self._caught_up, address_check, clock, health.part("back-fill")
        )
        self._missing_places = MissingPlaces(memory, self._caught_up, clock)
        self.catch_up = CatchUp(
            memory,
            options.recent_window,
            self._backfill,
            self._missing_places,
            thread_found,
            pins_changed,
            address_check,
            backlog,
            clock,
            health.part("catch-up"),
        )
        self._sweep = Sweep(
            memory,
            self._missing_places,
            every=timedelta(days=options.sweep_days),
            pause=timedelta(seconds=options.sweep_pause_seconds),
            calm=self._read_back,
            clock=clock,
            part=health.part("sweep"),
        )
        self._absences = Absences(memory, self._caught_up, clock, health.part("absences"))
        self._purges = Purge(memory, self._caught_up, clock, health.part("purge"))

    def start(
        self, guilds: Callable[[], Iterable[discord.Guild]], heard: Callable[[], Iterable[discord.Guild]]
    ) -> list[asyncio.Task[None]]:
        """Start to read history; `heard` are those of the guilds whose events reach us at that moment."""
        jobs: list[tuple[str, Callable[[], Awaitable[None]], HealthReporter]] = [
            ("catch-up", self.catch_up.tasks.run, self._health.part("catch-up")),
            ("backlog", self._backlog.tasks.run, self._health.part("replies")),
            ("back-fill", self._backfill.tasks.run, self._health.part("back-fill")),
            ("missing places", self._missing_places.tasks.run, self._health.part("catch-up")),
            ("sweep", partial(self._sweep.run, guilds), self._health.part("sweep")),
            ("absences", partial(self._absences.run, heard), self._health.part("absences")),
            ("purge", self._purges.run, self._health.part("purge")),
        ]
        return [start_task(name, work, part.failing) for name, work, part in jobs]

    async def _caught_up(self) -> None:
        await self.catch_up.tasks.idle()

    async def _read_back(self) -> None:
        await self.catch_up.tasks.idle()
        await self._backfill.tasks.idle()
