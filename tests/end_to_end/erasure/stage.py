"""The stage: inns of the local guild with people in them, a careless model, the bot, and the web process beside it,
which has never heard of any deletion."""

import asyncio
import contextlib
import random
import sys
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import asyncpg
import httpx

from local_guild.actions.posting import Draft
from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.describe import Builder
from local_guild.state.ids import Clock
from local_guild.state.messages import Message
from local_guild.state.world import Channel, Guild, User, World
from tests.end_to_end.careless import careless
from tests.end_to_end.erasure.canaries import TOKEN, Canaries, Canary
from tests.end_to_end.erasure.processes import Process
from tests.end_to_end.house import ANSWER_WITHIN, eventually
from tests.end_to_end.slash import BUTTON, COMMAND, COMPONENT, GROUP, SUBCOMMAND
from tests.loopback import NO_TLS
from tests.openai_server import KEY, OpenAIServer, openai_server

PATIENCE_SECONDS = 300.0
"""Much goes on at once here, and there may be other tests beside it."""
BREATH_SECONDS = 0.5
"""Between two searches of everything: this process is Discord as well, and has to answer meanwhile."""
INNS = ("inn", "other inn", "forgetful inn", "left inn", "erased inn")
CHANNELS, PEOPLE = 18, 34
SWEEP_SECONDS = 20.0
LAST_LINES = 60

Payload = dict[str, Any]


@dataclass
class Inn:
    guild: Guild
    owner: User
    channels: list[Channel]
    people: list[User]

    def own_channel(self) -> Channel:
        return self.channels.pop()

    def own_person(self) -> User:
        return self.people.pop()


@dataclass
class Stage:
    server: LocalGuild
    address: Address
    http: httpx.AsyncClient
    model: OpenAIServer
    database_url: str
    folder: Path
    rng: random.Random
    canaries: Canaries
    inns: dict[str, Inn]
    memory_options: Payload
    bot: Process
    beside: Process
    ahead: timedelta = field(default_factory=timedelta)
    memory_ids: dict[str, None] = field(default_factory=dict)
    """By which the API named memories when it listed them, as parts of its paths."""

    @property
    def log_files(self) -> list[Path]:
        return [self.bot.log, self.beside.log]

    async def open(self) -> None:
        await asyncio.gather(self.start_bot(), self.beside.start(self.ahead.total_seconds()))

    async def start_bot(self) -> None:
        """Until Discord tells it what happens."""
        await self.bot.start(self.ahead.total_seconds())
        await self.bot.order("connect")

    async def restart_bot(self, *, kill: bool) -> None:
        await (self.bot.kill() if kill else self.bot.stop())
        await self.start_bot()

    async def pass_time(self, by: timedelta) -> None:
        """For everybody."""
        self.ahead += by
        self.server.clock.advance(by)
        for process in (self.bot, self.beside):
            if process.is_running:
                await process.order("move", seconds=by.total_seconds())

    def say(self, author: User, channel: Channel, content: str = "", **parts: Any) -> Message:  # noqa: ANN401 - of a draft
        return self.server.posting.send(Draft(channel=channel, author_id=author.id, content=content, **parts))

    def reply(self, author: User, channel: Channel, text: str, to: int) -> Message:
        reference = {"type": 0, "message_id": str(to), "channel_id": str(channel.id)}
        reference["guild_id"] = str(channel.guild_id)
        return self.say(author, channel, text, reference=reference, type=19)

    async def answer_to(self, message: Message) -> Message | None:
        """What the bot replied; None if it was sent away instead."""
        guild_id = self.server.world.channels[message.channel_id].guild_id or 0

        async def look() -> list[Message | None]:
            if self.server.world.bot.id not in self.server.world.members(guild_id):
                return [None]
            said = self.server.world.log(message.channel_id).after(message.id, 100)
            return [one for one in said if self._answers(one, message.id)]

        return (await eventually(look, seconds=PATIENCE_SECONDS))[0]

    def _answers(self, said: Message, message_id: int) -> bool:
        refers = (said.reference or {}).get("message_id") == str(message_id)
        return refers and said.author_id == self.server.world.bot.id

    async def ask(self, author: User, channel: Channel, text: str) -> Message | None:
        return await self.answer_to(self.say(author, channel, text))

    async def command(
        self, author: User, channel: Channel, *path: str, given: Mapping[str, object] = MappingProxyType({})
    ) -> Payload:
        name, *rest = path
        options: list[Payload] = [{"name": key, "value": value} for key, value in given.items()]
        for depth, word in enumerate(reversed(rest)):
            options = [{"name": word, "type": SUBCOMMAND if depth == 0 else GROUP, "options": options}]
        return await self.interact(author, channel, {"type": COMMAND, "data": {"name": name, "options": options}})

    async def menu(self, author: User, channel: Channel, name: str, target_id: int) -> Payload:
        data = {"name": name, "type": 3, "target_id": str(target_id)}
        return await self.interact(author, channel, {"type": COMMAND, "data": data})

    async def press(self, author: User, channel: Channel, message: Payload, button: Payload) -> Payload:
        data = {"component_type": BUTTON, "custom_id": button["custom_id"]}
        return await self.interact(author, channel, {"type": COMPONENT, "message_id": message["id"], "data": data})

    async def interact(self, author: User, channel: Channel, body: Payload) -> Payload:
        """Once more where Discord gave up waiting, as a person would on a busy machine."""
        outcome: Payload = {"failed": True}
        async with asyncio.timeout(PATIENCE_SECONDS):
            while outcome.get("failed"):
                answer = await self.http.post(
                    f"{self.address.api_url}/interactions?wait=true",
                    json=body | {"channel_id": str(channel.id)},
                    headers={"Authorization": author.token},
                )
                outcome = answer.raise_for_status().json()
        return outcome

    async def rows(self, query: str, *values: object) -> list[Payload]:
        connection = await asyncpg.connect(self.database_url)
        try:
            return [dict(row) for row in await connection.fetch(query, *values)]
        finally:
            await connection.close()

    async def tell_why(self, stayed: Iterable[Canary]) -> None:
        """Print the messages in which these still stand, how far their channels were read, and what was logged last."""
        held = """
            SELECT channel_id, message_id, to_jsonb(one) AS message, to_jsonb(progress) AS progress
            FROM chat_history AS one LEFT JOIN channel_progress AS progress USING (guild_id, channel_id)
            WHERE one.text || coalesce(one.extras::text, '') ILIKE '%' || $1 || '%'"""
        for canary in stayed:
            for row in await self.rows(held, canary.needle):
                shown = self.server.world.message(row["channel_id"], row["message_id"]) is not None
                sys.stdout.write(f"{canary}: {row}, {shown=}\n")
        for path in self.log_files:
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            sys.stdout.write("\n".join([path.name, *lines[-LAST_LINES:], ""]))

    def bots_messages(self) -> list[Message]:
        """What stands on Discord in the bot's name, where others can read it."""
        world = self.server.world
        logs = (world.log(channel_id) for channel_id in world.channels)
        return [message for log in logs for message in log.newest_first() if message.author_id == world.bot.id]


def build_world(rng: random.Random) -> tuple[World, dict[str, Inn]]:
    clock = Clock()
    builder = Builder(clock, rng, clock.now() - timedelta(days=90))
    builder.application("Innkeeper")
    inns = {}
    for name in INNS:
        owner = builder.user(f"owner of {name}")
        guild = builder.guild(name, owner)
        size = (CHANNELS, PEOPLE) if name == INNS[0] else (4, 4)
        people = [builder.user(f"guest{number} of {name}") for number in range(size[1])]
        for one in people:
            builder.member(guild, one)
        channels = [builder.channel(guild, f"room-{number}") for number in range(size[0])]
        inns[name] = Inn(guild, owner, channels, people)
    return builder.world, inns


@contextlib.asynccontextmanager
async def set_stage(folder: Path, database_url: str, seed: int) -> AsyncIterator[Stage]:
    rng = random.Random(seed)
    world, inns = build_world(rng)
    server = LocalGuild.open(folder / "local_guild", world=world)
    server.interactions.answer_within = ANSWER_WITHIN
    async with (
        openai_server() as model,
        serve(server) as address,
        httpx.AsyncClient(timeout=PATIENCE_SECONDS, verify=NO_TLS) as http,
    ):
        model.says = lambda data: careless(data, TOKEN)
        given = _given(folder, database_url, model)
        discord = {
            "token": world.bot.token,
            "api_base": address.api_url,
            "gateway_url": address.gateway_url,
            "identify_seconds": 0.0,
            "sweep_days": SWEEP_SECONDS / 86_400,
            "sweep_pause_seconds": 0,
        }
        bot = Process("bot", folder, given | {"bot": discord})
        beside = Process("beside", folder, given)
        try:
            canaries = Canaries(random.Random(seed + 1))
            yield Stage(
                server, address, http, model, database_url, folder, rng, canaries, inns, given["memory"], bot, beside
            )
        finally:
            await bot.end()
            await beside.end()
            await server.close()


def _given(folder: Path, database_url: str, model: OpenAIServer) -> Payload:
    good = "openai:good"
    return {
        "memory": {
            "data_dir": str(folder / "data"),
            "database_url": database_url,
            "member_cooldown_seconds": 0,  # few people ask very much here
            "member_hourly_questions": 0,
            "guild_daily_tokens": 0,
        },
        "models": {
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": KEY,
            "ANSWER_MODELS": good,
            "SUMMARISE_MODELS": good,
            "SMALL_MODELS": good,
        },
    }
