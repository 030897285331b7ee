"""What is held on a member, seen, saved and erased in a real browser against everything that `make run` starts."""

import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.end_to_end.innkeeper import ROOT, Innkeeper, open_folder, running
from tests.local_guild.browser import NOT_FOUND, find_chromium, launched
from tests.local_guild.page.house import PATIENCE_MS, Window

pytestmark = [pytest.mark.browser, pytest.mark.skipif(find_chromium() is None, reason=NOT_FOUND)]

PHONE = {"width": 390, "height": 1000}


@pytest.fixture
def innkeeper() -> Iterator[Innkeeper]:
    with open_folder() as folder, running(folder / "data") as innkeeper:
        yield innkeeper


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    expect.set_options(timeout=2 * PATIENCE_MS)
    async with launched() as browser:
        yield browser


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Screenshots go into the docs when they are to be renewed, else nowhere that stays."""
    return ROOT / "docs" / "pictures" if os.environ.get("UPDATE_PICTURES") == "1" else tmp_path


async def enter(browser: Browser, innkeeper: Innkeeper, member: str) -> Window:
    context = await browser.new_context(locale="en-GB", viewport=PHONE, color_scheme="light")  # type: ignore[arg-type] # a size
    context.set_default_timeout(2 * PATIENCE_MS)
    window = Window(await context.new_page())
    await window.page.goto(f"{innkeeper.url}/?member={member}")
    await expect(window.box).to_be_visible()
    return window


async def use(window: Window, command: str) -> None:
    await window.box.press_sequentially(f"/{command}", delay=5)
    await window.box.press("Enter")
    form = window.page.get_by_role("form", name=f"Command {command}")
    await form.get_by_role("button", name="Send").click()


async def said(window: Window, words: str) -> Locator:
    found = window.message(words).filter(has_text="Innkeeper").last
    await expect(found).to_be_visible()
    return found


async def test_a_member_sees_saves_and_erases_what_is_held_on_them(
    innkeeper: Innkeeper, browser: Browser, pictures: Path, tmp_path: Path
) -> None:
    innkeeper.ask("Bot remember that Aylin makes the best lentil soup", member=0)
    aylin = await enter(browser, innkeeper, "aylin")
    await aylin.page.get_by_role("button", name="Put these hints away").click()
    await aylin.write("The soup is on the stove.")
    await aylin.write("Bot remember that I take my tea with honey")
    await said(aylin, "tea with honey")
    await aylin.write("Bot what do you know about me?")
    await said(aylin, "lentil soup")

    await use(aylin, "privacy show")
    shown = await said(aylin, "What I hold on you on this server")
    await expect(shown).to_contain_text("facts others told me about you: 1")
    await expect(shown).to_contain_text("Only you can see this")
    await shown.scroll_into_view_if_needed()
    await aylin.page.screenshot(path=pictures / "privacy-show.png")

    await use(aylin, "privacy export")
    export = await said(aylin, "Here is everything that I hold on you")
    async with aylin.page.expect_download() as downloading:
        await export.get_by_role("link", name="innkeeper-").click()
    saved = tmp_path / "mine.json"
    await (await downloading.value).save_as(saved)
    held = json.loads(saved.read_text(encoding="utf-8"))["held"]
    assert "The soup is on the stove." in [message["text"] for message in held["messages"]]
    assert [fact["told_by"]["name"] for fact in held["facts_others_told_about_you"]] == ["Maren"]

    await use(aylin, "privacy erase")
    question = await said(aylin, "Shall I erase what I have of you")
    await question.get_by_role("button", name="Erase it all").click()
    receipt = await said(aylin, "Erased.")
    await expect(receipt).to_contain_text("facts you told me: 1")
    await receipt.scroll_into_view_if_needed()
    await aylin.page.screenshot(path=pictures / "privacy-erased.png")
    await use(aylin, "privacy show")
    await expect((await said(aylin, "last erased")).get_by_text("your messages")).to_have_count(0)
