"""Which PostgreSQL serves, by the settings, and how its state becomes known."""

from dataclasses import dataclass

from memory.core.clock import Clock
from memory.db.database import ConnectionSource, Database, Extension, ExternalPostgres, OnState
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.errors import DatabaseRefused, StoreError
from memory.db.migrate import migrate
from memory.health import Part
from memory.settings import MemoryOptions
from memory.shards import ShardLeaseStore


def connection_source(options: MemoryOptions) -> ConnectionSource:
    if options.database_url is not None:
        return ExternalPostgres(options.database_url.get_secret_value())
    return EmbeddedPostgres(options.data_dir, bin_dir=options.postgres_bin_dir)


def told_to(part: Part) -> OnState:
    def note(active: bool, reason: str | None) -> None:
        if active:
            part.active()
        else:
            part.failing(reason or "The database does not answer.")

    return note


# What a look at one thing has found: the lines of `doctor`.


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `ok` is None where it is worth saying but neither good nor bad."""

    name: str
    ok: bool | None
    says: str
    remedy: str | None = None


# Looks whether the database is there, writable, and has what recall can make use of.


# Our own server may first have to be made, or to recover; one of somebody else's is there or it is not.
OWN_PATIENCE_S = 90.0
FOREIGN_PATIENCE_S = 5.0
WITHOUT = {
    "vector": "recall will run on words alone",
    "pg_trgm": "typing mistakes will not be forgiven",
    "unaccent": "accents will be told apart",
}


async def check_database(options: MemoryOptions, clock: Clock) -> list[Finding]:
    where = "DATABASE_URL" if options.database_url else f"embedded PostgreSQL in {options.data_dir}"
    try:
        patience = FOREIGN_PATIENCE_S if options.database_url else OWN_PATIENCE_S
        database = await Database.open(connection_source(options), open_patience=patience)
        try:
            version = await migrate(database, clock.now())
            found = [Finding("database", True, f"{where} answers; its schema is version {version}.")]
            holders = await ShardLeaseStore(database).holders()
            found += [Finding("connected", None, f"{one}, unless it has died; others stand by.") for one in holders]
            return found + [_extension(extension) for extension in await database.extensions()]
        finally:
            await database.close()
    except StoreError as error:
        return [Finding("database", False, str(error), _remedy(options, error))]


def _extension(extension: Extension) -> Finding:
    name = f"extension {extension.name}"
    if extension.available:
        return Finding(name, True, "is there.")
    return Finding(name, None, f"is missing: {WITHOUT[extension.name]}.", "Install it on the server of DATABASE_URL.")


def _remedy(options: MemoryOptions, error: StoreError) -> str:
    if isinstance(error, DatabaseRefused):
        return "Check user, password and database name in DATABASE_URL."
    if options.database_url:
        return "Check that the server of DATABASE_URL runs and can be reached from here."
    return f"Check that {options.data_dir} can be written to and has room; its postgres/guardian.log says more."
