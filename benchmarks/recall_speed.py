"""How long it takes to find something in a long history, and how fast the index follows the log.

The questions go through both legs, words and meaning, for an audience that may hear half of the channels, and on to the
neighbours of what was found: all that recall asks the store for.
"""

from __future__ import annotations

import asyncio
from statistics import median, quantiles
from time import perf_counter

from ai_clients.static_vectors import StaticVectors
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.recall_memory import held_elsewhere
from benchmarks.talkative_guild import CHANNELS, GUILD, TalkativeGuild
from memory.core.audience import Audience
from memory.core.clock import SystemClock
from memory.core.recall.found import Limits
from memory.core.recall.words import words_of
from memory.health import Health
from memory.indexing import Indexer
from memory.store.database import Database
from memory.store.embedded import EmbeddedPostgres
from memory.store.lexicon import Lexicon
from memory.store.migrate import migrate
from memory.store.recall import RecallStore

QUESTIONS = 120
WARM_UP = 20
INDEXED = 20_000
BEST = 100
HEARD = Audience(GUILD, CHANNELS[0], frozenset(CHANNELS[::2]))


async def measure(full: bool) -> list[Figure]:
    messages, bar = (1_000_000, 100) if full else (200_000, 60)
    took = await _questions(messages)
    slowest = quantiles(took, n=20)[-1]
    return [
        Figure(f"recall: 19 of 20 questions among {messages:,} messages", slowest * 1e3, "ms", at_most(bar)),
        Figure(f"recall: half of them among {messages:,} messages", median(took) * 1e3, "ms"),
        Figure(
            "recall: messages into the index, vectors included", await _indexer_rate(), "messages/s", at_least(3_000)
        ),
        Figure("recall: memory of the bot with vectors loaded", await held_elsewhere(), "MB", at_most(300)),
    ]


async def _questions(messages: int) -> list[float]:
    guild, embedder = TalkativeGuild(messages), StaticVectors()
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, SystemClock().now())
            await guild.into_everything(database, embedder)
            store = RecallStore(database, Lexicon())
            asked = [guild.question() for _ in range(WARM_UP + QUESTIONS)]
            return [await _timed(store, embedder, question) for question in asked][WARM_UP:]
        finally:
            await database.close()


async def _timed(store: RecallStore, embedder: StaticVectors, question: str) -> float:
    started = perf_counter()
    words = words_of(question)
    [vector] = await embedder.embed([question])
    terms = await store.terms(HEARD, words, None)
    if vector is None or not terms.terms:
        raise RuntimeError("the question says nothing")
    limits = Limits()
    await store.tail(HEARD, terms, limits)
    by_words, by_meaning = await asyncio.gather(
        store.by_words(HEARD, terms, limits), store.by_meaning(HEARD, embedder.name, vector, limits)
    )
    if not by_words or not by_meaning:
        raise RuntimeError("nothing was found")
    best = {found.message_id for found in (*by_words[:BEST], *by_meaning[:BEST])}
    await store.around(HEARD, best, terms, embedder.name, vector)
    return perf_counter() - started


async def _indexer_rate() -> float:
    guild, embedder = TalkativeGuild(INDEXED), StaticVectors()
    await embedder.embed(["loaded"])
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, SystemClock().now())
            await guild.into_log(database)
            indexer = Indexer(database, Lexicon(), embedder, Health("bot", SystemClock()))
            started = perf_counter()
            await indexer.catch_up()
            return INDEXED / (perf_counter() - started)
        finally:
            await database.close()
