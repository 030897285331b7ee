"""A newcomer's first hour, in a real browser against everything that `make run` starts."""

from pathlib import Path

from playwright.async_api import Browser, expect

from tests.end_to_end.innkeeper import Innkeeper
from tests.end_to_end.pages.windows import IN_A_BROWSER, window_of
from tests.local_guild.page.house import Window

pytestmark = IN_A_BROWSER


async def _reply(window: Window, text: str) -> None:
    """The bot said so, in a message of its own."""
    await expect(window.message(text).filter(has_text="Innkeeper").last).to_be_visible()


async def test_a_newcomer_plays_through_the_first_hour(innkeeper: Innkeeper, browser: Browser, pictures: Path) -> None:
    maren = await window_of(browser, innkeeper, "maren")
    aylin = await window_of(browser, innkeeper, "aylin", color_scheme="dark")

    await maren.write("Good evening, everyone")
    await aylin.sees("Good evening, everyone")
    await aylin.write("Evening! Who brings the cards on Friday?")
    await maren.sees("Who brings the cards on Friday?")

    await maren.write("Bot remember that I take my coffee black")
    await _reply(maren, "takes their coffee black")
    await aylin.write("@Innkeeper what do you know about Maren?")
    await _reply(aylin, "coffee black")
    await maren.write("Bot, who brings the cards?")
    await _reply(maren, "Who brings the cards on Friday?")
    await maren.page.screenshot(path=pictures / "local-guild.png")
    await aylin.page.screenshot(path=pictures / "local-guild-dark.png")

    await maren.channel("back-room").click()
    await maren.write("Bot remember that Aylin gets a lute for her birthday")
    await _reply(maren, "lute")
    await expect(aylin.channel("back-room")).to_have_count(0)
    await aylin.write("Bot what do you know about me?")
    await expect(aylin.log.get_by_role("article").last).to_contain_text("know nothing")
    await expect(aylin.message("lute")).to_have_count(0)

    await aylin.write("see you on Firday")
    await aylin.sees("see you on Firday")
    await aylin.box.press("ArrowUp")
    editor = aylin.page.get_by_role("combobox", name="Edit message")
    await editor.fill("see you on Friday then")
    await editor.press("Enter")
    await expect(await aylin.sees("see you on Friday then")).to_contain_text("(edited)")
    await aylin.act("see you on Friday then", "More actions")
    await aylin.page.get_by_role("menuitem", name="Delete").click()
    await aylin.page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(aylin.message("see you on Friday then")).to_have_count(0)


async def test_the_sample_week_gives_the_bot_something_to_find(
    innkeeper: Innkeeper, browser: Browser, pictures: Path
) -> None:
    phone = {"width": 390, "height": 844}
    aylin = await window_of(browser, innkeeper, "aylin", viewport=phone)
    await aylin.page.get_by_role("button", name="Play a sample week").click()
    await expect(aylin.log.get_by_role("article").nth(20)).to_be_visible()
    await expect(aylin.page.get_by_text("A week of chat has been played")).to_be_visible()
    await aylin.write("@Innkeeper where was the key?")
    await _reply(aylin, "a key in the flour")
    await aylin.write("@Innkeeper when did we beat the volcano?")
    await _reply(aylin, "WE BEAT THE VOLCANO")
    await aylin.page.screenshot(path=pictures / "local-guild-phone.png")


async def test_recall_finds_the_sample_week_and_tells_one_alone(
    innkeeper: Innkeeper, browser: Browser, pictures: Path
) -> None:
    aylin = await window_of(browser, innkeeper, "aylin")
    await aylin.page.get_by_role("button", name="Play a sample week").click()
    await expect(aylin.page.get_by_text("A week of chat has been played")).to_be_visible()
    await aylin.box.press_sequentially("/recall", delay=5)
    await aylin.box.press("Enter")
    form = aylin.page.get_by_role("form", name="Command recall")
    await form.get_by_label("text").fill("slugs")
    await form.get_by_role("button", name="Send").click()
    await expect(aylin.log.get_by_text("Only you can see this")).to_be_visible()
    await expect(aylin.message("Slug census").filter(has_text="Innkeeper")).to_be_visible()
    await aylin.page.screenshot(path=pictures / "recall.png")


async def test_status_is_a_slash_command_and_a_page(innkeeper: Innkeeper, browser: Browser, pictures: Path) -> None:
    maren = await window_of(browser, innkeeper, "maren")
    await maren.box.press_sequentially("/innkeeper st", delay=5)
    await maren.box.press("Enter")
    form = maren.page.get_by_role("form", name="Command innkeeper status")
    await form.get_by_role("button", name="Send").click()
    await expect(maren.log.get_by_text("Only you can see this")).to_be_visible()
    await maren.page.screenshot(path=pictures / "status.png")
    await maren.page.goto(f"{innkeeper.url}/status")
    await expect(maren.page.get_by_role("status")).to_have_text("All is well.")
