"""One local guild with its page and one browser for all tests of the page; a window per member and test."""

from collections.abc import AsyncIterator

import httpx
import pytest
from playwright.async_api import BrowserContext, expect

from local_guild.page import compose
from local_guild.server import LocalGuild
from local_guild.serving import serve
from tests.local_guild.browser import NOT_FOUND, find_chromium, launched
from tests.local_guild.page.house import PATIENCE_MS, House, Windows
from tests.loopback import NO_TLS


@pytest.fixture
def tasks_end_with_their_test() -> None:
    """Not here: what a house begins during one test, it goes on with during the next."""


@pytest.fixture(scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    if find_chromium() is None:
        pytest.skip(NOT_FOUND)
    server = LocalGuild.open(tmp_path_factory.mktemp("chat") / "local_guild")
    async with (
        serve(server, app=compose(server)) as address,
        httpx.AsyncClient(base_url=address.url, timeout=15, verify=NO_TLS) as http,
    ):
        world = (await http.get("/local/world")).json()
        yield House(server, address.url, http, world)
    await server.close()


@pytest.fixture(scope="session")
async def profile(house: House) -> AsyncIterator[BrowserContext]:
    expect.set_options(timeout=PATIENCE_MS)
    async with launched() as browser:
        profile = await browser.new_context(locale="en-GB")
        profile.set_default_timeout(PATIENCE_MS)
        await profile.new_page()
        yield profile


@pytest.fixture
async def windows(profile: BrowserContext, house: House) -> AsyncIterator[Windows]:
    opened = Windows(profile, house)
    yield opened
    assert await opened.close() == []
