"""Reading from the store where neither a transaction nor a certain connection is needed: each statement for itself."""

from typing import Protocol

import asyncpg

from memory.store.database import Database


class Reads(Protocol):
    """A connection, for whoever only reads; or something like it."""

    async def fetch(self, query: str, *values: object) -> list[asyncpg.Record]: ...


class Reading:
    """Holds no connection between two statements, so nobody has to wait for it."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    async def fetch(self, query: str, *values: object) -> list[asyncpg.Record]:
        return await self._database.read(self._name, query, *values)
