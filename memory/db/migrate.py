"""Brings a database to the schema this version of Innkeeper knows.

An empty database gets `schema.sql` as a whole. One of 1.0.0 or later gets the files of `migrations/` that it has not
seen, in order, and with the last of them the functions, triggers and comments of `schema.sql`, which stand nowhere
else. Each step is one transaction that also writes its number into `schema_version`, so a crash leaves a database
between two steps, never inside one. Processes that start at the same moment take turns.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import asyncpg

from memory.core.version import VERSION
from memory.db import errors
from memory.db.database import Connection, Database, take_as_long_as_needed
from memory.db.errors import MigrationFailed, SchemaError, SchemaTooNew
from memory.db.table_declarations import Stays, TableDeclaration, columns

SCHEMA = Path(__file__).resolve().parents[2] / "schema.sql"
MIGRATIONS = Path(__file__).resolve().parent / "migrations"
RELEASED = 1  # the version of the tables of 1.0.0, where the steps begin
FUNCTIONS = "\n-- Functions and triggers.\n"  # begins the part of schema.sql that can be done again
COMMENT = re.compile(r"^COMMENT ON TABLE .*;$", re.MULTILINE)  # so can these
FILE_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
TURN = 0x1_2E_4E_4E  # any number, as long as nobody else uses it for an advisory lock in this database
TIMEOUT = 900.0  # seconds for one step, or for waiting until another process has done it

VERSION_TABLE = """
CREATE TABLE IF NOT EXISTS schema_version (
    version integer PRIMARY KEY,
    name text NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    innkeeper text NOT NULL
)
"""

WRITER = "SELECT innkeeper FROM schema_version WHERE version = $1"


@dataclass(frozen=True, slots=True)
class Migration:
    """Describes one step of the schema: the file NNNN_name.sql."""

    version: int
    name: str
    path: Path


def known_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """List the steps in order. From the first on they have no gaps, so that nobody's step can be overlooked."""
    steps = []
    for path in sorted(folder.glob("*.sql")):
        matched = FILE_NAME.fullmatch(path.name)
        if matched is None:
            raise SchemaError(f"{path.name} is not named like a migration (0002_what_it_does.sql).")
        steps.append(Migration(int(matched[1]), matched[2], path))
    numbers = [step.version for step in steps]
    if numbers and numbers != list(range(max(numbers[0], RELEASED + 1), numbers[0] + len(steps))):
        raise SchemaError(f"The migrations are not numbered without gaps: {numbers}.")
    return steps


async def migrate(database: Database, clock_now: datetime, schema: Path = SCHEMA, migrations: Path = MIGRATIONS) -> int:
    """Bring the database up to date and return its version."""
    steps = known_migrations(migrations)
    newest = steps[-1].version if steps else RELEASED
    changed = False
    while True:
        async with database.transaction("store.migrate") as connection:
            await take_as_long_as_needed(connection)
            await connection.execute("SELECT pg_advisory_xact_lock($1)", TURN, timeout=TIMEOUT)
            version = await current_version(connection)
            if version == newest:
                break
            if version is not None and version > newest:
                writer = await connection.fetchval(WRITER, version)
                raise SchemaTooNew(
                    f"Innkeeper {writer} has brought this database to schema {version}, and this is Innkeeper"
                    f" {VERSION}, which knows schema {newest}: start {writer} or a newer one, or restore the backup"
                    " from before."
                )
            if version not in (None, RELEASED, *(step.version for step in steps)):
                raise SchemaError(
                    f"This database has schema {version}, which no release of Innkeeper had: restore a backup of a"
                    " release, or begin with an empty database."
                )
            if version is None:
                step, sql = Migration(newest, "schema", schema), _read(schema)
            else:
                step = next(step for step in steps if step.version > version)
                sql = _read(step.path)
                if step.version == newest:
                    tables, _, functions = _read(schema).partition(FUNCTIONS)
                    sql = "\n".join((sql, *COMMENT.findall(tables), functions))
            await _apply(connection, step, sql, clock_now)
        changed = True
    if changed:
        await database.forget_plans()
    return newest


async def current_version(connection: Connection) -> int | None:
    """Read which step the database has seen last; None if it is empty."""
    if await connection.fetchval("SELECT to_regclass('schema_version') IS NULL"):
        return None
    version: int | None = await connection.fetchval("SELECT max(version) FROM schema_version")
    return version


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise SchemaError(f"{path} is missing; the installation is incomplete.") from error


async def _apply(connection: Connection, step: Migration, sql: str, clock_now: datetime) -> None:
    label = f"{step.version:04}_{step.name}"
    try:
        await connection.execute(sql, timeout=TIMEOUT)
        await connection.execute(VERSION_TABLE)
        await connection.execute(
            "INSERT INTO schema_version (version, name, applied_at, innkeeper) VALUES ($1, $2, $3, $4)",
            step.version,
            step.name,
            clock_now,
            VERSION,
        )
    except asyncpg.PostgresError as error:
        if errors.of_use(error, is_closed=connection.is_closed()) is not None:
            raise  # the database, not the step
        # Only complaints about the SQL itself are quoted; others may quote what is in a row.
        reason = error.args[0] if isinstance(error, asyncpg.SyntaxOrAccessError) else type(error).__name__
        raise MigrationFailed(f"Step {label} failed and was undone: {reason}.") from error


_OURS = Stays("it is about our own tables alone")

TABLES = (
    TableDeclaration(
        table="schema_version",
        purpose="which version of the tables this is",
        until="the database goes",
        columns=columns(numbers="version", times="applied_at", states="name innkeeper"),
        message=_OURS,
        member=_OURS,
        channel=_OURS,
        guild=_OURS,
        left_behind="the manifest says it",
    ),
)
