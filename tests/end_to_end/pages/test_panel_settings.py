"""Overview, settings, privacy, usage and reminders on the panel, in a real browser."""

import json
from pathlib import Path

import httpx
from playwright.async_api import expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, said, use
from tests.end_to_end.pages.panel import panel_of
from tests.loopback import NO_TLS

pytestmark = IN_A_BROWSER

ONLY_MANAGERS = "This page is for those who manage the server."


async def _call(inn: Inn, method: str, path: str, body: dict[str, str] | None = None) -> None:
    """As Maren, who owns the place."""
    headers = {"Authorization": inn.member("Maren")["token"]}
    async with httpx.AsyncClient(base_url=inn.innkeeper.url, headers=headers, timeout=20, verify=NO_TLS) as http:
        (await http.request(method, f"/api/v10/guilds/{inn.guild['id']}{path}", json=body)).raise_for_status()


async def _manages(inn: Inn, member: str, method: str) -> None:
    """Somebody is given the role of those who manage the server, or loses it."""
    role = next(one["id"] for one in inn.guild["roles"] if one["name"] == "Keeper")
    await _call(inn, method, f"/members/{inn.member(member)['id']}/roles/{role}")


async def test_a_manager_decides_on_the_panel_and_it_holds_on_discord(inn: Inn) -> None:
    await _call(inn, "POST", "/roles", {"name": "<i id=crew>Crew</i>"})
    await inn.say("Aylin", "The soup is on the stove.", "kitchen-table")
    await inn.say("Tom", "Bot remember that I play the bagpipes")
    maren = await inn.window("Maren")
    await said(maren, "Got it, I'll remember about Tom")
    async with maren.page.expect_popup() as opening:
        await maren.page.get_by_role("button", name="Control panel").click()
    beside = await opening.value
    await expect(beside.get_by_role("banner")).to_contain_text("The Lantern InnMaren")
    await beside.close()
    async with panel_of(inn, "Maren") as panel:
        await panel.go("", "Overview")
        await expect(panel.main.get_by_text("Everything's working.")).to_be_visible()
        await expect(panel.main.locator("svg").first).to_be_visible()
        await panel.button("Last 30 days").click()
        await panel.main.get_by_text("As a table").first.click()
        await expect(panel.main.get_by_role("table").get_by_role("row")).not_to_have_count(8)
        await panel.main.get_by_text("Details").click()
        await expect(panel.main.get_by_text("gateway: active")).to_be_visible()
        await panel.go("", "Overview")
        await expect(panel.main.locator("svg").first).to_be_visible()
        await panel.fits()
        await panel.picture("panel-overview.png")

        await panel.until("/settings", "id=crew")
        await panel.go("/settings", "Settings")
        await panel.fits()
        zone = panel.main.get_by_label("Time zone")
        await zone.fill("Atlantis")
        await panel.button("Save").click()
        await expect(panel.said).to_contain_text("“Atlantis”.")
        await zone.fill("berlin")
        await panel.main.get_by_label("Persona").fill("Like a pirate.")
        # Meanwhile on Discord; what the page leaves alone stays as it is there.
        await use(maren, "summary off")
        await said(maren, "Changed.")
        await panel.button("Save").click()
        await expect(panel.said).to_contain_text("Saved.")
        await expect(panel.said).to_contain_text("Time zone: Europe/Berlin")
        await expect(panel.main.get_by_label("Summaries", exact=True)).to_have_attribute("aria-checked", "false")
        await panel.picture("panel-settings.png")
        await use(maren, "settings show")
        shown = await said(maren, "Time zone: Europe/Berlin")
        await expect(shown).to_contain_text("Like a pirate.")

        # Names are text, whatever is in them.
        await panel.main.get_by_label("Roles left out").click()
        await panel.page.get_by_role("option", name="@<i id=crew>Crew</i>").click()
        await expect(panel.page.locator("#crew")).to_have_count(0)
        await panel.page.keyboard.press("Escape")
        # What would remove messages is asked first.
        await panel.main.get_by_label("Channels left out").click()
        await panel.page.get_by_role("option", name="#kitchen-table").click()
        await panel.page.keyboard.press("Escape")
        await panel.button("Save").click()
        question = panel.page.get_by_role("dialog")
        await expect(question).to_contain_text("This deletes for good: 1 message")
        await question.get_by_role("button", name="Cancel").click()
        await expect(question).to_have_count(0)
        await panel.button("Save").click()
        await expect(question).to_contain_text("This deletes for good: 1 message")
        await panel.picture("panel-settings-asks.png")
        await question.get_by_role("button", name="Change and delete").click()
        await expect(panel.said).to_contain_text("#kitchen-table")
        await expect(panel.said).to_contain_text("Removed, because it's no longer allowed here: 1 message")

        await panel.go("/privacy", "Privacy")
        await expect(panel.main.get_by_text("Maren: changed what is kept")).to_be_visible()
        await expect(panel.main.get_by_text("0 members have opted out.")).to_be_visible()
        await panel.go("/usage", "Usage")
        await expect(panel.main.get_by_text("I have no language model here")).to_be_visible()
        await panel.picture("panel-usage.png")


async def test_who_manages_the_server_no_longer_does_not_see_how_on_a_phone(inn: Inn) -> None:
    await _manages(inn, "Jonas", "PUT")
    async with panel_of(inn, "Jonas", size=PHONE, colours="dark") as panel:
        await panel.go("/settings", "Settings")
        await panel.fits()
        await panel.picture("panel-settings-phone.png")
        await _manages(inn, "Jonas", "DELETE")
        await panel.until("/usage", ONLY_MANAGERS)
        await panel.page.goto(f"{inn.innkeeper.url}/panel/usage")
        await expect(panel.page.get_by_text(ONLY_MANAGERS)).to_be_visible()
        await panel.go("", "Overview")
        await expect(panel.page.get_by_role("link", name="Settings")).to_have_count(0)
        await expect(panel.main.get_by_text("Calls of models a day")).to_have_count(0)
        await expect(panel.main.locator("svg").first).to_be_visible()
        await panel.fits()
        await panel.picture("panel-overview-phone.png")


async def test_a_member_sees_saves_and_erases_their_own_and_is_reminded(inn: Inn, tmp_path: Path) -> None:
    await inn.say("Maren", "Bot remember that Aylin makes the best lentil soup")
    maren = await inn.window("Maren")
    await said(maren, "Got it, I'll remember about Aylin")
    await inn.say("Aylin", "The soup is on the stove.")
    async with panel_of(inn, "Aylin", size=PHONE) as panel:
        await panel.go("/reminders", "Reminders")
        await panel.main.get_by_label("What about?").fill("Stir the soup")
        await panel.main.get_by_label("When?").fill("when the moon is blue")
        await panel.button("Remind me").click()
        await expect(panel.said).to_contain_text("When should I remind you?")
        await panel.main.get_by_label("When?").fill("tomorrow at 9")
        await panel.button("Remind me").click()
        await expect(panel.said).to_contain_text("I'll remind you")
        await expect(panel.main.get_by_text("Stir the soup", exact=True)).to_be_visible()
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

        await panel.go("/privacy", "Privacy")
        await expect(panel.main.get_by_text("facts others told me about you: 1")).to_be_visible()
        await expect(panel.main.get_by_text("members have opted out")).to_have_count(0)
        await panel.fits()
        await panel.picture("panel-privacy-phone.png")
        async with panel.page.expect_download() as downloading:
            await panel.page.get_by_role("link", name="Download all of it").click()
        saved = tmp_path / "mine.json"
        await (await downloading.value).save_as(saved)
        held = json.loads(saved.read_text(encoding="utf-8"))["held"]
        assert "The soup is on the stove." in [message["text"] for message in held["messages"]]

        await panel.button("Erase it").click()
        question = panel.page.get_by_role("dialog")
        await question.get_by_role("button", name="Keep it").click()
        await expect(panel.main.get_by_text("your messages: ")).to_be_visible()
        await panel.button("Erase it").click()
        await question.get_by_role("button", name="Delete it all").click()
        await expect(panel.said).to_contain_text("your messages: ")
        await expect(panel.said).to_contain_text("reminders: 1")
        await expect(panel.said).to_contain_text("You are signed out.")
        await panel.picture("panel-erased-phone.png")
        refused = await panel.page.context.request.get(f"{inn.innkeeper.url}/panel/export")
        assert (refused.status, "/innkeeper panel" in await refused.text()) == (401, True)
    async with panel_of(inn, "Aylin") as panel:
        await panel.go("/privacy", "Privacy")
        await panel.button("Opt out").click()
        await panel.page.get_by_role("dialog").get_by_role("button", name="Opt out and delete it").click()
        await expect(panel.said).to_contain_text("From now on I store nothing you write on this server")
    async with panel_of(inn, "Aylin") as panel:
        await panel.go("/privacy", "Privacy")
        await expect(panel.main.get_by_text("not to be stored")).to_be_visible()
        await panel.button("Opt in").click()
        await expect(panel.said).to_contain_text("From now on I store what you write")
