"""When the line breaks: a visible bar, a way back by itself, and nothing missed."""

import asyncio

from playwright.async_api import Locator, expect

from tests.local_guild.page.house import IN_THE_BROWSER, House, Window, Windows

pytestmark = IN_THE_BROWSER


def _bar(window: Window) -> Locator:
    return window.page.get_by_role("alert").filter(has_text="Connection lost.")


def _forgive(window: Window) -> None:
    """What the browser itself notes about calls to a server that is down is no fault of the page."""
    expected = ("Failed to load resource", "WebSocket connection to")
    window.complaints[:] = [line for line in window.complaints if not line.startswith(expected)]


async def _break(house: House, window: Window) -> None:
    """Cut every line, and keep it cut until the page has said so."""
    await house.server.control.go_down()
    await expect(_bar(window)).to_be_visible()
    await house.server.control.come_back()


async def test_a_dropped_socket_comes_back_with_what_was_missed(house: House, windows: Windows) -> None:
    room = await house.room()
    first = await room.say("jonas", "before the storm")
    tom = await windows.open("tom", room.path)
    await tom.sees("before the storm")
    await _break(house, tom)
    await room.say("jonas", "during the storm")
    await house.person("jonas").edit(room.id, first["id"], "before the great storm")
    await tom.sees("during the storm")
    await tom.sees("before the great storm")
    await expect(_bar(tom)).to_be_hidden()
    _forgive(tom)


async def test_the_host_losing_its_own_socket_leaves_the_page_alone(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    await tom.box.fill("half a thought")
    await tom.page.evaluate("window.isTheSamePage = true; window.socket.disconnect()")
    # The host would have waited three seconds for it, and then taken the page for gone.
    gone_by = asyncio.get_running_loop().time() + 4
    while asyncio.get_running_loop().time() < gone_by:
        await room.say("jonas", "still here")
        await asyncio.sleep(0.5)
    await tom.page.evaluate("window.did_handshake = false; window.socket.connect()")
    await tom.page.wait_for_function("window.did_handshake === true")
    await room.say("jonas", "and on we go")
    await tom.sees("and on we go")
    assert await tom.page.evaluate("window.isTheSamePage === true"), "it was loaded anew"
    await expect(tom.box).to_have_value("half a thought")


async def test_a_lost_session_is_begun_anew_and_caught_up(house: House, windows: Windows) -> None:
    room = await house.room()
    kept = await room.say("jonas", "will be deleted")
    tom = await windows.open("tom", room.path)
    await tom.box.fill("half a thought")
    house.server.faults.refuse_resumes(1)
    await _break(house, tom)
    await house.person("jonas").delete(room.id, kept["id"])
    await room.say("jonas", "said meanwhile")
    await tom.sees("said meanwhile")
    await expect(tom.message("will be deleted")).to_have_count(0)
    await expect(tom.box).to_have_value("half a thought")
    await tom.box.press("Enter")
    await tom.sees("half a thought")
    await expect(tom.message("half a thought")).to_have_count(1)
    _forgive(tom)


async def test_a_reader_far_above_stays_there_when_the_session_was_lost(house: House, windows: Windows) -> None:
    room = await house.room()
    said = [await room.say("jonas", f"line {number}") for number in range(120)]
    tom = await windows.open("tom", room.path)
    house.server.faults.refuse_resumes(1)
    target = said[100]
    await tom.page.locator(f"#message-{target['id']}").scroll_into_view_if_needed()
    await _break(house, tom)
    await house.person("jonas").edit(room.id, target["id"], "line rewritten meanwhile")
    await expect(tom.message("line rewritten meanwhile")).to_be_in_viewport()
    _forgive(tom)


async def test_a_server_that_is_down_is_waited_for(house: House, windows: Windows) -> None:
    room = await house.room()
    tom = await windows.open("tom", room.path)
    await house.server.control.go_down()
    try:
        await expect(_bar(tom)).to_be_visible()
        await tom.write("is this on?")
        await expect(tom.page.get_by_text("The server had a problem (503).")).to_be_visible()
        await expect(tom.box).to_have_value("is this on?")
    finally:
        await house.server.control.come_back()
    await expect(_bar(tom)).to_be_hidden()
    await tom.box.press("Enter")
    await tom.sees("is this on?")
    _forgive(tom)
