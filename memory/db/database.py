"""Opens the one way to PostgreSQL: named uses of a pool that comes back by itself after a loss.

database = await Database.open(EmbeddedPostgres(data_dir))
    async with database.transaction("store.facts.add") as connection:
        await connection.execute(...)

Some connections are kept for uses that others must not starve, each by its `Lane`. And whoever has to wait for another
of this process, about the same guild, takes a `turn` first: they wait without a connection then.

A use that fails because of the database raises one of `memory.db.errors`. No statement is ever repeated on its own:
only the caller knows whether it may be. Waiting happens only before the first statement has been sent.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NewType, Protocol, TypeAlias
from weakref import WeakValueDictionary

import asyncpg
import orjson
from asyncpg.pool import PoolConnectionProxy
from asyncpg.transaction import Transaction
from pgvector import HalfVector

from memory.db import errors
from memory.db.errors import DatabaseAway, DatabaseRefused, EmbeddedServerFailed, StatementTimeout, StoreError

# Where connections come from: our own server (`memory.db.embedded.server`) or one of somebody else.


@dataclass(frozen=True, slots=True)
class Address:
    """Says how to reach a database: a DSN, or a socket folder and names."""

    dsn: str | None = None
    host: str | None = None
    port: int | None = None
    user: str | None = None
    database: str | None = None

    def __repr__(self) -> str:
        return f"Address({self.host or 'DATABASE_URL'})"  # a DSN may hold a password


class ConnectionSource(Protocol):
    """Says where the server is for every new connection, so that one that died can be started again."""

    open_patience: float
    """Seconds that the first connection may take."""

    async def connect_arguments(self) -> Address: ...

    async def close(self) -> None: ...


class ExternalPostgres:
    """Reaches a server that somebody else runs (DATABASE_URL)."""

    open_patience = 5.0  # it is there or it is not

    def __init__(self, dsn: str) -> None:
        self._address = Address(dsn=dsn)

    async def connect_arguments(self) -> Address:
        return self._address

    async def close(self) -> None:
        return None


class PooledPostgres(ExternalPostgres):
    """Reaches a server behind PgBouncer or its like (DATABASE_POOLED); each transaction may come to another session."""


logger = logging.getLogger(__name__)

Record = asyncpg.Record
"""A row as PostgreSQL gave it."""
if TYPE_CHECKING:
    Connection: TypeAlias = PoolConnectionProxy[asyncpg.Record]
else:
    Connection = PoolConnectionProxy  # generic for the type checker only
LogWrite = NewType("LogWrite", Connection)
"""A connection whose transaction owns the log of a guild. Only `memory.log.store.own_log` makes one; what must not be
done without owning the log asks for it."""
Begin: TypeAlias = Callable[[Connection], Awaitable[None]]
OnState: TypeAlias = Callable[[bool, str | None], None]
Isolation: TypeAlias = Literal["read_committed", "repeatable_read", "serializable"]

RELEASE_TIMEOUT = 5.0
CLOSE_TIMEOUT = 10.0
SLOW_NOTED_EVERY = 60.0
ABANDONED = "idle_in_transaction_session_timeout = '25s'"
"""A process that is stopped in the middle of a transaction would hold its locks for as long, and nobody could go on in
its place; the server ends it."""
STOPPED = "transaction_timeout = '5min'"
"""As long as nothing of ours takes. Who is stopped while a statement is being sent is not idle to the server."""
KNOWS_STOPPED = 17
"""The first PostgreSQL that can be told so."""
LEAST_ALIKE = 0.4
"""Of two words for `%`, from 0 to 1: with less, an index brings many that are not meant. Through a pooler it is 0.3, as
PostgreSQL has it, and whoever asks leaves out what is less alike."""
APPLICATION = "innkeeper"
"""What a session of ours is called in `pg_stat_activity`."""


class Lane(StrEnum):
    """Names which connections a use takes."""

    SHARED = "shared"
    LOG = "log"
    """What is said is written, whatever everybody else waits for."""
    EXPORT = "export"
    """These read for minutes."""


RESERVED = MappingProxyType({Lane.LOG: 3, Lane.EXPORT: 2})
"""Connections besides the shared ones, opened when they are needed."""


@dataclass(frozen=True, slots=True)
class State:
    """Says whether the last use found the database in order, and if not, why."""

    active: bool
    reason: str | None = None


class _Lost(DatabaseAway):
    """Says that a connection was lost which nobody had made sure of."""


def _limits(connection: "Connection | asyncpg.Connection[asyncpg.Record]", set_to: str) -> str:
    given = (ABANDONED, STOPPED) if connection.get_server_version().major >= KNOWS_STOPPED else (ABANDONED,)
    return ";".join(f"{set_to} {limit}" for limit in given)


async def take_as_long_as_needed(connection: Connection) -> None:
    """Lift the time limit of the caller's transaction, for what goes through everything: migration, export, import."""
    if connection.get_server_version().major >= KNOWS_STOPPED:
        await connection.execute("SET LOCAL transaction_timeout = 0")


class Database:
    """Holds the pools of connections to one database. Made by `Database.open`."""

    def __init__(
        self,
        source: ConnectionSource,
        *,
        on_state: OnState | None,
        patience: float,
        slow_seconds: float,
        command_timeout: float,
    ) -> None:
        self._source = source
        self._on_state = on_state
        self._patience = patience
        self._slow_seconds = slow_seconds
        self._quiet_until: dict[str, float] = {}
        """For each name, until when another slow use is not logged: a slow disk makes all of them slow."""
        self._command_timeout = command_timeout
        self._state = State(active=True)
        self._waited_in_vain = False
        self._lacks_vectors = False
        self._pools: dict[Lane, asyncpg.Pool[asyncpg.Record]] = {}
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @classmethod
    async def open(
        cls,
        source: ConnectionSource,
        *,
        on_state: OnState | None = None,
        max_size: int = 10,
        patience: float = 10.0,
        open_patience: float | None = None,
        slow_seconds: float = 0.5,
        command_timeout: float = 30.0,
    ) -> "Database":
        """Connect once, to be sure that it works, and return the open database.

        `max_size` are the shared connections, besides those in `RESERVED`. `patience` is how long a use may wait for
        one; `open_patience` is the same for this first one, if not as long as its source says.
        """
        database = cls(
            source,
            on_state=on_state,
            patience=patience,
            slow_seconds=slow_seconds,
            command_timeout=command_timeout,
        )
        for lane, size in {Lane.SHARED: max_size, **RESERVED}.items():
            database._pools[lane] = await asyncpg.create_pool(
                min_size=0,
                max_size=size,
                connect=database._connect,
                init=database._prepare,
                reset=_keep_session,
            )
        try:
            first = source.open_patience if open_patience is None else open_patience
            await database._release(await database._acquire(first, Lane.SHARED), Lane.SHARED)
        except BaseException:
            await database.close()
            raise
        database._note(State(active=True), always=True)
        return database

    @property
    def is_pooled(self) -> bool:
        """Say whether a pooler stands between us and the server."""
        return isinstance(self._source, PooledPostgres)

    @property
    def connections(self) -> dict[str, int]:
        """Count the connections of all lanes: those that are open, those in use, and as many as there may be."""
        pools = self._pools.values()
        there = sum(pool.get_size() for pool in pools)
        idle = sum(pool.get_idle_size() for pool in pools)
        return {"connections": there, "busy": there - idle, "most": sum(pool.get_max_size() for pool in pools)}

    async def close(self) -> None:
        """Close the pools and their source: our own server may stop now, if nobody else uses it."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.gather(*(pool.close() for pool in self._pools.values()))
        except errors.DRIVER_ERRORS:
            for pool in self._pools.values():
                pool.terminate()
        finally:
            await self._source.close()

    def state(self) -> State:
        return self._state

    def connection(self, name: str) -> AbstractAsyncContextManager[Connection]:
        """Open a connection for one use. `name` says whose, for example `store.messages.page`."""
        return self._use(name, _be_sure, Lane.SHARED)

    async def read(self, name: str, query: str, *values: object) -> "list[asyncpg.Record]":
        """Fetch what one statement finds that changes nothing.

        Nobody makes sure of a connection for it, which takes as long again. Where it turns out to be lost, the
        statement is asked once more on another one.
        """
        try:
            async with self._use(name, None, Lane.SHARED) as connection:
                return await connection.fetch(query, *values)
        except _Lost:
            async with self.connection(name) as connection:
                return await connection.fetch(query, *values)

    @asynccontextmanager
    async def transaction(
        self,
        name: str,
        *,
        isolation: Isolation | None = None,
        readonly: bool = False,
        lane: Lane = Lane.SHARED,
        patience: float | None = None,
    ) -> AsyncIterator[Connection]:
        """Run all of the block or nothing of it. `DatabaseAway` from the end of the block: the outcome is unknown.

        `patience`: how long it may wait to begin, if not as long as others.
        """
        begun: list[Transaction] = []

        async def begin(connection: Connection) -> None:
            transaction = connection.transaction(isolation=isolation, readonly=readonly)
            await transaction.start()
            if self.is_pooled:  # a session is everybody's there: each transaction says when it is abandoned
                await connection.execute(_limits(connection, "SET LOCAL"))
            begun.append(transaction)

        async with self._use(name, begin, lane, patience) as connection:
            try:
                yield connection
            except BaseException:
                with suppress(*errors.DRIVER_ERRORS):  # a lost connection has rolled back already
                    await begun[0].rollback()
                raise
            await begun[0].commit()

    @asynccontextmanager
    async def turn(self, guild_id: int) -> AsyncIterator[None]:
        """Let one of this process in at a time for each guild, in their order; before a connection is taken.

        Whoever holds it takes no second turn of the same guild. It is waited for as long as for a statement.
        """
        lock = self._turns.get(guild_id)
        if lock is None:
            lock = self._turns[guild_id] = asyncio.Lock()
        try:
            async with asyncio.timeout(self._command_timeout):
                await lock.acquire()
        except TimeoutError as error:
            raise StatementTimeout(errors.SLOW) from error
        try:
            yield
        finally:
            lock.release()

    @asynccontextmanager
    async def _use(
        self, name: str, begin: Begin | None, lane: Lane, patience: float | None = None
    ) -> AsyncIterator[Connection]:
        started = asyncio.get_running_loop().time()
        connection = await self._acquire(self._patience if patience is None else patience, lane, begin)
        acquired = asyncio.get_running_loop().time()
        try:
            yield connection
        except BaseException as error:
            errors.without_details(error)
            failure = errors.of_use(error, is_closed=_is_closed(connection))
            if failure is None:
                raise
            if begin is None and _is_closed(connection):
                raise _Lost from error
            self._note_failure(failure, name)
            if isinstance(failure, DatabaseAway) and not _is_closed(connection):
                connection.terminate()
            raise failure from error
        else:
            self._note(State(active=True))
        finally:
            await self._release(connection, lane)
            self._warn_if_slow(name, started, acquired)

    async def forget_plans(self) -> None:
        """Have every connection made anew before its next use: the tables changed under its prepared statements."""
        for pool in self._pools.values():
            await pool.expire_connections()

    async def learn_vectors(self) -> None:
        """Have every connection made anew if one is older than pgvector here: it knows no vectors."""
        if self._lacks_vectors:
            self._lacks_vectors = False
            await self.forget_plans()

    async def _connect(self, *_: object, **kwargs: Any) -> "asyncpg.Connection[asyncpg.Record]":  # noqa: ANN401 - the pool's own arguments
        """Connect for the pool. The source is asked each time: it may have to start the server again."""
        address = await self._source.connect_arguments()
        try:
            return await asyncpg.connect(
                address.dsn,
                host=address.host,
                port=address.port,
                user=address.user,
                database=address.database,
                ssl=None if address.dsn else False,
                command_timeout=self._command_timeout,
                # A pooler keeps the sessions of those who have gone; nobody takes them for somebody who is there.
                server_settings={"application_name": "innkeeper, pooled" if self.is_pooled else APPLICATION},
                # A pooler may bring each statement to another session, which knows nothing of the one before.
                **(kwargs | {"statement_cache_size": 0} if self.is_pooled else kwargs),
            )
        except ValueError as error:
            if isinstance(error, OSError):
                raise  # a certificate that is not valid is both
            raise DatabaseRefused(errors.BAD_ADDRESS) from None  # it may quote the password

    async def _prepare(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        if not self.is_pooled:  # without pg_trgm the first does nothing
            await connection.execute(
                f"SET pg_trgm.similarity_threshold = {LEAST_ALIKE}; SET jit = off; {_limits(connection, 'SET')}"
            )
        for name in ("json", "jsonb"):
            await connection.set_type_codec(
                name, schema="pg_catalog", encoder=_encode_json, decoder=orjson.loads, format="text"
            )
        try:
            await _read_vectors(connection, "public")  # where nearly everybody has them
        except ValueError:
            if schema := await connection.fetchval(_SCHEMA_OF_VECTORS):
                await _read_vectors(connection, schema)
            else:
                self._lacks_vectors = True

    async def _acquire(self, patience: float, lane: Lane, begin: Begin | None = None) -> Connection:
        """Take a connection, waiting for a server that is on its way back.

        Beginning a transaction belongs to it: a pooled connection may have died without our noticing, and until then
        nothing of the caller's has been sent. Once the wait has been in vain, later uses try only once, so
        that a long outage does not make everything slow.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        pause = 0.05
        while True:
            try:
                connection = await self._begin(max(deadline - loop.time(), 0.1), lane, begin)
            except (*errors.DRIVER_ERRORS, StoreError) as error:
                failure = errors.of_connecting(error)
                is_final = isinstance(failure, DatabaseRefused | EmbeddedServerFailed) or self._waited_in_vain
                if is_final or loop.time() + pause >= deadline:
                    self._waited_in_vain = True
                    self._note_failure(failure, "connecting")
                    if failure is error:
                        raise
                    raise failure from error
            else:
                self._waited_in_vain = False
                return connection
            await asyncio.sleep(pause)
            pause = min(pause * 2, 1.0)

    async def _begin(self, timeout: float, lane: Lane, begin: Begin | None) -> Connection:
        connection: Connection = await self._pools[lane].acquire(timeout=timeout)
        if begin is not None:
            try:
                async with asyncio.timeout(timeout):
                    await begin(connection)
            except BaseException:
                if not _is_closed(connection):
                    connection.terminate()
                await self._release(connection, lane)
                raise
        return connection

    async def _release(self, connection: Connection, lane: Lane) -> None:
        """Give a connection back. Whether the work was done has been decided before, so a loss now changes nothing."""
        try:
            await self._pools[lane].release(connection, timeout=RELEASE_TIMEOUT)
        except errors.DRIVER_ERRORS as error:
            logger.debug("a connection was lost while it was given back: %s", type(error).__name__)

    def _note_failure(self, failure: StoreError, name: str) -> None:
        state = State(active=False, reason=str(failure))
        # One line for each change: during an outage every attempt fails for the same reason.
        level = logging.DEBUG if state == self._state else logging.WARNING
        logger.log(level, "database failure in %s: %s", name, type(failure).__name__)
        self._note(state)

    def _note(self, state: State, *, always: bool = False) -> None:
        if always or state != self._state:
            if state.active and not self._state.active:
                logger.info("database answers again")
            self._state = state
            if self._on_state is not None:
                self._on_state(state.active, state.reason)

    def _warn_if_slow(self, name: str, started: float, acquired: float) -> None:
        now = asyncio.get_running_loop().time()
        if now - started >= self._slow_seconds and now >= self._quiet_until.get(name, 0):
            self._quiet_until[name] = now + SLOW_NOTED_EVERY
            logger.warning(
                "slow query: %s took %d ms after waiting %d ms for a connection",
                name,
                (now - acquired) * 1000,
                (acquired - started) * 1000,
            )


_SCHEMA_OF_VECTORS = """
SELECT nspname FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace
WHERE pg_type.oid = to_regtype('halfvec')
"""


async def _read_vectors(connection: "asyncpg.Connection[asyncpg.Record]", schema: str) -> None:
    """Teach a connection to read vectors. Raises `ValueError` where that schema has none."""
    await connection.set_type_codec(
        "halfvec", schema=schema, encoder=HalfVector.to_binary, decoder=HalfVector.from_binary, format="binary"
    )


def _is_closed(connection: Connection) -> bool:
    try:
        return bool(connection.is_closed())
    except asyncpg.InterfaceError:
        return True  # the pool has already taken it away, which it does when a connection dies


async def _be_sure(connection: Connection) -> None:
    """Send a statement: a pooled connection may have died without our noticing."""
    await connection.execute("SELECT 1")


async def _keep_session(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Reset nothing: nobody changes a setting of a session or holds anything beyond a transaction, which the pool rolls
    back by itself where one is open. A round trip after each use would undo nothing."""


def _encode_json(value: object) -> str:
    return orjson.dumps(value).decode()


# Reading from the store where neither a transaction nor a certain connection is needed: each statement for itself.


class Reads(Protocol):
    """Describes a connection for whoever only reads, or something like it."""

    async def fetch(self, query: str, *values: object) -> list[asyncpg.Record]: ...


class Reading:
    """Reads and holds no connection between two statements, so nobody has to wait for it."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    async def fetch(self, query: str, *values: object) -> list[asyncpg.Record]:
        return await self._database.read(self._name, query, *values)
