"""A house whose model says what a test dictates, just when it wants it; and eyes on all that the bot says."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from ai_clients.breaker import LONGEST_REST
from ai_clients.gemini import GeminiApi, GeminiModel
from local_guild.gateway.events import Event
from tests.databases import PostgresServer
from tests.end_to_end.asking import at_home
from tests.end_to_end.house import GENERAL, House, Inn, Payload, open_house
from tests.gemini_server import gemini_server, spoken
from tests.models import Watch, answering
from tests.replies import in_shape

GUILDS = 6
MESSAGES = ("MESSAGE_CREATE", "MESSAGE_UPDATE")


@dataclass
class Eyes:
    """All that the bot lets anybody see, in order."""

    house: House
    seen: list[Payload] = field(default_factory=list)

    def open(self) -> None:
        dispatch, bot_id = self.house.server.hub.dispatch, str(self.house.bot.id)

        def watched(event: Event) -> None:
            data: dict[str, Any] = event.data
            if event.name in MESSAGES and data.get("author", {}).get("id") == bot_id:
                self.seen.append(data)
            dispatch(event)

        self.house.server.hub.dispatch = watched  # type: ignore[method-assign] # the wire is tapped where it leaves

    def said_in(self, channel_id: int) -> list[Payload]:
        return [one for one in self.seen if one["channel_id"] == str(channel_id)]


@dataclass
class Dictation:
    """To be put where a fault of the server goes. Speaks for one request after the other."""

    replies: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    begun: int = 0

    def say(self, reply: str) -> None:
        self.replies.put_nowait(reply)

    async def __call__(self, request: web.Request) -> web.StreamResponse:
        self.begun += 1
        return web.json_response(spoken(in_shape(await self.replies.get(), await request.json())))


@dataclass
class Scene:
    house: House
    eyes: Eyes
    watch: Watch
    dictation: Dictation

    def said(self, inn: Inn) -> list[str]:
        return [str(one["content"]) for one in self.eyes.said_in(inn.channel(GENERAL).id)]


@pytest.fixture(scope="module")
async def scene(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    name = await postgres_server.create(await postgres_server.template())
    async with gemini_server() as gemini:
        gemini.fault = dictation = Dictation()
        watch = Watch()
        models = answering(GeminiModel("gemini-good", GeminiApi(gemini.options())), seconds=60, watch=watch)
        async with (
            open_house(
                tmp_path_factory.mktemp("house"),
                postgres_server.url_of(name),
                guilds=GUILDS,
                models=models,
                member_cooldown_seconds=0,
            ) as house,
            house.bot_running(),
        ):
            eyes = Eyes(house)
            eyes.open()
            yield Scene(house, eyes, watch, dictation)
    await postgres_server.drop(name)


@pytest.fixture
async def dictated_inn(scene: Scene) -> Inn:
    scene.dictation.begun = 0
    scene.watch.ahead += LONGEST_REST
    inn = Inn(scene.house, next(scene.house.fresh))
    await at_home(inn)
    return inn
