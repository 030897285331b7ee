"""Measures how long a page of the panel takes to be cut out of all that is kept: the first one, one in the middle, and
one that is searched for by a word, among 1,000 facts and among 100,000.

To say how many facts have a word, each has to be read once. So that page is held against a bare statement that reads
them: against a page among few facts it would look the worse, the less everything around it takes.
"""

from __future__ import annotations

from datetime import UTC, datetime
from statistics import median
from time import perf_counter

from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.yardsticks import Yardstick
from memory.core.clock import SystemClock
from memory.core.values import Guild
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.facts.values import FactFilter
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.policy.authority import Actor
from memory.settings import MemoryOptions

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SMALL, LARGE = 1_000, 100_000
ON_A_PAGE = 20
TIMES = 15
READER = 7
MOST_TIMES = 6.0
BY_A_WORD, WORDS = "by a word", "number 99"
MOST_OF_READING = 2.5
PLANT = """
INSERT INTO facts (guild_id, subject_id, teller_id, channel_id, message_id, text, standing, in_hall, valid_from,
    told_at)
SELECT $1, 1 + number % 500, 2, 1 + number % 10, number, 'likes dish number ' || number, 'hearsay', true, $3, $3
FROM generate_series(1, $2::integer) AS number
"""


async def measure(full: bool) -> list[Figure]:
    del full
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, NOW)
            clock = SystemClock()
            memory = MemoryManager(database, MemoryOptions(), clock, Health("web", clock))
            for guild_id in (SMALL, LARGE):
                await memory.people.meet_guild(Guild(guild_id, "The Inn"), [])
                async with database.transaction("benchmark.facts") as connection:
                    await connection.execute(PLANT, guild_id, guild_id, NOW)
            async with database.connection("benchmark.vacuum") as connection:
                await connection.execute("VACUUM ANALYZE facts")
            times = {guild_id: await _pages(memory, guild_id) for guild_id in (SMALL, LARGE)}
            reading = await _reading_all(database, LARGE)
        finally:
            await database.close()
    figures = []
    for name, small in times[SMALL].items():
        large = times[LARGE][name]
        figures.append(Figure(f"browsing, {name}, among {SMALL:,} facts", 1_000 * small, "ms"))
        if name == BY_A_WORD:
            figures += reading.figures(f"browsing, {name}, among {LARGE:,} facts", large, at_most(MOST_OF_READING))
            continue
        figures += [
            Figure(f"browsing, {name}, among {LARGE:,} facts", 1_000 * large, "ms"),
            Figure(f"browsing, {name}: among {LARGE:,} against {SMALL:,}", large / small, "times", at_most(MOST_TIMES)),
        ]
    return figures


async def _reading_all(database: Database, guild_id: int) -> Yardstick:
    """Measure half of some statements that count the facts with these words, and do nothing else."""
    query, times = "SELECT count(*) FROM facts WHERE guild_id = $1 AND text ILIKE $2", []
    for _ in range(TIMES):
        started = perf_counter()
        await database.read("benchmark.yardstick", query, guild_id, f"%{WORDS}%")
        times.append(perf_counter() - started)
    return Yardstick("reading them once", median(times))


async def _pages(memory: MemoryManager, guild_id: int) -> dict[str, float]:
    reader = Audience(guild_id, 0, frozenset(range(1, 11)), viewer_id=READER)
    wanted = {"first page": ("", ""), "middle page": ("", f"{guild_id // 2}.0"), BY_A_WORD: (WORDS, "")}
    found: dict[str, float] = {}
    for name, (words, rest) in wanted.items():
        times = []
        for _ in range(TIMES):
            started = perf_counter()
            page = await memory.hearsay.browse(
                reader, Actor(READER), FactFilter(words=words), rest=rest, most=ON_A_PAGE
            )
            times.append(perf_counter() - started)
            assert page.held
        found[name] = median(times)
    return found
