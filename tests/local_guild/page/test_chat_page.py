"""The chat page as members live it: talking, rooms that open and close, hostile text, a broken line, keys alone."""

import asyncio
import re

from playwright.async_api import FilePayload, Route, expect

from local_guild.actions.posting import Draft
from tests.local_guild.page.house import IN_THE_BROWSER, House, Windows

pytestmark = IN_THE_BROWSER


async def test_two_members_talk(house: House, windows: Windows) -> None:
    room = await house.room()
    maren, tom = await windows.open("maren", room.path), await windows.open("tom", room.path)
    await maren.write("Is anybody in?\nThe kettle is on.")
    await expect(await tom.sees("Is anybody in?")).to_contain_text("Maren")
    await tom.box.press_sequentially("On my w", delay=5)
    await expect(maren.page.get_by_text("Tom is typing …")).to_be_visible()
    await tom.box.fill("On my way")
    await tom.box.press("Enter")
    await maren.act("On my way", "Reply")
    await expect(maren.page.get_by_text("Replying to Tom")).to_be_visible()
    await maren.write("With aples?")
    await expect(await tom.sees("With aples?")).to_contain_text("On my way")
    await maren.box.press("ArrowUp")
    editor = maren.page.get_by_role("combobox", name="Edit message")
    await editor.fill("With apples?")
    await editor.press("Enter")
    await expect(await tom.sees("With apples?")).to_contain_text("(edited)")
    await tom.act("With apples?", "React")
    await tom.page.get_by_role("menuitem", name="beer").click()
    await maren.page.get_by_role("button", name="🍺, 1").click()
    await expect(tom.page.get_by_role("button", name="🍺, 2")).to_have_attribute("aria-pressed", "true")

    await tom.act("With apples?", "More actions")
    await expect(tom.page.get_by_role("menuitem", name="Delete")).to_have_count(0)
    await tom.page.keyboard.press("Escape")
    gone = maren.message("On my way").first  # the answer quotes it
    await gone.hover()
    await gone.get_by_role("toolbar").get_by_role("button", name="More actions", exact=True).click()
    await maren.page.get_by_role("menuitem", name="Delete").click()
    await maren.page.get_by_role("dialog", name="Delete this message?").get_by_role("button", name="Delete").click()
    await expect(tom.message("With apples?")).to_contain_text("The message this answers was deleted.")
    await tom.box.press_sequentially("ask @ma", delay=5)
    await expect(tom.page.get_by_role("listbox", name="Suggestions").get_by_role("option")).to_contain_text(["Maren"])
    await tom.box.press("Tab")
    await tom.box.press("Enter")
    await expect(await maren.sees("ask")).to_have_class(re.compile("mentioned"))
    recipe: FilePayload = {"name": "recipe.txt", "mimeType": "text/plain", "buffer": b"apples"}
    await tom.page.locator("input[type=file]").set_input_files([recipe])
    await tom.write("the recipe")
    await expect((await maren.sees("the recipe")).get_by_role("link", name="recipe.txt")).to_be_visible()


async def test_events_pins_and_posts(house: House, windows: Windows) -> None:
    room, forum = await house.room(), await house.room(type=15)
    maren, tom = await windows.open("maren", room.path), await windows.open("tom", room.path)
    for window in (maren, tom):
        await window.page.get_by_role("button", name="Events").click()
    made, seen = (window.page.get_by_role("dialog", name="Events") for window in (maren, tom))
    await made.get_by_label("Name of the event").fill("Game night")
    await made.get_by_label("Starts at").fill("2030-03-01T19:30")
    await made.get_by_label("Place").fill("the garden")
    await made.get_by_role("button", name="Make the event").click()
    await expect(seen.get_by_role("listitem")).to_contain_text("the garden")
    await seen.get_by_role("button", name="Interested").click()
    await expect(seen.get_by_role("button", name="Interested")).to_have_attribute("aria-pressed", "true")
    await made.get_by_role("button", name="Cancel event").click()
    await expect(seen.get_by_text("Nothing is scheduled yet.")).to_be_visible()
    for window in (maren, tom):
        await window.page.keyboard.press("Escape")
    await tom.write("The key hangs behind the clock")
    await maren.act("The key hangs behind the clock", "More actions")
    await maren.page.get_by_role("menuitem", name="Pin").click()
    await tom.sees("pinned a message to this channel")
    await tom.channel(forum.name).click()
    await tom.write("Where is the ladder?\nI need it for the roof")
    await expect(tom.channel("Where is the ladder?")).to_be_visible()
    await maren.channel("Where is the ladder?").click()
    await maren.sees("I need it for the roof")


async def test_threads_private_letters_and_unread_rooms(house: House, windows: Windows) -> None:
    here, there = await house.room(), await house.room()
    await here.say("aylin", "Let us plan the dinner")
    tom, aylin = await windows.open("tom", here.path), await windows.open("aylin", here.path)
    await there.say("jonas", f"<@{house.person('tom').id}> could you come?")
    await expect(tom.channel(f"{there.name} (1 mention)")).to_be_visible()
    await tom.act("Let us plan the dinner", "More actions")
    await tom.page.get_by_role("menuitem", name="Start a thread").click()
    await expect(tom.page.get_by_role("combobox", name="Let us plan the dinner")).to_be_visible()
    await tom.write("First: the soup")
    await aylin.channel("Let us plan the dinner").click()
    await aylin.sees("First: the soup")
    await tom.channel(here.name).click()
    await (await tom.sees("Let us plan the dinner")).get_by_role("button", name="Aylin").click()
    await tom.page.get_by_role("menuitem", name="Write privately").click()
    await expect(tom.page.get_by_role("heading", name="Aylin").first).to_be_visible()
    await tom.write("just between us")
    await aylin.page.get_by_role("button", name="Direct messages").click()
    await aylin.sees("just between us")


async def test_a_role_opens_and_closes_a_channel_while_one_looks(house: House, windows: Windows) -> None:
    aylin = house.person("aylin")
    maren = house.person("maren")
    window = await windows.open("aylin")
    role = f"/guilds/{house.guild_id}/members/{aylin.id}/roles/{house.role_id('Cellar')}"
    await maren.call("PUT", role)
    await window.channel("back-room").click()
    await expect(window.page.get_by_role("heading", name="back-room").first).to_be_visible()
    await maren.call("DELETE", role)
    await expect(window.page.get_by_text("You can no longer see that channel.")).to_be_visible()
    await expect(window.channel("back-room")).to_have_count(0)
    await expect(window.channel("general")).to_be_visible()
    hidden = next(one for one in house.world["guilds"][0]["channels"] if one["private"])
    room = await house.room()
    await room.say("maren", f"over there: <#{hidden['id']}>")
    await window.channel(room.name).click()
    await expect(await window.sees("over there")).to_contain_text("#no access")


async def test_a_lost_session_is_begun_anew_and_caught_up(house: House, windows: Windows) -> None:
    room = await house.room()
    kept = await room.say("jonas", "will be deleted")
    tom = await windows.open("tom", room.path)
    await tom.box.fill("half a thought")
    house.server.faults.refuse_resumes(1)
    await house.server.control.go_down()
    await expect(tom.page.get_by_role("alert").filter(has_text="Connection lost.")).to_be_visible()
    await house.server.control.come_back()
    await house.person("jonas").delete(room.id, kept["id"])
    await room.say("jonas", "said meanwhile")
    await tom.sees("said meanwhile")
    await expect(tom.message("will be deleted")).to_have_count(0)
    await expect(tom.box).to_have_value("half a thought")
    await tom.box.press("Enter")
    await tom.sees("half a thought")
    await expect(tom.message("half a thought")).to_have_count(1)
    # What the browser itself notes about calls to a server that is down is no fault of the page.
    expected = ("Failed to load resource", "WebSocket connection to")
    tom.complaints[:] = [line for line in tom.complaints if not line.startswith(expected)]


async def test_a_long_history_scrolls_back_in_a_small_page(house: House, windows: Windows) -> None:
    room = await house.room()
    server, jonas = house.server, house.person("jonas").id
    for number in range(300):  # put in directly, for so many calls would only take longer
        draft = Draft(channel=server.world.channels[room.id], author_id=jonas, content=f"entry {number:04}\n\n…")
        server.posting.send(draft)
    tom = await windows.open("tom", room.path)
    await expect(tom.message("entry 0299")).to_be_in_viewport()
    for oldest in ("0249", "0199", "0149", "0099"):
        await tom.log.evaluate("log => log.scrollTo(0, 0)")
        await expect(tom.message(f"entry {oldest}")).to_be_attached()
    asked, may_go_on = asyncio.Event(), asyncio.Event()

    async def hold(route: Route) -> None:
        asked.set()
        await may_go_on.wait()
        await route.continue_()

    await tom.page.route("**/messages?*before=*", hold)
    await tom.log.evaluate("log => log.scrollTo(0, 0)")
    await asked.wait()
    # Far from the end, news is announced once, also while an older page is on its way, and the view stays where it is.
    await room.say("maren", "news from the present")
    await expect(tom.page.get_by_role("button", name="1 new message")).to_be_visible()
    may_go_on.set()
    await expect(tom.message("entry 0000")).to_be_attached()
    assert await tom.log.get_by_role("article").count() <= 250
    await tom.page.get_by_role("button", name="1 new message").click()
    await expect(tom.message("news from the present")).to_be_in_viewport()
    # A link to a message of long ago leads there, whatever was said since.
    aylin = await windows.open("aylin", f"{room.path}/{server.world.log(room.id).ids()[40]}")
    await expect(aylin.message("entry 0040")).to_be_in_viewport()


async def test_everything_is_reached_by_keys(house: House, windows: Windows) -> None:
    room, other = await house.room(), await house.room()
    await room.say("jonas", "older")
    await room.say("tom", "mine to edit")
    tom = await windows.open("tom", room.path)
    await expect(tom.box).to_be_focused()
    await tom.page.get_by_role("log").focus()
    await tom.page.keyboard.press("ArrowUp")
    await expect(tom.message("mine to edit")).to_be_focused()
    await tom.key_to("Edit")
    await tom.page.keyboard.press("Enter")
    await tom.page.keyboard.press("ControlOrMeta+A")
    await tom.page.keyboard.type("edited by keys")
    await tom.page.keyboard.press("Enter")
    await tom.sees("edited by keys")
    await expect(tom.box).to_be_focused()
    await tom.page.keyboard.type("and on")
    await tom.page.keyboard.press("Shift+Enter")
    await tom.page.keyboard.type("a second line")
    await tom.page.keyboard.press("Enter")
    await tom.sees("a second line")
    await tom.page.keyboard.press("Alt+ArrowDown")
    await expect(tom.page.get_by_role("heading", name=other.name).first).to_be_visible()
    await tom.page.reload()
    await expect(tom.box).to_be_focused()
    await tom.page.evaluate("document.activeElement.blur()")
    await tom.key_to("Skip to the message box")
    await tom.page.keyboard.press("Enter")
    await expect(tom.box).to_be_focused()


HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "<script>document.title='owned'</script>",
    "[click](javascript:document.title='owned')",
    "[click](data:text/html,<script>alert(1)</script>)",
    "<javascript:document.title='owned'>",
    "<style>.chat{display:none}</style>",
    "{{ constructor.constructor('document.title=1')() }}",
    "\u202egnp.exe\u202c and \u2066text",
    "${document.title='owned'} `${1}`",
]


async def test_hostile_text_is_shown_as_text(house: House, windows: Windows) -> None:
    room = await house.room(topic="<b onclick=alert(1)>topic</b>")
    for text in HOSTILE:
        await room.say("jonas", text)
    tom = await windows.open("tom", room.path)
    bodies = tom.log.get_by_role("article").locator(".rich")
    await expect(bodies).to_have_count(len(HOSTILE))
    shown = await bodies.all_text_contents()
    assert [text.replace("`", "") for text in HOSTILE] == shown
    assert await tom.log.locator("script, style, img, iframe, [onerror]").count() == 0
    evil = HOSTILE[0]
    embed = {"title": evil, "url": "javascript:document.title='owned'", "description": evil}
    picture = {"image": {"url": "https://elsewhere.example/pixel.png"}}
    buttons = [{"type": 2, "style": 1, "label": "<b>bold</b>", "custom_id": "<i>"}]
    rows = [{"type": 1, "components": buttons}]
    await house.bot.say(room.id, "with trimmings", embeds=[embed | picture], components=rows)
    row = await tom.sees("with trimmings")
    await expect(row).to_contain_text(evil)
    await expect(row.get_by_role("button", name="<b>bold</b>")).to_be_visible()
    assert await tom.log.locator("img, a[href^='javascript']").count() == 0
    assert await tom.page.title() == "Local guild"


LINKS = {
    "[https://bank.example](https://evil.example)": ["https://bank.example/", "https://evil.example/"],
    "[ok](https://a.example/x)": ["https://a.example/x"],
    "<https://a.example>": ["https://a.example/"],
    "`https://a.example`": [],
    "```\nhttps://a.example\n```": [],
    "\\*not soft\\* https://a.example/?q=*b*": ["https://a.example/?q=*b"],
    "https://[broken": [],
    "ahttps://a.example": [],
}


async def test_links_lead_only_where_they_say(house: House, windows: Windows) -> None:
    room = await house.room()
    for text in LINKS:
        await room.say("jonas", text)
    tom = await windows.open("tom", room.path)
    bodies = tom.log.get_by_role("article").locator(".rich")
    await expect(bodies).to_have_count(len(LINKS))
    found = await bodies.evaluate_all("all => all.map(one => [...one.querySelectorAll('a')].map(link => link.href))")
    assert dict(zip(LINKS, found, strict=True)) == LINKS
