"""Runs the local guild in a process of its own, so that its work and its client's can be told apart."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import httpx
import psutil

START_SECONDS = 60.0
# The firehose answers when it has run dry.
PATIENCE_SECONDS = 3_600.0


@dataclass(frozen=True, slots=True)
class LocalGuildProcess:
    process: psutil.Process
    http: httpx.AsyncClient
    url: str

    @property
    def gateway_url(self) -> str:
        return f"ws{self.url.removeprefix('http')}/gateway"

    async def bot_token(self) -> str:
        world = (await self.http.get("/local/world")).json()
        return str(world["bot"]["token"])

    async def pour(self, messages: int) -> None:
        """Pour until so many messages have been sent."""
        (await self.http.post("/local/firehose", json={"count": messages})).raise_for_status()


@asynccontextmanager
async def local_guild_process() -> AsyncIterator[LocalGuildProcess]:
    """Run a fresh world on a free port; gone with the block."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "local_guild", "--port", "0", "--data-dir", folder]
        started = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        assert started.stdout is not None
        try:
            greeting = (await asyncio.wait_for(started.stdout.readline(), START_SECONDS)).decode()
            url = next(word for word in greeting.split() if word.startswith("http://"))
            async with httpx.AsyncClient(base_url=url, timeout=PATIENCE_SECONDS) as http:
                yield LocalGuildProcess(psutil.Process(started.pid), http, url)
        finally:
            if started.returncode is None:
                started.terminate()
            await started.wait()
