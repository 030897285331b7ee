"""The errors that leave the memory package, for those who may not import its store."""

from memory.store.errors import (
    BinariesNotFound,
    DatabaseAway,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseRefused,
    DatabaseSlow,
    EmbeddedServerFailed,
    GuildNotMet,
    MigrationFailed,
    SchemaError,
    SchemaTooNew,
    StoreError,
)

__all__ = [
    "BinariesNotFound",
    "DatabaseAway",
    "DatabaseFull",
    "DatabaseReadOnly",
    "DatabaseRefused",
    "DatabaseSlow",
    "EmbeddedServerFailed",
    "GuildNotMet",
    "MigrationFailed",
    "SchemaError",
    "SchemaTooNew",
    "StoreError",
]
