"""Where connections come from: our own server (`memory.store.embedded`) or one of somebody else."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Address:
    """How to reach a database: a DSN, or a socket folder and names."""

    dsn: str | None = None
    host: str | None = None
    port: int | None = None
    user: str | None = None
    database: str | None = None

    def __repr__(self) -> str:
        return f"Address({self.host or 'DATABASE_URL'})"  # a DSN may hold a password


class ConnectionSource(Protocol):
    """Asked for every new connection, so that a server that died can be started again."""

    async def connect_arguments(self) -> Address: ...

    async def close(self) -> None: ...


class ExternalPostgres:
    """A server that somebody else runs (DATABASE_URL)."""

    def __init__(self, dsn: str) -> None:
        self._address = Address(dsn=dsn)

    async def connect_arguments(self) -> Address:
        return self._address

    async def close(self) -> None:
        return None
