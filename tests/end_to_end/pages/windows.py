"""The window of a member of the sample guild, as a test of the pages opens it."""

import pytest
from playwright.async_api import Browser, expect

from tests.end_to_end.innkeeper import Innkeeper
from tests.local_guild.browser import NOT_FOUND, find_chromium
from tests.local_guild.page.house import PATIENCE_MS, Window

IN_A_BROWSER = [pytest.mark.browser, pytest.mark.skipif(find_chromium() is None, reason=NOT_FOUND)]
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


async def window_of(browser: Browser, innkeeper: Innkeeper, member: str, **options: object) -> Window:
    look = {"viewport": DESK, "color_scheme": "light", **options}
    context = await browser.new_context(locale="en-GB", **look)  # type: ignore[arg-type] # one dict for all options
    context.set_default_timeout(2 * PATIENCE_MS)
    window = Window(await context.new_page())
    await window.page.goto(f"{innkeeper.url}/?member={member}")
    await expect(window.box).to_be_visible()
    return window
