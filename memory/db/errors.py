"""Defines what can go wrong between Innkeeper and its database. Stores raise these, edges tell the user.

    StoreError
    ├── DatabaseAway              no answer just now; what was not committed is not stored; try again
    │   ├── DatabaseSlow          it is there, but did not answer in time
    │   │   └── StatementTimeout  one statement, or its turn, took too long; others may well be answered
    │   ├── DatabaseRefused       it is there, but does not let us in; the settings need a look
    │   └── EmbeddedServerFailed  our own PostgreSQL did not start; the text says why
    │       └── DataFolderUnusable  its folder cannot be written to; the settings need a look
    ├── DatabaseReadOnly          it answers, but takes no writes
    ├── DatabaseFull              it answers, but its disk is full
    ├── BinariesNotFound          there is no PostgreSQL to start
    ├── GuildNotMet               nothing can be decided about a guild before it is known
    └── SchemaError               the tables are not what this version of Innkeeper needs
        ├── SchemaTooNew          a newer Innkeeper wrote them
        └── MigrationFailed       a step failed; nothing of that step was kept

The text of each is a sentence for people. It never holds a statement, a parameter or a row; the driver's own
error is chained as the cause, with its details (which may quote rows) removed.
"""

import errno

import asyncpg


class StoreError(Exception):
    """Covers any failure of the store that a caller may want to handle."""


class DatabaseAway(StoreError):
    """The connection could not be made or was lost.

    If it was lost while committing, the outcome is unknown: repeat only what may be done twice.
    """


class DatabaseSlow(DatabaseAway):
    """The database did not answer in time."""


class StatementTimeout(DatabaseSlow):
    """One statement took too long, or waited too long for what others held: that need not concern anybody else."""


class DatabaseRefused(DatabaseAway):
    """The server is there but does not accept us: wrong password, no such database …"""


class EmbeddedServerFailed(DatabaseAway):
    """Our own PostgreSQL did not start."""


class DataFolderUnusable(EmbeddedServerFailed):
    """The folder of our own PostgreSQL cannot be made or written to."""


class DatabaseReadOnly(StoreError):
    """The database takes no writes at the moment."""


class DatabaseFull(StoreError):
    """The database has no room left on its disk."""


class BinariesNotFound(StoreError):
    """Says that there are no PostgreSQL programs where we looked."""


class GuildNotMet(StoreError):
    """The guild is not in the database yet: its members are still being written."""


class SchemaError(StoreError):
    """The schema is not what this version needs, or its description is broken."""


class SchemaTooNew(SchemaError):
    """The database was written by a newer Innkeeper."""


class MigrationFailed(SchemaError):
    """One step of bringing the schema up to date failed and was undone."""


# From the driver's errors to ours: which of them mean that the database is away, full or read-only.


# Everything that connecting or a statement may raise when something is wrong with the server or the way to it.
DRIVER_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)

# A value that does not fit its column, found by the driver or by the server: no retry would help.
BAD_VALUES = (
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
    ValueError,
    OverflowError,
)

# asyncpg raises a bare InternalClientError when the server dies under it at the wrong moment.
LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InternalClientError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.IdleSessionTimeoutError,
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.DatabaseDroppedError,
    ConnectionError,
)

AWAY = "The database cannot be reached just now. Innkeeper keeps trying; what was not confirmed is not stored."
SLOW = "The database did not answer in time. It may be overloaded or on its way down."
FULL = "The disk of the database is full, so nothing new can be stored. Make room and it goes on by itself."
READ_ONLY = "The database takes no writes at the moment (read-only)."
BAD_ADDRESS = "DATABASE_URL is not a valid address of a PostgreSQL database (postgresql://user@host/database)."


def of_use(error: BaseException, *, is_closed: bool) -> StoreError | None:
    """Translate an error in the middle of a use; None if it is not about the database's health."""
    match error:
        case StoreError():
            return None
        case asyncpg.DiskFullError():
            return DatabaseFull(FULL)
        case OSError(errno=errno.ENOSPC):
            return DatabaseFull(FULL)
        case asyncpg.ReadOnlySQLTransactionError():
            return DatabaseReadOnly(READ_ONLY)
        case TimeoutError() | asyncpg.QueryCanceledError():
            return StatementTimeout(SLOW)
        case asyncpg.InterfaceError() if not is_closed or isinstance(error, ValueError):
            return None  # a mistake of ours in the use of the driver, or a value that does not fit its column
        case asyncpg.InterfaceError():
            return DatabaseAway(AWAY)
        case _ if isinstance(error, LOST):
            return DatabaseAway(AWAY)
    return None


def of_connecting(error: BaseException) -> StoreError:
    """Translate an error on the way to a connection. No statement of ours has been sent yet."""
    match error:
        case StoreError():
            return error
        case asyncpg.ClientConfigurationError():
            return DatabaseRefused(BAD_ADDRESS)
        case asyncpg.TooManyConnectionsError():
            return DatabaseAway(AWAY)
        case _ if isinstance(error, LOST):
            return DatabaseAway(AWAY)
        case asyncpg.PostgresError():
            return DatabaseRefused(f"The database does not let us in: {error.args[0]}.")
        case TimeoutError():
            return DatabaseSlow(SLOW)
    return DatabaseAway(AWAY)


def concerns_everybody(error: BaseException) -> bool:
    """Say whether the database is away for every guild; otherwise it may be the work of one that fails."""
    is_store = isinstance(error, DatabaseAway | DatabaseFull | DatabaseReadOnly)
    return is_store and not isinstance(error, StatementTimeout)


def without_details(error: BaseException) -> None:
    """Take out of a driver's error what may quote a row: it could be logged with a traceback."""
    if isinstance(error, asyncpg.PostgresError):
        for name in ("detail", "hint", "context", "internal_query", "query"):
            if getattr(error, name, None) is not None:
                setattr(error, name, None)
