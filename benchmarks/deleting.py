"""Measures how long deleting 1,000 messages at once takes in a guild with a long history, and what it costs afterwards.

All that is made of messages is there: index, vectors, days, contexts, and receipts of replies that quoted them. How
long it takes is compared with deleting as many from which nothing was made yet, and with storing them. The next
questions must find none of them, and the night must ask a model at most once more than any other night.
"""

from __future__ import annotations

import html
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from statistics import median
from time import perf_counter

from ai_clients.base import Prompt, Purpose, Shaped, ShapeT, Usage
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.errors import BadReply
from ai_clients.guard import Guard
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.memories import ASKED_ABOUT, FACT, LAST_DAYS, NOW, PERSON, by, see
from benchmarks.talkative_guild import CHANNELS, GUILD, TalkativeGuild, live_through_days, tell_facts
from memory.answers.generate import Kind, ModelReply
from memory.answers.understanding import InContext
from memory.channels.prompt import ChannelReply
from memory.core.clock import SetClock
from memory.core.values import AuthorKind, Message, Question, last_id_of
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.facts.blob import Reply as MergedFacts
from memory.health import Health
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.recall.indexer import Indexer
from memory.recall.vectors import Embedders
from memory.settings import MemoryOptions

HISTORY, HISTORY_IN_FULL = 30_000, 200_000
AT_ONCE = 1_000
IN_AN_EVENT = 100
"""So many at the most Discord deletes at once."""
ROUNDS, ROUNDS_IN_FULL = 2, 6
A_DAY = 40
ROOMS = CHANNELS[:10]
RECEIPTS = 3_000
"""Replies that quote five of them each."""
SECONDS = 120.0
_MARK = re.compile(r"zq\d+x")


class Scribe:
    """Stands where a provider would, and repeats every mark it is given; it counts what it was asked."""

    name = "scribe"

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        """By what for."""

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        if shape is InContext:
            raise BadReply("It understands no questions: rules do.")
        marks = _MARK.findall(prompt.data)
        cited = " [1]" if shape is ChannelReply else ""
        said = "Talked about walks. " + " ".join(marks[:20]) + cited
        fields: dict[str, object] = dict.fromkeys(shape.model_fields, said)
        what = "members"
        if shape is ModelReply:
            reply = ModelReply(kind=Kind.MEMORY, answer=" ".join(marks) or "Nothing.")
            what, fields = "answers", reply.model_dump()
        elif shape is MergedFacts:
            what, fields = "facts", {"text": html.unescape(FACT.findall(prompt.data)[0])}
        elif "members" in fields:
            people = PERSON.findall(prompt.data)
            what, fields = "days", {"members": [{"id": one, "summary": f"<@{one}>: {said}"} for one in people]}
        self.asked[what] += 1
        return Shaped(shape.model_validate(fields), self.name, Usage(500, 200))


@dataclass
class Timings:
    storing: list[float] = field(default_factory=list)
    deleting_bare: list[float] = field(default_factory=list)
    deleting: list[float] = field(default_factory=list)
    found: int = 0
    """Deleted messages that the next question still finds, in answers, days, contexts or recall."""
    found_before: int = 0
    usual: list[list[Counter[str]]] = field(default_factory=list)
    """What a model was asked for on the dates before a deletion."""
    after: list[list[Counter[str]]] = field(default_factory=list)

    def more_calls(self, what: str) -> int:
        """Count the calls on one date, at the most, beyond the usual."""
        return max(
            max(one[what] for one in after) - max(one[what] for one in usual)
            for after, usual in zip(self.after, self.usual, strict=True)
        )


class House:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._scribe, self._clock = Scribe(), SetClock(NOW)
        guard = Guard(self._scribe.name)
        purposes = (Purpose.ANSWER, Purpose.SUMMARISE, Purpose.SMALL)
        chains = {one: Chain(one, [Link(self._scribe, guard)], SECONDS) for one in purposes}
        models = Models(chains, StaticVectors(), {self._scribe.name: guard})
        health = Health("bot", self._clock)
        options = MemoryOptions(member_cooldown_seconds=0, member_hourly_questions=0, guild_daily_tokens=0)
        self.memory = MemoryManager(database, options, self._clock, health, models)
        self._indexer = Indexer(database, Embedders(StaticVectors()), self._clock, health)
        see(self.memory)
        self.audience = Audience(GUILD, CHANNELS[0], frozenset(CHANNELS), is_hall=True)
        self._chance = random.Random(11)
        self._marks = 0

    def marked(self) -> list[Message]:
        """Make up messages of the last days, each with a word of its own, in some channels by some members."""
        messages = []
        for number in range(AT_ONCE):
            self._marks += 1
            moment = self._clock.now() - timedelta(days=1 + number % (LAST_DAYS - 1), seconds=self._marks)
            messages.append(
                Message(
                    GUILD,
                    ROOMS[number % len(ROOMS)],
                    last_id_of(moment) - self._marks % 4_000,
                    ASKED_ABOUT[number % len(ASKED_ABOUT)],
                    AuthorKind.PERSON,
                    f"We walked up the hill called zq{self._marks}x and back",
                    moment,
                )
            )
        return messages

    async def store(self, messages: Sequence[Message]) -> float:
        started = perf_counter()
        for each in messages:
            await self.memory.ingest_message(each)
        await self.memory.log.settled()
        return perf_counter() - started

    async def delete(self, messages: Sequence[Message]) -> float:
        """Delete messages as the gateway tells of it: by channel, a hundred at a time."""
        events = [
            (room, ids[start : start + IN_AN_EVENT])
            for room in ROOMS
            if (ids := [one.message_id for one in messages if one.channel_id == room])
            for start in range(0, len(ids), IN_AN_EVENT)
        ]
        started = perf_counter()
        for room, ids in events:
            await self.memory.log.delete_messages(GUILD, room, ids)
        await self.memory.log.settled()
        return perf_counter() - started

    async def derive(self, messages: Sequence[Message]) -> None:
        """Derive index and vectors, the night's days, contexts, and replies that quoted all of them."""
        await self._indexer.catch_up()
        await self.night()
        for user_id in ASKED_ABOUT:
            await self.memory.contexts.text_for(self.audience, user_id, by(user_id), patience=SECONDS)
        ids = [one.message_id for one in messages]
        async with self._database.transaction("benchmark.receipts") as connection:
            await connection.execute(
                """
                INSERT INTO receipts (guild_id, asked_in, channel_id, asker_id, made_at, language, used_messages,
                    quoted_messages)
                SELECT $1, 1000000000 + $3 + number, $2, 1, now(), 'en', $4[:20],
                    $4[number % $5 + 1:number % $5 + 5] FROM generate_series(1, $6) AS number
                """.replace("$4", "($4::bigint[])").replace("$6", "$6::integer"),
                GUILD,
                CHANNELS[0],
                self._marks * 100,
                ids,
                len(ids),
                RECEIPTS,
            )

    async def night(self) -> list[Counter[str]]:
        """Live through a day and a night; count what a model was asked for meanwhile, by date: each has one night."""
        by_date: dict[date, Counter[str]] = {}
        for _ in range(12):
            self._clock.move(timedelta(hours=2))
            before = self._scribe.asked.copy()
            await self.memory.day_answers.nightly.round()
            by_date.setdefault(self._clock.now().date(), Counter()).update(self._scribe.asked - before)
        return list(by_date.values())

    async def found(self, messages: Sequence[Message]) -> int:
        """Count how many messages anybody is told of: by recall, in answers, days and contexts."""
        marks = {mark for one in messages for mark in _MARK.findall(one.text)}
        told: list[str] = []
        now = self._clock.now()
        for one in self._chance.sample(messages, 10):
            told.append(str(await self.memory.recall.search(one.text, self.audience, one.author_id, now, 20)))
            question = Question(GUILD, CHANNELS[0], last_id_of(now), one.author_id, "Which hill did we walk up?", now)
            told.append((await self.memory.answers.answer(question, self.audience)).text)
        days = [(now - timedelta(days=back)).date() for back in range(LAST_DAYS + 1)]
        told += [str(await self.memory.day_answers.day(self.audience, day, by(1))) for day in days]
        told += [str(await self.memory.get_memories(self.audience, user_id, by(user_id))) for user_id in ASKED_ABOUT]
        return len(marks & set(_MARK.findall("\n".join(told))))

    async def close(self) -> None:
        await self.memory.contexts.stop()
        await self.memory.day_answers.stop()


async def measure(full: bool) -> list[Figure]:
    history, rounds = (HISTORY_IN_FULL, ROUNDS_IN_FULL) if full else (HISTORY, ROUNDS)
    timings = await _timings(history, rounds)
    took = median(timings.deleting)
    of_bare = median(a / b for a, b in zip(timings.deleting, timings.deleting_bare, strict=True))
    of_storing = median(a / b for a, b in zip(timings.deleting, timings.storing, strict=True))
    if not timings.found_before:
        raise RuntimeError("nothing was told of what was to be deleted")
    return [
        Figure(f"deleting: 1,000 of {history:,} messages", took * 1e3, "ms"),
        Figure("deleting: compared with 1,000 of which nothing was made", of_bare, "×", at_most(6)),
        Figure("deleting: compared with storing 1,000", of_storing, "×", at_most(8)),
        Figure("deleting: told of before", timings.found_before, ""),
        Figure("deleting: told of by the next questions", timings.found, "", at_most(0)),
        Figure("deleting: more calls for days in a night", timings.more_calls("days"), "", at_most(1)),
        Figure("deleting: more calls for members in a night", timings.more_calls("members"), ""),
    ]


async def _timings(history: int, rounds: int) -> Timings:
    timings = Timings()
    async with _talkative(history) as house:
        for _ in range(rounds):
            bare = house.marked()
            timings.storing.append(await house.store(bare))
            timings.deleting_bare.append(await house.delete(bare))
            doomed = house.marked()
            await house.store(doomed)
            await house.derive(doomed)
            timings.usual.append(await house.night())
            timings.found_before += await house.found(doomed)
            timings.deleting.append(await house.delete(doomed))
            timings.found += await house.found(doomed)
            timings.after.append(await house.night())
    return timings


@asynccontextmanager
async def _talkative(messages: int) -> AsyncIterator[House]:
    with open_folder() as folder:
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, NOW)
            guild = TalkativeGuild(messages)
            await guild.into_everything(database, StaticVectors())
            house = House(database)
            await live_through_days(database, guild, ASKED_ABOUT, NOW, days=LAST_DAYS, a_day=A_DAY)
            await tell_facts(database, house.audience, ASKED_ABOUT, NOW)
            try:
                yield house
            finally:
                await house.close()
        finally:
            await database.close()
