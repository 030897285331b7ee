"""Reports how everything is doing, from the first moment on. Each part of a process says so itself.

    health = Health("bot", clock)
    gateway = health.part("gateway")     # initializing
    gateway.active(guilds=3)
    gateway.failing("Discord closed the connection; it is being opened again.")

Issues are sentences for people; they never hold message content or secrets. They may name machines and channels of any
guild, so they are for whoever runs us: in the log, and on this machine. A guild is told its own alone.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4

from pydantic import TypeAdapter

from memory.background import start_task
from memory.core.clock import Clock
from memory.db.database import Database, Record
from memory.db.errors import StoreError
from memory.db.table_declarations import Stays, TableDeclaration, columns
from memory.language.word_caches import expire
from memory.tasks import end

logger = logging.getLogger(__name__)


class PartState(StrEnum):
    ACTIVE = "active"
    INITIALIZING = "initializing"
    FAILING = "failing"


_WORST_LAST = (PartState.ACTIVE, PartState.INITIALIZING, PartState.FAILING)


class Area(StrEnum):
    """Names what people call the parts that work on one thing."""

    DISCORD = "discord"
    STORAGE = "storage"
    ANSWERS = "answers"
    SCHEDULE = "schedule"
    MEMORY = "memory"


_PARTS_OF = {
    Area.DISCORD: (
        *("gateway", "message content intent", "server members intent", "commands", "members"),
        *("replies", "taking back", "back-fill", "catch-up", "absences", "sweep"),
    ),
    Area.STORAGE: ("database", "log", "messages", "erasures", "purge", "leases", "heartbeat"),
    Area.ANSWERS: ("answers", "understanding", "recall", "index", "vectors", "models", "model check", "usage"),
    Area.SCHEDULE: ("reminders", "reminder times", "days", "catch-ups", "digest"),
}
_AREAS = {part: area for area, parts in _PARTS_OF.items() for part in parts}


@dataclass(frozen=True, slots=True)
class PartHealth:
    """Holds the health of one part at one moment."""

    name: str
    state: PartState
    since: datetime
    """Since when it has been in this state."""
    updated_at: datetime | None
    """When it last did its work."""
    checked_at: datetime
    """When it last said how it is."""
    counts: Mapping[str, int] = field(default_factory=dict)
    issues: tuple[str, ...] = ()
    guild_issues: Mapping[int, str] = field(default_factory=dict)
    """By guild, what is wrong in it alone, for those who manage it."""
    issues_since: datetime | None = None

    @property
    def area(self) -> Area:
        return _AREAS.get(self.name, Area.MEMORY)

    def state_in(self, guild_id: int | None) -> PartState:
        """Leave out of a part's state what is wrong in other guilds alone."""
        elsewhere = bool(self.guild_issues) and len(self.issues) == len(self.guild_issues)
        return PartState.ACTIVE if guild_id and elsewhere and guild_id not in self.guild_issues else self.state


@dataclass(frozen=True, slots=True)
class ProcessHealth:
    process: str
    pid: int
    started_at: datetime
    beat_at: datetime
    parts: tuple[PartHealth, ...]
    issues: tuple[str, ...] = ()
    """What is wrong with the process as a whole."""
    run: UUID | None = None
    """New with every start; None when it has ended, or was not asked for."""

    @property
    def state(self) -> PartState:
        if self.issues:
            return PartState.FAILING
        return _worst([part.state for part in self.parts])


@dataclass(frozen=True, slots=True)
class Condition:
    """Tells how it is, as one reader may know."""

    state: PartState
    since: datetime | None
    """Since when something is wrong."""
    areas: tuple[Area, ...]
    """What does not work."""
    here: tuple[str, ...]
    """What is wrong in the guild that they manage."""
    in_log: bool
    """Whoever runs us can mend it."""

    @property
    def is_limited(self) -> bool:
        """Say whether the bot does its work, and those who manage the guild should look all the same."""
        return self.state is PartState.ACTIVE and bool(self.here)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Reports all processes, as one of them sees them."""

    processes: tuple[ProcessHealth, ...]
    made_at: datetime

    @property
    def state(self) -> PartState:
        return _worst([process.state for process in self.processes])

    def condition(self, manages: int | None = None) -> Condition:
        """Say how the bot is to one reader, with what is to be done in the guild that they manage.

        Other issues name channels of other guilds, and machines, and are for whoever runs us. To those who manage
        nothing even since when a part works would tell that something was asked or kept somewhere.
        """
        silent = [process for process in self.processes if process.issues]
        parts = [part for process in self.processes for part in process.parts]
        failing = [part for part in parts if part.state_in(manages) is PartState.FAILING]
        state = _worst([part.state_in(manages) for part in parts])
        here = [part for part in parts if manages in part.guild_issues]
        since = [process.beat_at for process in silent] + [part.since for part in failing]
        return Condition(
            state=PartState.FAILING if silent else state,
            since=min(since or [part.issues_since or part.since for part in here], default=None),
            areas=tuple(area for area in Area if any(part.area is area for part in failing)),
            here=tuple(part.guild_issues[manages] for part in here if manages is not None),
            in_log=bool(silent) or any(len(part.issues) > len(part.guild_issues) for part in failing),
        )

    def states_alone(self) -> "HealthReport":
        """Leave out issues, counts and times, for whoever is not known to run us."""
        return replace(self, processes=tuple(replace(one, parts=_bare(one.parts)) for one in self.processes))


class HealthReporter:
    """Says how one part is doing. Cheap to call; nothing is written here."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._clock = clock
        now = clock.now()
        self._health = PartHealth(name, PartState.INITIALIZING, since=now, updated_at=None, checked_at=now)
        self._gauges: dict[str, Callable[[], int]] = {}

    def initializing(self) -> None:
        self._turn(PartState.INITIALIZING, ())

    def active(self, **counts: int) -> None:
        self._turn(PartState.ACTIVE, (), None, **counts)

    def limited(self, *issues: str, in_guilds: Mapping[int, str] | None = None, **counts: int) -> None:
        """Report that the part works as well as it can with what it has. `in_guilds`: what is wrong in one alone."""
        self._turn(PartState.ACTIVE, issues, in_guilds, **counts)

    def failing(self, *issues: str, in_guilds: Mapping[int, str] | None = None, **counts: int) -> None:
        self._turn(PartState.FAILING, issues, in_guilds, **counts)

    def count(self, name: str, by: int = 1) -> None:
        """Add to one of the part's counters: it has done something."""
        self.add({name: by})

    def add(self, counts: Mapping[str, int], **gauges: int) -> None:
        """Add to several counters and set others, all at once: it has done a batch of something."""
        now = self._clock.now()
        known = self._health.counts
        added = {name: known.get(name, 0) + count for name, count in counts.items() if count}
        self._health = replace(self._health, counts={**known, **added, **gauges}, updated_at=now, checked_at=now)

    def show(self, **gauges: int) -> None:
        """Set counters alone: it has done nothing, and is as it was."""
        self._health = replace(self._health, counts={**self._health.counts, **gauges})

    def touch(self) -> None:
        """Say that the part has just done its work, without anything to count."""
        self.add({})

    def watch(self, **gauges: Callable[[], int]) -> None:
        """Watch counters that are asked for whenever somebody looks."""
        self._gauges |= gauges

    def snapshot(self) -> PartHealth:
        self.show(**{name: look() for name, look in self._gauges.items()})
        return self._health

    def _turn(
        self,
        state: PartState,
        issues: tuple[str, ...],
        in_guilds: Mapping[int, str] | None = None,
        **counts: int,
    ) -> None:
        of_guilds = dict(in_guilds or {})
        issues = (*issues, *of_guilds.values())
        now, before = self._clock.now(), self._health
        since = before.since if before.state is state else now
        if issues and (before.state is not state or not before.issues):
            logger.warning("health problem", extra={"part": before.name, "state": state, "issues": issues})
        said = replace(before, state=state, since=since, checked_at=now, issues=issues, guild_issues=of_guilds)
        issues_since = (before.issues_since or now) if issues else None
        self._health = replace(said, issues_since=issues_since, counts={**before.counts, **counts})


class Health:
    """Holds the health of each part of this process."""

    def __init__(self, process: str, clock: Clock) -> None:
        self.process = process
        self.run = uuid4()
        self.is_heard: Callable[[], bool] = lambda: True
        """Whether it may say how it is: not while another process does the same work under the same name."""
        self._clock = clock
        self._started_at = clock.now()
        self._parts: dict[str, HealthReporter] = {}
        self._watchers: list[Callable[[], None]] = []

    def watch(self, look: Callable[[], None]) -> None:
        """Call `look` before every snapshot, for a part that changes without doing anything."""
        self._watchers.append(look)

    def part(self, name: str) -> HealthReporter:
        """Get the part of that name, registered as initializing when it is first asked for."""
        if name not in self._parts:
            self._parts[name] = HealthReporter(name, self._clock)
        return self._parts[name]

    def snapshot(self) -> ProcessHealth:
        for look in self._watchers:
            look()
        return ProcessHealth(
            process=self.process,
            pid=os.getpid(),
            started_at=self._started_at,
            beat_at=self._clock.now(),
            parts=tuple(part.snapshot() for part in self._parts.values()),
            run=self.run,
        )


def _bare(parts: tuple[PartHealth, ...]) -> tuple[PartHealth, ...]:
    nothing: dict[str, Any] = {"updated_at": None, "counts": {}, "issues": (), "guild_issues": {}, "issues_since": None}
    return tuple(replace(part, **nothing) for part in parts)


def _worst(states: list[PartState]) -> PartState:
    return max(states, key=_WORST_LAST.index, default=PartState.INITIALIZING)


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
        """Note that a run has ended: what it vouched for holds no longer."""
        async with self._database.transaction("store.health.end") as connection:
            await connection.execute("UPDATE process_health SET run = NULL WHERE run = $1", run)

    async def all(self) -> list[ProcessHealth]:
        rows = await self._database.read(
            "store.health.all",
            "SELECT process, pid, started_at, beat_at, parts, run FROM process_health ORDER BY process",
        )
        return [_process(row) for row in rows]

    async def totals(self, now: datetime) -> dict[str, float]:
        """Count what all guilds together come to, cheaply: of large tables, what the database reckons."""
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
    return ProcessHealth(**{**row, "parts": _PARTS.validate_python(row["parts"])})


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

MISSED_BEATS = 4
"""After so many a process counts as failing; one alone may be a slow moment of the database."""
LAST_WORD_SECONDS = 2.0
"""Whoever cannot say that they end fall silent, which is noticed as well, only later."""


class Heartbeat:
    """Writes down every few seconds how this process is doing, and reads how the others are.

    Every time words that are kept for speed alone are looked through as well, since each process has a heartbeat.
    """

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
        """Beat at once: what this process has to say has changed so much that nobody should wait for it."""
        self._soon.set()

    async def stop(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None
            await self._end()

    async def report(self) -> HealthReport:
        """Report everything known now; without the database, this process's own parts, which say that it is away."""
        own = self._health.snapshot()
        try:
            written = await self._store.all()
        except StoreError:
            own = self._health.snapshot()  # the failure has been noted meanwhile
            return HealthReport((own,), self._clock.now())
        others = [self._judged(process) for process in written if process.process != own.process]
        return HealthReport(tuple(sorted((own, *others), key=lambda p: p.process)), self._clock.now())

    async def totals(self) -> dict[str, float]:
        """Count what all guilds together come to: numbers alone. May raise `StoreError`."""
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
        """Report the heartbeat itself, as a part that is named when it first fails."""
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
