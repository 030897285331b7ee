"""Writes down every few seconds how this process is doing, and reads how the others are.

Every time words that are kept for speed alone are looked through as well, since each process has a heartbeat.
"""

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from pydantic import TypeAdapter

from memory.background import start_task
from memory.core.clock import Clock
from memory.db.database import Database, Record
from memory.db.errors import StoreError
from memory.db.table_declarations import Stays, TableDeclaration, columns
from memory.health import Health, HealthReport, PartHealth, ProcessHealth
from memory.language.word_caches import expire
from memory.tasks import end

# What each process last said about itself, so that one can speak for the other.


class HealthStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def beat(self, health: ProcessHealth) -> None:
        async with self._database.transaction("store.health.beat") as connection:
            await connection.execute(
                """
                INSERT INTO process_health (process, pid, started_at, beat_at, parts, run)
                VALUES ($1, $2, $3, $4, $5, $6)
                ON CONFLICT (process) DO UPDATE SET
                    pid = excluded.pid, started_at = excluded.started_at,
                    beat_at = excluded.beat_at, parts = excluded.parts, run = excluded.run
                """,
                health.process,
                health.pid,
                health.started_at,
                health.beat_at,
                _PARTS.dump_python(health.parts, mode="json"),
                health.run,
            )

    async def end(self, run: UUID) -> None:
        """What this run vouched for holds no longer."""
        async with self._database.transaction("store.health.end") as connection:
            await connection.execute("UPDATE process_health SET run = NULL WHERE run = $1", run)

    async def all(self) -> list[ProcessHealth]:
        rows = await self._database.read(
            "store.health.all",
            "SELECT process, pid, started_at, beat_at, parts, run FROM process_health ORDER BY process",
        )
        return [_process(row) for row in rows]

    async def totals(self, now: datetime) -> dict[str, float]:
        """What all guilds together come to, cheaply: of large tables, what the database reckons."""
        [row] = await self._database.read("store.health.totals", _TOTALS, now)
        return dict(row)


_PARTS = TypeAdapter(tuple[PartHealth, ...])
_TOTALS = """
SELECT (SELECT count(*) FROM guilds WHERE left_at IS NULL) AS guilds,
    (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'chat_history'::regclass) AS messages,
    (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'facts'::regclass) AS facts,
    pg_database_size(current_database())::float8 AS bytes,
    (SELECT coalesce(extract(epoch FROM $1 - min(due_at)), 0)::float8 FROM reminders
     WHERE state = 'open' AND due_at < $1) AS reminders_late
"""


def _process(row: Record) -> ProcessHealth:
    return ProcessHealth(
        process=row["process"],
        pid=row["pid"],
        started_at=row["started_at"],
        beat_at=row["beat_at"],
        parts=_PARTS.validate_python(row["parts"]),
        run=row["run"],
    )


_OURS = Stays("it is about our own processes alone")

TABLES = (
    TableDeclaration(
        table="process_health",
        purpose="how the bot's own processes are doing; nothing about people",
        until="replaced every few seconds",
        columns=columns(ids="process pid run", times="started_at beat_at", states="parts"),
        message=_OURS,
        member=_OURS,
        channel=_OURS,
        guild=_OURS,
        left_behind="it is about processes that run here",
    ),
)


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
        self._soon = asyncio.Event()
        self._has_failed = False

    def start(self) -> None:
        self._task = start_task("heartbeat", self._run, self._fails)

    def beat_soon(self) -> None:
        """What it has to say has changed so much that nobody should wait for it."""
        self._soon.set()

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

    async def totals(self) -> dict[str, float]:
        """What all guilds together come to: numbers alone. May raise `StoreError`."""
        return await self._store.totals(self._clock.now())

    def _judged(self, process: ProcessHealth) -> ProcessHealth:
        if self._clock.now() - process.beat_at <= self._every * MISSED_BEATS:
            return process
        return replace(process, issues=(f"no word from it since {process.beat_at:%Y-%m-%d %H:%M:%S} UTC",))

    async def _end(self) -> None:
        try:
            async with asyncio.timeout(LAST_WORD_SECONDS):
                await self._store.end(self._health.run)
        except (StoreError, TimeoutError) as error:
            logger.info("could not record the end of this run: %s", type(error).__name__)

    def _fails(self, issue: str) -> None:
        """Its part is named when it is first needed: while it beats, that is seen by its beats."""
        self._has_failed = True
        self._health.part("heartbeat").failing(issue)

    async def _run(self) -> None:
        missed = False
        while True:
            try:
                if self._health.is_heard():
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
            with suppress(TimeoutError):
                async with asyncio.timeout(self._every.total_seconds()):
                    await self._soon.wait()
            self._soon.clear()
