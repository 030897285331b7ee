"""Works at night: soon after its midnight each guild gets yesterday summarised, and what was missed before.

Nothing is queued. What is to be done is read from the days themselves: which of the last week nobody told, which could
not be told when it was tried, which has to be told anew. So a night that was missed is made up at the next start, a
process that was killed leaves nothing half done, and several processes share the work by claiming it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from memory.background import FairScheduler, start_task
from memory.core.clock import Clock
from memory.db.errors import StoreError
from memory.leases import Leases
from memory.models.usage import Routine
from memory.people.store import GuildStore
from memory.places.service import Places
from memory.summaries.calendar import HALL_SCOPE, DueWork, begin_of_night, date_in, first_day_looked_at
from memory.summaries.days import Days
from memory.summaries.make_day import DayMaker, DayOutcome, DayWork
from memory.summaries.make_store import DayMakingStore
from memory.summaries.store import DayStore
from memory.tasks import drop, request

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
LOOK_AGAIN = timedelta(minutes=10)
"""While there is something left to do."""
LONGEST_REST = timedelta(hours=6)
"""A guild may move to another zone meanwhile."""
AT_ONCE = 3
"""Guilds that are worked for side by side."""
LONGEST_TURN_SECONDS = 60.0
"""After so long no other day of the same guild is begun while others wait."""


class Nightly:
    def __init__(
        self,
        days: Days,
        maker: DayMaker,
        store: DayStore,
        making: DayMakingStore,
        guilds: GuildStore,
        places: Places,
        claims: Leases,
        clock: Clock,
        warm: Callable[[int], Awaitable[None]],
    ) -> None:
        """`warm`: called when the days of a guild are told, to make what is made of them."""
        self._days = days
        self._maker = maker
        self._store = store
        self._making = making
        self._guilds = guilds
        self._places = places
        self._claims = claims
        self._clock = clock
        self._turns = FairScheduler("the night's work")
        self._next: dict[int, datetime] = {}
        self._mending: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._warm = warm

    def start(self) -> None:
        if self._task is None:
            self._maker.part.watch(seconds_waited=self._turns.seconds_waited)
            self._task = start_task("nightly", self._run, self._maker.part.failing)

    async def stop(self) -> None:
        await drop(*self._mending, self._task)
        self._task = None
        await self._maker.stop()

    async def round(self) -> None:
        """Do whatever is due now, for all guilds whose places are known."""
        now = self._clock.now()
        due = [
            guild_id
            for guild_id in await self._guilds.present()
            if self._places.knows_hall(guild_id) and now >= self._next.get(guild_id, now)
        ]

        async def work(guild_id: int) -> None:
            self._next[guild_id] = await self.night(guild_id)

        await self._turns.round(due, work, at_once=AT_ONCE)

    async def night(self, guild_id: int) -> datetime:
        """Do all that is due for a guild; say when to look again."""
        zone = await self._days.zone_of(guild_id)
        now = self._clock.now()
        tonight = begin_of_night(zone, guild_id, now)
        if date_in(zone, tonight) != date_in(zone, now):
            return begin_of_night(zone, guild_id, now + timedelta(days=1))  # its turn comes in a few minutes
        async with self._claims.held(guild_id, "night") as claim:
            if claim is None:
                return now + LOOK_AGAIN
            first, yesterday = first_day_looked_at(zone, now), date_in(zone, now) - timedelta(days=1)
            due = await self._days.due(guild_id, HALL_SCOPE, zone, first, yesterday, Routine.NIGHT)
            is_done, ends = True, asyncio.get_running_loop().time() + LONGEST_TURN_SECONDS
            for one in due:
                if asyncio.get_running_loop().time() > ends:
                    return now  # the others have their turns first
                is_done &= await self._finish(one)
            await self._mend_one(guild_id, zone, due)
            await self._clear(guild_id, {one.day.starts_at for one in due})
            await self._warm(guild_id)
        next_night = begin_of_night(zone, guild_id, now + timedelta(days=1))
        return min(next_night, now + LONGEST_REST) if is_done else now + LOOK_AGAIN

    def mend_soon(self, guild_id: int) -> None:
        """Mend days after an erasure somebody asked for: what it took is told anew, without waiting for the night."""
        if self._places.knows_hall(guild_id):
            task = start_task("mending", partial(self._mend_all, guild_id), self._maker.part.failing, again=False)
            self._mending.add(task)
            task.add_done_callback(self._mending.discard)

    async def _finish(self, one: DayWork) -> bool:
        """Finish a day; say whether there is nothing left to do about it."""
        match one.due:
            case DueWork.MAKE:
                if not await self._maker.is_over(one.guild_id, one.channels, one.day):
                    return False
                outcome = await self._maker.make(one)
                return outcome in (DayOutcome.MADE, DayOutcome.QUIET) or not self._maker.has_model
            case DueWork.CLOSE:
                return await self._days.close(one)
        return one.row is None or one.row.retry_at is None

    async def _mend_one(self, guild_id: int, zone: str, due: list[DayWork]) -> None:
        """Mend the newest of those days whose sources changed; the others have their turns in the next nights."""
        to_mend = sorted((one for one in due if one.due is DueWork.MEND), key=lambda one: one.day, reverse=True)
        night = date_in(zone, self._clock.now())
        if to_mend and await self._store.last_mended_on(guild_id) != night:
            await self._maker.make(replace(to_mend[0], mended_on=night))
            self._maker.part.count("mended")

    async def _mend_all(self, guild_id: int) -> None:
        with suppress(StoreError):  # then the night does it
            zone = await self._days.zone_of(guild_id)
            now = self._clock.now()
            yesterday = date_in(zone, now) - timedelta(days=1)
            first = first_day_looked_at(zone, now)
            due = await self._days.due(guild_id, HALL_SCOPE, zone, first, yesterday, Routine.NIGHT)
            for one in due:
                if one.due is DueWork.MEND and one.row is not None and one.row.is_disturbed:
                    await self._maker.make(one)
                    self._maker.part.count("mended")

    async def _clear(self, guild_id: int, looked_at: set[datetime]) -> None:
        """Clear days that lost their texts and are told again only if somebody asks for them."""
        now = self._clock.now()
        for row in await self._store.disturbed(guild_id):
            is_private = row.scope != HALL_SCOPE
            if row.day.ends_at < now and (is_private or row.day.starts_at not in looked_at):
                await self._making.drop(guild_id, row.scope, row.day)

    async def _run(self) -> None:
        is_well = False
        while True:
            with request("night"):
                was_well, is_well = is_well, await self._gets_on()
                if is_well and not was_well:
                    self._maker.part.active()
            await asyncio.sleep(PAUSE_SECONDS)

    async def _gets_on(self) -> bool:
        try:
            await self.round()
        except StoreError as error:
            logger.warning("nightly work is stuck: %s", type(error).__name__)
            self._maker.part.failing("Days cannot be summarised, because the database does not answer.")
            return False
        if self._turns.failed:
            self._maker.part.failing(f"Days cannot be summarised for {self._turns.failed} server(s); the log says why.")
        return not self._turns.failed
