"""Measures how soon it is known what there is to know of a member, in a guild with a long history.

Each of the members has facts, spoke in the last week, and has a context that was merged before. A warm question finds
it at hand. A cold one comes to a process that knows nothing of the member yet, or, as the first of its hour, to one
that has just started and has to see first what is new in the guild. No model is asked in either.
"""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median
from time import perf_counter
from typing import ClassVar

from ai_clients.base import Prompt, Purpose, Shaped, ShapeT, Usage
from ai_clients.build import Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import StaticVectors
from ai_clients.guard import Guard
from benchmarks.bot_here import open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.talkative_guild import BEGINNING, CHANNELS, DAYS, GUILD, TalkativeGuild, live_through_days, tell_facts
from benchmarks.yardsticks import Yardstick, round_trip
from memory.core.clock import SetClock
from memory.core.values import Member
from memory.db.database import Begin, Connection, Database, Lane
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.facts.blob import Reply as MergedFacts
from memory.health import Health
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.people.store import MemberStore
from memory.places.model import READ_MESSAGE_HISTORY, VIEW_CHANNEL, Place, PlaceKind, Role, Seat
from memory.places.view import Audience
from memory.settings import MemoryOptions

ASKED_ABOUT = range(1, 41)
ROUNDS = 10
A_DAY = 200
LAST_DAYS = 7
PREPARING_SECONDS = 60.0
SETTLE_SECONDS = 2.0
"""That somebody was asked about is put on record behind the first question."""
FACT = re.compile(r"<fact [^>]*>(.*?)</fact>")
PERSON = re.compile(r'<person id="(\d+)"')
NOW = BEGINNING + timedelta(days=DAYS + LAST_DAYS, hours=18)


def by(user_id: int) -> Requester:
    """Have members ask about themselves, each once: behind one request only a few calls of models are made."""
    return Requester(user_id, 1)


class Merger:
    """Stands where a provider would, so that there is something to find; it counts what it was asked."""

    name = "merger"

    def __init__(self) -> None:
        self.asked = 0

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        said = "Somebody who likes long walks and talks about them. " * 12
        told: dict[str, object] = dict.fromkeys(shape.model_fields, said)
        if "members" in told:
            told = {"members": [{"id": one, "summary": f"<@{one}>: {said}"} for one in PERSON.findall(prompt.data)]}
        elif shape is MergedFacts:
            told = {"text": html.unescape(FACT.findall(prompt.data)[0])}
        else:
            self.asked += 1
        return Shaped(shape.model_validate(told), self.name, Usage(500, 200))


@dataclass
class Timings:
    trip: Yardstick
    warm: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    first_of_the_hour: list[float] = field(default_factory=list)
    warm_uses: list[str] = field(default_factory=list)
    """Of the database, in the warm questions in all."""


class WatchedDatabase(Database):
    """Knows what it was used for."""

    uses: ClassVar[list[str]] = []

    @asynccontextmanager
    async def _use(
        self, name: str, begin: Begin | None, lane: Lane, patience: float | None = None
    ) -> AsyncIterator[Connection]:
        self.uses.append(name)
        async with super()._use(name, begin, lane, patience) as connection:
            yield connection


class House:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._merger = Merger()
        self._memories: list[MemoryManager] = []
        self.audience = Audience(GUILD, CHANNELS[0], frozenset(CHANNELS), is_hall=True)

    def start(self) -> MemoryManager:
        """Open the memory of a process that has just started and sees the guild."""
        clock = SetClock(NOW)
        guard = Guard(self._merger.name)
        purposes = (Purpose.SUMMARISE, Purpose.SMALL)
        chains = {one: Chain(one, [Link(self._merger, guard)], PREPARING_SECONDS) for one in purposes}
        models = Models(chains, StaticVectors(), {self._merger.name: guard})
        memory = MemoryManager(self._database, MemoryOptions(), clock, Health("bot", clock), models)
        see(memory)
        self._memories.append(memory)
        return memory

    async def prepare(self) -> None:
        memory = self.start()
        for day in range(LAST_DAYS):
            await memory.day_answers.day(self.audience, (NOW - timedelta(days=day)).date(), by(day))
        for user_id in ASKED_ABOUT:
            if not await memory.contexts.text_for(self.audience, user_id, by(user_id), patience=PREPARING_SECONDS):
                raise RuntimeError("nothing is known of a member")
        if self._merger.asked < len(ASKED_ABOUT):
            raise RuntimeError("there was nothing to merge")

    async def measure(self) -> Timings:
        await self.prepare()
        asked, timings = self._merger.asked, Timings(await round_trip(self._database))
        for place, user_id in enumerate(ASKED_ABOUT):
            memory = self.start()
            timings.first_of_the_hour.append(await self._timed(memory, user_id))
            other = ASKED_ABOUT[place - 1]
            timings.cold.append(await self._timed(memory, other))
        await asyncio.sleep(SETTLE_SECONDS)
        WatchedDatabase.uses.clear()
        for _ in range(ROUNDS):
            timings.warm += [await self._timed(memory, user_id) for user_id in (ASKED_ABOUT[-1], ASKED_ABOUT[-2])]
        timings.warm_uses += WatchedDatabase.uses
        if self._merger.asked != asked:
            raise RuntimeError("a model was asked")
        if set(timings.warm_uses) != {"store.contexts.find"}:
            raise RuntimeError(f"a warm question asks for more than what has changed: {sorted(set(timings.warm_uses))}")
        return timings

    async def close(self) -> None:
        for memory in self._memories:
            await memory.contexts.stop()
            await memory.day_answers.stop()

    async def _timed(self, memory: MemoryManager, user_id: int) -> float:
        started = perf_counter()
        told = await memory.get_memories(self.audience, user_id, by(user_id))
        took = perf_counter() - started
        if not told or "long walks" not in told:
            raise RuntimeError("that is not what was merged")
        return took


def see(memory: MemoryManager) -> None:
    """See a guild as the process does that sees Discord: all channels are open to all."""
    memory.place_mirror.begin(lambda: None)
    look = memory.place_mirror.look_around(GUILD)
    memory.place_mirror.owner(GUILD, ASKED_ABOUT[0])
    memory.place_mirror.role(GUILD, Role(GUILD, VIEW_CHANNEL | READ_MESSAGE_HISTORY))
    for channel_id in CHANNELS:
        memory.place_mirror.place(GUILD, Place(channel_id, PlaceKind.CHANNEL, None, ()))
    for user_id in ASKED_ABOUT:
        memory.place_mirror.seat(GUILD, Seat(user_id, ()))
    if not memory.place_mirror.complete(look, with_everyone=True):
        raise RuntimeError("the guild is not seen")
    memory.place_mirror.hall_role(GUILD, None, epoch=0)


async def measure(full: bool) -> list[Figure]:
    messages = 200_000 if full else 30_000
    few = await _timings(messages)
    figures = [
        *few.trip.figures("memories: half of the warm questions", median(few.warm), at_most(8)),
        Figure("memories: statements of a warm question", len(few.warm_uses) / len(few.warm), "", at_most(1)),
        *few.trip.figures(
            f"memories: half of the cold ones among {messages:,} messages", median(few.cold), at_most(15)
        ),
        Figure("memories: half of the first ones of an hour", median(few.first_of_the_hour) * 1e3, "ms"),
    ]
    if full:
        many = await _timings(1_000_000)
        ratio = median(many.cold) / median(few.cold)
        figures += [
            Figure("memories: half of the cold ones among 1,000,000 messages", median(many.cold) * 1e3, "ms"),
            Figure(f"memories: compared with {messages:,}", ratio, "×", at_most(1.5)),
        ]
    return figures


async def _timings(messages: int) -> Timings:
    async with _talkative(messages) as house:
        return await house.measure()


@asynccontextmanager
async def _talkative(messages: int) -> AsyncIterator[House]:
    with open_folder() as folder:
        database = await WatchedDatabase.open(EmbeddedPostgres(folder / "data"))
        house = House(database)
        try:
            await migrate(database, NOW)
            guild = TalkativeGuild(messages)
            await guild.into_log(database)
            await MemberStore(database).meet([Member(GUILD, user_id, guild.name(user_id)) for user_id in ASKED_ABOUT])
            await live_through_days(
                database, guild, ASKED_ABOUT, NOW, days=LAST_DAYS, a_day=max(messages // DAYS, A_DAY)
            )
            await tell_facts(database, house.audience, ASKED_ABOUT, NOW)
            async with database.connection("benchmark.vacuum") as connection:
                await connection.execute("VACUUM ANALYZE", timeout=PREPARING_SECONDS * 5)
            yield house
        finally:
            await house.close()
            await database.close()
