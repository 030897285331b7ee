"""The bot in this process, as `main.py bot` composes it, with a PostgreSQL of its own: what is measured end to end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

import asyncpg
from pydantic import SecretStr

from benchmarks.local_guild_process import LocalGuildProcess
from bot.endpoint import Endpoint, speaking_to
from bot.running import run_bot
from bot.settings import BotOptions
from memory.core.clock import SystemClock
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.store.embedded import EmbeddedPostgres

POLL_SECONDS = 0.005
START_SECONDS = 120.0


Manager = TypeVar("Manager", bound=MemoryManager)


@dataclass(frozen=True, slots=True)
class Memory(Generic[Manager]):
    manager: Manager
    health: Health
    data_dir: Path

    def counted(self, part: str, what: str) -> int:
        return self.health.part(part).snapshot().counts.get(what, 0)

    async def rows(self) -> int:
        """How many messages are in the table, whatever anybody counted."""
        server = EmbeddedPostgres(self.data_dir)
        address = await server.connect_arguments()
        connection = await asyncpg.connect(
            host=address.host, port=address.port, user=address.user, database=address.database
        )
        try:
            return int(await connection.fetchval("SELECT count(*) FROM chat_history"))
        finally:
            await connection.close()
            await server.close()


@contextmanager
def open_folder() -> Iterator[Path]:
    """As root, PostgreSQL runs as somebody who has to be let in."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


@asynccontextmanager
async def opened_memory(kind: type[Manager]) -> AsyncIterator[Memory[Manager]]:
    """Empty, on the embedded PostgreSQL with the settings of every day."""
    with open_folder() as folder:
        clock = SystemClock()
        health = Health("bot", clock)
        options = MemoryOptions(data_dir=folder / "data", database_url=None)
        manager = await kind.open(options, clock=clock, health=health)
        if not isinstance(manager, kind):
            raise TypeError(f"{kind.__name__}.open gave another kind of memory")
        try:
            yield Memory(manager, health, options.data_dir)
        finally:
            await manager.close()


@asynccontextmanager
async def bot_running(guild: LocalGuildProcess, memory: Memory[Manager]) -> AsyncIterator[None]:
    """Connected to that guild until the block ends."""
    options = BotOptions(
        token=SecretStr(await guild.bot_token()),
        api_base=f"{guild.url}/api/v10",
        gateway_url=guild.gateway_url,
    )
    stop = asyncio.Event()
    gateway = memory.health.part("gateway")
    gateway.failing("Not connected yet.")
    with speaking_to(Endpoint.current()):
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
