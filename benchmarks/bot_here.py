"""Runs the bot in this process as `main.py bot` composes it, with its own PostgreSQL: what is measured end to end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

import asyncpg
from pydantic import SecretStr

from ai_clients.build import Models, without_models
from ai_clients.settings import ModelOptions
from benchmarks.local_guild_process import LocalGuildProcess
from bot.connection import Endpoint, speaking_to
from bot.run import garbage_collected_seldom, run_bot
from bot.settings import BotOptions
from memory.core.clock import Clock, SystemClock
from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.recall.indexer import Indexer
from memory.settings import MemoryOptions

POLL_SECONDS = 0.005
START_SECONDS = 120.0
POUR_SECONDS = 60.0
CATCH_UP_SECONDS = 300.0
SLOWEST = 200
"""Messages a second, below which something is wrong."""


Manager = TypeVar("Manager", bound=MemoryManager)


@dataclass(frozen=True, slots=True)
class Memory(Generic[Manager]):
    manager: Manager
    health: Health
    data_dir: Path

    def counted(self, part: str, what: str) -> int:
        return self.health.part(part).snapshot().counts.get(what, 0)

    async def rows(self) -> int:
        """Count the messages in the table, whatever anybody counted."""
        async with self.connection() as connection:
            return int(await connection.fetchval("SELECT count(*) FROM chat_history"))

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[asyncpg.Connection]:
        """Connect to the same database, past the memory."""
        server = EmbeddedPostgres(self.data_dir)
        address = await server.connect_arguments()
        connection = await asyncpg.connect(
            host=address.host, port=address.port, user=address.user, database=address.database
        )
        try:
            yield connection
        finally:
            await connection.close()
            await server.close()


@contextmanager
def open_folder() -> Iterator[Path]:
    """Open a folder that others can enter: as root, PostgreSQL runs as somebody who has to be let in."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


@asynccontextmanager
async def opened_memory(kind: type[Manager]) -> AsyncIterator[Memory[Manager]]:
    """Open an empty memory on the embedded PostgreSQL with the settings of every day."""
    with open_folder() as folder:
        clock = SystemClock()
        health = Health("bot", clock)
        options = MemoryOptions(data_dir=folder / "data", database_url=None)
        manager = await kind.open(options, clock=clock, health=health, models=without_models())
        if not isinstance(manager, kind):
            raise TypeError(f"{kind.__name__}.open gave another kind of memory")
        try:
            yield Memory(manager, health, options.data_dir)
        finally:
            await manager.close()


@asynccontextmanager
async def bot_running(guild: LocalGuildProcess, memory: Memory[Manager]) -> AsyncIterator[None]:
    """Run the bot, connected to that guild until the block ends."""
    options = BotOptions(
        token=SecretStr(await guild.bot_token()),
        api_base=f"{guild.url}/api/v10",
        gateway_url=guild.gateway_url,
        identify_seconds=0.0,
    )
    stop = asyncio.Event()
    gateway = memory.health.part("gateway")
    gateway.failing("Not connected yet.")
    with speaking_to(Endpoint.current()), garbage_collected_seldom():
        running = asyncio.create_task(run_bot(options, memory.manager, memory.health, SystemClock(), stop))
        try:
            async with asyncio.timeout(START_SECONDS):
                while gateway.snapshot().state is not PartState.ACTIVE:
                    if running.done():
                        running.result()
                    await asyncio.sleep(POLL_SECONDS)
            yield
        finally:
            stop.set()
            await running


async def pour_into_bot(guild: LocalGuildProcess, memory: Memory[Manager], messages: int) -> float:
    """Measure messages a second, from the first sent to the last committed."""
    wanted = memory.counted("log", "messages") + messages
    started = time.perf_counter()
    # What a lost session makes the bot read back instead is not counted, and would be waited for in vain.
    async with asyncio.timeout(POUR_SECONDS + messages / SLOWEST):
        order = asyncio.create_task(guild.pour(messages))
        while memory.counted("log", "messages") < wanted:
            if order.done():
                order.result()
            await asyncio.sleep(POLL_SECONDS)
        seconds = time.perf_counter() - started
        await order
    return messages / seconds


# A memory that indexes only while it is told to: the same can be measured with the indexer beside it and without.


class IndexingMemory(MemoryManager):
    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        models: Models | None = None,
        prices: ModelOptions | None = None,
    ) -> None:
        super().__init__(database, options, clock, health, models, prices)
        vars(self.indexer)["start"] = lambda: None  # the bot says so; here whoever measures decides

    def index(self) -> None:
        Indexer.start(self.indexer)

    async def rest(self) -> None:
        await self.indexer.stop()


Indexing = TypeVar("Indexing", bound=IndexingMemory)


@asynccontextmanager
async def index_running(memory: Memory[Indexing]) -> AsyncIterator[None]:
    """Run the indexer, which has caught up when the block begins, and once more when it has ended."""
    memory.manager.index()
    try:
        await _all_indexed(memory)
        yield
        await _all_indexed(memory)
    finally:
        await memory.manager.rest()


async def _all_indexed(memory: Memory[Indexing]) -> None:
    """Wait until all that was said by people is in the index and has its vector."""
    said = await memory.rows()
    async with asyncio.timeout(CATCH_UP_SECONDS):
        while memory.counted("index", "embedded") < said:  # noqa: ASYNC110 - another task's doing
            await asyncio.sleep(POLL_SECONDS)
