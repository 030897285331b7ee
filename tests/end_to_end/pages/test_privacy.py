"""What is held on a member, seen, saved and erased in a real browser against everything that `make run` starts."""

import json
from pathlib import Path

from playwright.async_api import Browser, Locator, expect

from tests.end_to_end.innkeeper import Innkeeper
from tests.end_to_end.pages.windows import IN_A_BROWSER, window_of
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER
TALL_PHONE = {"width": 390, "height": 1000}


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
    aylin = await window_of(browser, innkeeper, "aylin", viewport=TALL_PHONE)
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
