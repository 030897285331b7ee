"""Everything that `make run` starts, and a real browser to see it in: one of each for all tests of the pages."""

from collections.abc import AsyncIterator, Generator, Iterator

import pytest
from playwright.async_api import BrowserContext, expect

from tests.end_to_end.innkeeper import Innkeeper, open_folder, running
from tests.end_to_end.pages.inn import Inn, open_inn
from tests.local_guild.browser import launched
from tests.local_guild.page.house import PATIENCE_MS

LAST_LINES = 60


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Why a page does not show what it should is often said only by the processes behind it."""
    report = yield
    innkeeper = item.funcargs.get("innkeeper")
    if report.failed and isinstance(innkeeper, Innkeeper):
        lines = innkeeper.said().splitlines()[-LAST_LINES:]
        report.sections.append(("what the processes said", "\n".join(lines)))
    return report


@pytest.fixture(scope="package")
def innkeeper() -> Iterator[Innkeeper]:
    # A bot that was not heard of for four of these closes the panel: beside busy neighbours one a second is too few.
    with open_folder() as folder, running(folder / "data", HEARTBEAT_SECONDS="5") as innkeeper:
        yield innkeeper


@pytest.fixture(scope="package")
async def profile() -> AsyncIterator[BrowserContext]:
    async with launched() as browser:
        profile = await browser.new_context(locale="en-GB")
        profile.set_default_timeout(2 * PATIENCE_MS)
        await profile.new_page()
        yield profile


@pytest.fixture
async def inn(innkeeper: Innkeeper, profile: BrowserContext) -> AsyncIterator[Inn]:
    """A guild of its own."""
    expect.set_options(timeout=2 * PATIENCE_MS)
    inn = open_inn(innkeeper, profile)
    yield inn
    await inn.close()
