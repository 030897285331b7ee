"""What is known of a member, in one text: facts told, today and the days before it, merged.

A question finds it at hand if nothing has changed since it was made. Otherwise a model makes it anew, and whoever asked
waits a second for that at most; then the best that there is serves, and the work goes on behind. Only members who asked
or were asked about in the last week have their contexts made ahead, at night.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial

from ai_clients.base import Purpose
from ai_clients.building import Models
from memory.caches import ContextCaches, KeptText, MemberKey
from memory.claims import Claims
from memory.context_making import ContextMaker
from memory.context_parts import text_of
from memory.core.audience import Audience
from memory.core.clock import Clock
from memory.core.days import HALL_SCOPE, date_in, hour_of
from memory.days import LONGEST_DAY, Days
from memory.health import Health
from memory.metering import Metering
from memory.places import Places
from memory.settings import MemoryOptions
from memory.store.claims import ClaimStore
from memory.store.context_values import MemberParts, Stamp, Window
from memory.store.contexts import ContextStore
from memory.store.database import Database
from memory.store.errors import StoreError
from memory.store.members import MemberStore

logger = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that a question waits for a model to merge."""
DAYS_BEFORE = 6
"""Yesterday and the five days before it."""
ASKED_WITHIN = timedelta(days=7)
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

    async def of(self, audience: Audience, user_id: int, *, patience: float = PATIENCE) -> str | None:
        """What this audience may hear of a member; None if that is nothing. May raise `StoreError`."""
        kept, zone = await self._kept(audience, user_id)
        if not self._wants_work(audience, user_id, kept, zone):
            return kept.text
        await asyncio.wait({self._bring_up(audience, user_id, zone)}, timeout=patience)
        kept, _ = await self._kept(audience, user_id)
        return kept.text

    async def warm(self, guild_id: int) -> None:
        """For the night: whoever is likely to be asked about again finds their context made."""
        await self._store.sweep(guild_id)
        hall = self._places.hall(guild_id)
        people = await self._store.asked_since(guild_id, self._clock.now() - ASKED_WITHIN)
        if not hall:
            return
        audience = _everybody(guild_id, hall)
        window = window_of(await self._days.zone_of(guild_id), self._clock.now())
        for user_id in people:
            parts = await self._maker.parts(audience, [HALL_SCOPE], user_id, window)
            for scope in self._maker.lacks(parts, [HALL_SCOPE]):
                if self._caches.may_try(guild_id, user_id):
                    await self._maker.make(audience, scope, user_id, window, live=False)

    async def stop(self) -> None:
        """What was not finished is done again when somebody asks."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _kept(self, audience: Audience, user_id: int) -> tuple[KeptText, str]:
        """As it is just now, made from its parts if it is not at hand; and the guild's zone."""
        scopes = self._days.scopes(audience)
        zone, window, stamp = await self._stamp(audience, scopes, user_id)
        key: MemberKey = (audience.guild_id, user_id, tuple(scopes), audience.viewer_id)
        kept = self._caches.text(key, stamp)
        if kept is None:
            parts = await self._maker.parts(audience, scopes, user_id, window)
            kept = self._made_of(stamp, parts, scopes)
            self._caches.keep_text(key, kept)
        return kept, zone

    def _made_of(self, stamp: Stamp, parts: MemberParts, scopes: list[int]) -> KeptText:
        is_settled = not self._maker.lacks(parts, scopes)
        return KeptText.of(stamp, text_of(parts, scopes), is_settled=is_settled)

    async def _stamp(self, audience: Audience, scopes: list[int], user_id: int) -> tuple[str, Window, Stamp]:
        """One statement, as long as nothing was decided about the guild since its zone was read."""
        known = self._caches.zone(audience.guild_id)
        while True:
            epoch, zone = known or (None, await self._days.zone_of(audience.guild_id))
            window = window_of(zone, self._clock.now())
            stamp = await self._store.stamp(audience, scopes, user_id, window)
            if stamp.epoch == epoch:
                return zone, window, stamp
            known = (stamp.epoch, await self._days.zone_of(audience.guild_id))
            self._caches.keep_zone(audience.guild_id, *known)

    def _wants_work(self, audience: Audience, user_id: int, kept: KeptText, zone: str) -> bool:
        guild_id = audience.guild_id
        if self._unseen(audience, zone) or not self._caches.is_noted(guild_id, user_id):
            return True
        return not kept.is_settled and self._caches.may_try(guild_id, user_id)

    def _unseen(self, audience: Audience, zone: str) -> list[int]:
        """Scopes that nobody has looked at this hour, and that are not closed to this audience."""
        hour = hour_of(zone, self._clock.now())
        return [
            scope
            for scope in self._days.scopes(audience)
            if (channels := self._days.channels_of(audience.guild_id, scope))
            and channels <= audience.sources
            and not self._caches.has_looked(audience.guild_id, scope, hour)
        ]

    def _bring_up(self, audience: Audience, user_id: int, zone: str) -> "asyncio.Task[None]":
        key = ("member", audience.guild_id, user_id, audience.viewer_id, *self._days.scopes(audience))
        return self._once(key, lambda: self._work(audience, user_id, zone))

    async def _work(self, audience: Audience, user_id: int, zone: str) -> None:
        """All that is to be done for a member; whoever waits for it may stop waiting."""
        guild_id = audience.guild_id
        try:
            if not self._caches.is_noted(guild_id, user_id):
                await self._store.note_asked(guild_id, user_id, self._clock.now())
                self._caches.note_asked(guild_id, user_id)
            await self._look(audience, zone)
            scopes, window = self._days.scopes(audience), window_of(zone, self._clock.now())
            if self._caches.may_try(guild_id, user_id):
                parts = await self._maker.parts(audience, scopes, user_id, window)
                for scope in self._maker.lacks(parts, scopes):
                    await self._maker.make(audience, scope, user_id, window, live=True)
        except StoreError as error:
            logger.warning("a context could not be made: %s", type(error).__name__, extra={"guild_id": guild_id})

    async def _look(self, audience: Audience, zone: str) -> None:
        """Have told what is new of today, once an hour in each scope, whoever asks first."""
        hour = hour_of(zone, self._clock.now())
        looks = [
            self._once(("look", audience.guild_id, scope, hour), partial(self._look_at, audience, scope, zone, hour))
            for scope in self._unseen(audience, zone)
        ]
        await asyncio.gather(*looks)

    async def _look_at(self, audience: Audience, scope: int, zone: str, hour: datetime) -> None:
        """Of the hall also the days before that no night has told; of a private channel what is asked for in there."""
        today = date_in(zone, hour)
        days = [today]
        if scope == HALL_SCOPE:
            audience = _everybody(audience.guild_id, self._days.channels_of(audience.guild_id, scope))
            days += [today - timedelta(days=number) for number in range(1, DAYS_BEFORE + 1)]
        for day in days:
            await self._days.bring_up(audience, day, wait=TELLING_SECONDS, zone=zone)
        self._caches.note_look(audience.guild_id, scope, hour)

    def _once(self, key: tuple[object, ...], work: Callable[[], Coroutine[None, None, None]]) -> "asyncio.Task[None]":
        """At the same time only once in this process: whoever wants the same waits for it as well."""
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(work(), name="context")
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return task


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
    store, claims = ContextStore(database), Claims(ClaimStore(database), clock)
    caches = ContextCaches(options.cached_members, options.cached_places, clock)
    chain = models.chain(Purpose.SMALL)
    maker = ContextMaker(store, MemberStore(database), claims, metering, chain, caches, clock, health)
    return Contexts(store, maker, days, places, caches, clock)


def window_of(zone: str, now: datetime) -> Window:
    today = date_in(zone, now)
    first = today - timedelta(days=DAYS_BEFORE)
    since = datetime(first.year, first.month, first.day, tzinfo=UTC) - LONGEST_DAY
    return Window(first, today - timedelta(days=1), today, since)


def _everybody(guild_id: int, hall: frozenset[int]) -> Audience:
    """In the hall; for making what is told to others, who are asked for anew."""
    return Audience(guild_id, min(hall), hall, is_hall=True)
