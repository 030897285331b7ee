"""Measures how long it takes to find something in a long history, and how fast the index follows the log.

The questions go through all of recall: who and which time is meant, words, meaning and the unindexed end of the log for
an audience that may hear half of the channels, the messages around what was found, and the ten best of them.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, timedelta
from statistics import median, quantiles
from time import perf_counter

from ai_clients.embedding import StaticVectors
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.resident import held_elsewhere
from benchmarks.talkative_guild import AUTHORS, BEGINNING, CHANNELS, DAYS, GUILD, TalkativeGuild
from benchmarks.yardsticks import calibrated_loop
from bot.run import garbage_collected_seldom
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.health import Health
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.recall.indexer import Indexer
from memory.recall.search import QuestionVectors, Recall
from memory.recall.store import RecallStore
from memory.recall.vectors import Embedders

QUESTIONS = 200
WARM_UP = 20
INDEXED = 20_000
BEST = 10
HEARD = Audience(GUILD, CHANNELS[0], frozenset(CHANNELS[::2]))
WHEN = BEGINNING + timedelta(days=DAYS + 1)


async def measure(full: bool) -> list[Figure]:
    messages, bar = (1_000_000, 250) if full else (100_000, 200)
    took = await _questions(messages)
    slowest = quantiles(took, n=20)[-1]
    rate = await _indexer_rate()
    return [
        *calibrated_loop().figures(f"recall: 19 of 20 questions among {messages:,} messages", slowest, at_most(bar)),
        Figure(f"recall: half of them among {messages:,} messages", median(took) * 1e3, "ms"),
        *calibrated_loop().figures(
            "recall: a message into the index, vectors included", 1 / rate, at_most(0.9), unit="µs"
        ),
        Figure("recall: messages into the index, vectors included", rate, "messages/s"),
        Figure("recall: memory of the bot with vectors loaded", await held_elsewhere(), "MB", at_most(300)),
    ]


async def _questions(messages: int) -> list[float]:
    guild, embedder = TalkativeGuild(messages), StaticVectors()
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, SystemClock().now())
            await guild.into_everything(database, embedder)
            members = MemberStore(database)
            meaning = QuestionVectors(Embedders(embedder), database)
            store = RecallStore(database)
            recall = Recall(store, members, meaning, embedder)
            asked = [guild.question() for _ in range(WARM_UP + QUESTIONS)]
            with garbage_collected_seldom():  # as in the bot
                return [await _timed(recall, question) for question in asked][WARM_UP:]
        finally:
            await database.close()


async def _timed(recall: Recall, question: str) -> float:
    started = perf_counter()
    looked = await recall.look(question, HEARD, AUTHORS[0], WHEN, UTC)
    found = [] if looked is None else await asyncio.to_thread(lambda: looked.ranked)
    took = perf_counter() - started
    if len(found) < BEST:
        raise RuntimeError("too little was found")
    return took


async def _indexer_rate() -> float:
    guild, embedder = TalkativeGuild(INDEXED), StaticVectors()
    await embedder.embed(["loaded"])
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, SystemClock().now())
            await guild.into_log(database)
            indexer = Indexer(database, Embedders(embedder), SystemClock(), Health("bot", SystemClock()))
            started = perf_counter()
            await indexer.catch_up()
            return INDEXED / (perf_counter() - started)
        finally:
            await database.close()
