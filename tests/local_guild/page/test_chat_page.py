"""Talking through the page: two windows as two members, and everything a message can go through."""

import re

from playwright.async_api import FilePayload, expect

from tests.local_guild.page.house import IN_THE_BROWSER, House, Windows

pytestmark = IN_THE_BROWSER


async def test_two_windows_as_two_members_see_each_other_live(house: House, windows: Windows) -> None:
    room = await house.room()
    maren = await windows.open("maren", room.path)
    tom = await windows.open("tom", room.path)
    await maren.write("Is anybody in?\nThe kettle is on.")
    heard = await tom.sees("Is anybody in?")
    await expect(heard).to_contain_text("Maren")
    await tom.box.press_sequentially("On my w", delay=5)
    await expect(maren.page.get_by_text("Tom is typing …")).to_be_visible()
    await tom.box.fill("On my way")
    await tom.box.press("Enter")
    await maren.sees("On my way")
    await expect(maren.page.get_by_text("Tom is typing …")).to_be_hidden()
    await expect(tom.box).to_have_value("")


async def test_an_edit_and_a_deletion_reach_the_other_window(house: House, windows: Windows) -> None:
    room = await house.room()
    aylin = await windows.open("aylin", room.path)
    jonas = await windows.open("jonas", room.path)
    await aylin.write("I bring ten aples")
    await jonas.sees("I bring ten aples")
    await aylin.box.press("ArrowUp")
    editor = aylin.page.get_by_role("combobox", name="Edit message")
    await expect(editor).to_have_value("I bring ten aples")
    await editor.fill("I bring ten apples")
    await editor.press("Enter")
    corrected = await jonas.sees("I bring ten apples")
    await expect(corrected).to_contain_text("(edited)")
    await expect(aylin.box).to_be_focused()

    await aylin.act("I bring ten apples", "More actions")
    await aylin.page.get_by_role("menuitem", name="Delete").click()
    dialog = aylin.page.get_by_role("dialog", name="Delete this message?")
    await dialog.get_by_role("button", name="Cancel").click()
    await jonas.sees("I bring ten apples")
    await aylin.act("I bring ten apples", "More actions")
    await aylin.page.get_by_role("menuitem", name="Delete").click()
    await dialog.get_by_role("button", name="Delete").click()
    await expect(jonas.message("I bring ten apples")).to_have_count(0)
    await expect(aylin.message("I bring ten apples")).to_have_count(0)


async def test_others_messages_can_be_deleted_only_by_who_may(house: House, windows: Windows) -> None:
    room = await house.room()
    await room.say("jonas", "a message of Jonas")
    tom = await windows.open("tom", room.path)
    await tom.act("a message of Jonas", "More actions")
    await expect(tom.page.get_by_role("menuitem", name="Reply")).to_be_visible()
    await expect(tom.page.get_by_role("menuitem", name="Delete")).to_have_count(0)
    await expect(tom.page.get_by_role("menuitem", name="Edit")).to_have_count(0)
    maren = await windows.open("maren", room.path)
    await maren.act("a message of Jonas", "More actions")
    await expect(maren.page.get_by_role("menuitem", name="Delete")).to_be_visible()


async def test_a_reply_quotes_and_leads_back_to_its_message(house: House, windows: Windows) -> None:
    room = await house.room()
    asked = await room.say("tom", "**Who** has the key to the cellar?")
    for number in range(60):
        await room.say("jonas", f"something else {number}")
    maren = await windows.open("maren", room.path)
    await room.say("maren", "I have it", message_reference={"message_id": asked["id"]})
    answer = await maren.sees("I have it")
    await expect(answer).to_contain_text("Who has the key to the cellar?")
    await answer.get_by_role("button", name="Who has the key").click()
    row = maren.page.locator(f"#message-{asked['id']}")
    await expect(row).to_be_in_viewport()
    await row.hover()
    await row.get_by_role("button", name="Reply", exact=True).click()
    await expect(maren.page.get_by_text("Replying to Tom")).to_be_visible()
    await maren.box.press("Escape")
    await expect(maren.page.get_by_text("Replying to Tom")).to_be_hidden()


async def test_a_quote_says_what_its_message_says_now(house: House, windows: Windows) -> None:
    room = await house.room()
    asked = await room.say("tom", "Who has the key?")
    await room.say("maren", "I have it", message_reference={"message_id": asked["id"]})
    aylin = await windows.open("aylin", room.path)
    answer = await aylin.sees("I have it")
    await expect(answer).to_contain_text("Who has the key?")
    message = f"/channels/{room.id}/messages/{asked['id']}"
    await house.person("tom").call("PATCH", message, {"content": "Who has the corkscrew?"})
    await expect(answer).to_contain_text("Who has the corkscrew?")
    await expect(aylin.log).not_to_contain_text("the key")
    await house.person("tom").call("DELETE", message)
    await expect(answer).to_contain_text("The message this answers was deleted.")
    await expect(aylin.log).not_to_contain_text("corkscrew")


async def test_reactions_are_added_and_taken_back(house: House, windows: Windows) -> None:
    room = await house.room()
    await room.say("tom", "Cider is ready")
    aylin = await windows.open("aylin", room.path)
    jonas = await windows.open("jonas", room.path)
    await aylin.act("Cider is ready", "React")
    await aylin.page.get_by_role("menuitem", name="beer").click()
    mine = aylin.page.get_by_role("button", name="🍺, 1")
    await expect(mine).to_have_attribute("aria-pressed", "true")
    await jonas.page.get_by_role("button", name="🍺, 1").click()
    await aylin.page.get_by_role("button", name="🍺, 2").click()
    await expect(jonas.page.get_by_role("button", name="🍺, 1")).to_have_attribute("aria-pressed", "true")


async def test_drafts_stay_with_their_channel(house: House, windows: Windows) -> None:
    here, there = await house.room(), await house.room()
    tom = await windows.open("tom", here.path)
    await tom.box.fill("not finished yet")
    await tom.channel(there.name).click()
    await expect(tom.box).to_have_value("")
    await tom.page.reload()
    await tom.channel(here.name).click()
    await expect(tom.box).to_have_value("not finished yet")


async def test_what_cannot_be_sent_is_said_and_kept(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    await tom.box.fill("x" * 2001)
    await expect(tom.page.get_by_text("-1", exact=True)).to_be_visible()
    await expect(tom.page.get_by_role("button", name="Send")).to_be_disabled()
    await house.person("maren").call("DELETE", f"/channels/{room.id}")
    await expect(tom.page.get_by_text("You can no longer see that channel.")).to_be_visible()

    closed = await house.room()
    await tom.channel(closed.name).click()
    await tom.box.fill("this will not arrive")
    await tom.page.route("**/messages", lambda route: route.fulfill(status=500, json={"message": "no", "code": 0}))
    await tom.box.press("Enter")
    await expect(tom.page.get_by_text("The server had a problem (500).")).to_be_visible()
    await expect(tom.box).to_have_value("this will not arrive")
    tom.complaints.clear()


async def test_files_are_sent_and_shown(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    png = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c4944415408d763f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
    recipe: FilePayload = {"name": "recipe.txt", "mimeType": "text/plain", "buffer": b"apples"}
    label: FilePayload = {"name": "label.png", "mimeType": "image/png", "buffer": png}
    await tom.page.locator("input[type=file]").set_input_files([recipe, label])
    await tom.write("the recipe")
    row = await tom.sees("the recipe")
    await expect(row.get_by_role("link", name="recipe.txt")).to_have_attribute("href", re.compile("recipe"))
    await expect(row.get_by_role("img", name="label.png")).to_be_visible()


async def test_links_to_messages_are_followed_inside_the_page(house: House, windows: Windows) -> None:
    here, there = await house.room(), await house.room()
    target = await there.say("jonas", "the plan is here")
    await here.say("maren", f"see https://discord.com{there.path}/{target['id']}")
    tom = await windows.open("tom", here.path)
    await (await tom.sees("see https")).get_by_role("link").click()
    await expect(tom.page.locator(f"#message-{target['id']}")).to_be_in_viewport()
    await expect(tom.page).to_have_url(re.compile(there.path))
    # The same address opens at the message in a new window, too.
    aylin = await windows.open("aylin", f"{there.path}/{target['id']}")
    await aylin.sees("the plan is here")


async def test_switching_the_member_changes_who_speaks(house: House, windows: Windows) -> None:
    room = await house.room()
    window = await windows.open("tom", room.path)
    await window.page.get_by_role("button", name="You are Tom").click()
    await window.page.get_by_role("menuitemradio", name="Aylin").click()
    await expect(window.page.get_by_role("button", name="You are Aylin")).to_be_visible()
    await window.channel(room.name).click()
    await expect(window.page.get_by_role("combobox", name=room.name)).to_be_visible()
    await window.write("now it is me")
    await expect(await window.sees("now it is me")).to_contain_text("Aylin")
