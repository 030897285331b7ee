"""The pool: named uses, errors that mean something, and coming back after a loss."""

import asyncio
import logging
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import asyncpg
import pytest
from pgvector import HalfVector

from memory.db.database import Database, ExternalPostgres, State
from memory.db.errors import DatabaseAway, DatabaseRefused, DatabaseSlow
from tests.databases import PostgresServer

KILL = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> $1"


@pytest.fixture
async def states() -> list[State]:
    return []


@pytest.fixture
async def empty(empty_database_url: str, states: list[State]) -> AsyncIterator[Database]:
    database = await Database.open(
        ExternalPostgres(empty_database_url),
        patience=20.0,
        on_state=lambda active, reason: states.append(State(active, reason)),
    )
    yield database
    await database.close()


async def throw_out_everybody(url: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(KILL, connection.get_server_pid())
    await connection.close()


@pytest.mark.parametrize("schema", ["public", "extras"])
async def test_vectors_are_read_in_whatever_schema_they_are(empty_database_url: str, schema: str) -> None:
    connection = await asyncpg.connect(empty_database_url)
    await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}; CREATE EXTENSION vector SCHEMA {schema}")
    await connection.execute(f"ALTER DATABASE {urlsplit(empty_database_url).path[1:]} SET search_path = public, extras")
    await connection.close()
    database = await Database.open(ExternalPostgres(empty_database_url))
    async with database.connection("test.vectors") as ours:
        given = HalfVector([0.5, -2])
        assert await ours.fetchval("SELECT $1::halfvec", given) == given
    await database.close()


async def test_connections_lost_while_idle_cost_nobody_anything(empty: Database, empty_database_url: str) -> None:
    for _ in range(3):
        await throw_out_everybody(empty_database_url)
        async with empty.transaction("test.after") as connection:
            assert await connection.fetchval("SELECT 1") == 1


async def test_a_connection_lost_in_use_is_said_and_the_next_use_works(
    empty: Database, empty_database_url: str, states: list[State]
) -> None:
    async def lose_it() -> None:
        async with empty.transaction("test.lost") as connection:
            await throw_out_everybody(empty_database_url)
            await connection.execute("SELECT 1")

    with pytest.raises(DatabaseAway) as caught:
        await lose_it()
    assert caught.value.__cause__ is not None
    assert "cannot be reached" in str(caught.value)
    assert empty.state().active is False
    async with empty.connection("test.back") as connection:
        await connection.execute("SELECT 1")
    assert [state.active for state in states] == [True, False, True]
    assert empty.state() == State(active=True)


async def test_a_read_notices_no_loss(empty: Database, empty_database_url: str) -> None:
    """Neither of a connection that was thrown out a moment ago, nor of one that is thrown out under it."""
    for _ in range(3):
        assert [row[0] for row in await empty.read("test.read", "SELECT 1")] == [1]
        await throw_out_everybody(empty_database_url)
        assert [row[0] for row in await empty.read("test.again", "SELECT 1")] == [1]
    assert empty.state().active
    asking = asyncio.create_task(empty.read("test.slow", "SELECT 1 FROM pg_sleep(2)"))
    await asyncio.sleep(0.5)
    await throw_out_everybody(empty_database_url)
    assert [row[0] for row in await asking] == [1]
    assert empty.state().active


async def test_mistakes_of_ours_are_not_taken_for_an_outage(empty: Database) -> None:
    for statement, arguments, expected in (
        ("SELECT nonsense", (), asyncpg.UndefinedColumnError),
        ("SELECT $1::int", (1, 2), asyncpg.InterfaceError),
        ("SELECT $1::int", ("one",), asyncpg.DataError),
    ):
        with pytest.raises((expected, ValueError)):
            async with empty.connection("test.mistake") as connection:
                await connection.fetch(statement, *arguments)
        assert empty.state().active


async def test_errors_do_not_quote_rows(empty: Database) -> None:
    async with empty.connection("test.table") as connection:
        await connection.execute("CREATE TABLE said (text text PRIMARY KEY)")
    with pytest.raises(asyncpg.UniqueViolationError) as caught:
        async with empty.transaction("test.twice") as connection:
            await connection.execute("INSERT INTO said VALUES ('whispered'), ('whispered')")
    assert "whispered" not in f"{caught.value} {caught.value.__dict__}"


async def test_a_hanging_statement_is_given_up(empty_database_url: str) -> None:
    database = await Database.open(ExternalPostgres(empty_database_url), command_timeout=3.0)
    with pytest.raises(DatabaseSlow):
        async with database.connection("test.hang") as connection:
            await connection.execute("SELECT pg_sleep(60)")
    async with database.connection("test.after") as connection:
        assert await connection.fetchval("SELECT 1") == 1
    await database.close()


async def test_a_full_pool_is_said_in_time(empty_database_url: str) -> None:
    database = await Database.open(ExternalPostgres(empty_database_url), max_size=1, patience=2.0)
    async with database.connection("test.greedy"):
        with pytest.raises(DatabaseSlow):
            async with database.connection("test.waiting"):
                pass
    async with database.connection("test.after") as connection:
        await connection.execute("SELECT 1")
    await database.close()


async def test_a_cancelled_use_gives_its_connection_back(empty_database_url: str) -> None:
    database = await Database.open(ExternalPostgres(empty_database_url), max_size=1)

    async def wait_for_ever() -> None:
        async with database.transaction("test.cancelled") as connection:
            await connection.execute("SELECT pg_sleep(60)")

    task = asyncio.create_task(wait_for_ever())
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with database.connection("test.after") as connection:
        assert await connection.fetchval("SELECT 1") == 1
    await database.close()


async def test_slow_uses_are_named_without_what_they_held(
    empty_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    database = await Database.open(ExternalPostgres(empty_database_url), slow_seconds=0.05)
    with caplog.at_level(logging.WARNING):
        async with database.connection("test.slow") as connection:
            await connection.execute("SELECT pg_sleep(0.1), $1::text", "whispered")
        async with database.connection("test.slow") as connection:  # a slow disk must not fill another one
            await connection.execute("SELECT pg_sleep(0.1)")
    await database.close()
    assert caplog.text.count("slow query: test.slow took") == 1
    assert "whispered" not in caplog.text


async def test_a_refusal_says_why(postgres_server: PostgresServer) -> None:
    with pytest.raises(DatabaseRefused, match=r'database "no_such_database" does not exist'):
        await Database.open(ExternalPostgres(postgres_server.url_of("no_such_database")))
    with pytest.raises(DatabaseRefused, match="DATABASE_URL is not a valid address"):
        await Database.open(ExternalPostgres("mysql://somewhere"))
    with pytest.raises(DatabaseRefused, match="DATABASE_URL is not a valid address") as refused:
        await Database.open(ExternalPostgres("postgresql://inn:whis/pered@127.0.0.1/inn"))
    assert refused.value.__suppress_context__, "the driver's own error quotes the password"
