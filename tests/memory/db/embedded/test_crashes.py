"""kill -9, of everybody, in the middle of writes: no committed row is lost, the next start works, no process stays."""

import os
import random
import signal

import psutil
import pytest

from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from tests.memory.db.houses import House, Writer
from tests.soak import SOAK

ROUNDS = 25 if SOAK else 4


async def stored(house: House, name: str) -> set[int]:
    """What a new process finds in the database."""
    database = await Database.open(EmbeddedPostgres(house.data_dir))
    rows = await database.read("test.stored", "SELECT number FROM rows_of_writers WHERE name = $1", name)
    await database.close()
    return {row["number"] for row in rows}


async def all_is_kept(house: House, *writers: Writer) -> None:
    for writer in writers:
        writer.close()
        confirmed = writer.confirmed()
        assert confirmed
        missing = set(confirmed) - await stored(house, writer.name)
        assert not missing, f"{len(missing)} of {len(confirmed)} committed rows of {writer.name} are lost"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2 if SOAK else 1))
async def test_whoever_is_killed_in_whatever_order(house: House, seed: int) -> None:
    """Random victims at random moments; after each, writing goes on, and in the end every committed row is there."""
    chance = random.Random(seed)
    writers = [house.writer("ada")]
    for round_number in range(ROUNDS):
        await writers[-1].has_written(chance.randrange(1, 15))
        victims = {"server_pid": house.pid("server_pid"), "guardian_pid": house.pid("guardian_pid")}
        for which in chance.choice((["server_pid"], ["guardian_pid"], ["guardian_pid", "server_pid"], [])):
            if victims[which] and psutil.pid_exists(victims[which]):
                os.kill(victims[which], signal.SIGKILL)
        if chance.random() < 0.5:
            writers[-1].kill()
            writers.append(house.writer(f"writer{round_number}"))
    await writers[-1].has_written(5)
    assert len(house.postmasters()) == 1
    await all_is_kept(house, *writers)
