"""From the driver's errors to ours: which of them mean that the database is away, full or read-only."""

import errno

import asyncpg

from memory.store.errors import (
    DatabaseAway,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseRefused,
    DatabaseSlow,
    StatementTimeout,
    StoreError,
)

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
    """What an error in the middle of a use means, or None if it is not about the database's health."""
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
    """What an error on the way to a connection means. No statement of ours has been sent yet."""
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
    """Whether the database is not to be had, for whatever guild; otherwise it may be the work of one that fails."""
    is_store = isinstance(error, DatabaseAway | DatabaseFull | DatabaseReadOnly)
    return is_store and not isinstance(error, StatementTimeout)


def without_details(error: BaseException) -> None:
    """Take out of a driver's error what may quote a row: it could be logged with a traceback."""
    if isinstance(error, asyncpg.PostgresError):
        for name in ("detail", "hint", "context", "internal_query", "query"):
            if getattr(error, name, None) is not None:
                setattr(error, name, None)
