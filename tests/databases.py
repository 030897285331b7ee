"""A real PostgreSQL for the tests: one server for the whole run, one database per test, cloned from a template.

The server is our own embedded one, shared by all workers of a run; with TEST_DATABASE_URL it is that one instead
(its user must be allowed to create databases).
"""

import asyncio
import os
import shutil
import tempfile
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import uuid4

import asyncpg

from memory.db.database import Database, ExternalPostgres
from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import EmbeddedPostgres, is_held_exclusively
from memory.db.migrate import migrate

RUN_VARIABLE = "INNKEEPER_TEST_RUN"
PLACE_VARIABLE = "INNKEEPER_TEST_PLACE"
FOLDER_PREFIX = "innkeeper-test-"
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - the folder in it is made by us, and named at random
ENOUGH_MEMORY = 2 * 1024**3
"""A database is 9 MB, and a few are there at a time; most of the rest is the write-ahead log."""
TEMPLATE_TURN = 4711
MIGRATED_AT = datetime(2026, 1, 1, tzinfo=UTC)

# What is lost in a crash of the machine does not matter here. The crash tests use servers of their own.
FAST = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "200",
    "max_wal_size": "256MB",
    # Each test has fresh connections, which would plan each statement up to five times over, to find the same plan.
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}


class PostgresServer:
    """The server of this run, as one worker sees it."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._has_template = False
        self._office = _Office()
        self._base = os.environ.get("TEST_DATABASE_URL", "")
        self._embedded = None if self._base else EmbeddedPostgres(run_folder(run), settings=FAST)
        # Files that are in memory anyway are copied; written to the log block by block, they would be written twice.
        in_memory = self._embedded is not None and _place() == IN_MEMORY
        self._copying = "STRATEGY file_copy" if in_memory else ""

    def start(self) -> None:
        if self._embedded is not None:
            address = asyncio.run(self._embedded.connect_arguments())
            host = quote(str(address.host), safe="")
            self._base = f"postgresql://{address.user}@/{address.database}?host={host}&port={address.port}"

    def stop(self) -> None:
        self._office.close()
        if self._embedded is not None:
            asyncio.run(self._embedded.close())

    def url_of(self, database: str) -> str:
        parts = urlsplit(self._base)
        return urlunsplit(("postgresql", parts.netloc, f"/{database}", parts.query, ""))

    async def create(self, template: str | None = None) -> str:
        """A database of its own for one test; its name."""
        name = f"{self._prefix}{uuid4().hex[:12]}"
        await self._administer(f"CREATE DATABASE {name} TEMPLATE {template or 'template0'} {self._copying}")
        return name

    async def drop(self, name: str) -> None:
        await self._administer(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    async def template(self) -> str:
        """The migrated database that others are cloned from: made by whichever worker comes first."""
        name = f"{self._prefix}template"
        if self._has_template:
            return name
        connection = await asyncpg.connect(self._base)
        try:
            await connection.execute("SELECT pg_advisory_lock($1)", TEMPLATE_TURN)
            if not await connection.fetchval("SELECT count(*) FROM pg_database WHERE datname = $1", name):
                draft = await self.create()
                database = await Database.open(ExternalPostgres(self.url_of(draft)))
                await migrate(database, MIGRATED_AT)
                await database.close()
                await connection.execute(f"ALTER DATABASE {draft} RENAME TO {name}")
        finally:
            await connection.close()
        self._has_template = True
        return name

    async def drop_all(self) -> None:
        connection = await asyncpg.connect(self._base)
        try:
            names = await connection.fetch(
                "SELECT datname FROM pg_database WHERE starts_with(datname, $1)", self._prefix
            )
            for row in names:
                await connection.execute(f"DROP DATABASE IF EXISTS {row['datname']} WITH (FORCE)")
        finally:
            await connection.close()

    @property
    def _prefix(self) -> str:
        return f"innkeeper_test_{self._run}_"

    async def _administer(self, statement: str) -> None:
        await self._office.execute(self._base, statement)


class _Office:
    """One connection for a whole worker, on a loop of its own: each test has another, and connecting takes a while."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="office", daemon=True)
        self._connection: asyncpg.Connection | None = None

    async def execute(self, url: str, statement: str) -> None:
        if not self._thread.is_alive():
            self._thread.start()
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._execute(url, statement), self._loop))

    def close(self) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._disconnect(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()

    async def _execute(self, url: str, statement: str) -> None:
        if self._connection is None:
            self._connection = await asyncpg.connect(url)
        await self._connection.execute(statement)

    async def _disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.close()


def run_folder(run: str) -> Path:
    """Not one of pytest's own: as root, those are closed to the account the server runs as."""
    return _place() / f"{FOLDER_PREFIX}{run}"


def _place() -> Path:
    return Path(os.environ[PLACE_VARIABLE])


def begin_run() -> None:
    """In the first process of a run: name it for the workers, and remove what killed runs have left."""
    os.environ[RUN_VARIABLE] = uuid4().hex[:12]
    places = [IN_MEMORY, Path(tempfile.gettempdir())]
    for folder in (folder for place in places for folder in place.glob(f"{FOLDER_PREFIX}*")):
        with suppress(OSError):
            is_old = time.time() - folder.stat().st_mtime > 3600
            if is_old and not is_held_exclusively(StateFolder(folder).guardian_lock):
                shutil.rmtree(folder)
    os.environ[PLACE_VARIABLE] = str(next(place for place in places if _has_room(place)))


def _has_room(place: Path) -> bool:
    """Where there is no memory to spare, the temporary folder has to do."""
    if place != IN_MEMORY:
        return True
    return os.access(place, os.W_OK | os.X_OK) and shutil.disk_usage(place).free > ENOUGH_MEMORY


def end_run() -> None:
    """In the first process of a run, after all workers have gone."""
    run = os.environ[RUN_VARIABLE]
    if os.environ.get("TEST_DATABASE_URL"):
        asyncio.run(PostgresServer(run).drop_all())
    deadline = time.monotonic() + 30
    while is_held_exclusively(StateFolder(run_folder(run)).guardian_lock) and time.monotonic() < deadline:
        time.sleep(0.05)
    shutil.rmtree(run_folder(run), ignore_errors=True)
