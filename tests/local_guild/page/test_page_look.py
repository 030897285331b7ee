"""How the page looks: contrast in light and dark, a phone's width, and its pictures."""

from collections.abc import AsyncIterator
from typing import Literal

import pytest
from playwright.async_api import expect

from tests.local_guild.page.contrast import FAINT, assert_readable
from tests.local_guild.page.house import IN_THE_BROWSER, House, Room, Windows

pytestmark = IN_THE_BROWSER

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


async def _lively(house: House, room: Room) -> None:
    """A conversation with a bit of everything."""
    tom = house.person("tom")
    first = await room.say("maren", "Evening all! The kettle is on, and the fire too. **Who is coming on Saturday?**")
    await room.say("maren", "We start at seven. Bring slippers 🧦")
    await room.say("tom", "I bring the cider. It has been waiting for this since *October*.")
    await room.say("aylin", "Count me in, with bread", message_reference={"message_id": first["id"]})
    await room.say("jonas", "> since October\nSame here. Shopping list:\n- apples\n- `flour`, 2 kg\n||and a surprise||")
    buttons = [
        {"type": 2, "style": 1, "label": "Remind me", "custom_id": "remind"},
        {"type": 2, "style": 2, "label": "Show sources", "custom_id": "sources"},
        {"type": 2, "style": 3, "label": "I am coming", "custom_id": "coming"},
        {"type": 2, "style": 4, "label": "Forget it", "custom_id": "forget"},
    ]
    embed = {
        "title": "Saturday at the Lantern Inn",
        "description": "Dinner at seven. Tom brings cider, Aylin brings bread.",
        "color": 0xD08A1F,
        "fields": [
            {"name": "Coming", "value": f"<@{tom.id}>, Aylin, Jonas", "inline": True},
            {"name": "Still open", "value": "Who brings dessert?", "inline": True},
        ],
        "footer": {"text": "From 5 messages in this channel"},
    }
    said = await house.bot.say(
        room.id,
        f"<@{tom.id}> noted. Here is what I know about Saturday:",
        embeds=[embed],
        components=[{"type": 1, "components": buttons}],
    )
    await house.person("aylin").react(room.id, said["id"], "🎉")
    await tom.react(room.id, said["id"], "🎉")


@pytest.fixture
async def dinner(house: House) -> AsyncIterator[Room]:
    """A lively room that is gone afterwards, so that each picture shows one of it."""
    room = await house.room(name="harvest-dinner", topic="Saturday at seven, in the hall")
    await _lively(house, room)
    yield room
    await house.person("maren").call("DELETE", f"/channels/{room.id}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_text_is_readable(dinner: Room, windows: Windows, scheme: Literal["light", "dark"]) -> None:
    tom = await windows.open("tom", dinner.path, height=880)
    await tom.page.emulate_media(color_scheme=scheme)
    await tom.sees("Here is what I know")
    await expect(tom.page.locator("html")).to_have_attribute("data-theme", scheme)
    await assert_readable(tom)
    await tom.picture(f"chat-{scheme}.png")
    await tom.box.press_sequentially("@", delay=5)
    await expect(tom.page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    await tom.message("Evening all!").first.hover()
    await assert_readable(tom)
    # The check itself would notice.
    await tom.page.add_style_tag(content=":root { --ink-soft: var(--line) !important }")
    assert (await tom.page.evaluate(FAINT, ".chat"))["faint"] != []


async def test_on_a_phone_the_channels_are_in_a_drawer(dinner: Room, windows: Windows) -> None:
    tom = await windows.open_afresh("tom", dinner.path, **PHONE)
    await tom.sees("Here is what I know")
    await expect(tom.channel("general")).to_be_hidden()
    assert await tom.page.evaluate("document.documentElement.scrollWidth") <= 360
    overflowing = await tom.log.evaluate("log => log.scrollWidth - log.clientWidth")
    assert overflowing <= 0
    await tom.picture("chat-phone.png")
    await tom.page.get_by_role("button", name="Show channels").tap()
    await expect(tom.channel("harvest-dinner")).to_be_in_viewport()
    await expect(tom.channel("harvest-dinner")).to_be_focused()
    await tom.picture("chat-phone-channels.png")
    await tom.page.keyboard.press("Escape")
    await expect(tom.channel("general")).to_be_hidden()
    await expect(tom.page.get_by_role("button", name="Show channels")).to_be_focused()
    await tom.page.keyboard.press("Enter")
    await tom.channel("kitchen-table").tap()
    await expect(tom.channel("general")).to_be_hidden()
    await expect(tom.page.get_by_role("heading", name="kitchen-table").first).to_be_visible()
    await tom.box.fill("from my phone")
    await tom.page.get_by_role("button", name="Send").tap()
    await tom.sees("from my phone")
