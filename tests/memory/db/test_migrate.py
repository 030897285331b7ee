"""Migrations: an empty database, an old one, a newer one, a broken step, two processes at once."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.db.database import Database, ExternalPostgres
from memory.db.embedded.account import find_binaries
from memory.db.errors import MigrationFailed, SchemaError, SchemaTooNew
from memory.db.migrate import VERSION_TABLE, known_migrations, migrate
from tests.end_to_end.upgrade.kept import Kept, all_kept

NOW = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)

FIRST = """
CREATE TABLE guests (guild_id bigint NOT NULL, name text NOT NULL, PRIMARY KEY (guild_id, name));
CREATE FUNCTION shout(word text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT word || '!' $$;
"""
SECOND = """
ALTER TABLE guests ADD COLUMN arrived_at timestamptz;
CREATE INDEX guests_by_arrival ON guests (guild_id, arrived_at);
"""
WHOLE = """
CREATE TABLE guests (
    guild_id bigint NOT NULL,
    arrived_at timestamptz,
    name text NOT NULL,
    PRIMARY KEY (guild_id, name)
);
CREATE INDEX guests_by_arrival ON guests (guild_id, arrived_at);
-- Functions and triggers.
CREATE OR REPLACE FUNCTION shout(word text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT upper(word) $$;
"""


class Plans:
    """A schema and its migrations in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.schema = folder / "schema.sql"
        self.migrations = folder / "migrations"
        self.migrations.mkdir()
        self.schema.write_text(WHOLE)
        self.step("0002_arrival.sql", SECOND)

    def step(self, name: str, sql: str) -> None:
        (self.migrations / name).write_text(sql)

    async def apply(self, database: Database) -> int:
        return await migrate(database, NOW, self.schema, self.migrations)


@pytest.fixture
def plans(tmp_path: Path) -> Plans:
    return Plans(tmp_path)


@pytest.fixture
async def empty(empty_database_url: str) -> AsyncIterator[Database]:
    database = await Database.open(ExternalPostgres(empty_database_url))
    yield database
    await database.close()


async def begin_as_released(database: Database) -> None:
    """With the tables that were before the first step."""
    async with database.transaction("test.released") as connection:
        await connection.execute(FIRST)
        await connection.execute(VERSION_TABLE)
        await connection.execute("INSERT INTO schema_version VALUES (1, 'schema', $1, '1.0.0')", NOW)


async def description(url: str) -> list[str]:
    """Everything in a database but its rows, as PostgreSQL itself tells it. A migration can add a column only at the
    end, so the order of lines does not count."""
    dump = await asyncio.create_subprocess_exec(
        find_binaries().folder / "pg_dump",
        *("--schema-only", "--no-owner", "--no-privileges", "--dbname", url),
        stdout=asyncio.subprocess.PIPE,
    )
    written, _ = await dump.communicate()
    assert dump.returncode == 0
    lines = (line.removesuffix(",") for line in written.decode().splitlines())
    return sorted(line for line in lines if line and not line.startswith(("--", "\\")))


async def versions(database: Database) -> list[tuple[int, str, datetime]]:
    rows = await database.read("test.versions", "SELECT version, name, applied_at FROM schema_version ORDER BY version")
    return [(row["version"], row["name"], row["applied_at"]) for row in rows]


@pytest.mark.parametrize("kept", all_kept(), ids=lambda kept: kept.path.name)
async def test_the_schema_is_what_the_migrations_make_of_each_release(
    kept: Kept, empty: Database, empty_database_url: str, database: Database, database_url: str
) -> None:
    """The real ones: whoever changes schema.sql has to write the migration that leads there."""
    await kept.restore_database(empty_database_url)
    newest = known_migrations()[-1].version
    assert await migrate(empty, NOW) == newest
    assert await description(empty_database_url) == await description(database_url)
    assert [version for version, *_ in await versions(database)] == [newest]


async def test_open_pools_see_the_new_tables_at_once(empty: Database, plans: Plans) -> None:
    """Prepared statements of before the migration must not fail after it."""
    await begin_as_released(empty)
    for _ in range(3):
        async with empty.transaction("test.before") as connection:
            await connection.fetch("SELECT * FROM guests")
    await plans.apply(empty)
    async with empty.transaction("test.after") as connection:
        await connection.fetch("SELECT * FROM guests")


async def test_a_broken_step_leaves_nothing_of_itself(empty: Database, plans: Plans) -> None:
    await begin_as_released(empty)
    plans.step("0003_broken.sql", "CREATE TABLE half (n int);\nALTER TABLE nowhere ADD COLUMN x int;")
    with pytest.raises(MigrationFailed, match=r"0003_broken failed and was undone: .*nowhere"):
        await plans.apply(empty)
    assert [version for version, *_ in await versions(empty)] == [1, 2]
    assert [row[0] for row in await empty.read("test", "SELECT to_regclass('half')")] == [None]
    plans.step("0003_broken.sql", "CREATE TABLE half (n int);")
    assert await plans.apply(empty) == 3


async def test_a_failing_step_does_not_quote_rows(empty: Database, plans: Plans) -> None:
    await begin_as_released(empty)
    await plans.apply(empty)
    async with empty.transaction("test.insert") as connection:
        await connection.execute("INSERT INTO guests VALUES (1, 'a secret')")
    plans.step("0003_numbers.sql", "ALTER TABLE guests ALTER COLUMN name TYPE int USING name::int;")
    with pytest.raises(MigrationFailed) as caught:
        await plans.apply(empty)
    assert "a secret" not in str(caught.value)


async def test_a_newer_database_is_left_alone(empty: Database, plans: Plans) -> None:
    await plans.apply(empty)
    (plans.migrations / "0002_arrival.sql").unlink()
    with pytest.raises(
        SchemaTooNew,
        match=r"^Innkeeper 1\.\d+\.\d+ has .* schema 2, and this is Innkeeper 1\.\d+\.\d+, which knows schema 1: start",
    ):
        await plans.apply(empty)


async def test_a_database_of_no_release_is_refused(empty: Database, plans: Plans) -> None:
    """Two steps became one before they were released: what had seen the first of them is neither before nor behind."""
    await plans.apply(empty)
    (plans.migrations / "0002_arrival.sql").rename(plans.migrations / "0003_arrival.sql")
    with pytest.raises(SchemaError, match=r"^This database has schema 2, which no release of Innkeeper had: restore"):
        await plans.apply(empty)


async def test_two_processes_take_turns(empty: Database, empty_database_url: str, plans: Plans) -> None:
    plans.schema.write_text(f"SELECT pg_sleep(0.3); {WHOLE}")
    other = await Database.open(ExternalPostgres(empty_database_url))
    reached = await asyncio.gather(plans.apply(empty), plans.apply(other), plans.apply(empty))
    assert list(reached) == [2, 2, 2]
    assert await versions(empty) == [(2, "schema", NOW)]
    await other.close()
