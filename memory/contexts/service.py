"""Tells what is known of a member, in one text: facts told, today and the days before it, merged.

A question finds it at hand if nothing has changed since it was made. Otherwise the best that there is serves, and a
model makes it anew once the answer stands. Whoever asks for the text itself waits a second for the model, at most. Only
members of whom somebody asked for a merged text in the last week have theirs made ahead, at night.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial

from ai_clients.base import Purpose
from ai_clients.build import Models
from memory.background import start_task
from memory.contexts.make import HOUR, CachedProfile, ContextCaches, ContextMaker, MemberKey
from memory.contexts.parts import sources_of, text_of
from memory.contexts.store import NO_ZONE, ContextStore, Found, Window
from memory.core.clock import Clock
from memory.db.database import Database
from memory.db.errors import StoreError
from memory.health import Health, PartState
from memory.leases import Leases, LeaseStore
from memory.models.metering import Metering
from memory.models.usage import Requester, Routine
from memory.people.store import MemberStore
from memory.places.service import Places
from memory.places.view import Audience
from memory.settings import MemoryOptions
from memory.summaries.calendar import HALL_SCOPE, date_in, hour_of
from memory.summaries.days import LONGEST_DAY, Days
from memory.summaries.make_day import DayOutcome
from memory.tasks import drop

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds: for a model to merge, where the text itself is asked for; for days to be quoted, where a question is."""
LONGEST_DELAY = 10.0
"""Seconds for which answers that were begun later hold up what is made behind one."""
DAYS_BEFORE = 6
"""Yesterday and the five days before it."""
ASKED_WITHIN = timedelta(days=7)
QUIET_MINUTE = 60
"""Seconds after which today is looked at again if there was nothing to tell of it."""
TELLING_SECONDS = 120.0
"""For a day to be told, behind the question."""


class Contexts:
    def __init__(
        self, store: ContextStore, maker: ContextMaker, days: Days, places: Places, caches: ContextCaches, clock: Clock
    ) -> None:
        self._store = store
        self._maker = maker
        self._days = days
        self._places = places
        self._caches = caches
        self._clock = clock
        self._running: dict[tuple[object, ...], asyncio.Task[None]] = {}
        self._under_way: defaultdict[int, set[asyncio.Future[None]]] = defaultdict(set)
        """By guild, the ends of the answers that are being made."""

    async def text_for(
        self, audience: Audience, user_id: int, by: Requester, *, patience: float = PATIENCE
    ) -> str | None:
        """Tell what this audience may hear of a member; None if that is nothing. May raise `StoreError`."""
        until = asyncio.get_running_loop().time() + patience
        profile = await self._profile(audience, user_id)
        if self._unseen(audience, profile.zone):
            await self._wait(self._look(audience, profile.zone, by), until)
            profile = await self._profile(audience, user_id)
        # Where nobody waited for the end of the look, there may be something to make when it comes.
        is_open = not profile.is_settled or self._unseen(audience, profile.zone)
        if is_open and self._caches.may_try(audience.guild_id, user_id):
            await self._wait(self._make(audience, user_id, profile.zone, by), until)
            profile = await self._profile(audience, user_id)
        return profile.text

    async def blob_for(self, audience: Audience, user_id: int) -> str | None:
        """Merge what was told of a member that everyone may know; None if there is nothing, or not all for them."""
        found = await self._find(audience, [HALL_SCOPE], user_id)
        [hall] = self._maker.scopes_of(found.parts(), [HALL_SCOPE])
        return hall.blob()

    async def cached_profile(
        self, audience: Audience, user_id: int, by: Requester, *, patience: float = PATIENCE
    ) -> CachedProfile:
        """Get the text about a member for an answer: from what there is, days that nobody told being quoted. No model
        is asked for it before the answers that are under way stand."""
        profile = await self._profile(audience, user_id)
        zone, until = profile.zone, asyncio.get_running_loop().time() + patience
        is_unseen = bool(self._unseen(audience, zone))
        quoting = self._quote(audience, zone, until)
        if quoting:
            await self._wait(quoting, until)
            profile = await self._profile(audience, user_id)
        if is_unseen or (not profile.is_settled and self._caches.may_try(audience.guild_id, user_id)):
            self._make_behind(audience, user_id, zone, quoting, by)
        return profile

    @contextmanager
    def hold_background_work(self, guild_id: int) -> Iterator[None]:
        """Hold what an answer finds missing until it stands, and make it afterwards."""
        over = asyncio.get_running_loop().create_future()
        self._under_way[guild_id].add(over)
        try:
            yield
        finally:
            self._under_way[guild_id].discard(over)
            over.set_result(None)

    async def precompute(self, guild_id: int) -> None:
        """Make at night the contexts of whoever is likely to be asked about again."""
        window = window_of(await self._days.zone_of(guild_id), self._clock.now())
        await self._store.sweep(guild_id, window.first)
        hall = self._places.hall(guild_id)
        for user_id in await self._store.asked_since(guild_id, self._clock.now() - ASKED_WITHIN) if hall else ():
            await self._make_missing(_everybody(guild_id, hall), [HALL_SCOPE], user_id, Routine.NIGHT)

    async def stop(self) -> None:
        """Stop all work; what was not finished is done again when somebody asks."""
        await drop(*self._running.values())

    async def _profile(self, audience: Audience, user_id: int) -> CachedProfile:
        """Get a profile as it is just now, made from its parts if it is not at hand."""
        scopes = self._days.scopes(audience)
        found = await self._find(audience, scopes, user_id)
        key: MemberKey = (audience.guild_id, user_id, tuple(scopes), audience.viewer_id)
        profile = self._caches.profile(key, found.stamp)
        if profile is None:
            parts = found.parts()
            scoped = self._maker.scopes_of(parts, scopes)
            profile = CachedProfile(
                found.stamp,
                found.zone,
                text_of(parts, scoped),
                sources_of(parts, scoped),
                is_settled=not self._maker.lacks(scoped),
            )
            self._caches.profiles[key] = profile
        return profile

    async def _find(self, audience: Audience, scopes: list[int], user_id: int) -> Found:
        """Find a context by one statement, as long as the guild stays in its zone."""
        while True:
            zone = self._caches.zones.get(audience.guild_id, NO_ZONE)
            found = await self._store.find(audience, scopes, user_id, window_of(zone, self._clock.now()))
            if found.zone == zone:
                return found
            self._caches.zones[audience.guild_id] = found.zone

    def _unseen(self, audience: Audience, zone: str) -> list[int]:
        """List scopes that nobody has looked at this hour, and that are not closed to this audience."""
        hour = hour_of(zone, self._clock.now())
        return [
            scope
            for scope in self._days.scopes(audience)
            if (channels := self._days.channels_of(audience.guild_id, scope))
            and channels <= audience.sources
            and (audience.guild_id, scope, hour) not in self._caches.looked
        ]

    def _quote(self, audience: Audience, zone: str, until: float) -> "list[asyncio.Task[None]]":
        """Quote what is about to be looked at; where a model is at it already, nothing is left to quote."""
        guild_id, hour = audience.guild_id, hour_of(zone, self._clock.now())
        today = date_in(zone, hour)
        firsts = {
            scope: today - timedelta(days=DAYS_BEFORE) if scope == HALL_SCOPE else today
            for scope in self._unseen(audience, zone)
            if ("look", guild_id, scope, hour) not in self._running and self._places.knows_hall(guild_id)
        }
        return [
            self._once(
                ("quote", guild_id, scope, hour),
                partial(self._days.quote, guild_id, scope, zone, first, today, until=until),
            )
            for scope, first in firsts.items()
        ]

    def _look(self, audience: Audience, zone: str, by: Requester) -> "list[asyncio.Task[None]]":
        """Have told what is new of today, once an hour in each scope, whoever asks first."""
        hour = hour_of(zone, self._clock.now())
        return [
            self._once(
                ("look", audience.guild_id, scope, hour), partial(self._look_at, audience, scope, zone, hour, by)
            )
            for scope in self._unseen(audience, zone)
        ]

    async def _look_at(self, audience: Audience, scope: int, zone: str, hour: datetime, by: Requester) -> None:
        """Look at today; in the hall also at days that no night has told, in a private channel as asked in there."""
        guild_id, today = audience.guild_id, date_in(zone, hour)
        if scope == HALL_SCOPE:
            audience = _everybody(guild_id, self._days.channels_of(guild_id, scope))
        # Not before others who wait for an answer: nobody waits for this for long.
        bring_up = partial(self._days.bring_up, audience, wait=TELLING_SECONDS, zone=zone, live=False)
        is_told = await bring_up(today, by) not in (DayOutcome.QUIET, DayOutcome.TOO_OFTEN)
        if scope == HALL_SCOPE and (guild_id, today) not in self._caches.weeks:
            for number in range(1, DAYS_BEFORE + 1):
                await bring_up(today - timedelta(days=number), Routine.NIGHT)  # which did not come to it
            self._caches.weeks[guild_id, today] = True
        # Before anybody has said anything, or while what was said in our absence is still being read, an hour is long.
        self._caches.looked[guild_id, scope, hour] = HOUR if is_told else QUIET_MINUTE

    def _make(self, audience: Audience, user_id: int, zone: str, by: Requester) -> "list[asyncio.Task[None]]":
        key = ("member", audience.guild_id, user_id, audience.viewer_id, *self._days.scopes(audience))
        return [self._once(key, partial(self._make_after_looking, audience, user_id, zone, by))]

    async def _make_after_looking(self, audience: Audience, user_id: int, zone: str, by: Requester) -> None:
        """Look at today, and then make what is missing: what is about to change is not merged before it has."""
        await asyncio.gather(*self._look(audience, zone, by))
        await self._make_missing(audience, self._days.scopes(audience), user_id, by)

    async def _make_missing(self, audience: Audience, scopes: list[int], user_id: int, by: Requester | Routine) -> None:
        """Make what is missing behind whoever waits for an answer: theirs does not depend on it."""
        found = await self._find(audience, scopes, user_id)
        for one in self._maker.scopes_of(found.parts(), scopes):
            if one.lacking is not None:
                await self._maker.make(audience, one.scope, user_id, found.window, by)

    def _make_behind(
        self, audience: Audience, user_id: int, zone: str, quoting: "Collection[asyncio.Task[None]]", by: Requester
    ) -> None:
        # For one member at a time: of several whom somebody asks about, the next has their turn with the next question.
        key = ("behind", audience.guild_id, by)
        before = [*self._under_way[audience.guild_id], *quoting]
        self._once(key, partial(self._make_after, before, audience, user_id, zone, by))

    async def _make_after(
        self, before: "Collection[asyncio.Future[None]]", audience: Audience, user_id: int, zone: str, by: Requester
    ) -> None:
        """Make a text when the answers of that time stand, and those that came meanwhile if they end soon."""
        if before:
            await asyncio.wait(before)
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_DELAY):
                while under_way := self._under_way[audience.guild_id]:
                    await asyncio.wait(under_way)
        await asyncio.gather(*self._make(audience, user_id, zone, by))

    def _once(self, key: tuple[object, ...], work: Callable[[], Coroutine[None, None, None]]) -> "asyncio.Task[None]":
        """Start a work only once at a time in this process: whoever wants the same waits as well, or goes ahead."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = start_task(
                "context", partial(self._do, work), lambda issue: self._maker.part.failing(issue), again=False
            )
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return task

    async def _do(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        try:
            await work()
        except StoreError as error:
            logger.warning("could not build a member's context: %s", type(error).__name__)
        else:
            if self._maker.part.snapshot().state is not PartState.ACTIVE:
                self._maker.part.active()

    @staticmethod
    async def _wait(tasks: "list[asyncio.Task[None]]", until: float) -> None:
        """Wait for tasks, which go on when the time is up."""
        left = until - asyncio.get_running_loop().time()
        if tasks and left > 0:
            await asyncio.wait(tasks, timeout=left)


def contexts_of(
    database: Database,
    days: Days,
    places: Places,
    metering: Metering,
    models: Models,
    options: MemoryOptions,
    clock: Clock,
    health: Health,
) -> Contexts:
    """Put together for one process."""
    store, claims = ContextStore(database), Leases(LeaseStore(database), clock, health)
    caches = ContextCaches(options.cached_members, options.cached_places, clock)
    chain = models.chain(Purpose.SMALL)
    aim = options.fact_blob_aim
    maker = ContextMaker(store, MemberStore(database), places, claims, metering, chain, caches, clock, health, aim)
    return Contexts(store, maker, days, places, caches, clock)


def window_of(zone: str, now: datetime) -> Window:
    today = date_in(zone, now)
    first = today - timedelta(days=DAYS_BEFORE)
    since = datetime(first.year, first.month, first.day, tzinfo=UTC) - LONGEST_DAY
    return Window(first, today - timedelta(days=1), today, since)


def _everybody(guild_id: int, hall: frozenset[int]) -> Audience:
    """Make an audience of everybody in the hall, for making what is told to others, who are asked for anew."""
    return Audience(guild_id, min(hall), hall, is_hall=True)
