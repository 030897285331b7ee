"""What changed, undone, reworded, denied and kept in the page: by mouse, by keys alone and on a phone."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, fits
from tests.local_guild.browser import launched
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


def labels(line: Locator) -> Locator:
    return line.locator(".component-row").get_by_role("button")


async def line_of(window: Window, text: str) -> Locator:
    """The bot's own message; what it answers may hold the same words."""
    line = window.message(text).filter(has=window.page.locator(".component-row"))
    await expect(line).to_have_count(1)
    return line


async def test_what_changed_is_reworded_denied_and_undone_in_the_page(inn: Inn) -> None:
    maren = await inn.window("Maren")
    tom = await inn.window("Tom", colours="dark")
    aylin = await inn.window("Aylin", size=PHONE)

    await maren.write("Bot remember that Aylin grows quinces")
    told = await line_of(maren, "Got it, I'll remember about Aylin")
    await expect(labels(told)).to_have_text(["↩️Undo", "✏️Edit", "Not true"])
    await maren.picture("undo.png")

    # By keyboard alone: the form holds what is known now, and Escape leaves it at that.
    edit = labels(told).filter(has_text="Edit")
    await edit.focus()
    await maren.page.keyboard.press("Enter")
    form = maren.page.get_by_role("dialog", name="In other words")
    words = form.get_by_role("textbox", name="What should I remember?")
    await expect(words).to_be_focused()
    await expect(words).to_have_value("@Aylin grows quinces")
    await maren.picture("undo-form.png")
    await assert_readable(maren, least=20)
    await maren.page.keyboard.press("Escape")
    await expect(form).to_have_count(0)
    await expect(edit).to_be_focused()
    await maren.page.keyboard.press("Enter")
    await expect(words).to_be_focused()
    await maren.page.keyboard.press("ControlOrMeta+a")
    await maren.page.keyboard.type("@Aylin grows pears")
    for _ in ("Cancel", "Submit"):
        await maren.page.keyboard.press("Tab")
    await maren.page.keyboard.press("Enter")
    await expect(form).to_have_count(0)
    changed = await line_of(tom, "Changed. I'll remember about Aylin")
    await expect(changed).to_contain_text("grows pears")

    await labels(changed).filter(has_text="Not true").click()
    refusal = await tom.sees("Only the person it's about can do that.")
    await expect(refusal).to_contain_text("Only you can see this")
    await expect(aylin.message("Only the person it's about")).to_have_count(0)

    on_phone = await line_of(aylin, "Changed. I'll remember about Aylin")
    await expect(labels(on_phone)).to_have_count(3)
    await aylin.picture("undo-phone.png")
    await fits(aylin)
    await labels(on_phone).filter(has_text="Edit").click()
    await aylin.sees("Only the person who told me can do that.")
    await labels(on_phone).filter(has_text="Not true").click()
    denied = await line_of(aylin, "Aylin says that's not true")
    await expect(labels(denied)).to_have_text(["↩️Undo"])
    await expect(tom.message("Innkeeper").filter(has_text="grows pears")).to_have_count(0)
    await labels(denied).click()
    # The line, and the refusal that quotes it.
    await expect(tom.message("I'm keeping this again")).to_have_count(2)


@pytest.fixture
async def phones() -> AsyncIterator[Browser]:
    async with launched(is_whole=True) as browser:
        yield browser


async def test_the_menu_is_reached_by_keys_and_by_touch(phones: Browser, inn: Inn) -> None:
    jonas = await inn.window("Jonas")
    tom = await inn.touched(phones, "Tom")
    await jonas.write("Bot remember that I whistle")
    await line_of(jonas, "Got it, I'll remember about Jonas")
    await jonas.write("@Innkeeper what do you know about me?")
    answer = jonas.message("What I know about")
    await expect(answer).to_contain_text("whistle")
    await jonas.log.focus()
    await jonas.page.keyboard.press("ArrowUp")
    await expect(answer).to_be_focused()
    more = answer.get_by_role("button", name="More actions")
    await expect(more).to_be_visible()
    await jonas.key_to("More actions")
    await expect(more).to_be_focused()
    await jonas.page.keyboard.press("Enter")
    wanted = jonas.page.get_by_role("menuitem", name="Why did you say that?")
    await expect(wanted).to_be_visible()
    await jonas.key_to("Why did you say that?", "ArrowDown")
    await jonas.page.keyboard.press("Enter")
    await expect(jonas.log.get_by_role("article").filter(has_text="Only you can see this")).to_contain_text("whistle")

    on_phone = tom.message("What I know about")
    await on_phone.get_by_role("time").first.tap()
    await on_phone.get_by_role("button", name="More actions").tap()
    await tom.page.get_by_role("menuitem", name="Why did you say that?").tap()
    await expect(tom.log.get_by_role("article").filter(has_text="Only you can see this")).to_contain_text("whistle")
    await fits(tom)
