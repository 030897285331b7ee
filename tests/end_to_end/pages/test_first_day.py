"""A member's first day with the bot: in the chat, and in the evening on the panel, on a phone."""

import json
import re
from pathlib import Path

from playwright.async_api import Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, said, seen_alone, use
from tests.end_to_end.pages.panel import Panel, panel_of
from tests.local_guild.page.contrast import assert_readable
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def test_a_members_first_day(inn: Inn, tmp_path: Path) -> None:
    aylin = await inn.window("Aylin")
    maren = await inn.window("Maren", colours="dark")
    await aylin.page.get_by_role("button", name="Put these hints away").click()
    await maren.write("The choir meets in the boathouse on Thursday at eight")
    await aylin.sees("The choir meets in the boathouse")

    await aylin.write("Bot help")
    await said(aylin, "Things to try:")
    await aylin.write("Bot remember that I take my coffee black")
    told = await said(aylin, "Got it, I'll remember about Aylin")
    await expect(told.locator(".component-row").get_by_role("button")).to_have_text(["↩️Undo", "✏️Edit"])
    await maren.write("@Innkeeper what do you know about Aylin?")
    await expect(await said(maren, "What I know about")).to_contain_text("coffee black")
    await aylin.write("Bot, where does the choir meet?")
    answer = await said(aylin, "From what was said here")
    await expect(answer).to_contain_text("• @Maren: “The choir meets in the boathouse on Thursday at eight”")
    await aylin.picture("local-guild.png")
    await maren.picture("local-guild-dark.png")
    why = await ask_why(aylin, answer)
    await expect(why).to_contain_text("boathouse")
    await expect(why.get_by_role("link", name="show")).to_have_attribute("href", re.compile(r"/channels/\d+/\d+"))
    await aylin.picture("why.png")
    await expect(maren.log.get_by_text("Only you can see this")).to_have_count(0)

    # What is told of her she can deny; what is told in the back room is for those who can read it.
    await inn.say("Tom", "Bot remember that Aylin snores")
    await button(await said(aylin, "snores"), "Not true").click()
    await said(aylin, "Aylin says that's not true")
    await inn.say("Tom", "Bot remember that Aylin gets a lute for her birthday", "back-room")
    await inn.say("Tom", "Bot remember that Aylin plays the lute at weddings")
    await said(aylin, "lute at weddings")
    await use(aylin, "memory show")
    held = seen_alone(aylin)
    for words in ("take my coffee black", "you said so", "plays the lute at weddings", "@Tom says so"):
        await expect(held).to_contain_text(words)
    for words in ("snores", "birthday"):
        await expect(held).not_to_contain_text(words)
    await aylin.picture("memory-show.png")
    await assert_readable(aylin)

    async with panel_of(inn, "Aylin", size=PHONE) as panel:
        await her_memory(panel)
        await her_reminders(panel)
        await her_data(panel, tmp_path / "mine.json")
        refused = await panel.page.context.request.get(f"{inn.innkeeper.url}/panel/export")
        assert (refused.status, "/innkeeper panel" in await refused.text()) == (401, True)
    held = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))["held"]
    assert "Bot, where does the choir meet?" in [message["text"] for message in held["messages"]]
    await aylin.write("Bot what do you know about me?")
    await said(aylin, "I don't know anything about you yet.")


async def ask_why(window: Window, answer: Locator) -> Locator:
    await answer.hover()
    await answer.get_by_role("toolbar").get_by_role("button", name="More actions", exact=True).click()
    await window.page.get_by_role("menuitem", name="Why did you say that?").click()
    return seen_alone(window)


async def her_memory(panel: Panel) -> None:
    """Puts a fact in her own words, and has it back after it was forgotten, in a page that knows nothing of before."""
    await panel.until("/memory", "at weddings")
    await panel.go("/memory", "Memory")
    lute = panel.main.get_by_role("article").filter(has_text="lute")
    await lute.get_by_role("button", name="Correct").click()
    await panel.main.get_by_label("In your own words").fill("I play the lute at birthdays")
    await panel.button("Save").click()
    mine = panel.main.get_by_role("article").filter(has_text="at birthdays")
    await expect(mine).to_contain_text("Corrected.")
    await expect(mine).to_contain_text("Aylin said so")
    await mine.get_by_role("button", name="Forget").click()
    await expect(panel.main.get_by_text("Forgotten.")).to_be_visible()
    await panel.go("/memory", "Memory")
    await expect(panel.main.get_by_role("heading", name="Recently forgotten")).to_be_visible()
    await panel.button("Undo").first.click()
    await expect(mine.get_by_role("button", name="Forget")).to_be_visible()
    await panel.fits()


async def her_reminders(panel: Panel) -> None:
    await panel.go("/reminders", "Reminders")
    await panel.main.get_by_label("What about?").fill("Stir the soup")
    await panel.main.get_by_label("When?").fill("when the moon is blue")
    await panel.button("Remind me").click()
    await expect(panel.said).to_contain_text("When should I remind you?")
    await panel.main.get_by_label("When?").fill("tomorrow at 9")
    await panel.button("Remind me").click()
    await expect(panel.said).to_contain_text("I'll remind you")
    await panel.button("Edit").click()
    form = panel.page.get_by_role("dialog")
    await form.get_by_label("What about?").fill("Taste the soup")
    await form.get_by_role("button", name="Save").click()
    await expect(panel.main.get_by_text("Taste the soup", exact=True)).to_be_visible()
    await panel.button("Delete").click()
    await expect(panel.main.get_by_text("You have no reminders on this server.")).to_be_visible()
    await panel.button("Undo").click()
    await expect(panel.main.get_by_text("Taste the soup", exact=True)).to_be_visible()
    await panel.main.get_by_label("My time zone").fill("Berlin")
    await panel.button("Save").click()
    await expect(panel.said).to_contain_text("Europe/Berlin")
    await panel.fits()
    await panel.picture("panel-reminders-phone.png")


async def her_data(panel: Panel, file: Path) -> None:
    """Sees it, takes it with her, and in the end has it deleted."""
    await panel.go("/privacy", "Privacy")
    await expect(panel.main.get_by_text("Facts you told me: ")).to_be_visible()
    await expect(panel.main.get_by_text("members have opted out")).to_have_count(0)
    await panel.fits()
    await panel.picture("panel-privacy-phone.png")
    async with panel.page.expect_download() as downloading:
        await panel.page.get_by_role("link", name="Download all of it").click()
    await (await downloading.value).save_as(file)

    await panel.button("Delete it all").click()
    question = panel.page.get_by_role("dialog")
    await question.get_by_role("button", name="Keep it").click()
    await expect(question).to_have_count(0)
    await expect(panel.main.get_by_text("Your messages: ")).to_be_visible()
    await panel.button("Delete it all").click()
    await question.get_by_role("button", name="Delete it all").click()
    await expect(panel.said).to_contain_text("your messages: ")
    await expect(panel.said).to_contain_text("reminders: 1")
    await expect(panel.said).to_contain_text("You're signed out.")
    await panel.picture("panel-erased-phone.png")


async def test_who_opts_out_on_the_panel_is_stored_again_once_they_opt_in(inn: Inn) -> None:
    await inn.say("Aylin", "The soup is on the stove.")
    async with panel_of(inn, "Aylin") as panel:
        await panel.go("/privacy", "Privacy")
        await panel.button("Opt out").click()
        await panel.page.get_by_role("dialog").get_by_role("button", name="Opt out and delete it").click()
        await expect(panel.said).to_contain_text("From now on I store nothing you write on this server")
    async with panel_of(inn, "Aylin") as panel:
        await panel.go("/privacy", "Privacy")
        await expect(panel.main.get_by_text("Not to be stored")).to_be_visible()
        await panel.button("Opt in").click()
        await expect(panel.said).to_contain_text("From now on I store what you write")
