"""Measures how much time passes between a question on the gateway and the call of the model that answers it.

The whole bot, as `main.py bot` runs it, in the local guild: from the frame in which the question reaches discord.py up
to the moment in which the model, in another process, has the request. In between lie who may read the answer, the
contexts of the asker and of whoever is named, recall over a long history, the prompt and the provider's SDK. Contexts
are warm: a question costs one small call that understands it, which answers at once here, and this one.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import wraps
from statistics import median, quantiles
from typing import Any

import discord
from discord.gateway import DiscordWebSocket

from ai_clients.build import build_models
from ai_clients.embedding import StaticVectors
from benchmarks.bot_here import Memory, bot_running, open_folder
from benchmarks.figures import Figure, at_most
from benchmarks.local_guild_process import LocalGuildProcess, local_guild_process
from benchmarks.model_process import ModelProcess, model_process
from benchmarks.talkative_guild import TalkativeGuild, live_through_days, tell_facts
from benchmarks.yardsticks import Yardstick, calibrated_loop
from memory.answers.generate import Generator
from memory.answers.service import Answers
from memory.contexts.service import Contexts
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.migrate import migrate
from memory.health import Health
from memory.manager import MemoryManager
from memory.models.usage import Requester
from memory.places.view import Audience
from memory.recall.service import RecallService
from memory.settings import MemoryOptions

QUESTIONS, QUESTIONS_IN_FULL = 100, 200
WARM_UP = 20
ASKERS = 4
MEMBERS, CHANNELS = 60, 60
LAST_DAYS, A_DAY = 6, 200
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.01
REST_SECONDS = 0.05
UNDERSTANDS_IN = 0.6
"""Seconds of a model that is not here."""
LATE_QUESTIONS = 20
NO_LIMITS = {"member_cooldown_seconds": 0, "member_hourly_questions": 0, "guild_daily_tokens": 0}


@dataclass
class Moments:
    """Notes the moments of the question that is being answered, by `time.monotonic`."""

    frame: float = 0.0
    at: dict[str, float] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inn:
    """Holds a guild in the local guild, with everything that is needed to speak in it."""

    guild: LocalGuildProcess
    guild_id: int
    bot_id: int
    channels: list[int]
    people: dict[int, str]
    """Members with their tokens."""

    @property
    def hall(self) -> Audience:
        return Audience(self.guild_id, self.channels[0], frozenset(self.channels), is_hall=True)

    async def ask(self, user_id: int, text: str, moments: Moments) -> None:
        """Ask in the first channel, and wait until the answer stands there.

        Nobody looks for it before the model has been asked: we share the bot's thread, and would be measured as well.
        """
        path, headers = f"/api/v10/channels/{self.channels[0]}/messages", {"Authorization": self.people[user_id]}
        said = await self.guild.http.post(path, headers=headers, json={"content": f"<@{self.bot_id}> {text}"})
        asked = said.raise_for_status().json()["id"]
        async with asyncio.timeout(WAIT_SECONDS):
            while "model" not in moments.took:  # noqa: ASYNC110 - noted where it is called
                await asyncio.sleep(POLL_SECONDS)
            while True:
                seen = (await self.guild.http.get(f"{path}?after={asked}", headers=headers)).json()
                if any((one.get("message_reference") or {}).get("message_id") == asked for one in seen):
                    return
                await asyncio.sleep(POLL_SECONDS)


@dataclass(frozen=True, slots=True)
class Run:
    """Holds what was measured of one question, in seconds."""

    overhead: float
    other_calls: int
    """Of models, beside the one that answers."""
    parts: dict[str, float]


@contextmanager
def watched(moments: Moments) -> Iterator[None]:
    """Note when a question's frame comes in, and when and for how long it is in the places it passes."""

    def frame(original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        async def noted(self: object, message: object) -> None:
            moments.frame = time.monotonic()
            await original(self, message)

        return noted

    def dispatch(original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def noted(self: object, event: str, *values: Any) -> None:  # noqa: ANN401 - as discord.py has it
            if event == "message" and not values[0].author.bot:
                moments.at["frame"] = moments.frame
            original(self, event, *values)

        return noted

    def passed(name: str) -> Callable[[Callable[..., Awaitable[Any]]], Callable[..., Awaitable[Any]]]:
        def around(original: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            @wraps(original)
            async def noted(*values: Any, **named: Any) -> Any:  # noqa: ANN401 - whatever it takes and gives
                started = moments.at[name] = time.monotonic()
                try:
                    return await original(*values, **named)
                finally:
                    moments.took[name] = time.monotonic() - started

            return noted

        return around

    wrapped: list[tuple[type, str, Callable[..., Any]]] = [
        (DiscordWebSocket, "received_message", frame),
        (discord.Client, "dispatch", dispatch),
        (Answers, "answer_or_intent", passed("answer")),
        (RecallService, "for_answer", passed("recall")),
        (Contexts, "cached_profile", passed("context")),
        (Generator, "answer", passed("model")),
    ]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in wrapped]
    try:
        for (owner, name, original), (_, _, around) in zip(before, wrapped, strict=True):
            setattr(owner, name, around(original))
        yield
    finally:
        for owner, name, original in before:
            setattr(owner, name, original)


async def measure(full: bool) -> list[Figure]:
    messages, questions = (1_000_000, QUESTIONS_IN_FULL) if full else (50_000, QUESTIONS)
    async with local_guild_process() as guild, model_process() as model:
        inn = await _move_in(guild)
        talk = TalkativeGuild(messages, guild_id=inn.guild_id, channels=inn.channels, authors=list(inn.people))
        async with _remembering(inn, talk, model) as memory:
            moments = Moments()
            with watched(moments):
                async with bot_running(guild, memory):
                    asking = Asking(inn, talk, model, moments, list(inn.people)[:ASKERS])
                    await asking.until_warm(memory)
                    runs = await asking.times(questions)
                    await model.take_time(UNDERSTANDS_IN)
                    late = await asking.times(LATE_QUESTIONS)
                    if await memory.rows() < talk.messages:
                        raise RuntimeError("the history has got lost")
    added = median(run.overhead for run in late) - median(run.overhead for run in runs)
    return [
        *_figures(runs, messages, calibrated_loop()),
        Figure(f"asking: understanding in {UNDERSTANDS_IN} s and three searches add", added, "s", at_most(1.0)),
    ]


def _figures(runs: list[Run], messages: int, loop: Yardstick) -> list[Figure]:
    took = [run.overhead for run in runs]
    among = f"among {messages:,} messages"
    figures = [
        *loop.figures(
            f"asking: 19 of 20 questions, event to model call, {among}", quantiles(took, n=20)[-1], at_most(500)
        ),
        Figure(f"asking: half of them, {among}", median(took) * 1e3, "ms"),
        Figure("asking: calls beside the answer", sum(run.other_calls for run in runs) / len(runs), "", at_most(0.01)),
    ]
    return figures + [
        Figure(f"asking: half of them, {part}", median(run.parts[part] for run in runs) * 1e3, "ms")
        for part in runs[0].parts
    ]


@dataclass
class Asking:
    """Asks the questions of a few members, one after the other."""

    inn: Inn
    talk: TalkativeGuild
    model: ModelProcess
    moments: Moments
    askers: list[int]
    chance: random.Random = field(default_factory=lambda: random.Random(11))

    async def until_warm(self, memory: Memory[MemoryManager]) -> None:
        """Ask until the askers' contexts are made, and what is cached is cached."""
        async with asyncio.timeout(WAIT_SECONDS):
            while not memory.manager.places.hall(self.inn.guild_id):  # noqa: ASYNC110 - the bot looks around meanwhile
                await asyncio.sleep(POLL_SECONDS)
        # Contexts are merged of days that are told: otherwise they would wait for the next round behind them.
        now = SystemClock().now()
        for back in range(LAST_DAYS):
            day = (now - timedelta(days=back)).date()
            await memory.manager.day_answers.day(self.inn.hall, day, Requester.without_message(self.askers[0], now))
        for user_id in self.askers:
            self.moments.took.clear()
            await self.inn.ask(user_id, self._question(), self.moments)
        await _until_merged(memory, len(self.askers))
        await self.times(WARM_UP)

    async def times(self, questions: int) -> list[Run]:
        return [await self._asked(self.chance.choice(self.askers)) for _ in range(questions)]

    def _question(self) -> str:
        """Make up a question by its form, about rare words and everyday ones; a third ask for a time."""
        words = " ".join(self.talk.say(6, self.chance))
        when = f" in {self.chance.choice(('March', 'July', 'November'))} 2023" if self.chance.random() < 1 / 3 else ""
        return f"What was said about {words}{when}?"

    async def _asked(self, user_id: int) -> Run:
        moments = self.moments
        await asyncio.sleep(REST_SECONDS)
        await self.model.arrivals()
        moments.at.clear()
        moments.took.clear()
        await self.inn.ask(user_id, self._question(), moments)
        arrivals = await self.model.arrivals()
        answers = [one.at for one in arrivals if one.is_answer]
        if len(answers) != 1:
            raise RuntimeError(f"an answer took {len(answers)} calls")
        at, arrived = moments.at, answers[0]
        return Run(
            arrived - at["frame"],
            len(arrivals) - 2,
            {
                "from the frame to the memory": at["answer"] - at["frame"],
                "from the memory to the model's client": at["model"] - at["answer"],
                "of it recall": moments.took["recall"],
                "of it contexts": moments.took["context"],
                "from the client to the model": arrived - at["model"],
            },
        )


async def _until_merged(memory: Memory[MemoryManager], members: int) -> None:
    """Wait until the members' contexts are made, which happens behind the first questions."""
    async with asyncio.timeout(WAIT_SECONDS):
        while memory.counted("contexts", "context made") < members:  # noqa: ASYNC110 - counted elsewhere
            await asyncio.sleep(POLL_SECONDS)


async def _move_in(guild: LocalGuildProcess) -> Inn:
    names = [TalkativeGuild.name(number) for number in range(1, MEMBERS + 1)]
    text = {
        "name": "The Talkative Inn",
        "owner": names[0].lower(),
        "members": [{"name": name.lower(), "display_name": name} for name in names],
        "channels": [{"name": f"room-{number}"} for number in range(CHANNELS)],
    }
    added = await guild.http.post("/local/world", json={"guilds": [text]})
    (guild_id,) = added.raise_for_status().json()["guilds"]
    world = (await guild.http.get("/local/world")).json()
    inn = next(one for one in world["guilds"] if one["id"] == guild_id)
    tokens = {one["name"]: (int(one["id"]), one["token"]) for one in inn["members"]}
    people = dict(tokens[name.lower()] for name in names)
    channels = [int(one["id"]) for one in inn["channels"] if one["type"] == 0]
    return Inn(guild, int(guild_id), int(world["bot"]["id"]), channels, people)


@asynccontextmanager
async def _remembering(inn: Inn, talk: TalkativeGuild, model: ModelProcess) -> AsyncIterator[Memory[MemoryManager]]:
    """Open a memory with a long history, indexed, and with a last week and facts of which contexts can be made."""
    with open_folder() as folder:
        clock = SystemClock()
        database = await Database.open(EmbeddedPostgres(folder / "data"))
        try:
            await migrate(database, clock.now())
            await talk.into_everything(database, StaticVectors())
            await live_through_days(database, talk, talk.authors, clock.now(), days=LAST_DAYS, a_day=A_DAY)
            await tell_facts(database, inn.hall, talk.authors, clock.now())
        finally:
            await database.close()
        health, options = Health("bot", clock), MemoryOptions.model_validate({"data_dir": folder / "data", **NO_LIMITS})
        models = await build_models(model.options())
        manager = await MemoryManager.open(options, clock=clock, health=health, models=models)
        try:
            yield Memory(manager, health, options.data_dir)
        finally:
            await manager.close()
            await models.close()
