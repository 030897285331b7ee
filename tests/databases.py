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
from collections import Counter
from collections.abc import Coroutine, Sequence, Set
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote, urlsplit, urlunsplit
from uuid import uuid4

import asyncpg

from memory.db.database import Database, ExternalPostgres
from memory.db.embedded.cluster import StateFolder
from memory.db.embedded.server import EmbeddedPostgres, is_held_exclusively
from memory.db.migrate import migrate

Done = TypeVar("Done")

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


OFFICE = "the tests themselves"
"""What their sessions are called in `pg_stat_activity`."""
MOST_USES = 150
"""Rows that were deleted are still in its files."""
LOOKS = 25
_TABLES = """
SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1
"""
_COUNTERS = """
SELECT oid::regclass::text FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace ORDER BY 1
"""
_CATALOGUE = " UNION ALL ".join(
    f"SELECT count(*) || ':' || coalesce(sum(hashtext(xmin::text)), 0) FROM {catalogue} WHERE {ours} >= 16384"
    for catalogue, ours in (
        ("pg_class", "oid"),
        ("pg_attribute", "attrelid"),
        ("pg_trigger", "oid"),
        ("pg_constraint", "oid"),
        ("pg_proc", "oid"),
        ("pg_namespace", "oid"),
        ("pg_statistic", "starelid"),
        ("pg_db_role_setting", "setdatabase"),
    )
)
"""What a table is, and not what is in it: each row of a catalogue is written anew when it changes."""
_OTHERS = """
SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND pid <> ALL ($1::int[]) AND backend_type = 'client backend'
"""


class PostgresServer:
    """The server of this run, as one worker sees it."""

    def __init__(self, run: str) -> None:
        self._run = run
        self._has_template = False
        self._office = _Office()
        self._lent = _Lent(self._office)
        self._open: dict[str, Database] = {}
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

    async def lend(self, *, is_to_be_open: bool = False) -> str:
        """A migrated database without rows: one that others have used, or a new one; its name.

        One that is open has sessions in it.
        """
        closed = self._lent.idle - self._open.keys()
        name = self._lent.take(self._lent.idle & self._open.keys() or closed if is_to_be_open else closed)
        if name is None:
            name = await self.create(await self.template())
            if self._embedded is not None:
                await self._lent.watch(name, self.url_of(name))
        return name

    async def take_back(self, name: str) -> None:
        """To be lent again, if only rows were changed in it and nobody is there any more."""
        ours = [] if name not in self._open else _sessions(self._open[name])
        if not await self._lent.emptied(name, ours):
            if name in self._open:
                await self._open.pop(name).close()
            await self.drop(name)

    async def open(self, name: str) -> Database:
        """Open; with the connections of whoever had it before, which know all tables and have planned each statement.

        They belong to the event loop of a worker's whole run, and end with the server.
        """
        kept = self._open.pop(name, None)
        return kept or await Database.open(ExternalPostgres(self.url_of(name)), max_size=3)

    async def keep_open(self, name: str, database: Database) -> None:
        """For the next one, if it is as it was: nobody uses it, and nothing has gone wrong in it."""
        if database.state().active and _is_at_rest(database):
            self._open[name] = database
        else:
            await database.close()

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


def _pools(database: Database) -> "list[asyncpg.Pool[asyncpg.Record]]":
    return list(database._pools.values())


def _is_at_rest(database: Database) -> bool:
    return not any(pool.is_closing() or pool.get_size() > pool.get_idle_size() for pool in _pools(database))


def _sessions(database: Database) -> list[int]:
    """By their number on the server."""
    holders = [holder for pool in _pools(database) for holder in pool._holders]  # type: ignore[attr-defined] # not in its types
    return [holder._con.get_server_pid() for holder in holders if holder.is_connected()]


class _Office:
    """One connection for a whole worker, on a loop of its own: each test has another, and connecting takes a while."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="office", daemon=True)
        self._connection: asyncpg.Connection | None = None
        self._connections: list[asyncpg.Connection] = []

    async def execute(self, url: str, statement: str) -> None:
        await self.do(self._execute(url, statement))

    async def do(self, work: Coroutine[object, object, Done]) -> Done:
        if not self._thread.is_alive():
            self._thread.start()
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def close(self) -> None:
        if self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(self._disconnect(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()

    async def _execute(self, url: str, statement: str) -> None:
        if self._connection is None:
            self._connection = await self.connect(url)
        await self._connection.execute(statement)

    async def connect(self, url: str) -> "asyncpg.Connection":
        """On its own loop, until it closes."""
        self._connections.append(await asyncpg.connect(url, server_settings={"application_name": OFFICE}))
        return self._connections[-1]

    async def _disconnect(self) -> None:
        for connection in self._connections:
            connection.terminate()


class _Lent:
    """Databases that are emptied after a test instead of dropped, which costs a fifth of making another."""

    def __init__(self, office: _Office) -> None:
        self._office = office
        self.idle: set[str] = set()
        self._uses: Counter[str] = Counter()
        self._watching: dict[str, asyncpg.Connection] = {}
        self._states: dict[str, str] = {}

    def take(self, any_of: Set[str]) -> str | None:
        name = min(any_of, default=None)
        if name is not None:
            self.idle.remove(name)
        return name

    async def watch(self, name: str, url: str) -> None:
        await self._office.do(self._watch(name, url))

    async def emptied(self, name: str, ours: Sequence[int]) -> bool:
        """False: something may be left in it, and it is to be dropped. `ours`: sessions that may stay in it."""
        if name not in self._watching:
            return False
        self._uses[name] += 1
        is_empty = await self._office.do(self._empty(name, ours))
        if is_empty and self._uses[name] < MOST_USES:
            self.idle.add(name)
            return True
        await self._office.do(self._leave(name))
        return False

    async def _watch(self, name: str, url: str) -> None:
        connection = self._watching[name] = await self._office.connect(url)
        tables = [row[0] for row in await connection.fetch(_TABLES)]
        counters = [row[0] for row in await connection.fetch(_COUNTERS)]
        kept = [table for table in tables if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {table})")]
        rows = [f"IF EXISTS (SELECT FROM {one}) THEN DELETE FROM {one}; END IF;" for one in tables if one not in kept]
        first = [
            f"IF (SELECT is_called FROM {one}) THEN PERFORM setval('{one}', 1, false); END IF;" for one in counters
        ]
        same = " || ".join(f"(SELECT string_agg(one::text, ',' ORDER BY one::text) FROM {table} one)" for table in kept)
        await connection.execute(
            f"""
            SET lock_timeout = '5s';
            SET session_replication_role = replica;
            CREATE FUNCTION pg_temp.state() RETURNS text LANGUAGE sql AS $$
                SELECT concat({same}, (SELECT string_agg(one.it, ',') FROM ({_CATALOGUE}) AS one (it)))
            $$;
            CREATE FUNCTION pg_temp.emptied(known text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                IF pg_temp.state() <> known THEN RETURN false; END IF;
                {" ".join((*rows, *first))}
                RETURN true;
            END $$
            """
        )
        self._states[name] = await connection.fetchval("SELECT pg_temp.state()")

    async def _empty(self, name: str, ours: Sequence[int]) -> bool:
        connection = self._watching[name]
        try:
            for _ in range(LOOKS):
                if not await connection.fetchval(_OTHERS, ours):
                    return bool(await connection.fetchval("SELECT pg_temp.emptied($1)", self._states[name]))
                await asyncio.sleep(0.02)
        except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError):
            pass  # it was thrown out, or somebody holds something
        return False

    async def _leave(self, name: str) -> None:
        self._watching.pop(name).terminate()


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
