"""A stage for all attacks, and a guild of its own for each."""

from collections.abc import AsyncIterator

import pytest

from tests.databases import PostgresServer
from tests.end_to_end.attacks.obedient import obey
from tests.end_to_end.attacks.stage import Stage, open_stage
from tests.end_to_end.house import Inn, Person, guilds_for


@pytest.fixture(scope="package")
async def stage(
    request: pytest.FixtureRequest, postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("attacks")
    async with open_stage(postgres_server, folder, guilds=guilds_for(request)) as opened:
        yield opened


@pytest.fixture
async def inn(stage: Stage) -> Inn:
    stage.gemini.says = obey
    stage.gemini.requests.clear()
    return await stage.inn()


@pytest.fixture
def eve(inn: Inn) -> Person:
    """She attacks."""
    return inn.person("gruzilkin")
