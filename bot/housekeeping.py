"""Once an hour what is past its time is removed: what guilds no longer keep, and guilds that were left a week ago.

What an erasure left that broke off does not wait for so long.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta

from bot.outages import Outages
from memory.core.clock import Clock
from memory.core.log_values import Purged
from memory.health import Part
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

EVERY = timedelta(hours=1)
AFTER_START = timedelta(minutes=1)
"""At a start there is enough to do."""
SOON = timedelta(seconds=30)
"""When an erasure has broken off: whatever kept it from going on may be over by then."""


class Housekeeping:
    def __init__(self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock, part: Part) -> None:
        """`calm` waits for what is more urgent."""
        self._memory = memory
        self._calm = calm
        self._clock = clock
        self._outages = Outages(part)
        self._part = part
        self._part.active()
        self._failed = 0

    async def run(self) -> None:
        await asyncio.sleep(AFTER_START.total_seconds())
        while True:
            await self._calm()
            with request("purge"):
                try:
                    if await self._outages.survived(self._tidy()) and self._failed:
                        self._part.failing(
                            f"Servers on which old messages could not be removed: {self._failed}; the log says why."
                        )
                except Exception:
                    # Whatever it was, the next hour tries again; without this nothing would ever be purged again.
                    logger.exception("a purge failed")
                    self._part.failing("Old messages could not be removed; the log says why.")
            await self._rest()

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(EVERY.total_seconds()):
                await self._memory.erasure_broke_off()
                await asyncio.sleep(SOON.total_seconds())

    async def _tidy(self) -> None:
        purged = await self._memory.purge(self._clock.now())
        self._failed = purged.failed
        if purged != Purged():
            self._part.count("messages", purged.messages)
            self._part.count("facts", purged.facts)
            logger.info("what is not kept any longer was removed", extra=asdict(purged))
