"""A house of its own for each crash test, and the proof that it is empty afterwards."""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import EmbeddedPostgres, FileLock, is_held_exclusively
from tests.databases import RUN_VARIABLE, run_folder
from tests.memory.db.houses import House


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everyone may enter. As root, pytest's own are closed to the account the server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="inn-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
async def new_house(open_folder: Path) -> AsyncIterator[House]:
    """A data directory that does not exist yet."""
    house = House(open_folder / "data")
    yield house
    for writer in house.writers:
        writer.close()
    await house.is_empty()


@pytest.fixture(scope="session")
def furniture() -> Path:
    """A cluster as it is after the first start. One for all workers: making it takes longer than most of the tests."""
    folder = run_folder(os.environ[RUN_VARIABLE])
    folder.mkdir(exist_ok=True)
    state = StateFolder(folder / "furniture")
    with FileLock(folder / "furniture.lock") as turn:
        while not turn.try_exclusive():
            time.sleep(0.05)
        if not state.data_dir.exists():
            server = EmbeddedPostgres(state.data_dir, settings={"fsync": "off"})
            asyncio.run(server.connect_arguments())
            asyncio.run(server.close())
            while is_held_exclusively(state.guardian_lock):
                time.sleep(0.05)
    return state.folder / "cluster"


@pytest.fixture
async def house(new_house: House, furniture: Path) -> House:
    """A data directory with a cluster in it, as any start but the first finds it."""
    new_house.state.folder.mkdir(parents=True)
    copying = await asyncio.create_subprocess_exec("cp", "-a", furniture, new_house.state.folder)
    assert await copying.wait() == 0
    return new_house
