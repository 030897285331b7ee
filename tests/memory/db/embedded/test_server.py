"""The embedded PostgreSQL in ordinary times: it runs for exactly as long as somebody uses it."""

import asyncio
import os
import signal
from pathlib import Path

import asyncpg
import pytest

from memory.db.database import Database
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
        database = await Database.open(house.user())
        async with database.transaction("test.visit") as connection:
            await connection.execute("CREATE TABLE IF NOT EXISTS visits (n int)")
            await connection.execute("INSERT INTO visits VALUES ($1)", visit)
            assert await connection.fetchval("SELECT count(*) FROM visits") == visit + 1
        await database.close()
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
