"""A local guild served in the test's own process, or by `python -m local_guild`."""

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.world import Channel
from tests.local_guild.people import Person
from tests.loopback import NO_TLS

PATIENCE_SECONDS = 120.0
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Served:
    """A running local guild and where it answers."""

    server: LocalGuild
    address: Address
    http: httpx.AsyncClient

    @property
    def settings(self) -> dict[str, str]:
        """In the environment of a bot that is to live there."""
        address = {"DISCORD_API_BASE": self.address.api_url, "DISCORD_GATEWAY_URL": self.address.gateway_url}
        return {"DISCORD_TOKEN": self.server.world.bot.token, **address}

    def person(self, name: str) -> Person:
        user = next(user for user in self.server.world.users.values() if user.name == name)
        return Person(self.http, user.id, user.name, user.token)

    def channel(self, name: str) -> Channel:
        return next(channel for channel in self.server.world.channels.values() if channel.name == name)


@contextlib.asynccontextmanager
async def served(folder: Path) -> AsyncIterator[Served]:
    """The world kept in `folder` (at first the default), with a client for its root."""
    server = LocalGuild.open(folder)
    try:
        async with (
            serve(server) as address,
            httpx.AsyncClient(base_url=address.url, timeout=PATIENCE_SECONDS, verify=NO_TLS) as http,
        ):
            yield Served(server, address, http)
    finally:
        await server.close()


@pytest.fixture
async def local_guild(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path / "local_guild") as running:
        yield running


@contextlib.asynccontextmanager
async def alone(folder: Path, *options: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, httpx.AsyncClient]]:
    """`python -m local_guild` on a free port, and a client for it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "local_guild", "--port", "0", "--data-dir", str(folder), *options),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        said = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        found = re.search(r"http://[\d.]+:\d+", said)
        assert found, said
        async with httpx.AsyncClient(base_url=found[0], timeout=30, verify=NO_TLS) as http:
            yield process, http
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
