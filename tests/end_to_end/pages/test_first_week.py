"""A manager's first week: setting the bot up, deciding what it keeps, keeping order, and handing over."""

from playwright.async_api import Locator, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, use
from tests.end_to_end.pages.panel import Panel, panel_of, pick
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER

ONLY_MANAGERS = "Only people who manage this server can see this page."


async def test_a_managers_first_week(inn: Inn) -> None:
    await inn.call("Maren", "POST", f"/guilds/{inn.guild['id']}/roles", {"name": "<i id=crew>Crew</i>"})
    await inn.say("Aylin", "The soup is on the stove.", "kitchen-table")
    await inn.say("Tom", "Bot remember that Jonas plays the bagpipes")
    maren = await inn.window("Maren")
    await said(maren, "Got it, I'll remember about Jonas")
    await set_up(maren)
    setup = await begin_setup(phone := await inn.window("Maren", size=PHONE))
    await expect(setup.get_by_role("button", name="Time zone: Europe/Berlin")).to_be_visible()
    await setup.get_by_role("button", name="Next").click()
    await expect(setup).to_contain_text("Channels it opens")
    await phone.picture("setup-phone.png")
    await fits(phone)
    await setup.get_by_role("button", name="Cancel").click()
    await phone.sees("Nothing was changed.")

    async with maren.page.expect_popup() as opening:
        await maren.page.get_by_role("button", name="Control panel").click()
    beside = await opening.value
    await expect(beside.get_by_role("banner")).to_contain_text("The Lantern InnMaren")
    await beside.close()
    async with panel_of(inn, "Maren") as panel:
        await how_it_is_doing(panel)
        await what_it_keeps(panel, maren)
        await who_did_what(panel)
    await hand_over(inn)


async def begin_setup(window: Window) -> Locator:
    await use(window, "innkeeper setup")
    return await window.sees("Nothing is changed before you save")


async def set_up(maren: Window) -> None:
    """Monday: step by step in the chat, by mouse and by keys; it ends with a notice that everybody sees."""
    setup = await begin_setup(maren)
    await setup.get_by_role("button", name="Type another").click()
    form = maren.page.get_by_role("dialog", name="Time zone")
    await expect(form.get_by_role("textbox")).to_be_focused()
    await maren.page.keyboard.type("Berln")
    await maren.page.keyboard.press("Enter")
    await expect(form).to_have_count(0)
    await expect(setup).to_contain_text("Did you mean Europe/Berlin?")
    await setup.get_by_role("button", name="Time zone").click()
    await maren.page.get_by_role("option", name="Europe/Berlin").click()
    await expect(setup).to_contain_text("Chosen: Europe/Berlin")
    await setup.get_by_role("button", name="Next").click()
    await expect(setup).to_contain_text("Channels it opens")
    await maren.picture("setup.png")
    await setup.get_by_role("button", name="Next").click()
    await setup.get_by_role("button", name="Skip").click()
    for step in (4, 5):
        await expect(setup).to_contain_text(f"Step {step} of 6")
        await setup.get_by_role("button", name="Next").click()
    await expect(setup).to_contain_text("I remember this server.")
    await maren.page.set_viewport_size({"width": 1280, "height": 1000})
    await maren.picture("setup-summary.png")
    await setup.get_by_role("button", name="Save and post the notice").click()
    await maren.sees("Saved. ")
    await expect(maren.message("I remember this server.").get_by_text("Only you can see this")).to_have_count(0)


async def how_it_is_doing(panel: Panel) -> None:
    """Tuesday: the overview, in a sentence, in numbers, and by part."""
    await panel.go("", "Overview")
    await expect(panel.main.get_by_text("Everything's working.")).to_be_visible()
    await expect(panel.main.locator("svg").first).to_be_visible()
    await panel.fits()
    await panel.picture("panel-overview.png")
    await panel.button("Last 30 days").click()
    await panel.main.get_by_text("As a table").first.click()
    await expect(panel.main.get_by_role("table").get_by_role("row")).not_to_have_count(8)
    await panel.main.get_by_text("Details").click()
    await expect(panel.main.get_by_text("gateway, members")).to_be_visible()
    await panel.go("/usage", "Usage")
    await expect(panel.main.get_by_text("I have no language model here")).to_be_visible()
    await panel.picture("panel-usage.png")


async def what_it_keeps(panel: Panel, maren: Window) -> None:
    """Wednesday: the settings, where a mistake is said at its field and what would be deleted is asked first."""
    await panel.until("/settings", "id=crew")
    await panel.go("/settings", "Settings")
    await panel.fits()
    zone = panel.main.get_by_label("Time zone")
    await zone.fill("Atlantis")
    await panel.button("Save").click()
    await expect(panel.said).to_contain_text("“Atlantis”.")
    await zone.fill("paris")
    await panel.main.get_by_label("Persona").fill("Like a pirate.")
    # Meanwhile on Discord; what the page leaves alone stays as it is there.
    await use(maren, "summary off")
    await said(maren, "Changed.")
    await panel.button("Save").click()
    await expect(panel.said).to_contain_text("Saved.")
    await expect(panel.said).to_contain_text("Time zone: Europe/Paris")
    await expect(panel.main.get_by_label("Summaries", exact=True)).to_have_attribute("aria-checked", "false")
    await panel.picture("panel-settings.png")
    await use(maren, "settings show")
    await expect(await said(maren, "Time zone: Europe/Paris")).to_contain_text("Like a pirate.")

    # Names are text, whatever is in them.
    await panel.main.get_by_label("Roles left out").click()
    await panel.page.get_by_role("option", name="@<i id=crew>Crew</i>").click()
    await expect(panel.page.locator("#crew")).to_have_count(0)
    await panel.page.keyboard.press("Escape")
    await panel.main.get_by_label("Channels left out").click()
    await panel.page.get_by_role("option", name="#kitchen-table").click()
    await panel.page.keyboard.press("Escape")
    await panel.button("Save").click()
    question = panel.page.get_by_role("dialog")
    await expect(question).to_contain_text("This deletes for good: 1 message")
    await panel.picture("panel-settings-asks.png")
    await question.get_by_role("button", name="Cancel").click()
    await expect(question).to_have_count(0)
    await panel.button("Save").click()
    await question.get_by_role("button", name="Change and delete").click()
    await expect(panel.said).to_contain_text("#kitchen-table")
    await expect(panel.said).to_contain_text("Deleted, because I may no longer keep it: 1 message")


async def who_did_what(panel: Panel) -> None:
    """Friday: she has something forgotten that Tom told of Jonas, and finds that noted as well."""
    await panel.go("/memory", "Memory")
    await pick(panel.page, "About", "Jonas")
    await expect(panel.page.get_by_role("heading", name="About Jonas")).to_be_visible()
    bagpipes = panel.main.get_by_role("article").filter(has_text="bagpipes")
    await bagpipes.get_by_role("button", name="Forget").click()
    await expect(panel.main.get_by_text("Forgotten.")).to_be_visible()
    await panel.go("/privacy", "Privacy")
    for words in ("Maren: changed what is kept", "Tom: told me something → Jonas", "Maren: had me forget something"):
        await expect(panel.main.get_by_text(words)).to_be_visible()
    await expect(panel.main.get_by_text("0 members have opted out.")).to_be_visible()


async def hand_over(inn: Inn) -> None:
    """Sunday: Jonas helps out, on his phone, and sees nothing of it any more once he does not."""
    role = next(one["id"] for one in inn.guild["roles"] if one["name"] == "Keeper")
    path = f"/guilds/{inn.guild['id']}/members/{inn.member('Jonas')['id']}/roles/{role}"
    await inn.call("Maren", "PUT", path)
    async with panel_of(inn, "Jonas", size=PHONE, colours="dark") as panel:
        await panel.go("/settings", "Settings")
        await panel.fits()
        await panel.picture("panel-settings-phone.png")
        await inn.call("Maren", "DELETE", path)
        await panel.until("/usage", ONLY_MANAGERS)
        await panel.page.goto(f"{inn.innkeeper.url}/panel/usage")
        await expect(panel.page.get_by_text(ONLY_MANAGERS)).to_be_visible()
        await panel.go("", "Overview")
        await expect(panel.page.get_by_role("link", name="Settings")).to_have_count(0)
        await expect(panel.main.locator("svg").first).to_be_visible()
        await panel.fits()
        await panel.picture("panel-overview-phone.png")


async def test_the_bot_is_sent_away_with_all_it_holds(inn: Inn) -> None:
    maren = await inn.window("Maren", size=PHONE, colours="dark")
    await inn.say("Tom", "Bot remember that I bring the cider")
    await said(maren, "Got it, I'll remember about Tom")
    await use(maren, "innkeeper leave")
    question = maren.log.get_by_role("article").filter(has_text="Only you can see this").last
    await expect(question).to_contain_text("Should I delete everything I keep of The Lantern Inn and leave?")
    await maren.picture("leave-phone.png")
    await button(question, "Delete all, leave The Lantern Inn").click()
    await expect(question).to_contain_text("I'm leaving now. Goodbye!")
    await fits(maren)
