"""What is held on a member, seen, saved, erased and refused from then on, in a real browser."""

import json
from pathlib import Path

from playwright.async_api import expect

from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, TALL_PHONE, Inn, button, fits, said, seen_alone, use
from tests.local_guild.page.contrast import assert_readable

pytestmark = IN_A_BROWSER


async def test_a_member_sees_saves_and_erases_what_is_held_on_them(inn: Inn, tmp_path: Path) -> None:
    await inn.say("Maren", "Bot remember that Aylin makes the best lentil soup")
    aylin = await inn.window("Aylin", size=TALL_PHONE)
    await said(aylin, "lentil soup")
    await aylin.page.get_by_role("button", name="Put these hints away").click()
    await aylin.write("The soup is on the stove.")
    await aylin.write("Bot remember that I take my tea with honey")
    await said(aylin, "tea with honey")
    await aylin.write("Bot what do you know about me?")
    await expect(await said(aylin, "What I know about you")).to_contain_text("lentil soup")

    await use(aylin, "privacy show")
    shown = await said(aylin, "What I keep about you on this server")
    await expect(shown).to_contain_text("facts others told me about you: 1")
    await expect(shown).to_contain_text("Only you can see this")
    await shown.scroll_into_view_if_needed()
    await aylin.picture("privacy-show.png")
    await fits(aylin)

    await use(aylin, "privacy export")
    export = await said(aylin, "Here's everything I keep about you")
    async with aylin.page.expect_download() as downloading:
        await export.get_by_role("link", name="innkeeper-").click()
    saved = tmp_path / "mine.json"
    await (await downloading.value).save_as(saved)
    held = json.loads(saved.read_text(encoding="utf-8"))["held"]
    assert "The soup is on the stove." in [message["text"] for message in held["messages"]]
    assert [fact["told_by"]["name"] for fact in held["facts_others_told_about_you"]] == ["Maren"]

    # Thought better of, by keys alone, and then done.
    await use(aylin, "privacy erase")
    question = seen_alone(aylin)
    await expect(question).to_contain_text("Should I delete everything I have about you")
    await aylin.picture("privacy-erase.png")
    await assert_readable(aylin, least=20)
    await button(question, "Keep it").focus()
    await aylin.page.keyboard.press("Enter")
    await expect(question).to_contain_text("Nothing was deleted.")
    await expect(question).to_be_focused()
    await use(aylin, "privacy erase")
    await expect(question).to_contain_text("Should I delete everything I have about you")
    await button(question, "Delete it all").click()
    receipt = await said(aylin, "Deleted.")
    await expect(receipt).to_contain_text("facts you told me: 1")
    await receipt.scroll_into_view_if_needed()
    await aylin.picture("privacy-erased.png")
    await fits(aylin)
    await use(aylin, "privacy show")
    await expect((await said(aylin, "last erased")).get_by_text("your messages")).to_have_count(0)


async def test_who_opts_out_is_not_told_about_until_they_opt_in(inn: Inn) -> None:
    tom = await inn.window("Tom", size=PHONE, colours="dark")
    maren = await inn.window("Maren")
    await maren.write("Bot remember that Tom snores")
    await said(maren, "Got it, I'll remember about Tom")
    await use(tom, "privacy opt-out")
    await button(await said(tom, "Should I stop storing anything about you"), "Opt out and delete it").click()
    done = await said(tom, "From now on I store nothing you write on this server")
    await expect(done).to_contain_text("What others told me about you is gone too")
    await fits(tom)
    await expect(maren.message("I took this answer back").or_(maren.message("no longer know it"))).to_be_visible()
    await tom.write("Bot remember that I play the bagpipes")
    await said(tom, "because you've opted out")
    await maren.write("Bot remember that @Tom snores")
    await said(maren, "someone who doesn't want me to keep anything about them")
    await use(tom, "privacy opt-in")
    await said(tom, "From now on I store what you write on this server")
    await tom.write("Bot remember that I play the bagpipes")
    await said(tom, "Got it, I'll remember about Tom")
