"""Houses to test in: one shared by a module, where every test has a guild of its own, or one for a test alone."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from ai_clients.build import Models
from tests.databases import PostgresServer
from tests.end_to_end.house import UNLIMITED, House, Inn, Person, guilds_for, open_house
from tests.end_to_end.screen import ready
from tests.gemini_server import GeminiServer, gemini_server


@pytest.fixture
def tasks_end_with_their_test() -> None:
    """Not here: what a house begins during one test, it goes on with during the next."""


@pytest.fixture(scope="module")
def at(request: pytest.FixtureRequest) -> datetime | None:
    """When it is in the houses of a module: its `AT`, or else now."""
    moment: datetime | None = getattr(request.module, "AT", None)
    return moment


@pytest.fixture(scope="module")
async def gemini() -> AsyncIterator[GeminiServer]:
    """What stands in for Google, on loopback."""
    async with gemini_server() as server:
        yield server


@pytest.fixture(scope="module")
def models() -> Models | None:
    """What a module's house asks; None: it quotes. Whoever asks is never told to wait."""
    return None


@pytest.fixture(scope="module")
async def house(
    request: pytest.FixtureRequest,
    postgres_server: PostgresServer,
    tmp_path_factory: pytest.TempPathFactory,
    at: datetime | None,
    models: Models | None,
) -> AsyncIterator[House]:
    name = await postgres_server.create(await postgres_server.template())
    folder, url, guilds = tmp_path_factory.mktemp("house"), postgres_server.url_of(name), guilds_for(request)
    limits = {} if models is None else UNLIMITED
    async with open_house(folder, url, at, guilds=guilds, models=models, **limits) as opened, opened.bot_running():
        yield opened
    await postgres_server.drop(name)


@pytest.fixture
async def inn(house: House) -> Inn:
    """A guild nobody has spoken in yet, which the bot knows."""
    inn = Inn(house, next(house.fresh))
    await ready(inn)
    return inn


@pytest.fixture
def aylin(inn: Inn) -> Person:
    return inn.person("aylin")


@pytest.fixture
def florent(inn: Inn) -> Person:
    """He may enter the back room too."""
    return inn.person("florent")


@pytest.fixture
def maren(inn: Inn) -> Person:
    """She manages the guild."""
    return inn.person("maren")


@pytest.fixture
async def own_house(database_url: str, tmp_path: Path, at: datetime | None) -> AsyncIterator[House]:
    """For tests that break something or start the bot themselves: nothing runs yet but memory and the local guild."""
    async with open_house(tmp_path, database_url, at, guilds=1) as opened:
        yield opened


@pytest.fixture
def own_inn(own_house: House) -> Inn:
    return Inn(own_house, next(own_house.fresh))
