"""What changed, undone and reworded in the page, by mouse, keyboard and on a phone; and why something was said."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.end_to_end.innkeeper import Innkeeper, open_folder, running
from tests.end_to_end.pages.windows import IN_A_BROWSER, PHONE, window_of
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def innkeeper() -> Iterator[Innkeeper]:
    """One for all: each test is about somebody else."""
    with open_folder() as folder, running(folder / "data") as innkeeper:
        yield innkeeper


def labels(line: Locator) -> Locator:
    return line.locator(".component-row").get_by_role("button")


async def line_of(window: Window, text: str) -> Locator:
    """The bot's own message; what it answers may hold the same words."""
    line = window.message(text).filter(has=window.page.locator(".component-row"))
    await expect(line).to_have_count(1)
    return line


async def fits(window: Window) -> None:
    width = await window.page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]


async def test_what_changed_is_reworded_denied_and_undone_in_the_page(
    innkeeper: Innkeeper, browser: Browser, pictures: Path
) -> None:
    maren = await window_of(browser, innkeeper, "maren")
    tom = await window_of(browser, innkeeper, "tom", color_scheme="dark")
    aylin = await window_of(browser, innkeeper, "aylin", viewport=PHONE)

    await maren.write("Bot remember that Aylin grows quinces")
    told = await line_of(maren, "I will remember about Aylin")
    await expect(labels(told)).to_have_text(["↩️Undo", "✏️Edit", "Not me", "Not true"])
    await maren.page.screenshot(path=pictures / "undo.png")

    # By keyboard alone: the form holds what is known now, and Escape leaves it at that.
    await labels(told).filter(has_text="Edit").focus()
    await maren.page.keyboard.press("Enter")
    form = maren.page.get_by_role("dialog", name="In other words")
    words = form.get_by_role("textbox", name="What shall I remember?")
    await expect(words).to_be_focused()
    await expect(words).to_have_value("@Aylin grows quinces")
    await maren.page.screenshot(path=pictures / "undo-form.png")
    await maren.page.keyboard.press("Escape")
    await expect(form).to_have_count(0)
    await labels(told).filter(has_text="Edit").click()
    await expect(words).to_be_focused()
    await maren.page.keyboard.press("ControlOrMeta+a")
    await maren.page.keyboard.type("@Aylin grows pears")
    for _ in ("Cancel", "Submit"):
        await maren.page.keyboard.press("Tab")
    await maren.page.keyboard.press("Enter")
    await expect(form).to_have_count(0)
    changed = await line_of(tom, "Changed. I will remember about Aylin")
    await expect(changed).to_contain_text("grows pears")

    await labels(changed).filter(has_text="Not me").click()
    refusal = await tom.sees("Only the person it is about can do that.")
    await expect(refusal).to_contain_text("Only you can see this")
    await expect(aylin.message("Only the person it is about")).to_have_count(0)

    on_phone = await line_of(aylin, "Changed. I will remember about Aylin")
    await expect(labels(on_phone)).to_have_count(4)
    await aylin.page.screenshot(path=pictures / "undo-phone.png")
    await fits(aylin)
    await labels(on_phone).filter(has_text="Edit").click()
    await aylin.sees("Only the one who told me can do that.")
    await labels(on_phone).filter(has_text="Not true").click()
    denied = await line_of(aylin, "Aylin says that this is not true")
    await expect(labels(denied)).to_have_text(["↩️Undo"])
    await expect(tom.message("Innkeeper").filter(has_text="grows pears")).to_have_count(0)
    await labels(denied).click()
    # The line, and the refusal that quotes it.
    await expect(tom.message("This holds again")).to_have_count(2)


async def test_the_form_is_filled_in_on_a_phone(innkeeper: Innkeeper, browser: Browser, pictures: Path) -> None:
    jonas = await window_of(browser, innkeeper, "jonas", viewport=PHONE, color_scheme="dark")
    await jonas.write("Bot remember that I take my tea black")
    told = await line_of(jonas, "I will remember about Jonas")
    await labels(told).filter(has_text="Edit").click()
    form = jonas.page.get_by_role("dialog", name="In other words")
    await form.get_by_role("textbox").fill("I take my tea with oat milk")
    await jonas.page.screenshot(path=pictures / "undo-form-phone.png")
    await fits(jonas)
    await form.get_by_role("button", name="Submit").click()
    changed = await line_of(jonas, "takes their tea with oat milk")
    await labels(changed).filter(has_text="Undo").click()
    await jonas.sees("I keep it as it was")


async def test_the_menu_tells_why_something_was_said(innkeeper: Innkeeper, browser: Browser, pictures: Path) -> None:
    maren = await window_of(browser, innkeeper, "maren")
    aylin = await window_of(browser, innkeeper, "aylin")
    await maren.write("Bot remember that I take my coffee black")
    await line_of(maren, "I will remember about Maren")
    await aylin.write("@Innkeeper what do you know about Maren?")
    answer = aylin.message("Answer only to me")
    await expect(answer).to_contain_text("coffee black")
    await answer.hover()
    await answer.get_by_role("toolbar").get_by_role("button", name="More actions", exact=True).click()
    await aylin.page.get_by_role("menuitem", name="Why did you say that?").click()
    why = aylin.log.get_by_role("article").filter(has_text="Only you can see this")
    await expect(why).to_contain_text("coffee black")
    await aylin.page.screenshot(path=pictures / "why.png")
    await expect(maren.log.get_by_text("Only you can see this")).to_have_count(0)
