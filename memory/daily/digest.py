"""Makes the digest: what happened in a guild, told in a channel, from what every reader of that channel can read.

There is one for each date of the guild's own calendar. A row of `digests` says what became of it; its words stand on
Discord alone, and are made anew from what is left when something that they rest on goes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from uuid import uuid4

from memory.core.clock import Clock
from memory.core.provenance import Evidence, Read
from memory.core.values import Message, Source, last_id_of, text_of, time_of
from memory.daily.service import PATIENCE, CatchUps
from memory.daily.store import DigestStore
from memory.daily.values import (
    LATEST,
    LONGEST,
    MOST_DECIDED,
    MOST_PLANS,
    MOST_TOPICS,
    Digest,
    Edition,
    Line,
    Schedule,
    State,
)
from memory.events import Events
from memory.models.usage import Routine
from memory.places.service import Places
from memory.places.view import Audience
from memory.receipts.overlap import Input, quoted_by
from memory.summaries.days import Days

LEASE = timedelta(seconds=120)
"""Whoever posts one has to be done by then, also by a clock that is half a minute ahead."""
KEPT = timedelta(days=60)


class Digests:
    def __init__(
        self,
        store: DigestStore,
        catch_ups: CatchUps,
        days: Days,
        places: Places,
        settled: Callable[[int], Awaitable[None]],
        events: Events,
        clock: Clock,
    ) -> None:
        self._store = store
        self._catch_ups = catch_ups
        self._days = days
        self._places = places
        self._settled = settled
        self._events = events
        self._clock = clock
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Wake the loop: something was decided, or a guild came into sight."""
        self._woken.set()

    async def woken(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
        self._woken.clear()

    # When

    async def schedules(self, guild_ids: Collection[int]) -> list[Schedule]:
        return await self._store.schedules(guild_ids)

    async def schedule(self, guild_id: int) -> Schedule | None:
        """Read the schedule of a guild, also of one that has chosen no channel; None of one that is not known."""
        return next(iter(await self._store.schedules([guild_id], even_off=True)), None)

    async def latest(self, guild_ids: Collection[int]) -> dict[int, Digest]:
        return await self._store.latest(guild_ids)

    async def one(self, guild_id: int, digest_id: int) -> Digest | None:
        return await self._store.one(guild_id, digest_id)

    async def posted(self, audience: Audience, most: int) -> list[Digest]:
        """List the last digests that stand where these people can read."""
        return await self._store.posted(audience, most)

    async def claim(self, schedule: Schedule, day: date, due_at: datetime) -> Digest | None:
        """Claim a digest to post it; None if somebody does, if it is done, or if it is too late, which is noted."""
        digest, now = await self._of(schedule, day, due_at), self._clock.now()
        if now - due_at > LATEST:
            await self._store.record(replace(digest, state=State.MISSED))
            return None
        return await self._store.claim(digest, uuid4(), now=now, until=now + LEASE, again=False)

    async def claim_now(self, schedule: Schedule) -> Digest | None:
        """Claim today's digest, whenever it is due: somebody wants it now, with what was said up to now."""
        now = self._clock.now()
        return await self._store.claim(await self.preview(schedule), uuid4(), now=now, until=now + LEASE, again=True)

    async def preview(self, schedule: Schedule) -> Digest:
        """Describe the digest that `claim_now` would make; nothing is noted."""
        now = self._clock.now()
        digest = await self._of(schedule, schedule.today(now), now)
        return replace(digest, until_id=last_id_of(now))

    async def _of(self, schedule: Schedule, day: date, due_at: datetime) -> Digest:
        """Describe a digest: what one has told, the next does not tell again; but a week is told as a whole."""
        after_id, until_id = schedule.tells_of(day)
        if not schedule.rules.weekly:
            after_id = max(after_id, await self._store.told_up_to(schedule.guild_id, day))
        digest_id = last_id_of(self._clock.now())
        return Digest(
            schedule.guild_id, day, digest_id, schedule.rules.channel_id or 0, due_at, after_id, max(after_id, until_id)
        )

    async def settle(self, digest: Digest, state: State, message_id: int | None = None) -> bool:
        return await self._store.settle(digest, state, message_id)

    async def put_off(self, digest: Digest, seconds: float) -> None:
        await self._store.put_off(digest, self._clock.now() + timedelta(seconds=seconds))

    async def purge(self, now: datetime) -> None:
        await self._store.purge((now - KEPT).date())

    # What

    async def make(self, digest: Digest, schedule: Schedule, audience: Audience, *, by_model: bool) -> Edition:
        """Make a digest for these readers. `by_model`: untold days are told first, if there is a model."""
        await self._settled(digest.guild_id)
        channels, span = self._channels(schedule, audience), (digest.after_id, digest.until_id)
        talk = await self._catch_ups.talk(audience, channels, *span, days=7 if digest.is_weekly else 1)
        if not talk.messages:
            return Edition(digest)
        if by_model and self._days.has_model:
            await self._bring_up(digest, schedule, audience)
        plans, planned = await self._plans(digest, schedule, audience, channels)
        shown = {source.message_id for line in plans for source in line.sources}
        account, new = await asyncio.gather(
            self._catch_ups.account(audience, channels, talk.said, span, schedule.zone, shown),
            self._store.newcomers(audience, channels, *span),
        )
        plans = await self._with_events(plans, digest, schedule, audience)

        def unshown(lines: Iterable[Line], most: int) -> tuple[Line, ...]:
            """Leave out lines that are shown already: nothing stands in it twice."""
            return tuple(one for one in lines if shown.isdisjoint(source.message_id for source in one.sources))[:most]

        edition = Edition(
            digest,
            talk.messages,
            talk.channels,
            unshown(account.talked, MOST_TOPICS),
            (*plans, *unshown(account.coming, MOST_PLANS - len(plans))),
            unshown(account.decided, MOST_DECIDED),
            tuple(Line("", (Source(one.channel_id, one.message_id),), (one.author_id,)) for one in new),
        )
        messages = [*planned, *new, *(one for some in talk.said.values() for one in some)]
        return replace(edition, evidence=await asyncio.to_thread(_evidence, edition, messages))

    async def _bring_up(self, digest: Digest, schedule: Schedule, audience: Audience) -> None:
        """Bring the digest's days up to date; mostly the night has done it."""
        first, last = (
            time_of(one).astimezone(schedule.zone).date() for one in (digest.after_id + (1 << 22), digest.until_id)
        )
        ends = asyncio.get_running_loop().time() + PATIENCE
        for number in range((last - first).days + 1):
            day, wait = first + timedelta(days=number), ends - asyncio.get_running_loop().time()
            await self._days.bring_up(audience, day, Routine.DIGEST, wait=max(wait, 0.0), live=False)

    async def _with_events(
        self, plans: tuple[Line, ...], digest: Digest, schedule: Schedule, audience: Audience
    ) -> tuple[Line, ...]:
        """Add the scheduled events of that date and the next, of a week those of a week; the soonest first."""
        after = time_of(digest.until_id)
        ends = digest.local_date + timedelta(days=7 if digest.is_weekly else 2)
        until = datetime.combine(ends, time.min, schedule.zone)
        events = await self._events.coming(audience, after, until, MOST_PLANS)
        return tuple(sorted((*map(Line.of_event, events), *plans), key=lambda line: line.when or after))

    def _channels(self, schedule: Schedule, audience: Audience) -> frozenset[int]:
        chosen = [self._places.with_threads(audience, one) for one in schedule.rules.channels]
        return frozenset().union(*chosen) if schedule.rules.channels else audience.sources

    async def _plans(
        self, digest: Digest, schedule: Schedule, audience: Audience, channels: Collection[int]
    ) -> tuple[tuple[Line, ...], list[Message]]:
        """Find what was planned for that date and the next, in the last two weeks, the soonest first."""
        span = (last_id_of(time_of(digest.until_id) - LONGEST), digest.until_id)
        said = (await self._catch_ups.talk(audience, channels, *span)).said
        account = await self._catch_ups.account(audience, channels, said, span, schedule.zone, quoting=False)
        days = (digest.local_date, digest.local_date + timedelta(days=1))
        plans = tuple(
            line
            for line in account.coming
            if line.when is not None and line.when.astimezone(schedule.zone).date() in days
        )[:MOST_PLANS]
        wanted = {source.message_id for line in plans for source in line.sources}
        return plans, [one for some in said.values() for one in some if one.message_id in wanted]


def _evidence(edition: Edition, messages: Iterable[Message]) -> Evidence:
    """List what a digest rests on: whatever it points at, and whatever it repeats without that."""
    by_id = {one.message_id: one for one in messages}
    inputs = [Input(text_of(one), Read.of_messages([one]), f"<@{one.author_id}>") for one in by_id.values()]
    pointed_at = {source.message_id for line in edition.lines for source in line.sources}
    cited = [place for place, message_id in enumerate(by_id) if message_id in pointed_at]
    words = "\n".join(line.text for line in edition.lines)
    read = Read.of_all(line.rests_on for line in edition.lines)
    read |= Read.of_all(line.event.read for line in edition.lines if line.event is not None)
    return Evidence.all_quoted(quoted_by(words, "", inputs, cited).quoted | read)
