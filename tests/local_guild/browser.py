"""A real browser for tests: Chromium as found on the machine, driven by Playwright."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

LIGHT = "chromium-headless-shell"
"""Does the same for five sixths of the processor time, but for one thing: it believes a mouse to be on a phone."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--js-flags=--no-turbofan --no-maglev",  # no page lives long enough to get back what compiling it well costs
    "--no-first-run",
    "--process-per-site",  # all windows of a house in one process, which has its scripts read already
)
EMPTY = "about:blank"
NOT_FOUND = "skipped: no Chromium or Chrome on this machine, so the pages were not tried in a browser"


def find_chromium(*, is_whole: bool = False) -> str | None:
    names = NAMES if is_whole else (LIGHT, *NAMES)
    return next((path for name in names if (path := shutil.which(name))), None)


@contextlib.asynccontextmanager
async def launched(*, is_whole: bool = False) -> AsyncIterator[Browser]:
    """The browser for as long as the block lasts; without one on the machine the test is skipped."""
    path = find_chromium(is_whole=is_whole)
    if path is None:
        pytest.skip(NOT_FOUND)
    # Chromium's sandbox refuses to run as root, as in a container.
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=[*QUIET, *sandbox])
        try:
            yield browser
        finally:
            await browser.close()


async def free_page(profile: BrowserContext) -> Page:
    """A window that somebody has left, or a new one: opening and closing it costs half as much as what is loaded."""
    first, *others = profile.pages
    for page in others:
        if page.url == EMPTY:
            return page
    # A window, not a tab: tabs in the background are drawn late or never.
    async with profile.expect_page() as opening:
        await first.evaluate(f"() => {{ window.open('{EMPTY}', '_blank', 'popup'); }}")
    return await opening.value


async def leave_page(page: Page) -> None:
    """As good as new for the next; what a profile remembers stays."""
    await page.unroute_all(behavior="ignoreErrors")
    await page.set_extra_http_headers({})
    await page.emulate_media(color_scheme="null")
    await page.evaluate("sessionStorage.clear()")
    await page.goto(EMPTY)
