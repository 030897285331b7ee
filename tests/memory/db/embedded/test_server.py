"""The embedded PostgreSQL runs for exactly as long as somebody uses it, whatever earlier runs may have left behind."""

import asyncio
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from memory.db.database import Database
from memory.db.embedded import postgres
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.errors import EmbeddedServerFailed
from tests.memory.db.houses import House, until


async def test_it_starts_for_the_first_and_stops_after_the_last(house: House) -> None:
    first, second = house.user(), house.user()
    address = await first.connect_arguments()
    assert await second.connect_arguments() == address
    assert len(house.guardians()) == 1
    await first.close()
    database = await Database.open(second)
    async with database.connection("test.alive") as connection:
        assert await connection.fetchval("SELECT count(*) FROM pg_database") == 4
    await database.close()
    await house.is_empty()
    assert not house.state.ready.exists()


async def test_processes_that_start_at_the_same_moment_share_one_server(house: House) -> None:
    writers = [house.writer(name) for name in ("ada", "ben", "cleo")]
    for writer in writers:
        await writer.has_written(3)
    await until(lambda: len(house.guardians()) == 1, "the guardians that came second have gone")
    assert house.postmasters() == [house.pid("server_pid")]


async def test_a_newcomer_waits_for_a_server_that_is_stopping(house: House) -> None:
    """Leaving and coming in turns, without a pause: each time the same data, never a refusal."""
    for visit in range(4):
        assert (await house.visit())[0] == visit + 1
        await asyncio.sleep(0.15 * visit)  # arrive at different moments of the guardian's departure


async def test_told_to_stop_the_guardian_lets_its_users_finish(house: House) -> None:
    writer = house.writer()
    await writer.has_written(3)
    os.kill(house.pid("guardian_pid"), signal.SIGTERM)
    await writer.has_written(20)
    writer.close()
    assert writer.said[-1] == "left"
    await house.is_empty()


async def test_nobody_else_can_reach_it_and_it_knows_no_secret(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "a secret")
    monkeypatch.setenv("PGPORT", "1")
    server = house.user()
    await server.connect_arguments()
    for process in (*house.servers(), *house.guardians()):
        assert not [connection for connection in process.net_connections("inet") if connection.status == "LISTEN"]
        assert not {"DISCORD_TOKEN", "PGPORT"} & set(process.environ())
    assert (house.state.folder / "socket").stat().st_mode & 0o777 == 0o700
    assert house.cluster.stat().st_mode & 0o777 == 0o700
    await server.close()


async def test_nothing_a_statement_holds_reaches_a_log(house: House) -> None:
    database = await Database.open(house.user())
    async with database.connection("test.errors") as connection:
        await connection.execute("CREATE TABLE said (text text PRIMARY KEY CHECK (length(text) < 40), n jsonb)")
        await connection.execute("INSERT INTO said VALUES ('whispered words')")
        for statement in (
            "INSERT INTO said VALUES ('whispered words')",
            "INSERT INTO said VALUES (repeat('whispered words', 9))",
            "SELECT 'whispered words'::int",
            "SELECT whispered words",
            "DO $$ BEGIN RAISE WARNING 'whispered words'; END $$; SELECT 1/0",
        ):
            with pytest.raises(asyncpg.PostgresError):
                await connection.execute(statement)
        with pytest.raises(asyncpg.PostgresError):
            await connection.fetch("SELECT $1::text::int", "whispered words")
    await database.close()
    await house.is_empty()
    logs = [house.state.log, *(house.cluster / "log").iterdir()]
    assert len(logs) >= 2
    for log in logs:
        assert "whispered" not in log.read_text()


async def test_a_failure_to_start_is_explained(house: House, tmp_path: Path) -> None:
    server = EmbeddedPostgres(house.data_dir, bin_dir=tmp_path)
    with pytest.raises(EmbeddedServerFailed, match=r"no postgres and no initdb in .*POSTGRES_BIN_DIR"):
        await server.connect_arguments()
    await server.close()


async def test_a_cluster_of_another_version_is_explained(house: House) -> None:
    server = house.user()
    (house.cluster / "PG_VERSION").write_text("9\n")
    with pytest.raises(EmbeddedServerFailed, match=r"made by PostgreSQL 9.* PostgreSQL 18"):
        await server.connect_arguments()
    (house.cluster / "PG_VERSION").write_text("18\n")
    await server.connect_arguments()
    await server.close()


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
        await house.visit()
        await house.is_empty()
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
            await house.visit()
            await house.is_empty()
            os.kill(pid, 0)  # still alive: it was left in peace


async def test_a_living_server_is_seen_even_without_its_pid_file(house: House) -> None:
    """A truncated pid file says nothing; removing it under a living server would let two write to one cluster."""
    orphan = house.server_without_guardian()
    try:
        await until(lambda: postgres.is_ready(house.cluster, orphan.pid), "the orphan is ready")
        (house.cluster / "postmaster.pid").write_text("")
        assert orphan.pid in postgres.living_servers(house.cluster)
        await house.visit()
        await house.is_empty()
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
    await new_house.visit()
    await new_house.is_empty()
    assert {path.name for path in new_house.state.folder.glob("cluster*")} == {"cluster"}
