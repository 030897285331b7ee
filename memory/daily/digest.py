"""Makes the digest: what happened in a guild, told in a channel, from what every reader of that channel can read.

There is one for each date of the guild's own calendar. A row of `digests` says what became of it; its words stand on
Discord alone, and are made anew from what is left when something that they rest on goes.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import fields, replace
from datetime import date, datetime, time, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

from memory.core.clock import Clock
from memory.core.provenance import Evidence, Read
from memory.core.values import Message, Source, last_id_of, text_of, time_of
from memory.daily.service import PATIENCE, CatchUps
from memory.daily.values import (
    LATEST,
    LONGEST,
    MOST_DECIDED,
    MOST_NEW,
    MOST_PLANS,
    MOST_TOPICS,
    Digest,
    Edition,
    Line,
    Schedule,
    State,
)
from memory.db.database import Database, Record
from memory.events import Events
from memory.log.reading import message_of, not_pending_removal
from memory.models.usage import Routine
from memory.places.service import Places
from memory.places.view import Audience
from memory.policy.settings import digest_rules
from memory.receipts.overlap import Input, quoted_by
from memory.summaries.days import Days

LEASE = timedelta(seconds=120)
"""Whoever posts one has to be done by then, also by a clock that is half a minute ahead."""
KEPT = timedelta(days=60)


class Digests:
    def __init__(
        self,
        database: Database,
        catch_ups: CatchUps,
        days: Days,
        places: Places,
        settled: Callable[[int], Awaitable[None]],
        events: Events,
        clock: Clock,
    ) -> None:
        self._database = database
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

    async def schedules(self, guild_ids: Collection[int], *, even_off: bool = False) -> list[Schedule]:
        """Read the schedules of those of these guilds that have chosen a channel."""
        rows = await self._database.read("store.digests.schedules", _SCHEDULES, list(guild_ids), even_off)
        return [Schedule(row["guild_id"], ZoneInfo(row["time_zone"]), digest_rules(row["digest"])) for row in rows]

    async def schedule(self, guild_id: int) -> Schedule | None:
        """Read the schedule of a guild, also of one that has chosen no channel; None of one that is not known."""
        return next(iter(await self.schedules([guild_id], even_off=True)), None)

    async def latest(self, guild_ids: Collection[int]) -> dict[int, Digest]:
        """Read for each guild the last digest that was due."""
        rows = await self._database.read("store.digests.latest", _LATEST, list(guild_ids))
        return {row["guild_id"]: _digest(row) for row in rows}

    async def one(self, guild_id: int, digest_id: int) -> Digest | None:
        rows = await self._database.read(
            "store.digests.one", "SELECT * FROM digests WHERE guild_id = $1 AND digest_id = $2", guild_id, digest_id
        )
        return _digest(rows[0]) if rows else None

    async def posted(self, audience: Audience, most: int) -> list[Digest]:
        """List the last digests that stand where these people can read, the newest first."""
        rows = await self._database.read(
            "store.digests.posted", _POSTED, audience.guild_id, list(audience.sources), most
        )
        return [_digest(row) for row in rows]

    async def claim(self, schedule: Schedule, day: date, due_at: datetime) -> Digest | None:
        """Claim a digest to post it; None if somebody does, if it is done, or if it is too late, which is noted."""
        digest = await self._of(schedule, day, due_at)
        if self._clock.now() - due_at <= LATEST:
            return await self._claim(digest, State.OPEN)
        async with self._database.transaction("store.digests.record") as connection:
            await connection.execute(_RECORD, *_values(digest), State.MISSED)
        return None

    async def claim_now(self, schedule: Schedule) -> Digest | None:
        """Claim today's digest, whenever it is due: somebody wants it now, with what was said up to now."""
        return await self._claim(await self.preview(schedule), State.OPEN, State.QUIET, State.MISSED)

    async def _claim(self, digest: Digest, *states: State) -> Digest | None:
        """Claim a digest that is in one of these states, and that nobody is at."""
        now = self._clock.now()
        async with self._database.transaction("store.digests.claim") as connection:
            row = await connection.fetchrow(_CLAIM, *_values(digest), uuid4(), now + LEASE, now, states)
        return None if row is None else replace(_digest(row), tries=row["tries"] - 1)

    async def preview(self, schedule: Schedule) -> Digest:
        """Describe the digest that `claim_now` would make; nothing is noted."""
        now = self._clock.now()
        digest = await self._of(schedule, schedule.today(now), now)
        return replace(digest, until_id=last_id_of(now))

    async def _of(self, schedule: Schedule, day: date, due_at: datetime) -> Digest:
        """Describe a digest: what one has told, the next does not tell again; but a week is told as a whole."""
        after_id, until_id = schedule.tells_of(day)
        if not schedule.rules.weekly:
            told = await self._database.read("store.digests.told_up_to", _TOLD_UP_TO, schedule.guild_id, day)
            after_id = max(after_id, told[0]["until_id"] or 0)
        digest_id = last_id_of(self._clock.now())
        return Digest(
            schedule.guild_id, day, digest_id, schedule.rules.channel_id or 0, due_at, after_id, max(after_id, until_id)
        )

    async def settle(self, digest: Digest, state: State, message_id: int | None = None) -> bool:
        """Settle a digest; say whether it was still in the hands of whoever says so."""
        async with self._database.transaction("store.digests.settle") as connection:
            settled = await connection.fetchval(_SETTLE, *_claim_of(digest), state, message_id)
        return settled is not None

    async def put_off(self, digest: Digest, seconds: float) -> None:
        until = self._clock.now() + timedelta(seconds=seconds)
        async with self._database.transaction("store.digests.put_off") as connection:
            await connection.execute(_PUT_OFF, *_claim_of(digest), until)

    async def purge(self, now: datetime) -> None:
        async with self._database.transaction("store.digests.purge") as connection:
            await connection.execute("DELETE FROM digests WHERE local_date < $1", (now - KEPT).date())

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
            self._newcomers(audience, channels, *span),
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

    async def _newcomers(self, audience: Audience, channels: Collection[int], after: int, until: int) -> list[Message]:
        """Read what members said first who first spoke in that time, as far as these readers can know."""
        among = list(audience.sources.intersection(channels))
        rows = await self._database.read(
            "store.digests.newcomers", _NEWCOMERS, audience.guild_id, among, after, until, list(audience.sources)
        )
        return [message_of(row) for row in rows]

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


def _values(one: Digest) -> tuple[object, ...]:
    return one.guild_id, one.local_date, one.digest_id, one.channel_id, one.due_at, one.after_id, one.until_id


def _claim_of(one: Digest) -> tuple[object, ...]:
    return one.guild_id, one.local_date, one.claimed_by


def _digest(row: Record) -> Digest:
    read = {one.name: row[one.name] for one in fields(Digest)}
    return Digest(**{**read, "state": State(row["state"])})


_SCHEDULES = """
SELECT guild_id, time_zone, digest FROM guilds
WHERE guild_id = ANY ($1::bigint[]) AND ($2 OR (digest ->> 'channel_id') IS NOT NULL) ORDER BY guild_id
"""
_COLUMNS = "guild_id, local_date, digest_id, channel_id, due_at, after_id, until_id"
# One that was tried keeps its place and what it tells of: it may stand there already.
_CLAIM = f"""
INSERT INTO digests AS known ({_COLUMNS}, claimed_by, claimed_until, tried_at, tries)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1)
ON CONFLICT (guild_id, local_date) DO UPDATE SET state = 'open', claimed_by = $8, claimed_until = $9,
    tries = known.tries + 1, tried_at = coalesce(known.tried_at, $10),
    channel_id = CASE WHEN known.tries = 0 THEN $4 ELSE known.channel_id END,
    after_id = CASE WHEN known.tries = 0 THEN $6 ELSE known.after_id END,
    until_id = CASE WHEN known.tries = 0 THEN $7 ELSE known.until_id END
WHERE known.state = ANY ($11::text[]) AND (known.claimed_until IS NULL OR known.claimed_until <= $10)
RETURNING *
"""  # noqa: S608 - made of constants
_RECORD = f"""
INSERT INTO digests AS known ({_COLUMNS}, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (guild_id, local_date) DO UPDATE SET state = $8, claimed_by = NULL WHERE known.state = 'open'
"""  # noqa: S608 - made of constants
_IS_CLAIMED = "guild_id = $1 AND local_date = $2 AND claimed_by = $3 AND state = 'open'"
# What was passed over was never tried: whoever wants it all the same begins anew.
_SETTLE = f"""
UPDATE digests SET state = $4, message_id = $5, claimed_by = NULL, claimed_until = NULL,
    tries = CASE WHEN $4 = 'posted' THEN tries ELSE 0 END, tried_at = CASE WHEN $4 = 'posted' THEN tried_at END
WHERE {_IS_CLAIMED} RETURNING true
"""  # noqa: S608 - made of constants
_PUT_OFF = f"UPDATE digests SET claimed_until = $4 WHERE {_IS_CLAIMED}"  # noqa: S608 - made of constants
_LATEST = """
SELECT DISTINCT ON (guild_id) * FROM digests WHERE guild_id = ANY ($1::bigint[]) ORDER BY guild_id, local_date DESC
"""
_POSTED = """
SELECT * FROM digests WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND state = 'posted'
ORDER BY local_date DESC LIMIT $3
"""
_TOLD_UP_TO = """
SELECT max(until_id) AS until_id FROM digests WHERE guild_id = $1 AND local_date < $2 AND state = 'posted'
"""
# Where nothing older is known at all, everyone would be new.
_NEWCOMERS = f"""
SELECT * FROM (
    SELECT DISTINCT ON (author_id) said.* FROM chat_history AS said
    WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id > $3 AND message_id <= $4
      AND author_kind = 'person' AND {not_pending_removal("said")}
      AND NOT EXISTS (
          SELECT 1 FROM chat_history AS before WHERE before.guild_id = $1 AND before.author_id = said.author_id
            AND before.message_id <= $3 AND before.channel_id = ANY ($5::bigint[]))
    ORDER BY author_id, message_id) AS new
WHERE EXISTS (
    SELECT 1 FROM chat_history WHERE guild_id = $1 AND channel_id = ANY ($2::bigint[]) AND message_id <= $3)
ORDER BY message_id LIMIT {MOST_NEW}
"""  # noqa: S608 - made of constants
