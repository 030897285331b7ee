"""A newcomer's first hour, in a real browser against everything that `make run` starts."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import BrowserContext, expect

from tests.end_to_end.innkeeper import Innkeeper
from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, seen_alone, use
from tests.local_guild.page.house import PATIENCE_MS

pytestmark = IN_A_BROWSER


@pytest.fixture
async def lantern(innkeeper: Innkeeper, profile: BrowserContext) -> AsyncIterator[Inn]:
    """The guild that a newcomer finds."""
    expect.set_options(timeout=2 * PATIENCE_MS)
    inn = Inn(innkeeper, profile, innkeeper.world()["guilds"][0])
    yield inn
    await inn.close()


async def test_the_sample_week_gives_the_bot_something_to_find(lantern: Inn) -> None:
    aylin = await lantern.window("Aylin", size=PHONE)
    await aylin.page.get_by_role("button", name="Play a sample week").click()
    await expect(aylin.page.get_by_text("A week of chat has been played")).to_be_visible()
    await expect(aylin.log.get_by_role("article").nth(20)).to_be_visible()
    # It ends in questions, each of which is answered well.
    for asked, answer in {
        "where was the key?": "a key in the flour",
        "who drove the library bus?": "I drove the library bus",
        "when did we beat the volcano?": "WE BEAT THE VOLCANO",
    }.items():
        await aylin.page.get_by_role("button", name=asked).click()
        await aylin.box.press("Enter")
        await said(aylin, answer)
    await expect(aylin.page.get_by_text("A week of chat has been played")).to_have_count(0)
    await aylin.picture("local-guild-phone.png")
    await fits(aylin)

    # What is looked for with a command is told to one alone.
    aylin = await lantern.window("Aylin")
    await aylin.box.press_sequentially("/recall", delay=5)
    await aylin.box.press("Enter")
    form = aylin.page.get_by_role("form", name="Command recall")
    await form.get_by_label("text").fill("slugs")
    await form.get_by_role("button", name="+ in").click()
    await aylin.page.keyboard.type("gen")
    await form.get_by_role("option", name="general").first.click()
    await form.get_by_role("button", name="Send").click()
    await expect(aylin.log.get_by_text("Only you can see this")).to_be_visible()
    await said(aylin, "Slug census")
    await aylin.picture("recall.png")


async def test_status_is_a_slash_command_and_a_page(innkeeper: Innkeeper, lantern: Inn) -> None:
    maren = await lantern.window("Maren", size={"width": 1280, "height": 1100})
    await use(maren, "innkeeper status")
    await expect(seen_alone(maren)).to_contain_text("Everything's working.")
    await maren.page.get_by_role("button", name="Put these hints away").click()
    await button(seen_alone(maren), "Details").click()
    await expect(maren.log.get_by_text("days, digest")).to_be_visible()
    await maren.picture("status.png")
    await maren.page.goto(f"{innkeeper.url}/status")
    await expect(maren.page.get_by_role("status")).to_have_text("Everything's working.")
    await expect(maren.page.get_by_text("database, ").first).not_to_be_visible()
    await maren.page.get_by_text("Details").click()
    await expect(maren.page.get_by_text("database, ").first).to_be_visible()
    # To whoever comes from elsewhere it says no more than that.
    await maren.page.set_extra_http_headers({"X-Forwarded-For": "203.0.113.7"})
    await maren.page.reload()
    await expect(maren.page.get_by_role("status")).to_have_text("Everything's working.")
    await expect(maren.page.get_by_text("Details")).to_have_count(0)
