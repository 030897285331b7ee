"""A guild before whose panel the tests of the web stand."""

from collections.abc import AsyncIterator

import pytest

from memory.db.database import Database
from tests.memory.world import World
from tests.web.inn import WebInn


@pytest.fixture
async def inn(database: Database) -> AsyncIterator[WebInn]:
    world = await World(database).settle()
    yield await WebInn(world).open()
    await world.memory.log.settled()
