"""What can go wrong between Innkeeper and its database. Stores raise these, edges tell the user.

    StoreError
    ├── DatabaseAway              no answer just now; what was not committed is not stored; try again
    │   ├── DatabaseSlow          it is there, but did not answer in time
    │   │   └── StatementTimeout  one statement, or its turn, took too long; others may well be answered
    │   ├── DatabaseRefused       it is there, but does not let us in; the settings need a look
    │   └── EmbeddedServerFailed  our own PostgreSQL did not start; the text says why
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


class StoreError(Exception):
    """Any failure of the store that a caller may want to handle."""


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


class DatabaseReadOnly(StoreError):
    """The database takes no writes at the moment."""


class DatabaseFull(StoreError):
    """The database has no room left on its disk."""


class BinariesNotFound(StoreError):
    """No PostgreSQL programs where we looked."""


class GuildNotMet(StoreError):
    """The guild is not in the database yet: its members are still being written."""


class SchemaError(StoreError):
    """The schema is not what this version needs, or its description is broken."""


class SchemaTooNew(SchemaError):
    """The database was written by a newer Innkeeper."""


class MigrationFailed(SchemaError):
    """One step of bringing the schema up to date failed and was undone."""
