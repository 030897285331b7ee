"""A member before the panel, in a browser of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from playwright.async_api import Locator, Page, ViewportSize, expect

from tests.end_to_end.house import eventually
from tests.end_to_end.pages.inn import DESK, Inn
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import PATIENCE_MS, Window


class Panel:
    def __init__(self, window: Window, url: str) -> None:
        self._window = window
        self._url = url
        self.page = window.page

    @property
    def main(self) -> Locator:
        return self.page.get_by_role("main")

    @property
    def said(self) -> Locator:
        """What came of the last click."""
        return self.main.get_by_role("status")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    async def go(self, path: str, title: str) -> None:
        async def shown() -> bool:
            await self.page.goto(f"{self._url}/panel{path}")
            heading = self.page.get_by_role("heading", level=1)
            await expect(heading).to_be_visible()
            return await heading.inner_text() == title

        # What the bot knows of who may read what is written down a moment after it knows it.
        await eventually(shown, pause=0.2)
        await self.page.wait_for_function("window.socket && window.socket.connected")

    async def until(self, path: str, words: str) -> None:
        """That a page made now would say so: what the bot hears, it writes down a moment later."""

        async def served() -> str:
            return await (await self.page.context.request.get(f"{self._url}/panel{path}")).text()

        await eventually(served, lambda page: words in page, pause=0.2)

    async def fits(self, least: int = 5, within: str = "body") -> None:
        """Nothing runs out of the window sideways, and everything can be read."""
        size = self.page.viewport_size
        assert size is not None
        assert await self.page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        await assert_readable(self._window, least=least, within=within)

    async def picture(self, name: str) -> None:
        await self._window.picture(name)


async def pick(page: Page, label: str, name: str) -> None:
    """From a list that is searched by what is typed."""
    await page.get_by_role("combobox", name=label).click()
    await page.get_by_role("combobox", name=label).fill(name[:5])
    await page.get_by_role("option", name=name).first.click()


@asynccontextmanager
async def panel_of(
    inn: Inn, member: str, *, size: ViewportSize = DESK, colours: Literal["light", "dark"] = "light"
) -> AsyncIterator[Panel]:
    """Signed in as from the chat."""
    assert inn.profile.browser is not None
    own = await inn.profile.browser.new_context(locale="en-GB", viewport=size, color_scheme=colours)
    own.set_default_timeout(2 * PATIENCE_MS)
    url = inn.innkeeper.url
    signed_in = await own.request.post(
        f"{url}/panel/local",
        data={"guild_id": inn.guild["id"]},
        headers={"Authorization": inn.member(member)["token"], "Origin": url},
    )
    assert signed_in.ok
    window = Window(await own.new_page())
    window.hear("pageerror", window.note_error)

    window.mind_hosts(url)
    window.hear("dialog", lambda box: window.complaints.append(box.message))
    yield Panel(window, url)
    await own.close()
    assert window.complaints == []
