"""Without a mouse: completion, editing, menus and moving about, by keys alone."""

import re

from playwright.async_api import expect

from tests.local_guild.page.house import IN_THE_BROWSER, House, Window, Windows

pytestmark = IN_THE_BROWSER

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"


def _channel(house: House, name: str) -> str:
    return next(str(one["id"]) for one in house.world["guilds"][0]["channels"] if one["name"] == name)


async def _tab_to(window: Window, name: str, *, most: int = 60) -> None:
    """Press Tab until the thing with this accessible name has the focus."""
    for _ in range(most):
        await window.page.keyboard.press("Tab")
        if await window.page.evaluate(FOCUSED) == name:
            return
    raise AssertionError(f"Tab never reached {name!r}")


async def test_names_are_completed_and_become_mentions(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    aylin = await windows.open("aylin", room.path)
    await tom.box.press_sequentially("ask @ay", delay=5)
    choices = tom.page.get_by_role("listbox", name="Suggestions")
    await expect(choices.get_by_role("option", selected=True)).to_contain_text("Aylin")
    await tom.box.press("Tab")
    await expect(tom.box).to_have_value("ask @Aylin ")
    await tom.box.press_sequentially("about #kit", delay=5)
    await expect(choices.get_by_role("option", selected=True)).to_contain_text("#kitchen-table")
    await tom.box.press("Enter")
    await tom.box.press_sequentially(":che", delay=5)
    await tom.box.press("ArrowDown")
    await tom.box.press("Escape")
    await expect(choices).to_have_count(0)
    await tom.box.press("Enter")
    row = await aylin.sees("ask")
    await expect(row).to_have_class(re.compile("mentioned"))
    (newest,) = await house.person("tom").history(room.id, limit=1)
    assert newest["content"] == f"ask <@{house.person('aylin').id}> about <#{_channel(house, 'kitchen-table')}> :che"


async def test_a_name_written_out_is_a_mention_too_but_not_inside_code(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    await tom.write("`@Aylin` and @Innkeeper, but not @Innkeepers nor me@aylin")
    await tom.sees("but not")
    (newest,) = await house.person("tom").history(room.id, limit=1)
    assert newest["content"] == f"`@Aylin` and <@{house.bot.id}>, but not @Innkeepers nor me@aylin"


async def test_everything_is_reached_by_keys(house: House, windows: Windows) -> None:
    room, other = await house.room(), await house.room()
    await room.say("jonas", "older")
    await room.say("tom", "mine to edit")
    tom = await windows.open("tom", room.path)
    await expect(tom.box).to_be_focused()
    await tom.page.get_by_role("log").focus()
    await tom.page.keyboard.press("ArrowUp")
    await expect(tom.message("mine to edit")).to_be_focused()
    await _tab_to(tom, "Edit")
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
    await _tab_to(tom, "Skip to the message box")
    await tom.page.keyboard.press("Enter")
    await expect(tom.box).to_be_focused()


async def test_the_member_is_switched_by_keys(house: House, windows: Windows) -> None:
    tom = await windows.open("tom")
    await tom.page.get_by_role("button", name="You are Tom").focus()
    await tom.page.keyboard.press("Enter")
    await expect(tom.page.get_by_role("menuitemradio", name="Maren")).to_be_focused()
    await tom.page.keyboard.press("Escape")
    await expect(tom.page.get_by_role("button", name="You are Tom")).to_be_focused()
    await tom.page.keyboard.press("Enter")
    await expect(tom.page.get_by_role("menuitemradio", name="Maren")).to_be_focused()
    await tom.page.keyboard.press("Enter")
    await expect(tom.page.get_by_role("button", name="You are Maren")).to_be_visible()
