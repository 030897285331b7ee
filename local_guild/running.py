"""Serving a local guild on a port of its own, for tests and for `python -m local_guild`."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from local_guild.safety import require_loopback
from local_guild.server import LocalGuild
from local_guild.serving import bind, serving


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def api_url(self) -> str:
        return f"{self.url}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://{self.host}:{self.port}/gateway"


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The fastest event loop that is installed."""
    return uvicorn.Config(Starlette(), loop="auto", log_config=None).get_loop_factory()


@contextlib.asynccontextmanager
async def serve(
    local_guild: LocalGuild, host: str = "127.0.0.1", port: int = 0, *, app: ASGIApp | None = None
) -> AsyncIterator[Address]:
    """Serve until the block ends: the bare server, or an `app` that holds its routes.

    The local guild itself stays open: who opened it closes it.
    """
    require_loopback(host)
    bound = bind(host, port)
    async with serving(app or Starlette(routes=local_guild.routes()), bound):
        try:
            yield Address(host, bound.getsockname()[1])
        finally:
            local_guild.gateway.drop_sockets(1012)
