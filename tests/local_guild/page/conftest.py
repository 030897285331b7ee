"""One local guild with its page and one browser for all tests of the page; a window per member and test."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY

import httpx
import pytest
import pytest_asyncio
import uvicorn
from playwright.async_api import BrowserContext, expect

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
    # As in `local_guild.running`: without it every answer would wait 40 ms for an ACK.
    socket.setsockopt(IPPROTO_TCP, TCP_NODELAY, True)
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
async def profile(house: House) -> AsyncIterator[BrowserContext]:
    expect.set_options(timeout=PATIENCE_MS)
    async with launched() as browser:
        profile = await browser.new_context(locale="en-GB")
        profile.set_default_timeout(PATIENCE_MS)
        await profile.new_page()
        yield profile


@pytest_asyncio.fixture(loop_scope="session")
async def windows(profile: BrowserContext, house: House) -> AsyncIterator[Windows]:
    opened = Windows(profile, house)
    yield opened
    assert await opened.close() == []


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where screenshots go: into the docs when they are to be renewed, else nowhere that stays."""
    if os.environ.get("UPDATE_PICTURES") == "1":
        PICTURES.mkdir(parents=True, exist_ok=True)
        return PICTURES
    return tmp_path
