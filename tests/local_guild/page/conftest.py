"""One local guild with its page and one browser for all tests of the page; a window per member and test."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import Browser, expect

from local_guild.page.app import compose
from local_guild.server import LocalGuild
from tests.local_guild.browser import NOT_FOUND, find_chromium, launched
from tests.local_guild.page.house import PATIENCE_MS, House, Windows

PICTURES = Path(__file__).parents[3] / "docs" / "pictures"


class _Server(uvicorn.Server):
    """Leaves signals to pytest."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def _serving(server: LocalGuild) -> AsyncIterator[str]:
    config = uvicorn.Config(
        compose(server),
        host="127.0.0.1",
        port=0,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        timeout_graceful_shutdown=2,
    )
    config.load()
    running = _Server(config)
    socket = config.bind_socket()
    task = asyncio.create_task(running.serve(sockets=[socket]))
    while not running.started:  # noqa: ASYNC110 - uvicorn offers nothing to await
        await asyncio.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.gateway.drop_sockets(1012)
        running.should_exit = True
        await task
        socket.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    if find_chromium() is None:
        pytest.skip(NOT_FOUND)
    server = LocalGuild.open(tmp_path_factory.mktemp("chat") / "local_guild")
    async with _serving(server) as url, httpx.AsyncClient(base_url=url, timeout=15) as http:
        world = (await http.get("/local/world")).json()
        yield House(server, url, http, world)
    await server.close()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(house: House) -> AsyncIterator[Browser]:
    expect.set_options(timeout=PATIENCE_MS)
    async with launched() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def windows(browser: Browser, house: House) -> AsyncIterator[Windows]:
    opened = Windows(browser, house)
    yield opened
    assert await opened.close() == []


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where screenshots go: into the docs when they are to be renewed, else nowhere that stays."""
    if os.environ.get("UPDATE_PICTURES") == "1":
        PICTURES.mkdir(parents=True, exist_ok=True)
        return PICTURES
    return tmp_path
