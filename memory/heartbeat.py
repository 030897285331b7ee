"""Writes down every few seconds how this process is doing, and reads how the others are.

Every time words that are kept for speed alone are looked through as well, since each process has a heartbeat.
"""

import asyncio
import logging
import time
from dataclasses import replace
from datetime import timedelta

from memory.background import keep_alive
from memory.core.clock import Clock
from memory.ending import end
from memory.health import Health, HealthReport, ProcessHealth
from memory.language.word_caches import expire
from memory.store.errors import StoreError
from memory.store.health import HealthStore

logger = logging.getLogger(__name__)

MISSED_BEATS = 4
"""After so many a process counts as failing; one alone may be a slow moment of the database."""
LAST_WORD_SECONDS = 2.0
"""Whoever cannot say that they end fall silent, which is noticed as well, only later."""


class Heartbeat:
    def __init__(self, health: Health, store: HealthStore, clock: Clock, every: timedelta) -> None:
        self._health = health
        self._store = store
        self._clock = clock
        self._every = every
        self._task: asyncio.Task[None] | None = None
        self._has_failed = False

    def start(self) -> None:
        self._task = asyncio.create_task(keep_alive("heartbeat", self._run, self._fails), name="heartbeat")

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None
            await self._end()

    async def report(self) -> HealthReport:
        """Everything known now. Without the database it is this process's own parts, which say that it is away."""
        own = self._health.snapshot()
        try:
            written = await self._store.all()
        except StoreError:
            own = self._health.snapshot()  # the failure has been noted meanwhile
            return HealthReport((own,), self._clock.now())
        others = [self._judged(process) for process in written if process.process != own.process]
        return HealthReport(tuple(sorted((own, *others), key=lambda p: p.process)), self._clock.now())

    def _judged(self, process: ProcessHealth) -> ProcessHealth:
        if self._clock.now() - process.beat_at <= self._every * MISSED_BEATS:
            return process
        return replace(process, issues=(f"no word from it since {process.beat_at:%Y-%m-%d %H:%M:%S} UTC",))

    async def _end(self) -> None:
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self._store.end(self._health.run)
        except (StoreError, TimeoutError) as error:
            logger.info("the end of this run could not be written: %s", type(error).__name__)

    def _fails(self, issue: str) -> None:
        """Its part is named when it is first needed: while it beats, that is seen by its beats."""
        self._has_failed = True
        self._health.part("heartbeat").failing(issue)

    async def _run(self) -> None:
        missed = False
        while True:
            try:
                await self._store.beat(self._health.snapshot())
            except StoreError as error:
                logger.log(
                    logging.DEBUG if missed else logging.INFO,
                    "the heartbeat could not be written: %s",
                    type(error).__name__,
                )
                missed = True
            else:
                missed = False
                expire(time.monotonic())
                if self._has_failed:
                    self._health.part("heartbeat").active()
            await asyncio.sleep(self._every.total_seconds())
