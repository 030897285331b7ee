"""Measures what files cost: taking messages in while one in ten brings a text of 50 kB, and finding something in them.

Two guilds alike are told the same messages in turn; in one of them each tenth message has a file, which is read beside
as the bot reads it, with its bytes at hand. Each pair of rounds gives a ratio, and the middle one counts. No two files
are alike, and their words are as frequent as those of the messages, so that whatever is asked for stands in many.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import timedelta
from statistics import median, quantiles
from time import perf_counter

from benchmarks.bot_here import opened_memory
from benchmarks.figures import Figure, at_least, at_most
from benchmarks.talkative_guild import AUTHORS, BEGINNING, CHANNELS, GUILD, TalkativeGuild
from memory.core.values import Attachment, AuthorKind, Guild, Member, Message, last_id_of
from memory.manager import MemoryManager
from memory.places.view import Audience

WITH_FILES = GUILD + 1
ONE_IN = 10
SIZE = 50_000
WORDS_OF_A_FILE = 9_000
QUESTIONS, WARM_UP = 100, 10


async def measure(full: bool) -> list[Figure]:
    messages, rounds = (20_000, 5) if full else (1_000, 3)
    talk = TalkativeGuild(messages * rounds)
    said = [_message(GUILD, number, words) for number, words in enumerate(line.words for line in talk.lines())]
    ratios: list[float] = []
    async with opened_memory(MemoryManager) as opened:
        memory = opened.manager
        for guild_id in (GUILD, WITH_FILES):
            members = [Member(guild_id, one, talk.name(number)) for number, one in enumerate(AUTHORS, start=1)]
            await memory.people.meet_guild(Guild(guild_id, "sharing"), members)
        for start in range(0, len(said), messages):
            plain = said[start : start + messages]
            alone = await _store(memory, plain)
            async with _reading(memory, talk):
                ratios.append(
                    alone / await _store(memory, [_with_file(one, number) for number, one in enumerate(plain)])
                )
        began, left = perf_counter(), 0
        while files := await memory.files.unread(WITH_FILES):
            left += len(files)
            for one in files:
                await memory.files.read(one, _text(talk, one.attachment_id))
        rate = left / (perf_counter() - began)
        await memory.indexer.catch_up()
        async with opened.connection() as connection:
            await connection.execute("VACUUM ANALYZE")
        asked = [talk.question() for _ in range(WARM_UP + QUESTIONS)]
        slow = await _slowest(memory, (GUILD, WITH_FILES), asked)
    files_in_all = len(said) // ONE_IN
    return [
        Figure(
            "files: messages taken in with one in ten that has a file, over without", median(ratios), "", at_least(0.8)
        ),
        Figure("files: texts of 50 kB read", rate, "files/s"),
        Figure("files: 19 of 20 questions without files", slow[GUILD] * 1e3, "ms"),
        Figure(
            f"files: 19 of 20 questions among {files_in_all:,} files, over without",
            slow[WITH_FILES] / slow[GUILD],
            "",
            at_most(1.5),
        ),
    ]


def _message(guild_id: int, number: int, words: Sequence[str]) -> Message:
    at = BEGINNING + timedelta(seconds=30 * number)
    author, channel = AUTHORS[number % len(AUTHORS)], CHANNELS[number % len(CHANNELS)]
    return Message(guild_id, channel, last_id_of(at), author, AuthorKind.PERSON, " ".join(words), at)


def _with_file(message: Message, number: int) -> Message:
    file = Attachment("message.txt", "text/plain", SIZE, None, message.message_id + 1)
    return replace(message, guild_id=WITH_FILES, attachments=(file,) if number % ONE_IN == 0 else ())


def _text(talk: TalkativeGuild, attachment_id: int) -> bytes:
    words = talk.say(WORDS_OF_A_FILE, random.Random(attachment_id))
    return " ".join(f"{word}\n" if place % 12 == 0 else word for place, word in enumerate(words)).encode()[:SIZE]


async def _store(memory: MemoryManager, messages: Sequence[Message]) -> float:
    started = perf_counter()
    for one in messages:
        await memory.ingest_message(one)
    await memory.log.settled()
    return perf_counter() - started


@contextlib.asynccontextmanager
async def _reading(memory: MemoryManager, talk: TalkativeGuild) -> AsyncIterator[None]:
    """Read files as `bot.shared_files` does, but for fetching."""

    async def read() -> None:
        while True:
            for file in await memory.files.unread(WITH_FILES):
                await memory.files.give_way()
                await memory.files.read(file, _text(talk, file.attachment_id))
            await asyncio.sleep(0.05)

    reading = asyncio.create_task(read())
    try:
        yield
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _slowest(memory: MemoryManager, guild_ids: Sequence[int], asked: Sequence[str]) -> dict[int, float]:
    """Measure, by guild, how long 19 of 20 questions take at most; each is asked in all of them in turn."""
    took: dict[int, list[float]] = {guild_id: [] for guild_id in guild_ids}
    for question in asked:
        for guild_id, seconds in took.items():
            heard = Audience(guild_id, CHANNELS[0], frozenset(CHANNELS))
            started = perf_counter()
            await memory.recall.search(question, heard, AUTHORS[0], memory.clock.now(), 10)
            seconds.append(perf_counter() - started)
    return {guild_id: quantiles(seconds[WARM_UP:], n=20)[-1] for guild_id, seconds in took.items()}
