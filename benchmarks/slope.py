"""Measures what changes as guilds and messages grow: two bot processes on one database, at a tenth, a third, the whole.

The processes are `main.py bot` as an operator starts them, each with its shards, in the local guild. The night of all
guilds is made, then as much is poured in as the processes take, and then questions are asked while members talk, edit
and delete everywhere.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median, quantiles

import psutil

from ai_clients.build import build_models
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most, table
from benchmarks.local_guild_process import LocalGuildProcess, local_guild_process
from benchmarks.many_guilds import OneGuild, fill, move_in
from benchmarks.model_process import ModelProcess, model_process
from benchmarks.talkative_guild import TalkativeGuild
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.recall.index_store import IndexStore

ROOT = Path(__file__).resolve().parent.parent
GUILDS, MESSAGES = 500, 500_000
SHARES = (0.1, 1 / 3, 1.0)
PROCESSES = 2
QUESTIONS = 120
POURED, POURED_INTO, ROUNDS = 6_000, 1_000, 3
PROBES = 150
SLICE, SLICE_SECONDS = 30, 0.25
"""Of the talk that goes on meanwhile: 120 messages a second."""
EDITED, DELETED = 0.05, 0.03
START_SECONDS, NIGHT_SECONDS, WAIT_SECONDS = 180.0, 1_800.0, 300.0
POLL_SECONDS = 0.01
MEGABYTE = 1_000_000
MOST_GROWTH, MOST_MEMORY = 1.5, 350.0
NO_LIMITS = {"MEMBER_COOLDOWN_SECONDS": "0", "MEMBER_HOURLY_QUESTIONS": "0", "GUILD_DAILY_TOKENS": "0"}
# The past is in the database alone: whoever compared it with the local guild would take it for deleted.
NO_PAST = {"BACKFILL_DAYS": "0", "RECENT_WINDOW": "0", "SWEEP_DAYS": "3650"}


@dataclass(frozen=True, slots=True)
class Inns:
    local: LocalGuildProcess
    model: ModelProcess
    database: Database
    data_dir: Path
    bot_id: int
    guilds: list[OneGuild]

    async def value(self, query: str, *values: object) -> float:
        [row] = await self.database.read("benchmark.look", query, *values)
        return float(row[0])

    def channels(self, most: int, seed: int) -> list[int]:
        """Choose some channels, each as likely as its guild is talkative."""
        chance = random.Random(seed)
        spoken_in = chance.choices(self.guilds, [guild.messages for guild in self.guilds], k=most)
        return [chance.choice(guild.channels) for guild in spoken_in]


@dataclass(frozen=True, slots=True)
class Measured:
    guilds: int
    messages: int
    ingest: float
    lag: float
    questions: list[float]
    calls_behind: float
    """Of models behind an answer, for each question."""
    index_lag: float
    night: float
    night_calls: float
    """Of models, for each guild."""
    memory: list[float]
    connections: float
    bytes_a_message: float
    dead: float


async def measure(full: bool) -> list[Figure]:
    del full
    measured = []
    for share in SHARES:
        async with _inns(round(GUILDS * share), round(MESSAGES * share)) as inns:
            measured.append(await _everything(inns))
            print(table(_at_one_size(measured[-1])), file=sys.stderr, flush=True)
            alone = await _poured_alone(inns) if share == SHARES[-1] else 0.0
    return _figures(measured, alone)


def _at_one_size(one: Measured) -> list[Figure]:
    at = f"slope, {one.guilds} guilds, {one.messages:,} messages"
    return [
        Figure(f"{at}: taken in", one.ingest, "messages/s"),
        Figure(f"{at}: from Discord to the log, 99 of 100", one.lag * 1e3, "ms"),
        Figure(f"{at}: question to model, half", median(one.questions) * 1e3, "ms"),
        Figure(f"{at}: question to model, 19 of 20", _most(one.questions) * 1e3, "ms"),
        Figure(f"{at}: the index behind {POURED:,} messages", one.index_lag, "s"),
        Figure(f"{at}: a night", one.night, "s"),
        Figure(f"{at}: a night, calls of models for a guild", one.night_calls, ""),
        Figure(f"{at}: calls of models behind an answer", one.calls_behind, ""),
        Figure(f"{at}: memory of a process", max(one.memory), "MB"),
        Figure(f"{at}: connections", one.connections, ""),
        Figure(f"{at}: on disk", one.bytes_a_message, "bytes/message"),
        Figure(f"{at}: dead rows to living", one.dead, ""),
    ]


def _figures(measured: Sequence[Measured], alone: float) -> list[Figure]:
    figures = list(chain.from_iterable(map(_at_one_size, measured)))
    small, large = measured[0], measured[-1]
    return [
        *figures,
        Figure(
            f"slope: question to model, 19 of 20, {large.guilds} guilds to {small.guilds}",
            _most(large.questions) / _most(small.questions),
            "×",
            at_most(MOST_GROWTH),
        ),
        Figure("slope: two processes take in, to one", large.ingest / alone, "×", at_least(1.0)),
        Figure(f"slope: memory of a process, {large.guilds} guilds", max(large.memory), "MB", at_most(MOST_MEMORY)),
    ]


def _most(took: list[float]) -> float:
    return quantiles(took, n=20)[-1]


async def _everything(inns: Inns) -> Measured:
    began = time.monotonic()
    async with _bots(inns, [str(number) for number in range(PROCESSES)]) as bots:
        night = await _night(inns, began)
        night_calls = len(await inns.model.arrivals()) / len(inns.guilds)
        await _indexed(inns)
        ingest, index_lag = await _poured(inns)
        talking = asyncio.create_task(_talk(inns))
        try:
            lag = await _lag(inns)
            questions, calls_behind = await _questions(inns)
        finally:
            talking.cancel()
            await asyncio.gather(talking, return_exceptions=True)
        await _indexed(inns)
        messages = await inns.value("SELECT count(*) FROM chat_history")
        return Measured(
            len(inns.guilds),
            sum(guild.messages for guild in inns.guilds),
            ingest,
            lag,
            questions,
            calls_behind,
            index_lag,
            night,
            night_calls,
            [bot.memory_info().rss / MEGABYTE for bot in bots],
            await inns.value(
                "SELECT count(*) FROM pg_stat_activity WHERE application_name <> '' OR usename IS NOT NULL"
            ),
            await inns.value("SELECT pg_database_size(current_database())") / messages,
            await inns.value("SELECT sum(n_dead_tup) / greatest(sum(n_live_tup), 1) FROM pg_stat_user_tables"),
        )


async def _night(inns: Inns, began: float) -> float:
    """Wait until yesterday is told of every guild; nights that were missed are made up at a start."""
    await _until(lambda: inns.value(_TOLD), len(inns.guilds), seconds=NIGHT_SECONDS, pause=0.5)
    return time.monotonic() - began


async def _indexed(inns: Inns) -> float:
    started, index = time.monotonic(), IndexStore(inns.database)
    async with asyncio.timeout(WAIT_SECONDS):
        while any(one.words_through < one.newest for one in await index.behind()):  # noqa: ASYNC110 - as below
            await asyncio.sleep(0.1)
    return time.monotonic() - started


async def _poured(inns: Inns) -> tuple[float, float]:
    """Measure messages a second of the best of some rounds, and how long the index needed after the last."""
    rates, behind = [], 0.0
    for number in range(ROUNDS):
        wanted = await inns.value("SELECT count(*) FROM chat_history") + POURED
        channels = inns.channels(POURED_INTO, number)
        started = time.monotonic()
        order = {"count": POURED, "channels": channels, "seed": number}
        (await inns.local.http.post("/local/firehose", json=order)).raise_for_status()
        await _until(lambda: inns.value("SELECT count(*) FROM chat_history"), wanted, pause=0.05)
        rates.append(POURED / (time.monotonic() - started))
        behind = await _indexed(inns)
    return max(rates), behind


async def _poured_alone(inns: Inns) -> float:
    """Measure messages a second by one process that has all shards."""
    async with _bots(inns, [f"0-{PROCESSES - 1}"]):
        rate, _ = await _poured(inns)
    return rate


async def _talk(inns: Inns) -> None:
    for number in range(1_000_000):
        channels = inns.channels(SLICE, number)
        order = {"count": SLICE, "channels": channels, "seed": number, "edits": EDITED, "deletes": DELETED}
        (await inns.local.http.post("/local/firehose", json=order)).raise_for_status()
        await asyncio.sleep(SLICE_SECONDS)


async def _lag(inns: Inns) -> float:
    """Measure from the moment a member sends a message to the one in which it can be read in the log."""
    chance, took = random.Random(3), []
    for number in range(PROBES):
        guild = chance.choice(inns.guilds)
        started = time.monotonic()
        message_id = await _say(inns, guild, chance, f"Probe number {number}")
        await _until(partial(inns.value, _STORED, guild.guild_id, message_id), 1, pause=0.002)
        took.append(time.monotonic() - started)
    return quantiles(took, n=100)[-1]


async def _questions(inns: Inns) -> tuple[list[float], float]:
    """Ask in guilds as they talk: most where most is said. Count how many calls went on behind each answer."""
    chance, talk, took, behind = random.Random(11), TalkativeGuild(0), [], 0
    weights = [guild.messages for guild in inns.guilds]
    for number in range(QUESTIONS + 10):
        (guild,) = chance.choices(inns.guilds, weights)
        behind += len(await inns.model.arrivals())
        asked = time.monotonic()
        await _say(inns, guild, chance, f"<@{inns.bot_id}> What was said about {' '.join(talk.say(6, chance))}?")
        arrived, others = await _arrival(inns)
        behind += others
        if number >= 10:  # the first warm caches up
            took.append(arrived - asked)
    return took, behind / (QUESTIONS + 10)


async def _arrival(inns: Inns) -> tuple[float, int]:
    """Tell when a model was asked for the answer, and how many calls came with it."""
    others = 0
    async with asyncio.timeout(WAIT_SECONDS):
        while True:
            arrivals = await inns.model.arrivals()
            answers = [one.at for one in arrivals if one.is_answer]
            others += len(arrivals) - len(answers)
            if answers:
                return answers[0], others
            await asyncio.sleep(POLL_SECONDS)


async def _say(inns: Inns, guild: OneGuild, chance: random.Random, text: str) -> int:
    token = guild.people[chance.choice(list(guild.people))]
    path = f"/api/v10/channels/{chance.choice(guild.channels)}/messages"
    said = await inns.local.http.post(path, headers={"Authorization": token}, json={"content": text})
    return int(said.raise_for_status().json()["id"])


@asynccontextmanager
async def _inns(guilds: int, messages: int) -> AsyncIterator[Inns]:
    with open_folder() as folder:
        async with local_guild_process() as local, model_process() as model:
            moved_in = await move_in(local, guilds, messages)
            database = await Database.open(EmbeddedPostgres(folder / "data"))
            models = await build_models(model.options())
            try:
                await migrate(database, SystemClock().now())
                await fill(database, moved_in, models)
                world = (await local.http.get("/local/world")).json()
                yield Inns(local, model, database, folder / "data", int(world["bot"]["id"]), moved_in)
            finally:
                await models.close()
                await database.close()


@asynccontextmanager
async def _bots(inns: Inns, shards: Sequence[str]) -> AsyncIterator[list[psutil.Process]]:
    environment = os.environ | NO_LIMITS | NO_PAST | {
        "DATA_DIR": str(inns.data_dir),
        "DISCORD_TOKEN": await inns.local.bot_token(),
        "DISCORD_API_BASE": f"{inns.local.url}/api/v10",
        "DISCORD_GATEWAY_URL": inns.local.gateway_url,
        "GEMINI_API_KEY": "a key that opens nothing",
        "GOOGLE_GEMINI_BASE_URL": inns.model.url,
        "LOG_LEVEL": "WARNING",
    }  # fmt: skip
    started = [
        await asyncio.create_subprocess_exec(
            sys.executable, str(ROOT / "main.py"), "bot", "--shards", one, "--of", str(PROCESSES), env=environment
        )
        for one in shards
    ]
    try:
        await _until(lambda: inns.value(_CONNECTED), len(inns.guilds), seconds=START_SECONDS, pause=0.2)
        yield [psutil.Process(process.pid) for process in started]
    finally:
        for process in started:
            if process.returncode is None:
                process.terminate()
        await asyncio.gather(*(process.wait() for process in started))


async def _until(
    look: Callable[[], Awaitable[float]], wanted: float, *, seconds: float = WAIT_SECONDS, pause: float
) -> None:
    seen = 0.0
    try:
        async with asyncio.timeout(seconds):
            while (seen := await look()) < wanted:  # noqa: ASYNC110 - it is another program's state
                await asyncio.sleep(pause)
    except TimeoutError as over:
        raise TimeoutError(f"waited {seconds:.0f} s for {wanted:,.0f}, and saw {seen:,.0f}") from over


_STORED = "SELECT count(*) FROM chat_history WHERE guild_id = $1 AND message_id = $2"
_TOLD = "SELECT count(DISTINCT guild_id) FROM days WHERE made_at IS NOT NULL"
_CONNECTED = """
SELECT coalesce(sum((part -> 'counts' ->> 'guilds')::integer), 0)
FROM process_health, jsonb_array_elements(parts) AS part
WHERE part ->> 'name' = 'gateway' AND part ->> 'state' = 'active' AND run IS NOT NULL
"""
