"""What managers do with the memory of a server, in a real browser: one channel's, the rules for facts, and its end."""

import json
from pathlib import Path

from playwright.async_api import Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, seen_alone, use
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def fill_in(window: Window, command: str, **options: str) -> Locator:
    """A command with options chosen from what it offers; the answer is its user's alone."""
    await window.box.press_sequentially(f"/{command}", delay=5)
    offered = window.page.get_by_role("listbox", name="Suggestions").get_by_role("option", selected=True)
    await expect(offered).to_contain_text(f"/{command}")
    await window.box.press("Enter")
    form = window.page.get_by_role("form", name=f"Command {command}")
    for name, value in options.items():
        more = form.get_by_role("button", name=f"+ {name.replace('_', '-')}")
        if await more.count():
            await more.click()
        await form.get_by_role("combobox", name=name.replace("_", "-")).fill(value)
        await form.get_by_role("option", name=value).first.click()
    await form.get_by_role("button", name="Send").click()
    return seen_alone(window)


async def test_a_channel_is_looked_into_saved_and_erased(inn: Inn, tmp_path: Path) -> None:
    await inn.say("Aylin", "The dumplings need another minute.", "kitchen-table")
    maren = await inn.window("Maren", "kitchen-table", size=PHONE)
    await maren.page.get_by_role("button", name="Put these hints away").click()
    await inn.say("Jonas", "Bot remember that I bring the plates", "kitchen-table")
    await said(maren, "Got it, I'll remember about Jonas")

    shown = await fill_in(maren, "channel-memory show", channel="kitchen-table")
    await expect(shown).to_contain_text("What I keep of #kitchen-table and its threads")
    await expect(shown).to_contain_text("messages: 3")
    await maren.picture("channel-memory-phone.png")
    await fits(maren)

    export = await fill_in(maren, "channel-memory export", channel="kitchen-table")
    await expect(export).to_contain_text("Here's what I keep of")
    async with maren.page.expect_download() as downloading:
        await export.get_by_role("link", name="innkeeper-").click()
    saved = tmp_path / "channel.json"
    await (await downloading.value).save_as(saved)
    assert "The dumplings need another minute." in saved.read_text(encoding="utf-8")
    assert json.loads(saved.read_text(encoding="utf-8"))["held"]["messages"]

    question = await fill_in(maren, "channel-memory erase", channel="kitchen-table")
    await expect(question).to_contain_text("Should I delete everything I keep of #kitchen-table")
    await button(question, "Delete it all").focus()
    await maren.page.keyboard.press("Enter")
    await expect(question).to_contain_text("Deleted. From #kitchen-table and its threads:")
    await expect(question).to_contain_text("messages: 2")
    await expect(question).to_be_focused()
    await fits(maren)


async def test_the_rules_for_facts_are_changed_and_hold(inn: Inn) -> None:
    maren = await inn.window("Maren", colours="dark")
    tom = await inn.window("Tom", size=PHONE)
    settings = await fill_in(maren, "settings facts", about_others="No", moderators_may="Have them")
    await expect(settings).to_contain_text("Hearsay: off")
    await expect(settings).to_contain_text("Moderators: Have them forgotten")
    await maren.picture("settings-facts.png")
    await tom.write("Bot remember that Jonas likes dill")
    await said(tom, "I keep nothing that members say about each other")
    await fits(tom)
    settings = await fill_in(maren, "settings facts", about_others="Yes")
    await expect(settings).to_contain_text("Hearsay: on")
    await tom.write("Bot remember that Jonas likes dill")
    await said(tom, "Got it, I'll remember about Jonas")


async def test_the_bot_is_sent_away_with_all_it_holds(inn: Inn) -> None:
    maren = await inn.window("Maren", size=PHONE, colours="dark")
    tom = await inn.window("Tom")
    await tom.write("Bot remember that I bring the cider")
    await said(maren, "Got it, I'll remember about Tom")
    await use(tom, "innkeeper leave")
    refusal = await said(tom, "Only people who manage this server")
    await expect(refusal.locator(".component-row")).to_have_count(0)

    await use(maren, "innkeeper leave")
    question = seen_alone(maren)
    await expect(question).to_contain_text("The Lantern Inn")
    await button(question, "Stay").click()
    await expect(question).to_contain_text("I'm staying, and nothing was deleted.")
    await use(maren, "innkeeper leave")
    await expect(question).to_contain_text("Should I delete everything I keep of The Lantern Inn and leave?")
    await maren.picture("leave-phone.png")
    await assert_readable(maren, least=20)
    await fits(maren)
    await button(question, "Delete all, leave The Lantern Inn").focus()
    await maren.page.keyboard.press("Enter")
    await expect(question).to_contain_text("I'm leaving now. Goodbye!")
    await expect(tom.page.get_by_role("complementary").get_by_role("button", name="Innkeeper")).to_have_count(0)
    await fits(maren)
