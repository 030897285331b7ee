"""Tells which PostgreSQL serves, by the settings, and how its state becomes known."""

from dataclasses import dataclass

from memory.core.clock import Clock
from memory.db.database import KNOWS_STOPPED, ConnectionSource, Database, ExternalPostgres, OnState, PooledPostgres
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.errors import DatabaseRefused, SchemaError, StoreError
from memory.db.migrate import migrate
from memory.health import HealthReporter
from memory.settings import MemoryOptions
from memory.shards import ShardLeaseStore


def connection_source(options: MemoryOptions) -> ConnectionSource:
    if options.database_url is None:
        return EmbeddedPostgres(options.data_dir, bin_dir=options.postgres_bin_dir)
    url = options.database_url.get_secret_value()
    return PooledPostgres(url) if options.database_pooled else ExternalPostgres(url)


def told_to(part: HealthReporter) -> OnState:
    def note(active: bool, reason: str | None) -> None:
        if active:
            part.active()
        else:
            part.failing(reason or "The database does not answer.")

    return note


# What a look at one thing has found: the lines of `doctor`.


@dataclass(frozen=True, slots=True)
class Finding:
    """Holds one thing that was looked at; `ok` is None where it is worth saying but neither good nor bad."""

    name: str
    ok: bool | None
    says: str
    remedy: str | None = None


# Looks whether the database is there, writable, and has what recall can make use of.


WITHOUT = {
    "vector": "recall will run on words alone",
    "pg_trgm": "typing mistakes will not be forgiven",
    "unaccent": "accents will be told apart",
}


async def check_database(options: MemoryOptions, clock: Clock) -> list[Finding]:
    where = "DATABASE_URL" if options.database_url else f"embedded PostgreSQL in {options.data_dir}"
    try:
        database = await Database.open(connection_source(options))
        try:
            version = await migrate(database, clock.now())
            found = [Finding("database", True, f"{where} answers; its schema is version {version}.")]
            if options.database_url:
                found += await _check_pooler(database)
                found += await _check_age(database)
            holders = await ShardLeaseStore(database).holders()
            found += [Finding("connected", None, f"{one}, unless it has died; others stand by.") for one in holders]
            return found + await _check_extensions(database)
        finally:
            await database.close()
    except StoreError as error:
        return [Finding("database", False, str(error), _remedy(options, error))]


async def _check_pooler(database: Database) -> list[Finding]:
    """Find out whether a pooler answers in the place of the server, and whether we were told."""
    async with database.transaction("store.session", readonly=True) as connection:
        is_there = await connection.fetchval("SELECT pg_backend_pid()") != connection.get_server_pid()
    if is_there and not database.is_pooled:
        says = "DATABASE_URL leads to a pooler, and statements come to sessions that do not know them."
        return [Finding("pooler", False, says, "Set DATABASE_POOLED=true, or the address of PostgreSQL itself.")]
    if database.is_pooled and not is_there:
        says = "there is none at DATABASE_URL; statements are planned anew each time for nothing."
        return [Finding("pooler", None, says, "Take DATABASE_POOLED out.")]
    says = "DATABASE_URL leads to a pooler, and Innkeeper leaves nothing in its sessions."
    return [Finding("pooler", True, says)] if is_there else []


async def _check_age(database: Database) -> list[Finding]:
    """Find out whether the server ends what a process that was stopped has begun."""
    async with database.connection("store.age") as connection:
        major = connection.get_server_version().major
    if major >= KNOWS_STOPPED:
        return []
    says = (
        f"version {major} does not end the transaction of a process that was stopped while it sent a statement (from"
        f" {KNOWS_STOPPED} on it does, after five minutes); its locks stay, and others may wait for them."
    )
    remedy = "If nothing moves: end that process or its session; docs/operations.md, “A stopped process”, says how."
    return [Finding("PostgreSQL", None, says, remedy)]


async def _check_extensions(database: Database) -> list[Finding]:
    """Look for the extensions that recall can make use of. All of them are optional."""
    query = "SELECT name FROM pg_available_extensions WHERE name = ANY($1)"
    there = {row["name"] for row in await database.read("store.extensions", query, list(WITHOUT))}
    remedy = "Install it on the server of DATABASE_URL."
    return [
        Finding(f"extension {name}", True, "is there.")
        if name in there
        else Finding(f"extension {name}", None, f"is missing: {without}.", remedy)
        for name, without in WITHOUT.items()
    ]


def _remedy(options: MemoryOptions, error: StoreError) -> str | None:
    if isinstance(error, SchemaError):
        return None  # it says so itself
    if isinstance(error, DatabaseRefused):
        return "Check user, password and database name in DATABASE_URL."
    if options.database_url:
        return "Check that the server of DATABASE_URL runs and can be reached from here."
    return f"Check that {options.data_dir} can be written to and has room; its postgres/guardian.log says more."
