"""The world that tests of memory speak in."""

import pytest

from memory.store.database import Database
from tests.memory.world import World


@pytest.fixture
async def world(database: Database) -> World:
    return await World(database).settle()
