"""The whole house in one process: the local guild, discord.py, the bot, memory and PostgreSQL, all of them real."""

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import asyncpg
import httpx
import pytest
from pydantic import SecretStr

from ai_clients.build import Models
from bot.connection import Endpoint, speaking_to
from bot.run import run_bot
from bot.settings import BotOptions
from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.describe import KEEPER_PERMISSIONS, Builder
from local_guild.state.ids import Clock as GuildClock
from local_guild.state.world import Channel, Guild, User, World
from memory.core.clock import Clock, SystemClock
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.shards import LeaseTimes
from tests.loopback import NO_TLS

PATIENCE_SECONDS = 180.0
"""For a busy machine. What never comes would not come in an hour."""
LONGEST_PAUSE = 0.2
"""Between two looks at what takes a while: looking costs more than waiting."""
ANSWER_WITHIN = timedelta(seconds=9)
"""Discord gives three seconds. Here they would measure the machine, which runs the guild and the tests as well; a bot
that looks into its memory before it answers is found out all the same where the database is away, for ten seconds."""
NEXT_DOOR = 2
"""Guilds more than there are tests: some need another one beside their own."""
UNHURRIED = LeaseTimes(hold=600.0, take=900.0)
"""Nobody loses their shards because a machine is busy, or because a test keeps the database away."""
UNLIMITED = {"member_cooldown_seconds": 0, "member_hourly_questions": 0, "understand_seconds": 30.0}
"""For whoever asks a model, beside busy neighbours."""
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
"""For a house in which neither a day nor an hour may end while a test looks at it."""
GENERAL, KITCHEN, BACK_ROOM = "general", "kitchen-table", "back-room"

Payload = dict[str, Any]
Seen = TypeVar("Seen")


async def eventually(
    look: Callable[[], Awaitable[Seen]],
    wanted: Callable[[Seen], object] = bool,
    *,
    seconds: float = PATIENCE_SECONDS,
    pause: float = 0.02,
) -> Seen:
    """Looks again and again until it sees what is wanted; a test that waits in vain fails here, and tells for what."""
    seen: object = "nothing yet"
    try:
        async with asyncio.timeout(seconds):
            while True:
                seen = await look()
                if wanted(seen):
                    return seen
                await asyncio.sleep(pause)
                pause = max(pause, min(pause * 1.4, LONGEST_PAUSE))
    except TimeoutError as over:
        what = f"{look!r:.120}, and saw at last: {seen!r:.500}"
        raise TimeoutError(f"waited {seconds:.0f} s in vain for {what}") from over


async def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is another program's state
            await asyncio.sleep(0.01)


@dataclass
class House:
    server: LocalGuild
    address: Address
    http: httpx.AsyncClient
    database_url: str
    memory: MemoryManager
    health: Health
    clock: Clock = field(default_factory=SystemClock)
    fresh: Iterator[Guild] = field(init=False)
    looking: asyncpg.Connection | None = None
    """Kept: for most looks, connecting is all the work."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self.fresh = iter(list(self.server.world.guilds.values()))

    @property
    def bot(self) -> User:
        return self.server.world.bot

    def options(self, **changes: Any) -> BotOptions:  # noqa: ANN401 - the fields of the model
        given: dict[str, Any] = {
            "token": SecretStr(self.bot.token),
            "api_base": self.address.api_url,
            "gateway_url": self.address.gateway_url,
            "identify_seconds": 0.0,
        }
        return BotOptions(**(given | changes))

    async def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        async with self.turn:
            if self.looking is None or self.looking.is_closed():
                self.looking = await asyncpg.connect(self.database_url)
            return [dict(row) for row in await self.looking.fetch(query, *values)]

    async def aclose(self) -> None:
        if self.looking is not None:
            await self.looking.close()

    @contextlib.asynccontextmanager
    async def bot_running(
        self,
        begun: Callable[[], object] | None = None,
        /,
        **changes: Any,  # noqa: ANN401 - the fields of the options
    ) -> AsyncIterator[None]:
        """The bot as `main.py bot` runs it, until the block ends: connected, or as far as `begun` says."""
        stop = asyncio.Event()
        with speaking_to(Endpoint.current()):
            options = self.options(**changes)
            running = asyncio.create_task(run_bot(options, self.memory, self.health, self.clock, stop, times=UNHURRIED))
            try:
                begun = begun or (lambda: self.state_of("gateway") is PartState.ACTIVE)
                await until(lambda: running.done() or begun())
                if running.done():
                    running.result()
                yield
            finally:
                stop.set()
                await running

    def state_of(self, part: str) -> PartState:
        return self.health.part(part).snapshot().state

    def issues_of(self, part: str) -> str:
        return " ".join(self.health.part(part).snapshot().issues)


@dataclass(frozen=True)
class Inn:
    """One guild of the house, with its people."""

    house: House
    guild: Guild

    def channel(self, name: str) -> Channel:
        return next(channel for channel in self.house.server.world.channels_of(self.guild.id) if channel.name == name)

    def person(self, name: str) -> "Person":
        world = self.house.server.world
        members = [world.users[user_id] for user_id in world.members(self.guild.id)]
        return Person(self, next(user for user in members if user.name == name and not user.bot))

    async def stored(self, message_id: int) -> dict[str, Any] | None:
        found = await self.house.rows(
            "SELECT * FROM chat_history WHERE guild_id = $1 AND message_id = $2", self.guild.id, message_id
        )
        return found[0] if found else None

    async def until_stored(self, message_id: int, **columns: object) -> dict[str, Any]:
        row = await eventually(
            lambda: self.stored(message_id),
            lambda row: row is not None and all(row[name] == value for name, value in columns.items()),
        )
        assert row is not None
        return row

    async def until_gone(self, message_id: int) -> None:
        await eventually(lambda: self.stored(message_id), lambda row: row is None)


@dataclass(frozen=True)
class Person:
    """A member who does everything over HTTP, as a client would."""

    inn: Inn
    user: User

    @property
    def mention(self) -> str:
        return f"<@{self.user.id}>"

    async def call(self, method: str, path: str, json: object = None) -> httpx.Response:
        answer = await self.try_call(method, path, json)
        answer.raise_for_status()
        return answer

    async def try_call(self, method: str, path: str, json: object = None) -> httpx.Response:
        house = self.inn.house
        headers = {"Authorization": self.user.token}
        return await house.http.request(method, f"{house.address.api_url}{path}", headers=headers, json=json)

    async def interact(
        self, kind: int, data: Payload, where: str | int = GENERAL, message_id: object = None
    ) -> Payload:
        """A command, a press or a form, and what came of it; once more where Discord gave up waiting, as a person would
        on a busy machine: nothing has been done then."""
        place = where if isinstance(where, int) else self.inn.channel(where).id
        body: Payload = {"type": kind, "channel_id": str(place), "data": data}
        if message_id is not None:
            body["message_id"] = str(message_id)
        outcome: Payload = {"failed": True}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while outcome.get("failed"):
                outcome = (await self.call("POST", "/interactions?wait=true", body)).json()
        return outcome

    async def say(self, text: str, channel: str = GENERAL, *, reply_to: int | None = None) -> int:
        """The id of what was said."""
        return await self.say_in(self.inn.channel(channel).id, text, reply_to=reply_to)

    async def say_in(self, channel_id: int, text: str, *, reply_to: int | None = None) -> int:
        body: Payload = {"content": text}
        if reply_to is not None:
            body["message_reference"] = {"message_id": str(reply_to)}
        answer = await self.call("POST", f"/channels/{channel_id}/messages", body)
        return int(answer.json()["id"])

    async def share(
        self, files: Mapping[str, bytes], text: str = "", channel: str = GENERAL, **more: object
    ) -> tuple[int, Payload]:
        """Uploads files as a client does; gives the id of the message, and it. `more`: fields of an attachment."""
        described = [{"id": str(number), "filename": name, **more} for number, name in enumerate(files)]
        form = {"payload_json": json.dumps({"content": text, "attachments": described})}
        parts = {f"files[{number}]": (name, data) for number, (name, data) in enumerate(files.items())}
        house, place = self.inn.house, self.inn.channel(channel).id
        answer = await house.http.post(
            f"{house.address.api_url}/channels/{place}/messages",
            data=form,
            files=parts,
            headers={"Authorization": self.user.token},
        )
        message: Payload = answer.raise_for_status().json()
        return int(message["id"]), message

    async def ask(self, text: str, channel: str = GENERAL, *, reply_to: int | None = None) -> str:
        """Says it and waits for the bot's reply."""
        reply = await self.hear_reply(await self.say(text, channel, reply_to=reply_to), channel)
        return str(reply["content"])

    async def hear_reply(self, message_id: int, channel: str = GENERAL) -> Payload:
        return await self.hear_reply_in(self.inn.channel(channel).id, message_id)

    async def hear_reply_in(self, channel_id: int, message_id: int) -> Payload:
        # Asking again and again over HTTP would cost more than the reply.
        log = self.inn.house.server.world.log(channel_id)
        await until(lambda: any(_is_reference(one.reference, message_id) for one in log.after(message_id, 100)))
        return (await eventually(lambda: self.replies_to(message_id, channel_id)))[0]

    async def replies_to(self, message_id: int, channel_id: int | None = None) -> list[Payload]:
        """What the bot answered to a message, as this person sees it."""
        place = channel_id or self.inn.channel(GENERAL).id
        answer = await self.call("GET", f"/channels/{place}/messages?after={message_id}&limit=100")
        messages: list[Payload] = answer.json()
        return [message for message in reversed(messages) if _refers_to(message, message_id)]


def _refers_to(message: Payload, message_id: int) -> bool:
    return bool(message["author"].get("bot")) and _is_reference(message.get("message_reference"), message_id)


def _is_reference(reference: Payload | None, message_id: int) -> bool:
    return reference is not None and reference.get("message_id") == str(message_id)


def world_of(guilds: int) -> World:
    """Guilds alike, each with its own people: Maren manages it, Florent may enter the back room too.

    Of two shards, they belong to one and the other by turns.
    """
    clock, rng = GuildClock(), random.Random(7)
    born = clock.now() - timedelta(days=30)
    builder = Builder(clock, rng, born)
    builder.application("Innkeeper")
    for number in range(guilds):
        builder = Builder(clock, rng, born + timedelta(milliseconds=number + 1), builder.world)
        people = {name.lower(): builder.user(name.lower(), display_name=name) for name in ("Maren", "Florent", "Aylin")}
        gruzilkin = builder.user("gruzilkin")
        guild = builder.guild(f"Inn {number}", people["maren"])
        keeper = builder.role(guild, "Keeper", KEEPER_PERMISSIONS)
        cellar = builder.role(guild, "Cellar")
        builder.world.members(guild.id)[people["maren"].id].role_ids.append(keeper.id)
        builder.member(guild, people["florent"], [cellar])
        builder.member(guild, people["aylin"])
        builder.member(guild, gruzilkin)
        builder.channel(guild, GENERAL)
        builder.channel(guild, KITCHEN)
        builder.channel(guild, BACK_ROOM, only=[cellar, keeper, builder.world.bot])
    return builder.world


def guilds_for(request: pytest.FixtureRequest) -> int:
    """One for each test in a house that they share: the bot learns all about every guild before it has time for one."""
    tests = [one for one in request.session.items if one.nodeid.startswith(request.node.nodeid)]
    return sum(isinstance(one, pytest.Function) and "inn" in one.fixturenames for one in tests) + NEXT_DOOR


@contextlib.asynccontextmanager
async def open_house(
    folder: Path,
    database_url: str,
    at: datetime | None = None,
    /,
    *,
    guilds: int,
    models: Models | None = None,
    **options: object,
) -> AsyncIterator[House]:
    """`options` are those of the memory; the models are closed with the house. `at`: all of it lives at that time, by
    the clock of the local guild, which the test moves."""
    server = LocalGuild.open(folder / "local_guild", world=world_of(guilds))
    clock: Clock = SystemClock()
    if at is not None:
        server.clock.set(at)
        clock = server.clock
    health = Health("bot", clock)
    server.interactions.answer_within = ANSWER_WITHIN
    given = {"data_dir": folder / "data", "database_url": SecretStr(database_url), **options}
    memory = await MemoryManager.open(MemoryOptions.model_validate(given), clock=clock, health=health, models=models)
    try:
        async with (
            serve(server) as address,
            httpx.AsyncClient(timeout=PATIENCE_SECONDS, verify=NO_TLS) as http,
            contextlib.aclosing(House(server, address, http, database_url, memory, health, clock)) as house,
        ):
            yield house
    finally:
        await memory.close()
        if models is not None:
            await models.close()
        await server.close()
