"""The world that tests of memory speak in."""

from collections.abc import AsyncIterator

import pytest

from memory.db.database import Database
from memory.importing.importer import Importer
from memory.settings import MemoryOptions
from tests.memory.world import World


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database).settle()
    yield world
    await world.memory.log.settled()


@pytest.fixture
def importing(world: World) -> Importer:
    return Importer(world.database, MemoryOptions(), world.clock)
