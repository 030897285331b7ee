"""How everything is doing, from the first moment on. Each part of a process says so itself.

    health = Health("bot", clock)
    gateway = health.part("gateway")     # initializing
    gateway.active(guilds=3)
    gateway.failing("Discord closed the connection; it is being opened again.")

Issues are sentences for people; they never hold message content or secrets. They may name machines and channels of any
guild, so they are for whoever runs us: in the log, and on this machine. A guild is told its own alone.
"""

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID, uuid4

from memory.core.clock import Clock

logger = logging.getLogger(__name__)


class PartState(StrEnum):
    ACTIVE = "active"
    INITIALIZING = "initializing"
    FAILING = "failing"


_WORST_LAST = (PartState.ACTIVE, PartState.INITIALIZING, PartState.FAILING)


@dataclass(frozen=True, slots=True)
class PartHealth:
    """One part at one moment."""

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
    """How it is, as one reader may know."""

    state: PartState
    is_limited: bool
    """It does its work, and somebody should look all the same."""
    here: tuple[str, ...]
    in_log: bool
    """There is more, for whoever runs us."""


@dataclass(frozen=True, slots=True)
class HealthReport:
    """All processes, as one of them sees them."""

    processes: tuple[ProcessHealth, ...]
    made_at: datetime

    @property
    def state(self) -> PartState:
        return _worst([process.state for process in self.processes])

    def condition(self, manages: int | None = None) -> "Condition":
        """For a reader, with what is to be done in the guild that they manage.

        Other issues name channels of other guilds, and machines, and are for whoever runs us. To those who manage
        nothing even since when a part works would tell that something was asked or kept somewhere.
        """
        parts = [part for process in self.processes for part in process.parts]
        here = tuple(issue for part in parts for guild_id, issue in part.guild_issues.items() if guild_id == manages)
        elsewhere = any(len(part.issues) > len(part.guild_issues) for part in parts)
        is_limited = manages is not None and self.state is PartState.ACTIVE and bool(here or elsewhere)
        in_log = elsewhere and (manages is not None or self.state is PartState.FAILING)
        return Condition(self.state, is_limited, here, in_log)

    def states_alone(self) -> "HealthReport":
        """For whoever is not known to run us: neither issues nor counts, nor when a part last had work."""
        return replace(self, processes=tuple(replace(one, parts=_bare(one.parts)) for one in self.processes))


class HealthReporter:
    """The voice of one part. Cheap to call; nothing is written here."""

    def __init__(self, name: str, clock: Clock) -> None:
        self._clock = clock
        now = clock.now()
        self._health = PartHealth(name, PartState.INITIALIZING, since=now, updated_at=None, checked_at=now)
        self._gauges: dict[str, Callable[[], int]] = {}

    def initializing(self) -> None:
        self._turn(PartState.INITIALIZING, ())

    def active(self, **counts: int) -> None:
        self._turn(PartState.ACTIVE, ())
        self._health = replace(self._health, counts={**self._health.counts, **counts})

    def limited(self, *issues: str, in_guilds: Mapping[int, str] | None = None, **counts: int) -> None:
        """It does its work, as well as it can with what it has. `in_guilds`: what is wrong in one of them alone."""
        self._turn(PartState.ACTIVE, issues, in_guilds)
        self._health = replace(self._health, counts={**self._health.counts, **counts})

    def failing(self, *issues: str, in_guilds: Mapping[int, str] | None = None, **counts: int) -> None:
        self._turn(PartState.FAILING, issues, in_guilds)
        self._health = replace(self._health, counts={**self._health.counts, **counts})

    def count(self, name: str, by: int = 1) -> None:
        """Add to one of the part's counters: it has done something."""
        now = self._clock.now()
        counts = {**self._health.counts, name: self._health.counts.get(name, 0) + by}
        self._health = replace(self._health, counts=counts, updated_at=now, checked_at=now)

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
        now = self._clock.now()
        self._health = replace(self._health, updated_at=now, checked_at=now)

    def watch(self, **gauges: Callable[[], int]) -> None:
        """Counters that are asked for whenever somebody looks."""
        self._gauges |= gauges

    def snapshot(self) -> PartHealth:
        self.show(**{name: look() for name, look in self._gauges.items()})
        return self._health

    def _turn(self, state: PartState, issues: tuple[str, ...], in_guilds: Mapping[int, str] | None = None) -> None:
        of_guilds = dict(in_guilds or {})
        issues = (*issues, *of_guilds.values())
        now, before = self._clock.now(), self._health
        since = before.since if before.state is state else now
        if issues and (before.state is not state or not before.issues):
            logger.warning("health problem", extra={"part": before.name, "state": state, "issues": issues})
        self._health = replace(before, state=state, since=since, checked_at=now, issues=issues, guild_issues=of_guilds)


class Health:
    """The parts of this process."""

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
        """For a part that changes without doing anything: `look` has it say how it is, before every snapshot."""
        self._watchers.append(look)

    def part(self, name: str) -> HealthReporter:
        """The part of that name, registered as initializing when it is first asked for."""
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
    return tuple(replace(part, updated_at=None, counts={}, issues=(), guild_issues={}) for part in parts)


def _worst(states: list[PartState]) -> PartState:
    return max(states, key=_WORST_LAST.index, default=PartState.INITIALIZING)
