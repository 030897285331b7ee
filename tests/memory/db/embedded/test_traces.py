"""What earlier runs may have left behind, and how the living are told from the dead."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory.db.database import Database
from memory.db.embedded import postgres
from tests.memory.db.houses import House, until


async def visit(house: House) -> None:
    """Start, look around, leave, and see that the lights go out."""
    database = await Database.open(house.user())
    async with database.connection("test.visit") as connection:
        assert await connection.fetchval("SELECT current_database()") == "innkeeper"
    await database.close()
    await house.is_empty()


def dead_pid() -> int:
    gone = subprocess.Popen(["true"])
    gone.wait()
    return gone.pid


@contextmanager
def somebody_else(program: Path, folder: Path) -> Iterator[int]:
    """A living process that has nothing to do with us; its id is what a reused process id looks like."""
    process = subprocess.Popen([program, "600"], cwd=folder)
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


async def test_a_pid_file_of_a_dead_server_or_none_at_all(house: House) -> None:
    pid_file = house.cluster / "postmaster.pid"
    for content in ("", "not a number\n", f"{dead_pid()}\n{house.cluster}\n1\n5432\n"):
        pid_file.write_text(content)
        assert postgres.living_servers(house.cluster) == []
        await visit(house)
        assert not pid_file.exists()


async def test_a_pid_that_now_belongs_to_somebody_else(house: House, tmp_path: Path) -> None:
    impostor = tmp_path / "postgres"
    sleep = shutil.which("sleep")
    assert sleep is not None
    shutil.copy(sleep, impostor)
    pid_file = house.cluster / "postmaster.pid"
    # The same account, the same folder under another name, even the same name in another folder: none of them is ours.
    for program, folder in ((Path(sleep), house.cluster), (impostor, tmp_path)):
        with somebody_else(program, folder) as pid:
            pid_file.write_text(f"{pid}\n{house.cluster}\n1\n5432\n")
            assert postgres.recorded_pid(house.cluster) == pid
            await visit(house)
            os.kill(pid, 0)  # still alive: it was left in peace


async def test_a_living_server_is_seen_even_without_its_pid_file(house: House) -> None:
    """A truncated pid file says nothing; removing it under a living server would let two write to one cluster."""
    orphan = house.server_without_guardian()
    try:
        await until(lambda: postgres.is_ready(house.cluster, orphan.pid), "the orphan is ready")
        (house.cluster / "postmaster.pid").write_text("")
        assert orphan.pid in postgres.living_servers(house.cluster)
        await visit(house)
        assert orphan.wait(10) is not None
    finally:
        orphan.kill()
        orphan.wait()


@pytest.mark.parametrize("moment", ["PG_VERSION", "base/5"])
async def test_the_guardian_is_killed_while_it_makes_the_cluster(new_house: House, moment: str) -> None:
    killed = new_house.writer()
    await until(lambda: list(new_house.state.folder.glob(f"cluster*/{moment}")), "initdb has come that far")
    for guardian in new_house.guardians():
        guardian.kill()
    killed.kill()
    await visit(new_house)
    assert {path.name for path in new_house.state.folder.glob("cluster*")} == {"cluster"}
