"""Serving a local guild on a port of its own, for tests and for `python -m local_guild`."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from socket import IPPROTO_TCP, TCP_NODELAY

import uvicorn
from starlette.applications import Starlette

from local_guild.safety import require_loopback
from local_guild.server import LocalGuild


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
    return uvicorn.Config(Starlette(), loop="auto").get_loop_factory()


class _Server(uvicorn.Server):
    """Leaves signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def serve(local_guild: LocalGuild, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Address]:
    """Serve until the block ends. The local guild itself stays open: who opened it closes it."""
    require_loopback(host)
    config = uvicorn.Config(
        Starlette(routes=local_guild.routes()),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
    config.load()
    server = _Server(config)
    socket = config.bind_socket()
    # asyncio sees a socket made elsewhere as no TCP socket, and would leave each answer to wait 40 ms for an ACK.
    socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, True)
    task = asyncio.create_task(server.serve(sockets=[socket]))
    try:
        while not server.started:  # uvicorn offers nothing to await
            if task.done():
                task.result()
            await asyncio.sleep(0.01)
        yield Address(host, socket.getsockname()[1])
    finally:
        local_guild.gateway.drop_sockets(1012)
        server.should_exit = True
        await task
        socket.close()
