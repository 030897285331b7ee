"""The sample week's end in a real browser: a digest for all, a catch-up for one, read on a desk and on a phone."""

import re

from playwright.async_api import ViewportSize, expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, TALL_PHONE, Inn, button, fits, said, seen_alone, use
from tests.end_to_end.pages.test_reminders import use_with
from tests.local_guild.page.contrast import assert_readable

pytestmark = IN_A_BROWSER

TALL_DESK: ViewportSize = {"width": 1280, "height": 1100}


async def test_a_week_ends_with_a_digest_for_all_and_a_catch_up_for_one(inn: Inn) -> None:
    """Jonas has his birthday in it, as the third to come in; Tom moves house."""
    await inn.live_where_it_is_noon()  # what the digest of one day tells, that of the next does not tell again
    jonas = await inn.window("Jonas", size=TALL_DESK)
    await jonas.page.get_by_role("button", name="Play a sample week").click()
    digest = await said(jonas, "📰")
    await expect(digest).to_contain_text("the house-warming starts tomorrow at 19:00")
    await expect(digest).to_contain_text("Talked about")
    await expect(digest).not_to_contain_text("lemon")
    caught = jonas.log.get_by_role("article").filter(has_text="Only you can see this")
    await expect(caught.first).to_contain_text("For you")
    await expect(caught.first).to_contain_text("does the Baron eat cake")
    await expect(caught.first).to_contain_text("Then it is decided: volcano, soup, small trains.")
    end = caught.filter(has_text="Not in it: your own messages")
    await expect(end).to_be_visible()
    await jonas.page.get_by_role("button", name="Put these hints away").click()
    await expect(jonas.page.get_by_text("A week of chat has been played")).to_have_count(0)
    await jonas.picture("catchup.png")
    await assert_readable(jonas)
    await end.locator(".component-section").filter(has_text="Talked about").get_by_role("button").click()
    await expect(seen_alone(jonas)).to_contain_text("Talked about")
    await button(end, "Mark as read").click()
    await expect(seen_alone(jonas)).to_contain_text("Done. Your next catch-up starts here")
    await jonas.picture("catchup-more.png")

    # Asked in words, on a phone: a sentence and a button for all to see, and behind it what is for one alone.
    tom = await inn.window("Tom", size=TALL_PHONE, colours="dark")
    await said(tom, "Coming up")
    await tom.picture("digest-phone.png")
    await fits(tom)
    await inn.say("Aylin", f"<@{inn.member('Tom')['id']}> which chair of mine is the one that squeaks?")
    await tom.write("Bot, what did I miss?")
    await button(await said(tom, "I'll show that to you alone"), "Show me").click()
    await expect(seen_alone(tom)).to_contain_text("the one that squeaks")
    await tom.picture("catchup-phone.png")
    await fits(tom)

    # What the owner does about the digest.
    maren = await inn.window("Maren", "kitchen-table", size=TALL_DESK)
    options = {"channel": "#kitchen-table", "hour": "8", "weekdays": "Mon Wed Fri", "least": "5"}
    await use_with(maren, "digest setup", options, wanted=("hour", "weekdays", "least"), chosen="channel")
    await expect(seen_alone(maren)).to_contain_text(re.compile("kitchen-table.*at 8:00.*Mon, Wed, Fri", re.DOTALL))
    await use(maren, "digest preview")
    await expect(seen_alone(maren)).to_contain_text("Talked about")
    await use(maren, "digest status")
    await expect(seen_alone(maren)).to_contain_text("Next:")
    await maren.picture("digest-setup.png")
    await assert_readable(maren)
