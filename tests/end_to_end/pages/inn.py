"""A guild of its own for a test, in the house that all tests of the pages share, and windows to look at it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, Literal
from zoneinfo import ZoneInfo, available_timezones

import httpx
import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, ViewportSize, expect

from memory.language.time_zones import zone_meant
from tests.end_to_end.innkeeper import Innkeeper, wait_until
from tests.local_guild.browser import NOT_FOUND, find_chromium, free_page
from tests.local_guild.page.house import PATIENCE_MS, Window
from tests.loopback import NO_TLS

# One loop, because they share one browser.
IN_A_BROWSER = [pytest.mark.browser, pytest.mark.skipif(find_chromium() is None, reason=NOT_FOUND)]
DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
TALL_PHONE: ViewportSize = {"width": 390, "height": 1000}
MANAGES = ["MANAGE_GUILD", "MANAGE_CHANNELS", "MANAGE_ROLES", "MANAGE_MESSAGES"]

_numbers = count(1)


@dataclass
class Inn:
    """Maren owns it; Tom, Aylin and Jonas are guests. Nobody has spoken in it yet."""

    innkeeper: Innkeeper
    profile: BrowserContext
    """Shared by all windows: its cache makes every one after the first quick."""
    guild: dict[str, Any]
    windows: list[Window] = field(default_factory=list)

    def member(self, name: str) -> dict[str, Any]:
        """Usernames are the display names with the number of the inn."""
        found: dict[str, Any] = next(one for one in self.guild["members"] if one["name"].startswith(name.lower()))
        return found

    def channel_id(self, name: str = "general") -> str:
        return next(str(one["id"]) for one in self.guild["channels"] if one["name"] == name)

    async def window(
        self,
        member: str,
        channel: str = "general",
        *,
        size: ViewportSize = DESK,
        colours: Literal["light", "dark"] = "light",
    ) -> Window:
        """What one member sees."""
        page = await free_page(self.profile)
        await page.set_viewport_size(size)
        await page.emulate_media(color_scheme=colours)
        return await self._enter(page, member, channel)

    async def touched(self, browser: Browser, member: str) -> Window:
        """On a phone that has no mouse; only a profile of its own can be one."""
        phone = await browser.new_context(locale="en-GB", viewport=PHONE, has_touch=True, is_mobile=True)
        phone.set_default_timeout(2 * PATIENCE_MS)
        return await self._enter(await phone.new_page(), member, "general")

    async def _enter(self, page: Page, member: str, channel: str) -> Window:
        window = Window(page)
        self.windows.append(window)
        window.hear("pageerror", window.note_error)
        place = f"/channels/{self.guild['id']}/{self.channel_id(channel)}"
        await page.goto(f"{self.innkeeper.url}{place}?member={self.member(member)['id']}")
        await expect(window.box).to_be_visible()
        await expect(window.log).to_have_attribute("aria-busy", "false")
        return window

    async def call(self, member: str, method: str, path: str, body: Any = None) -> Any:  # noqa: ANN401 - JSON
        """Without a window."""
        headers = {"Authorization": self.member(member)["token"]}
        async with httpx.AsyncClient(base_url=self.innkeeper.url, headers=headers, timeout=20, verify=NO_TLS) as http:
            answer = (await http.request(method, f"/api/v10{path}", json=body)).raise_for_status()
        return answer.json() if answer.content else None

    async def say(self, member: str, text: str, channel: str = "general") -> None:
        await self.call(member, "POST", f"/channels/{self.channel_id(channel)}/messages", {"content": text})

    async def use(self, member: str, command: str, *options: dict[str, Any]) -> str:
        """A subcommand, and what it was answered with."""
        name, _, sub = command.partition(" ")
        data = {"name": name, "options": [{"name": sub, "type": 1, "options": list(options)}]}
        wish = {"type": 2, "channel_id": self.channel_id(), "data": data}
        answer = await self.call(member, "POST", "/interactions?wait=true", wish)
        return str((answer.get("message") or {}).get("content"))

    async def live_where_it_is_noon(self) -> None:
        """So that no day of its guild ends meanwhile."""
        now = datetime.now(UTC)
        zone = next(
            one for one in sorted(available_timezones()) if zone_meant(one) and now.astimezone(ZoneInfo(one)).hour == 12
        )
        assert zone in await self.use("Maren", "settings time-zone", {"name": "zone", "type": 3, "value": zone})

    async def close(self) -> None:
        for window in self.windows:
            # Hints that were put away, and which member it was: the next test's windows remember nothing of it.
            await window.page.evaluate("localStorage.clear()")
            own = window.page.context is not self.profile
            await (window.page.context.close() if own else window.leave())
        assert [complaint for window in self.windows for complaint in window.complaints] == []


def open_inn(innkeeper: Innkeeper, profile: BrowserContext) -> Inn:
    """Once the bot knows who can read what in it."""
    number = next(_numbers)
    people = {name: f"{name.lower()}{number}" for name in ("Maren", "Tom", "Aylin", "Jonas")}
    roles = {"Maren": ["Keeper"], "Tom": ["Cellar"]}
    guild = {
        "name": "The Lantern Inn",
        "owner": people["Maren"],
        "system_channel": "general",
        "roles": [{"name": "Keeper", "permissions": MANAGES}, {"name": "Cellar"}],
        "members": [
            {"name": people[name], "display_name": name, "roles": roles.get(name, [])} for name in sorted(people)
        ],
        "channels": [
            {"name": "general", "topic": "Whatever is on your mind"},
            {"name": "kitchen-table", "topic": "Food, plans, who brings what"},
            {"name": "back-room", "topic": "Not for the hall", "only": ["Cellar", "Keeper", "Innkeeper"]},
        ],
    }
    with httpx.Client(base_url=innkeeper.url, timeout=20, verify=NO_TLS) as http:
        [guild_id] = http.post("/local/world", json={"guilds": [guild]}).raise_for_status().json()["guilds"]
        [described] = [one for one in innkeeper.world()["guilds"] if one["id"] == guild_id]
        inn = Inn(innkeeper, profile, described)
        wait_until(lambda: _knows_its_readers(http, inn), "the bot to know who can read what")
    return inn


def _knows_its_readers(http: httpx.Client, inn: Inn) -> bool:
    """Asked as a member would, in an answer that nobody else sees and no window has heard."""
    option = {"name": "show", "type": 1, "options": []}
    body = {"type": 2, "channel_id": inn.channel_id(), "data": {"name": "privacy", "options": [option]}}
    headers = {"Authorization": inn.member("Maren")["token"]}
    answer = http.post("/api/v10/interactions?wait=true", json=body, headers=headers)
    return answer.is_success and "What I keep about you" in str((answer.json().get("message") or {}).get("content"))


async def use(window: Window, command: str) -> None:
    """A command without options, by keys alone."""
    await window.box.press_sequentially(f"/{command}", delay=5)
    offered = window.page.get_by_role("listbox", name="Suggestions").get_by_role("option", selected=True)
    await expect(offered).to_contain_text(f"/{command}")
    await window.box.press("Enter")
    send = window.page.get_by_role("form", name=f"Command {command}").get_by_role("button", name="Send")
    await expect(send).to_be_focused()
    await window.page.keyboard.press("Enter")


async def said(window: Window, words: str) -> Locator:
    """What the bot said last in these words."""
    found = window.message(words).filter(has_text="Innkeeper").last
    await expect(found).to_be_visible()
    return found


def button(message: Locator, label: str) -> Locator:
    """Whether or not a picture stands before its words."""
    words = re.compile(rf"^[^\w\s]*{re.escape(label)}$")
    return message.locator(".component-row").get_by_role("button").filter(has_text=words)


def seen_alone(window: Window) -> Locator:
    """The last that the bot said to this member alone; it changes as its buttons are pressed."""
    return window.log.get_by_role("article").filter(has_text="Only you can see this").last


async def fits(window: Window) -> None:
    """Nothing runs out of a narrow window sideways."""
    viewport = window.page.viewport_size
    assert viewport is not None
    assert await window.page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    assert await window.log.evaluate("log => log.scrollWidth - log.clientWidth") <= 0
