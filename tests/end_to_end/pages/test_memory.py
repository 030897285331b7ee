"""`/memory show` in a real browser: what is held about somebody, by mouse and on a phone."""

from pathlib import Path

from playwright.async_api import Browser, Locator, expect

from tests.end_to_end.innkeeper import Innkeeper
from tests.end_to_end.pages.windows import IN_A_BROWSER, PHONE, window_of
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def tell(window: Window, fact: str) -> None:
    await window.write(f"Bot remember that {fact}")
    await expect(window.message("I will remember").filter(has_text=fact.split()[-1]).last).to_be_visible()


async def memory_of_oneself(window: Window) -> Locator:
    """The answer to `/memory show`, which its reader alone can see."""
    await window.box.press_sequentially("/memory sh", delay=5)
    await window.box.press("Enter")
    form = window.page.get_by_role("form", name="Command memory show")
    await form.get_by_role("button", name="Send").click()
    answer = window.log.get_by_role("article").filter(has_text="Only you can see this").last
    await expect(answer).to_contain_text("What I hold about you")
    return answer


def button(message: Locator, label: str) -> Locator:
    return message.locator(".component-row").get_by_role("button", name=label, exact=True)


async def test_what_is_held_is_seen_denied_and_put_in_ones_own_words(
    innkeeper: Innkeeper, browser: Browser, pictures: Path
) -> None:
    maren = await window_of(browser, innkeeper, "maren")
    aylin = await window_of(browser, innkeeper, "aylin")
    await tell(maren, "Aylin plays the lute")
    await tell(maren, "Aylin likes turnips")
    await tell(aylin, "I grow quinces")

    held = await memory_of_oneself(aylin)
    await expect(held).to_contain_text("you said so")
    await expect(held).to_contain_text("@Maren says so")
    await aylin.page.screenshot(path=pictures / "memory-show.png")

    await button(held, "2").click()
    await expect(button(held, "Not true")).to_be_visible()
    await aylin.page.screenshot(path=pictures / "memory-fact.png")
    await button(held, "Correct").click()
    form = aylin.page.get_by_role("dialog", name="In your own words")
    words = form.get_by_role("textbox", name="What is true instead?")
    await expect(words).to_have_value("@Aylin likes turnips")
    await words.fill("I like radishes")
    await form.get_by_role("button", name="Submit").click()
    await expect(held).to_contain_text("Corrected.")
    await expect(held).to_contain_text("likes radishes")

    await button(held, "Back").click()
    await expect(held).to_contain_text("plays the lute")
    await button(held, "3").click()
    await button(held, "Not true").click()
    await expect(held).to_contain_text("nobody else can tell me the same of you")
    await maren.write("Bot remember that Aylin plays the lute")
    await expect(maren.message("has told me that it is not true of them")).to_be_visible()
    await expect(maren.message("What I hold about you")).to_have_count(0)


async def test_it_is_read_and_hidden_on_a_phone(innkeeper: Innkeeper, browser: Browser, pictures: Path) -> None:
    tom = await window_of(browser, innkeeper, "tom")
    aylin = await window_of(browser, innkeeper, "aylin", viewport=PHONE, color_scheme="dark")
    for dish in ("beets", "chard", "dill", "endives", "fennel", "gherkins"):
        await tell(tom, f"Aylin likes {dish}")
    held = await memory_of_oneself(aylin)
    await expect(held).to_contain_text("Page 1 of 2")
    await button(held, "1").click()
    await button(held, "Hide").click()
    await expect(held).to_contain_text("Hidden.")
    await button(held, "Back").click()
    await expect(held).to_contain_text("hidden by you")
    await aylin.page.screenshot(path=pictures / "memory-show-phone.png")
    assert await aylin.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    await button(held, "▶").click()
    await expect(held).to_contain_text("Page 2 of 2")
    await expect(held).to_contain_text("beets")
