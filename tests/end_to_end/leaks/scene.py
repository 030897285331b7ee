"""The stage of the leak test: two generated guilds, the bot with its memory, and the wiretap on everything it says."""

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx
from pydantic import SecretStr

from ai_clients.build import Models
from bot.connection import Endpoint, speaking_to
from bot.run import run_bot
from bot.settings import BotOptions
from launch.logs import LineFormatter
from local_guild.actions.posting import Draft
from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.world import Channel, Guild, User
from memory.core.clock import SystemClock
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.tasks import RequestIdFilter
from tests.end_to_end.house import ANSWER_WITHIN, PATIENCE_SECONDS, eventually, until
from tests.end_to_end.leaks.canaries import Canaries
from tests.end_to_end.leaks.oracle import Oracle
from tests.end_to_end.leaks.scenery import Scenery, build, start_threads
from tests.end_to_end.leaks.wiretap import Leak, Overheard, Wiretap
from tests.loopback import NO_TLS

LOUD = ("bot", "memory", "web", "launch", "ai_clients")


@dataclass
class Scene:
    server: LocalGuild
    address: Address
    http: httpx.AsyncClient
    database_url: str
    folder: Path
    scenery: Scenery
    rng: random.Random
    oracle: Oracle
    tap: Wiretap
    cases: int = 0
    web_url: str | None = None
    models: Callable[[], Models] | None = None
    """Makes the models of each run of the bot; without any, answers quote."""
    _memory: MemoryManager | None = None
    _health: Health | None = None

    @property
    def canaries(self) -> Canaries:
        return self.scenery.canaries

    @property
    def memory(self) -> MemoryManager:
        """Of the bot that runs now."""
        assert self._memory is not None
        return self._memory

    @property
    def bot(self) -> User:
        return self.server.world.bot

    @contextlib.asynccontextmanager
    async def open_for_business(self) -> AsyncIterator[None]:
        """The bot as a process starts it, with a memory of its own: nothing in it survives but what is in the store.

        The block begins as soon as Discord has begun to tell it of guilds, before it can have understood them.
        """
        clock = SystemClock()
        health = self._health = Health("bot", clock)
        options = MemoryOptions(
            data_dir=self.folder / "data",
            database_url=SecretStr(self.database_url),
            member_cooldown_seconds=0,  # few people ask very much here
            member_hourly_questions=0,
        )
        models = None if self.models is None else self.models()
        memory = self._memory = await MemoryManager.open(options, clock=clock, health=health, models=models)
        stop = asyncio.Event()
        given = BotOptions.model_validate(
            {
                "token": SecretStr(self.bot.token),
                "api_base": self.address.api_url,
                "gateway_url": self.address.gateway_url,
                "identify_seconds": 0.0,
            }
        )
        try:
            with speaking_to(Endpoint.current()):
                running = asyncio.create_task(run_bot(given, memory, health, clock, stop))
                try:
                    await until(lambda: running.done() or any(one.application for one in self.server.sessions))
                    if running.done():
                        running.result()
                    yield
                finally:
                    stop.set()
                    await running
        finally:
            await memory.close()
            if models is not None:
                await models.close()

    async def ready(self) -> None:
        """Until the bot has seen its guilds and Discord knows its commands."""
        health = self._health
        assert health is not None
        await until(lambda: health.part("gateway").snapshot().state is PartState.ACTIVE)
        await until(lambda: self.server.commands.listed())

    def say(self, user: User, place: Channel, text: str, *, reply_to: int | None = None) -> int:
        """Somebody says something; its id."""
        reference = None
        if reply_to is not None:
            reference = {"type": 0, "message_id": str(reply_to), "channel_id": str(place.id)}
            reference["guild_id"] = str(place.guild_id)
        kind = 0 if reference is None else 19
        draft = Draft(channel=place, author_id=user.id, content=text, reference=reference, type=kind)
        return self.server.posting.send(draft).id

    async def ask(self, user: User, place: Channel, text: str, *, reply_to: int | None = None) -> Overheard | None:
        """None where there is no answer to be had; whoever was to ask may have been shut out before they could."""
        if not self.oracle.may_speak(place, user.id) or place.id not in self.server.world.channels:
            return None
        return await self.tap.answer_to(self.say(user, place, text, reply_to=reply_to))

    async def all_said(self) -> None:
        """Until every reply stands with all its parts: of whoever is let in between two of them the bot cannot know."""
        connection = await asyncpg.connect(self.database_url)
        try:
            asked = "SELECT count(*) FROM addressed WHERE unanswered"
            await eventually(lambda: connection.fetchval(asked), lambda waiting: waiting == 0)
        finally:
            await connection.close()

    def places_of(self, guild: Guild) -> list[Channel]:
        """Where something can be said."""
        world = self.server.world
        places = [*world.channels_of(guild.id), *world.threads_of(guild.id)]
        return [place for place in places if place.type != 4 and self.oracle.may_speak(place, self.bot.id)]

    def speakers_in(self, place: Channel) -> list[User]:
        viewers = (self.server.world.users[user_id] for user_id in sorted(self.oracle.viewers(place.id)))
        return [user for user in viewers if self.oracle.may_speak(place, user.id)]

    def people_of(self, guild: Guild) -> list[User]:
        users = (self.server.world.users[user_id] for user_id in self.server.world.members(guild.id))
        return [user for user in users if not user.bot]


@contextlib.asynccontextmanager
async def set_scene(folder: Path, database_url: str, seed: int) -> AsyncIterator[Scene]:
    rng = random.Random(seed)
    canaries = Canaries(random.Random(seed + 1))
    scenery = build(rng, canaries)
    server = LocalGuild.open(folder / "local_guild", world=scenery.world)
    server.interactions.answer_within = ANSWER_WITHIN
    for guild in scenery.guilds:
        start_threads(server, guild, rng, canaries)
    oracle = Oracle(server)
    tap = Wiretap(server, oracle, canaries)
    tap.attach()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(server.close)
        address = await stack.enter_async_context(serve(server))
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=PATIENCE_SECONDS, verify=NO_TLS))
        stack.enter_context(_log_read_by_nobody(tap))
        yield Scene(server, address, http, database_url, folder, scenery, rng, oracle, tap)


class _Reading(logging.Handler):
    """Whoever reads the log may be anybody: no canary may stand in it, of whatever kind."""

    def __init__(self, tap: Wiretap) -> None:
        super().__init__()
        self.addFilter(RequestIdFilter())
        self.setFormatter(LineFormatter(as_json=False))
        self._tap = tap

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        for canary in self._tap.canaries.within(line):
            where = Overheard("log line", 0, frozenset(), line)
            self._tap.leaks.append(Leak(canary.kind.value, canary.token, "nothing said belongs into a log", where))


@contextlib.contextmanager
def _log_read_by_nobody(tap: Wiretap) -> Iterator[None]:
    reading, root = _Reading(tap), logging.getLogger()
    before = {name: logging.getLogger(name).level for name in ("", *LOUD)}
    root.addHandler(reading)
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.DEBUG)
    root.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(reading)
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
