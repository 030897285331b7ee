"""Measures what this machine needs for a fixed piece of work, in the same run as what is held against it.

Machines of one kind differ by half, and one machine from hour to hour. A bar in milliseconds would say more about the
machine than about us, so a bar is a ratio to one of these, and the milliseconds stand beside it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from time import perf_counter, thread_time

from benchmarks.figures import Bar, Figure
from memory.db.database import Database

LOOP_ROUNDS = 400
"""A fifth of a second or so: a core is not equally fast at every moment."""
ROUND_TRIPS = 300
_TEXT = "The innkeeper knows the regulars and never repeats in the hall what was said in a back room"


@dataclass(frozen=True, slots=True)
class Yardstick:
    name: str
    seconds: float

    def figures(self, name: str, seconds: float, bar: Bar, *, unit: str = "ms") -> list[Figure]:
        """Return the ratio that has to hold the bar, and the time itself."""
        scale = {"ms": 1e3, "µs": 1e6}[unit]
        return [
            Figure(f"{name}, over {self.name}", seconds / self.seconds, "×", bar),
            Figure(name, seconds * scale, unit),
        ]


def calibrated_loop() -> Yardstick:
    """Measure half a millisecond or so of plain Python: words split, folded, counted and sorted."""
    return Yardstick("a calibrated loop", min(_loop_seconds() for _ in range(LOOP_ROUNDS)))


def _loop_seconds() -> float:
    started = perf_counter()
    for number in range(60):
        counts: dict[str, int] = {}
        for word in f"{_TEXT} {number}".casefold().split():
            counts[word] = counts.get(word, 0) + len(word)
        sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return perf_counter() - started


async def round_trip(database: Database) -> Yardstick:
    """Measure half of a few hundred `select 1` on the pool that the benchmark uses."""
    return Yardstick("a round trip", await _half_of(database, [("SELECT 1", ())] * ROUND_TRIPS))


async def _half_of(database: Database, queries: Sequence[tuple[str, tuple[object, ...]]]) -> float:
    took = []
    for query, values in queries:
        started = perf_counter()
        await database.read("benchmark.yardstick", query, *values)
        took.append(perf_counter() - started)
    return median(took)


# How long the event loop is held by one step of anything that runs on it.


@dataclass(slots=True)
class Blocks:
    """Holds the longest time between two turns of the loop, in seconds.

    `worked` is what the loop's thread was busy for, and does not grow when other programs take the core away; `waited`
    is what a clock on the wall says, and would also show a call that blocks without working.
    """

    worked: float = 0.0
    waited: float = 0.0


@asynccontextmanager
async def longest_block() -> AsyncIterator[Blocks]:
    blocks = Blocks()
    watching = asyncio.create_task(_watch(blocks))
    try:
        yield blocks
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def _watch(blocks: Blocks) -> None:
    """Take every turn of the loop, so that between two of its own steps stands one step of everybody else."""
    while True:
        worked, waited = thread_time(), perf_counter()
        await asyncio.sleep(0)
        blocks.worked = max(blocks.worked, thread_time() - worked)
        blocks.waited = max(blocks.waited, perf_counter() - waited)
