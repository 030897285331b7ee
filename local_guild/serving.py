"""Serves any application on a socket that is already ours.

The web process serves with it too, with or without a local guild.
"""

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

import uvicorn
from starlette.applications import Starlette
from starlette.types import ASGIApp

from local_guild.port import bind
from local_guild.server import LocalGuild, require_loopback

STOP_TIMEOUT_S = 3


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # signals belong to the process, which stops more than this server


def _is_no_mishap(record: logging.LogRecord) -> bool:
    """Leave out of the log that an orderly stop cut off a request, such as a page that waits for news."""
    is_cut_off = record.exc_info is not None and record.exc_info[0] is asyncio.CancelledError
    return not is_cut_off and not str(record.msg).startswith("Cancel ")


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, bound: socket.socket) -> AsyncIterator[None]:
    """Serve until the block ends, then let running requests finish for a moment."""
    logging.getLogger("uvicorn.error").addFilter(_is_no_mishap)
    config = uvicorn.Config(
        app,
        log_config=None,
        lifespan="auto",
        access_log=False,
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        # Whoever reads slowly would be dropped for a late pong; gateway and pages have heartbeats of their own.
        ws_ping_interval=None,
        # Longer than clients keep a connection that they do not use, so that none sends into one we have just closed.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=STOP_TIMEOUT_S,
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve(sockets=[bound]), name="web server")
    try:
        while not server.started:  # uvicorn offers nothing to await
            if task.done():
                await task
                raise RuntimeError("the web server ended before it began")
            await asyncio.sleep(0.02)
        yield
    finally:
        server.should_exit = True
        await task


# Serving a local guild on a port of its own, for tests and for `python -m local_guild`.


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
    """Choose the fastest event loop that is installed."""
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
