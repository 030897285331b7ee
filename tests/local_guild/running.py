"""A local guild served in the test's own process."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from local_guild.server import LocalGuild
from local_guild.serving import Address, serve
from local_guild.state.world import Channel, Guild, User, World
from tests.loopback import NO_TLS

PATIENCE_SECONDS = 120.0


@dataclass(frozen=True)
class Served:
    """A running local guild and where it answers."""

    server: LocalGuild
    address: Address
    http: httpx.AsyncClient

    @property
    def guild(self) -> Guild:
        return next(iter(self.server.world.guilds.values()))

    def user(self, name: str) -> User:
        return next(user for user in self.server.world.users.values() if user.name == name)

    def channel(self, name: str) -> Channel:
        return next(channel for channel in self.server.world.channels.values() if channel.name == name)

    async def call(self, method: str, path: str, *, by: User, json: object = None, **options: object) -> httpx.Response:
        """One REST call as this user."""
        token = f"Bot {by.token}" if by.bot else by.token
        return await self.http.request(
            method, f"{self.address.api_url}{path}", headers={"Authorization": token}, json=json
        )

    async def say(self, name: str, channel: str, content: str) -> dict[str, str]:
        path = f"/channels/{self.channel(channel).id}/messages"
        answer = await self.call("POST", path, by=self.user(name), json={"content": content})
        answer.raise_for_status()
        message: dict[str, str] = answer.json()
        return message


@contextlib.asynccontextmanager
async def served(folder: Path, *, world: World | None = None, port: int = 0) -> AsyncIterator[Served]:
    """The world kept in `folder` (at first the one given, or the default), with a client for its root."""
    server = LocalGuild.open(folder, world=world)
    try:
        async with (
            serve(server, port=port) as address,
            httpx.AsyncClient(base_url=address.url, timeout=PATIENCE_SECONDS, verify=NO_TLS) as http,
        ):
            yield Served(server, address, http)
    finally:
        await server.close()


@pytest.fixture
async def local_guild(tmp_path: Path) -> AsyncIterator[Served]:
    async with served(tmp_path / "local_guild") as running:
        yield running
