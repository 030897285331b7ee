"""The panel by keys alone: signing in, going from page to page, and everything that is done to a fact."""

import re
from typing import Any

from playwright.async_api import Page, expect

from tests.end_to_end.house import eventually
from tests.end_to_end.pages.inn import IN_A_BROWSER, PHONE, Inn
from tests.end_to_end.pages.panel import panel_of
from web.app import LEAVES

pytestmark = IN_A_BROWSER

MOST_STOPS = 90
STOPS = {"/panel": 15, "/panel/settings": 20, "/panel/usage": 0}
"""How many there are on a page at least, if it is not three: nothing can be done about usage."""
# What has the focus, what it is called, and whether that can be seen: by an outline, or a field by its border.
STOP = """async () => {
    await new Promise(done => setTimeout(done));  // the framework marks a field once the event is over
    const at = document.activeElement;
    if (!at || at === document.body) return null;
    const style = getComputedStyle(at), box = at.getBoundingClientRect(), field = at.closest('.q-field--focused');
    const border = field && getComputedStyle(field.querySelector('.q-field__control'), '::after');
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    const name = at.getAttribute('aria-label') || at.innerText || (at.labels && at.labels[0]?.innerText)
        || at.closest('label')?.innerText || '';
    return {
        name: name.trim().split('\\n').pop(),
        is_seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth
            && (outlined || (border && parseFloat(border.borderTopWidth) >= 2)),
        what: at.outerHTML.slice(0, 160),
    };
}"""


async def stop(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = await page.evaluate(STOP) or {"name": "", "is_seen": True, "what": "the page"}
    return found


async def go_to(page: Page, name: str, key: str = "Tab") -> None:
    """From stop to stop; each can be seen."""
    for _ in range(MOST_STOPS):
        await page.keyboard.press(key)
        at = await stop(page)
        assert at["is_seen"], at
        if at["name"] == name:
            return
    raise AssertionError(f"no key leads to {name}")


async def link_for(inn: Inn, member: str) -> str:
    """As `/innkeeper panel` gives it."""
    said = await inn.use(member, "innkeeper panel")
    link = re.search(r"<(http://\S+/panel/enter/\S+)>", said)
    assert link is not None, said
    assert "It opens on the machine that runs me" in said, "PUBLIC_URL is not set"
    return link[1]


async def test_all_of_it_can_be_done_by_keys(inn: Inn) -> None:
    await inn.say("Aylin", "Bot remember that I grow quinces")
    await inn.say("Tom", "Bot remember that Aylin plays the lute")
    assert inn.profile.browser is not None
    phone = await inn.profile.browser.new_context(locale="en-GB", viewport=PHONE)
    page = await phone.new_page()
    keys, main = page.keyboard, page.get_by_role("main")
    await page.goto(await link_for(inn, "Aylin"))
    await go_to(page, "Sign in")
    await keys.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")

    await go_to(page, "Open or close the menu")
    await keys.press("Enter")
    await expect(page.get_by_role("link", name="Memory")).to_be_in_viewport()
    await go_to(page, "Memory")
    await keys.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Memory")

    async def told() -> bool:
        await page.reload()
        return "quinces" in await main.inner_text() and "lute" in await main.inner_text()

    await eventually(told)
    await go_to(page, "Words")
    await keys.type("quince")
    await expect(page.get_by_text("1 memory")).to_be_visible()
    await go_to(page, "Correct")
    await keys.press("Enter")
    await expect(page.get_by_label("In your own words")).to_be_focused()
    await keys.press("Control+A")
    await keys.type("I grow quinces and pears")
    await go_to(page, "Save")
    await keys.press("Space")
    await expect(main.get_by_role("article")).to_contain_text("Corrected.")
    await expect(main.get_by_role("button", name="Undo")).to_be_focused()
    await go_to(page, "Forget", "Shift+Tab")
    await keys.press("Enter")
    await expect(main.get_by_role("article")).to_contain_text("Forgotten.")
    await expect(main.get_by_role("button", name="Undo")).to_be_focused()
    await keys.press("Enter")
    await expect(main.get_by_role("article")).to_contain_text("quinces and pears")
    await expect(main.get_by_role("button", name="Correct")).to_be_focused()
    await go_to(page, "Kind", "Shift+Tab")
    await keys.press("ArrowDown")
    await expect(page.get_by_role("option", name="Facts")).to_be_visible()
    await keys.press("ArrowDown")
    await keys.press("Enter")
    await expect(page.get_by_label("Kind").first).to_have_value("Facts")
    await expect(main.get_by_role("article").first).to_contain_text("quinces and pears")

    await go_to(page, "Open or close the menu", "Shift+Tab")
    await keys.press("Space")
    await expect(page.get_by_role("link", name="Privacy")).to_be_in_viewport()
    await go_to(page, "Privacy")
    await keys.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Privacy")
    await go_to(page, "Delete it all")
    await keys.press("Enter")
    keep = page.get_by_role("dialog").get_by_role("button", name="Keep it")
    await expect(keep).to_be_focused()
    await expect(keep).to_be_visible()  # the dialog grows from nothing
    await go_to(page, "Delete it all")
    await go_to(page, "Keep it")
    await keys.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()
    await expect(page.get_by_role("button", name="Delete it all", exact=True)).to_be_focused()
    await phone.close()


async def test_what_has_the_focus_is_seen_on_every_page(inn: Inn) -> None:
    await inn.say("Tom", "Bot remember that Maren plays the lute")
    async with panel_of(inn, "Maren") as panel:
        await panel.until("/memory", "lute")
        stops: list[str] = []
        for leaf in LEAVES:
            await panel.page.goto(f"{inn.innkeeper.url}{leaf.path}")
            await panel.page.wait_for_function("window.socket && window.socket.connected")
            if stops:  # the menu is the same on every page
                await panel.page.get_by_role("heading", level=1).click()
            stops = []
            while len(stops) < MOST_STOPS:
                await panel.page.keyboard.press("Tab")
                at = await stop(panel.page)
                assert at["is_seen"], at
                if at["what"] == "the page":
                    break
                stops.append(at["name"])
            assert all(stops), f"{leaf.path}: something has no name: {stops}"
            if leaf is LEAVES[0]:
                assert stops[:3] == ["Open or close the menu", "Sign out", "Overview"]
            assert len(stops) >= STOPS.get(leaf.path, 3), f"{leaf.path}: {stops}"
