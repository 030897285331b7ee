"""What was talked about in a channel, asked for in a real browser: every command, and in words."""

from playwright.async_api import expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn, button, fits, said, use
from tests.local_guild.page.contrast import assert_readable

pytestmark = IN_A_BROWSER

TALK = """
Tom: Shall we take the old ferry to the island on Saturday, or is it still in the yard?
Aylin: The yard says that the ferry is back on Thursday, with a new engine.
Tom: Then let's decide now: Saturday, nine o'clock, at the pier.
Jonas: I bring the tent, the big one for eight people.
Aylin: I will make lentil soup for everybody, two pots of it.
Tom: Who has the key of the boathouse?
Jonas: Maren has the key, she took it home after the storm.
Aylin: The forecast says that it rains on Saturday morning and clears up by noon.
Tom: Rain is fine, the ferry has a roof.
Jonas: Should we invite the people of the harbour choir as well?
Aylin: Yes, the choir wants to sing on the way back.
Tom: I asked them, twelve singers are coming.
Jonas: Then the tent is too small. I ask my brother for the second tent.
Aylin: And I make three pots of soup.
Tom: Tickets are 14 euros, children travel for free.
Jonas: My brother says that we can have the second tent until Monday.
Aylin: Great. What is still open is who drives the bus to the pier.
Tom: I could drive the bus, if somebody brings it back.
Jonas: I bring it back on Sunday evening.
Aylin: Then everything is settled but the music for the evening.
Tom: The choir knows forty sea shanties, that is the music.
Jonas: Only if they stop before midnight, the neighbours complained last year.
"""


async def test_what_was_talked_about_is_shown_by_every_command(inn: Inn) -> None:
    for line in TALK.strip().splitlines():
        member, text = line.split(": ", 1)
        await inn.say(member, text)
    maren = await inn.window("Maren")
    await expect(maren.message("the neighbours complained").last).to_be_visible()
    await maren.page.get_by_role("button", name="Put these hints away").click()

    await use(maren, "summary status")
    await expect(await said(maren, "22")).to_contain_text("Only you can see this")
    await use(maren, "summary now")
    summary = await said(maren, "quoted, without a language model")
    await expect(button(summary, "Sources")).to_be_visible()
    await summary.scroll_into_view_if_needed()
    await assert_readable(maren, least=20)
    await button(summary, "Sources").click()
    await expect((await said(maren, "What the summary is based on")).get_by_role("link").first).to_be_visible()
    await maren.picture("summary-rests-on.png")
    await button(summary, "Correct").click()
    form = maren.page.get_by_role("dialog")
    await form.get_by_role("textbox").fill("They take the ferry on Saturday at nine. [1]")
    await maren.picture("summary-correct.png")
    await form.get_by_role("button", name="Submit").click()
    await expect(await said(maren, "They take the ferry on Saturday at nine.")).to_contain_text("Maren")

    await maren.write("Bot, where were we?")
    told = await said(maren, "What was talked about here")
    await expect(told).to_contain_text("They take the ferry on Saturday at nine.")
    await expect(told.get_by_role("link").first).to_be_visible()
    await told.scroll_into_view_if_needed()
    await maren.picture("where-were-we.png")

    jonas = await inn.window("Jonas", size=PHONE, colours="dark")
    for command, words in (
        ("context show", "Latest"),
        ("context history", "The history of"),
        ("context analyze", "Everything I keep of"),
    ):
        await use(jonas, command)
        shown = await said(jonas, words)
        await shown.get_by_text("Only you can see this").scroll_into_view_if_needed()
        await jonas.picture(f"{command.replace(' ', '-')}-phone.png")
        await fits(jonas)
    await use(maren, "context clear")
    await expect(await said(maren, "Nothing was deleted")).to_be_visible()
    await maren.picture("context-clear.png")
    for command, words in (("summary off", "off"), ("summary on", "rolling"), ("summary setup", "rolling")):
        await use(maren, command)
        await expect(await said(maren, words)).to_be_visible()
    await expect(maren.page.get_by_text("is thinking")).to_have_count(0)
    await maren.picture("summary-setup.png")
