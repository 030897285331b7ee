"""The panel's pages on what is kept, what was said and what was summed up, in a real browser, on desk and phone."""

import re

from playwright.async_api import Locator, expect

from tests.end_to_end.house import eventually
from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn
from tests.end_to_end.pages.panel import Panel, panel_of, pick
from tests.end_to_end.pages.test_channels import TALK

pytestmark = IN_A_BROWSER

IN_PANEL = ".nicegui-content"
"""Not what comes up beside it and fades again."""
EVIL = "<img src=x onerror=alert(1)>"


async def tell(inn: Inn, member: str, words: str, channel: str = "general") -> None:
    await inn.say(member, f"Bot remember that {words}", channel)


def card(panel: Panel, words: str) -> Locator:
    return panel.page.get_by_role("article").filter(has_text=words)


def press(where: Locator, label: str) -> Locator:
    return where.get_by_role("button", name=label, exact=True)


async def test_what_is_kept_is_seen_put_right_and_noted(inn: Inn) -> None:
    tom = f"/guilds/{inn.guild['id']}/members/{inn.member('Tom')['id']}"
    await inn.call("Maren", "PATCH", tom, {"nick": EVIL})
    await tell(inn, "Tom", "Aylin plays the lute")
    await tell(inn, "Tom", f"Aylin likes {EVIL} and javascript:alert(2)")
    await tell(inn, "Aylin", "I grow quinces")
    await tell(inn, "Tom", "Aylin hides the good cheese", "back-room")
    async with panel_of(inn, "Aylin") as aylin:
        for words in ("quinces", "lute", "onerror"):
            await aylin.until("/memory", words)
        await aylin.go("/memory", "Memory")
        main = aylin.main

        # Whatever people call themselves or say is text.
        await expect(card(aylin, "alert(2)")).to_contain_text(f"{EVIL} says so")
        await expect(main.locator("img[src=x]")).to_have_count(0)
        links = await main.get_by_role("link").evaluate_all("all => all.map(one => one.getAttribute('href'))")
        assert len(links) == 3
        assert all(link.startswith(f"/channels/{inn.guild['id']}/") for link in links)

        lute = card(aylin, "plays the lute")
        await press(lute, "Confirm").click()
        await expect(lute).to_contain_text("Confirmed.")
        await expect(lute).to_contain_text("and Aylin confirmed it")
        await press(lute, "Undo").click()
        await expect(press(lute, "Confirm")).to_be_visible()
        await press(lute, "Not true").click()
        gone = card(aylin, "No one else can tell me that again")
        await press(gone, "Undo").click()
        await press(lute, "Correct").click()
        await aylin.page.get_by_label("In your own words").fill("I play the hurdy-gurdy")
        await press(main, "Save").first.click()
        await expect(card(aylin, "play the hurdy-gurdy")).to_contain_text("Aylin said so")

        await aylin.page.get_by_text("Add a memory").click()
        note = aylin.page.locator(".q-expansion-item")
        await note.get_by_label("What should I remember?").fill("I have the boat exam on Friday")
        await note.get_by_label("Importance").click()
        await aylin.page.get_by_role("option", name="9", exact=True).click()
        await expect(note).to_contain_text("Everyone who can read #general may hear it.")
        await press(note, "Save").click()
        exam = card(aylin, "boat exam")
        await expect(exam.locator(".weight-red")).to_have_text("9")
        await expect(exam).to_contain_text(re.compile(r"Aylin said so · since \d+ \w+ \d{4} · for readers of #general"))
        await press(card(aylin, "alert(2)"), "Not true").click()
        await expect(card(aylin, "alert(2)")).to_have_count(0)
        await aylin.page.get_by_text("Add a memory").click()
        await expect(note.get_by_label("Importance")).to_be_hidden()
        await aylin.page.mouse.wheel(0, -2_000)
        await aylin.picture("panel-memory.png")
        await aylin.fits(least=20, within=IN_PANEL)
        await press(exam, "Edit").click()
        form = main.get_by_role("article").filter(has=aylin.page.get_by_label("In your own words"))
        await form.get_by_label("Importance").click()
        await aylin.page.get_by_role("option", name="2", exact=True).click()
        await press(form, "Save").click()
        await expect(exam.locator(".weight-gray")).to_have_text("2")
        await press(exam, "Forget").click()
        await press(card(aylin, "Forgotten."), "Undo").click()
        await expect(exam).to_be_visible()
        await aylin.page.get_by_label("Words").fill("QUINCES")
        await expect(aylin.page.get_by_text("1 memory")).to_be_visible()
        await expect(exam).to_have_count(0)

    async with panel_of(inn, "Maren", size=PHONE, colours="dark") as phone:
        await phone.go("/memory", "Memory")
        await pick(phone.page, "About", "Aylin")
        await expect(phone.page.get_by_role("heading", name="About Aylin")).to_be_visible()
        # Maren can read the back room; what is said in the hall is less.
        told = phone.said.first
        preview = press(phone.main, "Preview")
        await preview.click()
        await expect(told).to_contain_text("cheese")
        await pick(phone.page, "Channel", "#general")
        await preview.click()
        await expect(told).not_to_contain_text("cheese")
        await expect(told).to_contain_text("hurdy-gurdy")
        await expect(preview).to_be_enabled()
        await phone.page.evaluate("scrollTo(0, 0)")
        await phone.picture("panel-memory-phone.png")
        await phone.fits(least=8, within=IN_PANEL)

        # Of others one tells by the same rules as with /remember.
        await phone.page.get_by_text("Add something about Aylin").click()
        note = phone.page.locator(".q-expansion-item")
        await expect(note.get_by_label("Importance")).to_be_hidden()
        for words, answer in (
            (f"likes {EVIL} and javascript:alert(2)", "told me it's not true"),
            ("plays the hurdy-gurdy at weddings", "Saved."),
        ):
            await note.get_by_label("What should I remember?").fill(words)
            await press(note, "Save").click()
            await expect(note).to_contain_text(answer)
        await expect(card(phone, "at weddings")).to_contain_text("Maren says so")
        await phone.fits()


async def test_what_was_said_is_found_and_summed_up(inn: Inn) -> None:
    await inn.live_where_it_is_noon()
    for line in TALK.strip().splitlines():
        member, text = line.split(": ", 1)
        await inn.say(member, text)
    await inn.say("Tom", "The choir must not hear of the soup in the cellar.", "back-room")
    async with panel_of(inn, "Jonas") as jonas:
        await jonas.go("/recall", "Recall")
        await jonas.page.get_by_label("Words or a question").fill("soup")

        async def found() -> int:
            await jonas.page.keyboard.press("Enter")
            await expect(jonas.page.get_by_role("status").first).to_be_visible()
            return await card(jonas, "three pots of soup").count()

        await jonas.page.get_by_label("Words or a question").focus()
        await eventually(found)
        # By its meaning as well, if that was made out already.
        await expect(card(jonas, "three pots of soup")).to_contain_text(re.compile("Matches: .*your words"))
        await expect(card(jonas, "cellar")).to_have_count(0)
        await expect(press(jonas.main, "Search")).to_be_enabled()
        await expect(card(jonas, "three pots of soup")).to_be_visible()
        await jonas.picture("panel-recall.png")
        await jonas.fits(least=10, within=IN_PANEL)
        for limit, day in (("Before", "2020-01-01"), ("Since", "2099-01-01")):
            await jonas.page.get_by_label(limit).fill(day)
            await press(jonas.main, "Search").click()
            await expect(jonas.page.get_by_text("Nothing found in what you can read.")).to_be_visible()
            await jonas.page.get_by_label(limit).fill("")
        await pick(jonas.page, "Said by", "Jonas (you)")
        await press(jonas.main, "Search").click()
        await expect(card(jonas, "three pots of soup")).to_have_count(0)
        await pick(jonas.page, "Said by", "Anyone")
        await pick(jonas.page, "Channel", "#kitchen-table")
        await press(jonas.main, "Search").click()
        await expect(jonas.page.get_by_text("Nothing found in what you can read.")).to_be_visible()

    room = {"name": "channel", "type": 7, "value": str(inn.channel_id())}
    await inn.use("Maren", "digest setup", room)
    await inn.use("Maren", "digest now")
    async with panel_of(inn, "Maren", size=PHONE, colours="dark") as maren:
        await maren.until("/days", "Sources")
        await maren.go("/days", "Summaries")
        await press(maren.page.get_by_role("article").first, "Write it").click()
        today = maren.page.get_by_role("article").first
        await expect(today).to_contain_text("quoted")
        await press(today, "Sources").first.click()
        await expect(today.get_by_role("link").first).to_be_visible()
        await maren.picture("panel-days-phone.png")
        await press(today, "Correct").first.click()
        await maren.page.get_by_label("In your own words").fill(f"They cook soup. {EVIL}")
        await press(today, "Save").click()
        await expect(today).to_contain_text(f"They cook soup. {EVIL}corrected by Maren")
        await maren.page.get_by_label("Channel").last.click()
        await maren.page.get_by_role("option", name="#general").click()
        await press(maren.main, "Update").click()
        summary = maren.page.get_by_role("article").filter(has_text="messages, from")
        await press(summary, "Correct").click()
        await maren.page.get_by_label("In your own words").fill("They take the ferry on Saturday. [1]")
        await press(maren.main, "Save").click()
        await expect(summary).to_contain_text("corrected by Maren")
        await press(summary, "Sources").click()
        await expect(summary.get_by_role("link").first).to_be_visible()
        digest = card(maren, "#general").filter(has_text="Open message").last
        await press(digest, "Sources").click()
        await expect(digest).to_contain_text("Tom · ")
        await maren.fits(least=10, within=IN_PANEL)
