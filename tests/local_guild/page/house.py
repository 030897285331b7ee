"""The chat page served with its local guild, rooms to meet in, and windows to look through."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import httpx
import pytest
from playwright.async_api import BrowserContext, ConsoleMessage, Error, Locator, Page, Request, expect

from local_guild.server import LocalGuild
from tests.local_guild.browser import free_page, leave_page
from tests.local_guild.people import Body, Person

PATIENCE_MS = 60_000
PICTURES = Path(__file__).parents[3] / "docs" / "pictures"

IN_THE_BROWSER = pytest.mark.browser

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"

_numbers = count(1)


@dataclass
class House:
    server: LocalGuild
    url: str
    http: httpx.AsyncClient
    world: Body

    @property
    def guild_id(self) -> str:
        return str(self.world["guilds"][0]["id"])

    def person(self, name: str) -> Person:
        told = next(who for who in self.world["guilds"][0]["members"] if who["name"] == name)
        return Person(self.http, int(told["id"]), told["name"], told["token"])

    @property
    def bot(self) -> Person:
        told = self.world["bot"]
        return Person(self.http, int(told["id"]), told["name"], f"Bot {told['token']}")

    def role_id(self, name: str) -> str:
        return next(str(role["id"]) for role in self.world["guilds"][0]["roles"] if role["name"] == name)

    async def room(self, **fields: Body) -> Room:
        """A channel of its own for each test, made by the one who runs the guild."""
        body = {"name": f"room-{next(_numbers)}", **fields}
        made = await self.person("maren").call("POST", f"/guilds/{self.guild_id}/channels", body)
        return Room(self, int(made["id"]), made["name"])


@dataclass(frozen=True)
class Room:
    house: House
    id: int
    name: str

    @property
    def path(self) -> str:
        return f"/channels/{self.house.guild_id}/{self.id}"

    async def say(self, name: str, content: str, **fields: Body) -> Body:
        return await self.house.person(name).say(self.id, content, **fields)


@dataclass
class Window:
    """One browser window as one member."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    heard: dict[str, Callable[..., None]] = field(default_factory=dict)

    def hear(self, event: str, note: Callable[..., None]) -> None:
        self.page.on(event, note)  # type: ignore[call-overload] # it lists each event by its name
        self.heard[event] = note

    async def leave(self) -> None:
        """To whoever opens the next window of this profile."""
        for event, note in self.heard.items():
            self.page.remove_listener(event, note)
        await leave_page(self.page)

    async def picture(self, name: str) -> None:
        """For the docs, when they are to be renewed."""
        if os.environ.get("UPDATE_PICTURES") == "1":
            await self.page.screenshot(path=PICTURES / name, animations="disabled")

    def note_error(self, error: Error) -> None:
        self.complaints.append(str(error))

    def note_line(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.complaints.append(line.text)

    def mind_hosts(self, url: str) -> None:
        """Complain of every other one that is asked."""

        def note(request: Request) -> None:
            if not request.url.startswith((url, "data:", "blob:", "about:")):
                self.complaints.append(f"asked another host: {request.url}")

        self.hear("request", note)

    async def key_to(self, name: str, key: str = "Tab", *, most: int = 60) -> None:
        """Press a key until the thing with this accessible name has the focus."""
        for _ in range(most):
            await self.page.keyboard.press(key)
            if await self.page.evaluate(FOCUSED) == name:
                return
        raise AssertionError(f"{key} never reached {name!r}")

    @property
    def log(self) -> Locator:
        return self.page.get_by_role("log")

    @property
    def box(self) -> Locator:
        return self.page.get_by_role("combobox", name=re.compile("^Message "))

    def message(self, text: str) -> Locator:
        return self.log.get_by_role("article").filter(has_text=text)

    def channel(self, name: str) -> Locator:
        return self.page.get_by_role("navigation", name="Channels").get_by_role("link", name=name)

    async def write(self, text: str) -> None:
        await self.box.fill(text)
        await self.box.press("Enter")

    async def sees(self, text: str) -> Locator:
        found = self.message(text)
        await expect(found).to_have_count(1)
        return found

    async def act(self, text: str, action: str) -> None:
        """Use one of the buttons that a message shows under the pointer."""
        row = await self.sees(text)
        await row.hover()
        await row.get_by_role("toolbar").get_by_role("button", name=action, exact=True).click()


@dataclass
class Windows:
    """Opens windows, and afterwards insists that no page complained.

    They share one browser profile, whose cache makes every window after the first one quick; a window
    that must not know what the others remembered gets a profile of its own.
    """

    profile: BrowserContext
    house: House
    opened: list[Window] = field(default_factory=list)
    own_profiles: list[BrowserContext] = field(default_factory=list)

    async def open(self, member: str, path: str = "/", *, width: int = 1280, height: int = 800) -> Window:
        page = await free_page(self.profile)
        await page.set_viewport_size({"width": width, "height": height})
        return await self._enter(page, member, path)

    async def open_afresh(self, member: str, path: str = "/", **options: Body) -> Window:
        assert self.profile.browser is not None
        profile = await self.profile.browser.new_context(**{"locale": "en-GB", **options})
        self.own_profiles.append(profile)
        profile.set_default_timeout(PATIENCE_MS)
        return await self._enter(await profile.new_page(), member, path)

    async def _enter(self, page: Page, member: str, path: str) -> Window:
        window = Window(page)
        window.hear("pageerror", window.note_error)
        window.hear("console", window.note_line)
        window.mind_hosts(self.house.url)
        self.opened.append(window)
        await page.goto(f"{self.house.url}{path}?member={member}")
        await expect(window.box).to_be_visible()
        await expect(window.log).to_have_attribute("aria-busy", "false")
        return window

    async def close(self) -> list[str]:
        for window in self.opened:
            if window.page.context is self.profile:
                await window.leave()
        for profile in self.own_profiles:
            await profile.close()
        return [complaint for window in self.opened for complaint in window.complaints]
