"""Tells the days of a guild as its members may ask for them: brought up to date when somebody asks, for an audience.

Today is summarised when somebody asks for it, at most once an hour, and only if something new was said. A day that is
over is summarised once, by the night's work or by whoever asks before. Nobody waits long: what is not told yet is
quoted.
"""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from memory.audit import LOSS_TOLD
from memory.core.clock import Clock
from memory.core.outcomes import Correction
from memory.core.values import Message
from memory.language.text import repair
from memory.models.prompt_data import calmed
from memory.models.usage import Requester, Routine
from memory.people.names import mentioned_ids
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import SettingsStore
from memory.policy.store import horizon
from memory.summaries.calendar import HALL_SCOPE, CalendarDay, DayRow, DueWork, date_in, days_between, what_is_due
from memory.summaries.day_prompt import SUMMARY_LIMIT
from memory.summaries.extractive import happenings
from memory.summaries.happenings import ToldHappening
from memory.summaries.make_day import DayMaker, DayOutcome, DayWork
from memory.summaries.make_store import DayMakingStore
from memory.summaries.store import DayStore
from memory.summaries.store import ToldDay as ToldDay

LONGEST = SUMMARY_LIMIT
"""Characters of a text that somebody corrects."""
WAIT = 8.0
"""Seconds that whoever asks for a day waits for its summary."""
SOURCES_LOOKED_AT = 300
"""Messages of a summarised day among which those are found that it is linked to; and of each of several days."""
LONGEST_DAY = timedelta(hours=50)
"""What lies further from noon of a date is no part of it in any zone, whatever clocks do."""


@dataclass(frozen=True, slots=True)
class DayTold:
    """Holds a day as it may be told to an audience."""

    date: date
    zone: str
    told: tuple[ToldDay, ...]
    said: tuple[Message, ...]
    """What is not summarised, in the words of those who said it."""
    sources: tuple[Message, ...] = ()
    """Some of what the summaries were made from."""
    happened: tuple[ToldHappening, ...] = ()
    """By topic, the weightiest first."""


class Days:
    def __init__(
        self,
        store: DayStore,
        making: DayMakingStore,
        maker: DayMaker,
        places: Places,
        settings: SettingsStore,
        clock: Clock,
    ) -> None:
        self._store = store
        self._making = making
        self._maker = maker
        self._places = places
        self._settings = settings
        self._clock = clock

    @property
    def has_model(self) -> bool:
        return self._maker.has_model

    async def zone_of(self, guild_id: int) -> str:
        return (await self._settings.of_guild(guild_id)).time_zone

    async def today(self, guild_id: int) -> date:
        return date_in(await self.zone_of(guild_id), self._clock.now())

    async def told(
        self, audience: Audience, first: date, last: date, user_ids: Collection[int] | None = None
    ) -> list[ToldDay]:
        """Read what there is of days, in one query: nothing is made, and nobody waits."""
        return await self._store.told(audience, self.scopes(audience), first, last, user_ids)

    async def happened(self, audience: Audience, first: date, last: date) -> list[ToldHappening]:
        """Read what happened on these days, by topic, as far as it has been told: nothing is made, and nobody waits."""
        return await self._store.happened(audience, self.scopes(audience), first, last)

    async def told_by_model(self, audience: Audience, message_ids: Collection[int]) -> set[int]:
        """Find, of these messages, those that a model was given for a day whose texts this audience may be told."""
        return await self._store.told_by_model(audience, self.scopes(audience), message_ids)

    async def day(self, audience: Audience, day: date, by: Requester, *, wait: float = WAIT) -> DayTold:
        """Read a day, brought up to date first, if that is due and within the limit of whoever asks; what is not done
        in time is quoted, and goes on behind."""
        zone = await self.zone_of(audience.guild_id)
        await self.bring_up(audience, day, by, wait=wait, zone=zone)
        scopes = self.scopes(audience)
        # These first: a day that is told meanwhile stands there twice, which is better than not at all.
        rows = await self._store.rows(audience.guild_id, scopes, *_around(day, day))
        told = await self._store.told(audience, scopes, day, day)
        happened = await self._store.happened(audience, scopes, day, day)
        if any(row.has_text for row in rows) and not told and not happened:  # its text may have gone in between
            rows = await self._store.rows(audience.guild_id, scopes, *_around(day, day))
        said: list[Message] = []
        sources: list[Message] = []
        for scope in scopes:
            channels = self.channels_of(audience.guild_id, scope) & audience.sources
            summarised = [row.day for row in rows if row.scope == scope and row.seen_by(audience.sources).has_text]
            for piece in days_between(zone, day, day, summarised):
                said += await self._store.said(audience, channels, piece)
            for piece in (one for one in summarised if one.date == day):
                sources += await self._store.said(audience, channels, piece, SOURCES_LOOKED_AT)
        return DayTold(day, zone, tuple(told), tuple(said), tuple(sources), tuple(happened))

    async def quote(self, guild_id: int, scope: int, zone: str, first: date, last: date, *, until: float) -> None:
        """Tell of these days without a model what nobody has told, the newest first, and begin none after `until`."""
        due = await self.due(guild_id, scope, zone, first, last, None)
        for one in sorted(due, key=lambda one: one.day, reverse=True):
            is_told = one.row is not None and one.row.seen_by(one.channels).has_text
            if one.due is DueWork.MAKE and not is_told and asyncio.get_running_loop().time() < until:
                await self._maker.make(one)

    async def said_between(self, audience: Audience, first: date, last: date) -> list[list[Message]]:
        """Read what was last said on each of several days; nothing is made, and nobody waits."""
        zone = await self.zone_of(audience.guild_id)
        said: list[list[Message]] = []
        for day in days_between(zone, first, last):
            said.append([])
            for scope in self.scopes(audience):
                channels = self.channels_of(audience.guild_id, scope)
                said[-1] += await self._store.said(audience, channels, day, SOURCES_LOOKED_AT)
        return said

    async def bring_up(
        self,
        audience: Audience,
        day: date,
        by: Requester | Routine,
        *,
        wait: float = WAIT,
        zone: str | None = None,
        live: bool = True,
    ) -> DayOutcome:
        """Have made what is due of a day for those who ask, and wait for it, but not longer than that. Tells whether
        whoever asks has to wait, whether nobody has said anything on it yet that could be told, or whether no model
        could tell it; else that it is made."""
        zone = zone or await self.zone_of(audience.guild_id)
        due: list[DayWork] = []
        for scope in self.scopes(audience):
            channels = self.channels_of(audience.guild_id, scope)
            if channels and channels <= audience.sources and self._places.knows_hall(audience.guild_id):
                due += await self.due(audience.guild_id, scope, zone, day, day, by, live=live)
        making = [self._maker.make(one) for one in due if one.due is DueWork.MAKE]
        for day_made in making:
            day_made.add_done_callback(_look_away)
        if making:
            await asyncio.wait(making, timeout=wait)
        for one in due:
            if one.due is DueWork.CLOSE:
                await self.close(one)
        came = [one.result() for one in making if one.done() and not one.cancelled() and one.exception() is None]
        for outcome in (DayOutcome.TOO_OFTEN, DayOutcome.QUOTED, DayOutcome.KEPT):
            if outcome in came:
                return outcome
        is_known = any(one.row is not None for one in due)
        is_quiet = not is_known and came == [DayOutcome.QUIET] * len(making)
        return DayOutcome.QUIET if is_quiet else DayOutcome.MADE

    async def regenerate(self, audience: Audience, scope: int, day: date, by: Requester) -> DayOutcome:
        """Make a day anew because somebody asks, due or not; they have to be able to read all that it is made from."""
        channels = self.channels_of(audience.guild_id, scope)
        if not channels or not channels <= audience.sources or not self._places.knows_hall(audience.guild_id):
            return DayOutcome.KEPT
        zone = await self.zone_of(audience.guild_id)
        due = await self.due(audience.guild_id, scope, zone, day, day, by, live=True)
        made = [await self._maker.make(one) for one in due]
        return made[-1] if made else DayOutcome.QUIET

    def may_correct(self, told: ToldDay, user_id: int, *, is_manager: bool) -> bool:
        """Say whether somebody may correct a day: whom it is about, or a manager, as far as they can read it."""
        return is_manager or told.user_id == user_id

    async def correct(self, audience: Audience, told: ToldDay, text: str, by: int) -> Correction:
        """Correct a day with words that are not empty; in one line, since what is told of others stands in the next."""
        words = " ".join(calmed(" ".join(repair(text).split())[:LONGEST]).split())
        return await self._making.correct(audience, told, words, by, self._clock.now()) if words else Correction.GONE

    async def lost_corrections(self, reader: Audience, scope: int, first: date, last: date) -> dict[date, datetime]:
        """Tell, by day, when the reader corrected a text of it that went since, because something it rests on was
        edited or deleted; of days that the guild still keeps."""
        now = self._clock.now()
        kept_since = horizon((await self._settings.of_guild(reader.guild_id)).log.summary_days, now)
        first = first if kept_since is None else max(first, kept_since.date() + timedelta(days=1))
        return await self._store.lost_corrections(reader, scope, first, last, now - LOSS_TOLD)

    async def rests_on(self, audience: Audience, told: ToldDay, most: int) -> list[Message]:
        """Find what a member's day was told from: what they said themselves, or others to them; the most telling."""
        channels = self.channels_of(audience.guild_id, told.scope)
        said = await self._store.said(audience, channels, told.day, SOURCES_LOOKED_AT)
        own = [one for one in said if one.author_id == told.user_id]
        own = own or [one for one in said if told.user_id in mentioned_ids(one.text)]
        quotes = await asyncio.to_thread(happenings, [own], most)
        quoted = {quote.source.message_id for quote in quotes}
        return [one for one in own if one.message_id in quoted] or own[-most:]

    async def due(
        self,
        guild_id: int,
        scope: int,
        zone: str,
        first: date,
        last: date,
        by: Requester | Routine | None,
        *,
        live: bool = False,
    ) -> list[DayWork]:
        """List what is to be done about the days from the first to the last, as things are now, and on whose behalf."""
        now = self._clock.now()
        channels = self.channels_of(guild_id, scope)
        horizon = await self._store.horizon(guild_id, now)
        known = await self._store.rows(guild_id, [scope], *_around(first, last))
        final = [row for row in known if row.is_final]
        open_rows = {row.day.starts_at: row for row in known if not row.is_final}
        days: list[tuple[CalendarDay, DayRow | None]] = [
            (row.day, row) for row in final if first <= row.day.date <= last
        ]
        pieces = days_between(zone, first, last, [row.day for row in final])
        days += [(piece, open_rows.get(piece.starts_at)) for piece in pieces if piece.starts_at <= now]
        days = [(day, row) for day, row in days if horizon is None or day.starts_at >= horizon]
        new = await self._store.count(
            guild_id, channels, [(day, 0 if row is None else row.seen_seq or 0) for day, row in days]
        )
        has_model = self._maker.has_model
        found: list[DayWork] = []
        for (day, row), count in zip(days, new, strict=True):
            state = None if row is None else row.seen_by(channels)
            due = what_is_due(day, state, now=now, zone=zone, new=count, has_model=has_model)
            found.append(DayWork(due, guild_id, scope, channels, zone, day, row, by, live=live))
        return found

    async def close(self, work: DayWork) -> bool:
        """Close a day that is over: what was told of it is final then; say whether that was done."""
        if not await self._maker.is_over(work.guild_id, work.channels, work.day):
            return False
        await self._making.close(work.guild_id, work.scope, work.day)
        return True

    def scopes(self, audience: Audience) -> list[int]:
        """List the scopes: the hall, and the place itself where it is not a part of the hall and can be read back."""
        is_own = audience.place_id in audience.sources - self._places.hall(audience.guild_id)
        return [HALL_SCOPE, audience.place_id] if is_own else [HALL_SCOPE]

    def channels_of(self, guild_id: int, scope: int) -> frozenset[int]:
        return self._places.hall(guild_id) if scope == HALL_SCOPE else frozenset((scope,))


def _around(first: date, last: date) -> tuple[datetime, datetime]:
    """Give two moments between which every day of such a date lies, in whatever zone it was told."""
    begin, end = (datetime.combine(day, time(12), UTC) for day in (first, last))
    return begin - LONGEST_DAY, end + LONGEST_DAY


def _look_away(done: "asyncio.Future[DayOutcome]") -> None:
    """Retrieve the exception, so that nobody warns of it: the maker has said what went wrong; what there is serves."""
    if not done.cancelled():
        done.exception()
