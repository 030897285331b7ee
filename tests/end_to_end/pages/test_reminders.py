"""Reminders and memories in a real browser: asked for in words, by a menu and by commands, and read on a phone."""

import re
from collections.abc import Collection

from playwright.async_api import expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, seen_alone, use
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def use_with(
    window: Window, command: str, options: dict[str, str], *, wanted: Collection[str] = (), chosen: str = ""
) -> None:
    """A command with options; those it can do without are asked for by a button each."""
    await window.box.press_sequentially(f"/{command}", delay=5)
    offered = window.page.get_by_role("listbox", name="Suggestions").get_by_role("option", selected=True)
    await expect(offered).to_contain_text(f"/{command}")
    await window.box.press("Enter")
    form = window.page.get_by_role("form", name=f"Command {command}")
    for name in wanted:
        await form.get_by_role("button", name=f"+ {name}").click()
    for name, value in options.items():
        await form.get_by_label(re.compile(rf"^{name}( \*)?$")).fill(value)
        if name == chosen:
            await form.get_by_role("option", name=value).first.click()
    await form.get_by_role("button", name="Send").click()


async def test_a_reminder_is_asked_for_changed_delivered_and_put_off(inn: Inn) -> None:
    aylin = await inn.window("Aylin")
    await aylin.page.get_by_role("button", name="Put these hints away").click()
    await aylin.write("Bot remind me tomorrow at 9 to call Ann")
    made = await said(aylin, "call Ann")
    await expect(made).to_contain_text("I'll remind you")
    await expect(button(made, "My time zone")).to_be_visible()
    await aylin.write("Bot remind me tomorrow at 7 to water the plants")
    await expect(button(await said(aylin, "Which one do you mean?"), "Another time")).to_be_visible()
    await aylin.write("Bot remind me in 2 seconds to take the bread out of the oven")
    due = await said(aylin, "take the bread out of the oven")
    await expect(button(due, "Tomorrow 9:00")).to_be_visible()
    await aylin.picture("reminders.png")
    await assert_readable(aylin)
    await button(due, "Done").focus()
    await aylin.page.keyboard.press("Enter")
    await expect(due).to_contain_text("✅")
    await button(made, "Change time").click()
    form = aylin.page.get_by_role("dialog", name="Reminder")
    await form.get_by_role("textbox", name="When?").fill("every weekday at 8:15")
    await form.get_by_role("button", name="Submit").click()
    await expect(made).to_contain_text("Monday to Friday")

    await inn.say("Tom", "The boiler man comes tomorrow between eight and ten.")
    jonas = await inn.window("Jonas", size=PHONE, colours="dark")
    boiler = jonas.message("The boiler man comes")
    await boiler.hover()
    await boiler.get_by_role("button", name="More actions").click()
    await jonas.page.get_by_role("menuitem", name="Remind me of this").click()
    form = jonas.page.get_by_role("dialog", name="Reminder")
    await form.get_by_role("textbox", name="When?").fill("tomorrow 7:30 am")
    await jonas.picture("remind-me-of-this-phone.png")
    await form.get_by_role("button", name="Submit").click()
    await expect(seen_alone(jonas)).to_contain_text("remind you of this")
    await use_with(jonas, "remind", {"when": "in 3 days", "what": "bring the tent back"})
    await expect(seen_alone(jonas)).to_contain_text("bring the tent back")
    await use(jonas, "reminders")
    await expect(seen_alone(jonas)).to_contain_text("Your reminders on this server")
    await expect(button(seen_alone(jonas), "2")).to_be_visible()
    await jonas.picture("reminders-phone.png")
    await fits(jonas)


async def test_a_memory_is_noted_by_hand_and_stands_under_its_category(inn: Inn) -> None:
    maren = await inn.window("Maren")
    await maren.write("Bot remember that I play the lute")
    await expect(maren.message("Got it, I'll remember")).to_be_visible()
    for text, category, importance in (
        ("I prefer tea to coffee", "likes and habits", "6"),
        ("My driving test is on 3 March", "dates", "9"),
        ("I have to water the plants of Tom's aunt", "to do", "3"),
    ):
        options = {"text": text, "category": category, "importance": importance}
        await use_with(maren, "memory add", options, wanted=("category", "importance"), chosen="category")
        await expect(seen_alone(maren)).to_contain_text("remember")
    await use(maren, "memory show")
    held = seen_alone(maren)
    for words in ("play the lute", "🔴 9", "🔵 6", "⚪ 3", "prefer tea"):
        await expect(held).to_contain_text(words)
    await maren.picture("memories.png")
    await assert_readable(maren)
    phone = await inn.window("Maren", size=PHONE, colours="dark")
    await use(phone, "memory show")
    held = seen_alone(phone)
    await button(held, "3").click()
    await expect(button(held, "Edit")).to_be_visible()
    await phone.picture("memory-of-a-kind-phone.png")
    await fits(phone)
    await button(held, "Edit").click()
    await expect(phone.page.get_by_role("dialog").get_by_role("textbox").first).to_be_visible()
    await phone.picture("memory-edit-phone.png")
