"""A real browser for tests: Chromium as found on the machine, driven by Playwright."""

import contextlib
import os
import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # all windows of a house in one process, which has its scripts read already
)
NOT_FOUND = "skipped: no Chromium or Chrome on this machine, so the pages were not tried in a browser"


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextlib.asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """The browser for as long as the block lasts; without one on the machine the test is skipped."""
    path = find_chromium()
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
