"""The world that tests of memory speak in."""

from collections.abc import AsyncIterator

import pytest

from memory.store.database import Database
from tests.memory.world import World


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database).settle()
    yield world
    await world.memory.settled()
