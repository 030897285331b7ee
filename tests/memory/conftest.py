"""The world that tests of memory speak in."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory.importing import message_array, parts
from memory.importing.importing import Importing
from memory.settings import MemoryOptions
from memory.store.database import Database
from tests.memory.world import World


@pytest.fixture
async def world(database: Database) -> AsyncIterator[World]:
    world = await World(database).settle()
    yield world
    await world.memory.settled()


@pytest.fixture
async def importing(world: World) -> AsyncIterator[Importing]:
    # Threads stand in for the reading processes, which take a second to start; tests/launch has those.
    with ThreadPoolExecutor(2) as threads:
        yield Importing(world.database, threads, MemoryOptions(), world.clock)


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the import: what takes many steps with a large file does so with a small one."""
    for module in (message_array, parts):
        monkeypatch.setattr(module, "BLOCK", 4_000)
    monkeypatch.setattr(message_array, "PIECE", 1_000)
    monkeypatch.setattr(parts, "WORTH_STARTING", 8_000)
    monkeypatch.setattr(parts, "WORTH_SENDING", 2_000)
