"""Work that one process alone does at a time: claimed by a lease, which is renewed while the work goes on.

    async with claims.held(guild_id, "day 0 2026-03-01") as claim:
        if claim is not None:
            ...

Whoever dies with a claim in hand loses it when its time is up, and another begins anew. So what the work comes to is
written only if the claim is still held, in the same transaction.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from uuid import uuid4

from memory.background import keep_alive
from memory.core.clock import Clock
from memory.ending import end
from memory.store.claims import Claim, ClaimStore
from memory.store.errors import StoreError

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=90)
RENEWALS = 3
"""In the time of a lease: one or two may fail."""


class Claims:
    def __init__(self, store: ClaimStore, clock: Clock, lease: timedelta = LEASE) -> None:
        self._store = store
        self._clock = clock
        self._lease = lease

    @asynccontextmanager
    async def held(self, guild_id: int, what: str) -> AsyncIterator[Claim | None]:
        """None: somebody else is at it, here or in another process."""
        claim = Claim(guild_id, what, uuid4())
        if not await self._take(claim):
            yield None
            return
        renewing = asyncio.create_task(
            keep_alive("claim", partial(self._renew, claim), lambda _: None), name=f"claim {what}"
        )
        try:
            yield claim
        finally:
            try:
                await end(renewing)
            finally:
                with suppress(StoreError):  # then it runs out by itself
                    await self._store.release(guild_id, what, claim.claimed_by)

    async def _take(self, claim: Claim) -> bool:
        now = self._clock.now()
        return await self._store.take(claim.guild_id, claim.what, claim.claimed_by, now=now, until=now + self._lease)

    async def _renew(self, claim: Claim) -> None:
        while True:
            await asyncio.sleep(self._lease.total_seconds() / RENEWALS)
            try:
                if not await self._take(claim):
                    logger.warning("a claim was lost", extra={"guild_id": claim.guild_id})
                    return
            except StoreError as error:
                logger.info("a claim could not be renewed: %s", type(error).__name__)
