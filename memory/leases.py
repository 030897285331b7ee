"""Claims work that one process alone does at a time, by a lease, which is renewed while the work goes on.

    async with claims.held(guild_id, "day 0 2026-03-01") as claim:
        if claim is not None:
            ...

Whoever dies with a claim in hand loses it when its time is up, and another begins anew. So what the work comes to is
written only if the claim is still held, in the same transaction.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

from memory.background import start_task
from memory.core.clock import Clock
from memory.db.database import Database
from memory.db.errors import StoreError
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.health import Health
from memory.tasks import end

# Leases: whoever sets about something that is costly to do twice says so first, and no other process does it meanwhile.
#
# Never a lock: one would be held over the call of a model. A holder that dies loses its lease when the time is up.


@dataclass(frozen=True, slots=True)
class Lease:
    """Holds a lease that was taken, by a holder of its own: not even the same process has another."""

    guild_id: int
    what: str
    claimed_by: UUID


class LeaseStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def take_in(
        self, guild_ids: Collection[int], what: str, claimed_by: UUID, *, now: datetime, until: datetime
    ) -> set[int]:
        """Take a lease in these guilds; give those in which it is ours from now on. Taken again by its holder, it is
        renewed. They are taken in the order of ids: two who want the same never wait for each other."""
        async with self._database.transaction("store.claims.take") as connection:
            rows = await connection.fetch(
                """
                INSERT INTO claims AS held (guild_id, what, claimed_by, until)
                SELECT guild_id, $2, $3, $5 FROM unnest($1::bigint[]) AS guild_id
                ON CONFLICT (guild_id, what) DO UPDATE SET claimed_by = excluded.claimed_by, until = excluded.until
                WHERE held.until <= $4 OR held.claimed_by = excluded.claimed_by
                RETURNING guild_id
                """,
                sorted(guild_ids),
                what,
                claimed_by,
                now,
                until,
            )
        return {row["guild_id"] for row in rows}

    async def release_in(self, guild_ids: Collection[int], what: str, claimed_by: UUID) -> None:
        """Release a lease, as its holder: one that came too late must not take it from the next."""
        async with self._database.transaction("store.claims.release") as connection:
            await connection.execute(
                "DELETE FROM claims WHERE guild_id = ANY($1) AND what = $2 AND claimed_by = $3",
                sorted(guild_ids),
                what,
                claimed_by,
            )

    async def forget_expired(self, now: datetime) -> None:
        async with self._database.transaction("store.claims.forget_expired") as connection:
            await connection.execute("DELETE FROM claims WHERE guild_id <> 0 AND until <= $1", now)


TABLES = (
    TableDeclaration(
        table="claims",
        purpose="what a process is working on right now: the kind of work, the id of a member, a channel or a day, and"
        " a time; and which of the bot's processes serves which of Discord's shards",
        until="it is done; if the process ended before, the next purge",
        columns=columns(ids="guild_id claimed_by", people="what", times="until", numbers="beat", states="holder mark"),
        message=Stays("it is about no message"),
        member=Stays("it lasts an hour at most, and what was being made meanwhile is thrown away"),
        channel=Stays("as above"),
        guild=Goes(),
        left_behind="whoever holds one runs here",
    ),
)


logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
RENEWALS = 3
"""In the time of a lease: one or two may fail."""


class Leases:
    def __init__(self, store: LeaseStore, clock: Clock, health: Health, lease: timedelta = LEASE) -> None:
        self._store = store
        self._clock = clock
        self._part = health.part("leases")
        self._part.active()
        self._lease = lease

    @asynccontextmanager
    async def held(self, guild_id: int, what: str) -> AsyncIterator[Lease | None]:
        """Claim work in one guild. None: somebody else is at it, here or in another process."""
        async with self.held_in([guild_id], what) as held:
            yield held.get(guild_id)

    @asynccontextmanager
    async def held_in(self, guild_ids: Collection[int], what: str) -> AsyncIterator[dict[int, Lease]]:
        """Claim work in several guilds at once; give those of them in which nobody else is at it."""
        claimed_by = uuid4()
        taken = await self._take(guild_ids, what, claimed_by)
        if not taken:
            yield {}
            return
        renewing = start_task(f"claim {what}", partial(self._renew, taken, what, claimed_by), self._part.failing)
        try:
            yield {guild_id: Lease(guild_id, what, claimed_by) for guild_id in guild_ids if guild_id in taken}
        finally:
            try:
                await end(renewing)
            finally:
                with suppress(StoreError):  # then it runs out by itself
                    await self._store.release_in(taken, what, claimed_by)

    async def _take(self, guild_ids: Collection[int], what: str, claimed_by: UUID) -> set[int]:
        now = self._clock.now()
        return await self._store.take_in(guild_ids, what, claimed_by, now=now, until=now + self._lease)

    async def _renew(self, guild_ids: set[int], what: str, claimed_by: UUID) -> None:
        while True:
            await asyncio.sleep(self._lease.total_seconds() / RENEWALS)
            try:
                if lost := guild_ids - await self._take(guild_ids, what, claimed_by):
                    logger.warning("lease lost to another process", extra={"guilds": sorted(lost)})
                    return
                self._part.active()
            except StoreError as error:
                logger.info("could not renew a lease: %s", type(error).__name__)
