"""Long histories: older messages come while scrolling, the page stays small, and keeps its place."""

import asyncio
import os

from playwright.async_api import Page, Route, expect

from local_guild.actions.posting import Draft
from tests.end_to_end.house import eventually
from tests.local_guild.page.house import IN_THE_BROWSER, House, Room, Window, Windows

pytestmark = IN_THE_BROWSER

MOST_ROWS = 250
MANY = 1000 if os.environ.get("SOAK") else 2 * MOST_ROWS


def _fill(room: Room, number: int) -> None:
    """Numbered in the order they were said; put in directly, for so many calls would only take longer."""
    server = room.house.server
    channel = server.world.channels[room.id]
    jonas = room.house.person("jonas").id
    for index in range(number):
        content = f"entry {index:04}" + " which is a longer line" * (index % 7)
        server.posting.send(Draft(channel=channel, author_id=jonas, content=content))


async def _first_visible(page: Page) -> tuple[str, float]:
    """The first message whose top is inside the log, and where it stands."""
    text, top = await page.evaluate(
        """() => {
            const log = document.querySelector('[role=log]');
            const edge = log.getBoundingClientRect().top;
            for (const row of log.querySelectorAll('article')) {
                const { top } = row.getBoundingClientRect();
                if (top >= edge) return [row.dataset.message, top];
            }
        }"""
    )
    return str(text), float(top)


async def _scroll_to_beginning(window: Window) -> int:
    """Up and up, as a person would; returns the most rows that were ever in the page."""
    rows: list[int] = []

    async def at_the_beginning() -> int:
        rows.append(await window.log.get_by_role("article").count())
        if found := await window.page.get_by_text("This is where the conversation begins.").count():
            return found
        await window.log.evaluate("log => log.scrollBy(0, -1500)")
        return 0

    await eventually(at_the_beginning)
    return max(rows)


async def test_a_long_history_scrolls_back_in_a_small_page(house: House, windows: Windows) -> None:
    room = await house.room()
    _fill(room, MANY)
    tom = await windows.open("tom", room.path)
    await expect(tom.message(f"entry {MANY - 1:04}")).to_be_in_viewport()
    assert await _scroll_to_beginning(tom) <= MOST_ROWS
    await tom.log.evaluate("log => log.scrollTo(0, 0)")
    await expect(tom.message("entry 0000")).to_be_in_viewport()
    # Far from the end, news is announced and the view stays where it is.
    await room.say("maren", "news from the present")
    pill = tom.page.get_by_role("button", name="1 new message")
    await expect(pill).to_be_visible()
    await expect(tom.message("entry 0000")).to_be_in_viewport()
    await pill.click()
    await expect(tom.message("news from the present")).to_be_in_viewport()
    assert await tom.log.get_by_role("article").count() <= MOST_ROWS


async def test_older_messages_come_without_moving_what_one_reads(house: House, windows: Windows) -> None:
    room = await house.room()
    _fill(room, 160)
    tom = await windows.open("tom", room.path)
    looked = asyncio.Event()

    async def come_after_the_look(route: Route) -> None:
        await looked.wait()
        await route.continue_()

    await tom.page.route("**/messages?*before=*", come_after_the_look)
    await tom.log.evaluate("log => log.scrollTo(0, 300)")
    before, top = await _first_visible(tom.page)
    rows = await tom.log.get_by_role("article").count()
    looked.set()
    await expect(tom.log.get_by_role("article")).not_to_have_count(rows)
    place = await tom.page.locator(f"#message-{before}").bounding_box()
    assert place is not None
    assert abs(place["y"] - top) < 3
    await tom.page.unroute_all(behavior="ignoreErrors")


async def test_the_log_follows_only_a_reader_at_the_bottom(house: House, windows: Windows) -> None:
    room = await house.room()
    _fill(room, 60)
    tom = await windows.open("tom", room.path)
    await room.say("aylin", "seen at the bottom")
    await expect(tom.message("seen at the bottom")).to_be_in_viewport()
    await tom.log.evaluate("log => log.scrollBy(0, -700)")
    await expect(tom.page.get_by_role("button", name="Jump to the present")).to_be_visible()
    await expect(tom.message("entry 0000")).to_be_attached()
    before, top = await _first_visible(tom.page)
    await room.say("aylin", "arrived while reading above")
    await expect(tom.page.get_by_role("button", name="1 new message")).to_be_visible()
    still, place = await _first_visible(tom.page)
    assert still == before
    assert abs(place - top) < 3
    await tom.page.get_by_role("button", name="1 new message").click()
    await expect(tom.message("arrived while reading above")).to_be_in_viewport()
    await expect(tom.page.get_by_role("button", name="new message")).to_have_count(0)


async def test_a_tall_window_is_filled(house: House, windows: Windows) -> None:
    room = await house.room()
    _fill(room, 120)
    tom = await windows.open("tom", room.path, height=3200)
    await expect(tom.message("entry 0000")).to_be_attached()


async def test_a_page_that_failed_to_load_is_asked_for_again_on_request(house: House, windows: Windows) -> None:
    room = await house.room()
    _fill(room, 120)
    tom = await windows.open("tom", room.path)
    asked: list[str] = []

    async def refuse(route: Route) -> None:
        asked.append(route.request.url)
        await route.fulfill(status=500, json={"message": "no", "code": 0})

    await tom.page.route("**/messages?*before=*", refuse)
    await tom.log.evaluate("log => log.scrollTo(0, 0)")
    again = tom.page.get_by_role("button", name="Try again")
    await expect(again).to_be_visible()
    await room.say("aylin", "something new meanwhile")
    await tom.sees("something new meanwhile")
    assert len(asked) == 1
    await tom.page.unroute_all(behavior="wait")
    await again.click()
    await expect(tom.message("entry 0040")).to_be_attached()
    tom.complaints.clear()
