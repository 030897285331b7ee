"""`/memory` in a real browser: what is held about somebody and what is done about it, by mouse, keys and on a phone."""

from playwright.async_api import Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, seen_alone, use
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def tell(window: Window, fact: str) -> None:
    await window.write(f"Bot remember that {fact}")
    await expect(window.message("Got it, I'll remember").filter(has_text=fact.split()[-1]).last).to_be_visible()


async def memory_of_oneself(window: Window) -> Locator:
    """The answer to `/memory show`, which its reader alone can see."""
    await use(window, "memory show")
    await expect(seen_alone(window)).to_contain_text("What I know about you")
    return seen_alone(window)


async def memory_of(window: Window, name: str) -> Locator:
    await window.box.press_sequentially("/memory show", delay=5)
    await window.box.press("Enter")
    form = window.page.get_by_role("form", name="Command memory show")
    await form.get_by_role("button", name="+ member").click()
    await window.page.keyboard.type(name[:3].lower())
    await form.get_by_role("option", name=name).click()
    await form.get_by_role("button", name="Send").click()
    await expect(seen_alone(window)).to_contain_text("as far as you can read it")
    return seen_alone(window)


async def press(window: Window, message: Locator, label: str, then: str) -> None:
    """By keys alone; the keyboard stays with the message."""
    await button(message, label).focus()
    await window.page.keyboard.press("Enter")
    await expect(message).to_contain_text(then)


async def test_what_is_held_is_seen_denied_and_put_in_ones_own_words(inn: Inn) -> None:
    maren = await inn.window("Maren")
    aylin = await inn.window("Aylin")
    await tell(maren, "Aylin plays the lute")
    await tell(maren, "Aylin likes turnips")
    await tell(aylin, "I grow quinces")

    held = await memory_of_oneself(aylin)
    await expect(held).to_contain_text("you said so")
    await expect(held).to_contain_text("@Maren says so")
    await aylin.picture("memory-show.png")
    await assert_readable(aylin)

    await button(held, "2").click()
    await expect(button(held, "Not true")).to_be_visible()
    await aylin.picture("memory-fact.png")
    await button(held, "Correct").click()
    form = aylin.page.get_by_role("dialog", name="In your own words")
    words = form.get_by_role("textbox", name="What is true instead?")
    await expect(words).to_be_focused()
    await expect(words).to_have_value("@Aylin likes turnips")
    await aylin.page.keyboard.press("Escape")
    await expect(form).to_have_count(0)
    await expect(button(held, "Correct")).to_be_focused()
    await aylin.page.keyboard.press("Enter")
    await words.fill("I like radishes")
    await form.get_by_role("button", name="Submit").click()
    await expect(held).to_contain_text("Corrected.")
    await expect(held).to_contain_text("like radishes")

    await button(held, "Back").click()
    await expect(held).to_contain_text("plays the lute")
    await button(held, "3").click()
    await button(held, "Not true").click()
    await expect(held).to_contain_text("No one else can tell me that about you again")
    await maren.write("Bot remember that Aylin plays the lute")
    await expect(maren.message("told me it's not true")).to_be_visible()
    await expect(maren.message("What I know about you")).to_have_count(0)


async def test_each_thing_that_can_be_done_about_a_fact_is_done_by_keys(inn: Inn) -> None:
    for fact in ("Jonas likes beets", "Jonas likes chard", "Jonas likes dill"):
        await inn.say("Tom", f"Bot remember that {fact}")
    jonas = await inn.window("Jonas", colours="dark")
    await expect(jonas.message("Got it, I'll remember about Jonas")).to_have_count(3)
    held = await memory_of_oneself(jonas)

    await press(jonas, held, "3", "Confirm")
    await expect(held).to_be_focused()
    await press(jonas, held, "Confirm", "counts as your own word")
    await press(jonas, held, "Back", "and you confirmed it")

    await press(jonas, held, "1", "Not true")
    await press(jonas, held, "Not true", "Gone")
    await press(jonas, held, "Back", "What I know about you")
    await press(jonas, held, "1", "Forget")
    await press(jonas, held, "Forget", "Forgotten.")
    await press(jonas, held, "Back", "likes beets")
    await expect(held).not_to_contain_text("dill")
    await expect(held).not_to_contain_text("chard")


async def test_it_is_read_on_a_phone(inn: Inn) -> None:
    for dish in ("beets", "chard", "dill", "endives", "fennel", "gherkins"):
        await inn.say("Tom", f"Bot remember that Aylin likes {dish}")
    aylin = await inn.window("Aylin", size=PHONE, colours="dark")
    await expect(aylin.message("Got it, I'll remember about Aylin")).to_have_count(6)
    held = await memory_of_oneself(aylin)
    await expect(held).to_contain_text("Page 1 of 2")
    await expect(button(held, "◀")).to_be_disabled()
    await aylin.picture("memory-show-phone.png")
    await assert_readable(aylin)
    await fits(aylin)
    await button(held, "▶").click()
    await expect(held).to_contain_text("Page 2 of 2")
    await expect(held).to_contain_text("beets")
    await expect(button(held, "▶")).to_be_disabled()
    await button(held, "◀").click()
    await expect(held).to_contain_text("Page 1 of 2")


async def test_who_keeps_order_has_it_forgotten_and_managers_read_who_did_what(inn: Inn) -> None:
    tom = await inn.window("Tom", size=PHONE)
    maren = await inn.window("Maren")
    for dish in ("beets", "chard", "dill", "endives", "fennel", "garlic", "honey", "irises", "jam"):
        await inn.say("Tom", f"Bot remember that Jonas likes {dish}")
    await expect(maren.message("Got it, I'll remember about Jonas")).to_have_count(9)
    held = await memory_of(maren, "Jonas")
    await button(held, "1").click()
    await expect(button(held, "Confirm")).to_have_count(0)
    await button(held, "Remove").click()
    await expect(held).to_contain_text("Forgotten.")

    await use(maren, "memory audit")
    audit = await said(maren, "Who looked at or changed what I know about others")
    await expect(audit).to_contain_text("@Maren: had me forget something")
    await expect(audit).to_contain_text("Page 1 of 2")
    await maren.picture("memory-audit.png")
    await press(maren, audit, "▶", "Page 2 of 2")
    await expect(audit).to_contain_text("@Tom: told me something")
    await expect(audit).not_to_contain_text("beets")
    await press(maren, audit, "◀", "Page 1 of 2")
    await use(tom, "memory audit")
    await said(tom, "Only people who manage this server can see that.")
    await fits(tom)
