"""The line between memory and PostgreSQL, for tests that cut it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import parse_qs, urlsplit

from memory.db.database import Database
from memory.manager import MemoryManager

HURRY_SECONDS = 0.3
"""Only while nobody answers: a machine that is busy takes longer to connect."""


class Cable:
    """Forwards a loopback port to the database; cut, it drops every connection and takes none."""

    def __init__(self, database_url: str) -> None:
        parts = urlsplit(database_url)
        query = parse_qs(parts.query)
        self._folder = query["host"][0] if "host" in query else None
        self._host, self._port = parts.hostname or "", int(query.get("port", [parts.port or 5432])[0])
        self._user, self._database = parts.username or "", parts.path.lstrip("/")
        self._password = f":{parts.password}" if parts.password else ""
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self._listening_on = 0
        self._is_cut = True
        self._hurried: dict[Database, float] = {}

    @property
    def url(self) -> str:
        return f"postgresql://{self._user}{self._password}@127.0.0.1:{self._listening_on}/{self._database}"

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", self._listening_on)
        self._listening_on = self._server.sockets[0].getsockname()[1]
        self._is_cut = False
        for database, patience in self._hurried.items():
            database._patience = patience
        self._hurried.clear()

    async def cut(self, hurried: MemoryManager | Database | None = None) -> None:
        """Who is `hurried` does not wait ten seconds for the database before it does without. Not where commands are
        used meanwhile: one that looked into memory before it answers would be found out by those."""
        assert self._server is not None
        if hurried is not None:
            database = hurried if isinstance(hurried, Database) else hurried._database
            self._hurried[database] = database._patience
            database._patience = HURRY_SECONDS
        self._is_cut = True
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_cut:  # taken just before, and begun only now
            writer.transport.abort()
            return
        self._writers.add(writer)  # at once: what is only half connected when the line is cut must not live on
        if self._folder is not None:
            there = await asyncio.open_unix_connection(f"{self._folder}/.s.PGSQL.{self._port}")
        else:
            there = await asyncio.open_connection(self._host, self._port)
        await asyncio.gather(self._pump(reader, there[1]), self._pump(there[0], writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            with contextlib.suppress(ConnectionError):
                while chunk := await reader.read(65536):
                    writer.write(chunk)
                    await writer.drain()
        finally:
            self._writers.discard(writer)
            writer.close()


@contextlib.asynccontextmanager
async def cable_to(database_url: str) -> AsyncIterator[Cable]:
    cable = Cable(database_url)
    await cable.mend()
    try:
        yield cable
    finally:
        await cable.cut()
