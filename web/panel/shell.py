"""Frames every page of the panel, and makes the visit that knows who is there.

Whoever may see something is asked when a page is made and again at every event of it: rights that were lost in the
meantime stop the next click. Names and texts of others are shown as text, never as HTML or Markdown.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request
from nicegui import ui
from nicegui.client import Client
from nicegui.events import GenericEventArguments
from starlette.responses import Response

from memory.access import Door, Refusal
from memory.core.values import UNNAMED, Message, text_of
from memory.db.errors import StoreError
from memory.language.text import fold, shorten
from memory.manager import MemoryManager
from memory.models.prompt_data import speaker_name
from memory.people.names import mentioned_ids
from memory.policy.setting_fields import Setting
from memory.tasks import request as requested
from web.guard import Doors, NotOpenYet
from web.words import Panel, Speech, head, speech_for

logger = logging.getLogger(__name__)

DISCORD = "https://discord.com/"
RESPONSE_SECONDS = 60.0
"""Beside busy neighbours a page takes longer than the three seconds after which NiceGUI would give it up."""


@dataclass(eq=False, repr=False)
class Visit:
    """Stands for one page before one person."""

    doors: Doors
    secret: str
    door: Door
    """As it was when somebody last did something; whoever acts takes the one that the event brings."""
    speech: Speech
    chat: str | None
    zone: tzinfo
    """The reader's own, or else the server's: all times on a page are told in it."""
    for_managers: bool

    def say(self, key: Panel | Setting, **values: object) -> str:
        return self.speech.say(key, **values)

    def bot(self, part: str, key: str, **values: object) -> str:
        return self.speech.bot(part, key, **values)

    @property
    def memory(self) -> MemoryManager:
        return self.doors.memory

    def moment(self, at: datetime) -> str:
        return self.speech.moment(at, self.zone)

    def day(self, at: datetime) -> str:
        return self.speech.day(at.astimezone(self.zone))

    def link(self, channel_id: int, message_id: int) -> str:
        """Make a link to a message, on Discord or in the local guild's chat: numbers alone, whatever anybody wrote."""
        return f"{self.chat or DISCORD}channels/{self.door.guild_id:d}/{channel_id:d}/{message_id:d}"

    def event(self, handler: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """Make a handler of events, which is given the door as it is now, and then what the page sends."""

        # One argument, not any number: what takes any number is given none.
        async def happen(sent: Any) -> None:  # noqa: ANN401 - whatever an element sends
            with requested("panel") as request_id:
                try:
                    door = await self.doors.of_session(self.secret)
                    if isinstance(door, Refusal):
                        self._shut(door)
                        return
                    self.door = door
                    if self.for_managers and not door.is_manager:
                        ui.notify(self.say(Panel.ONLY_MANAGERS), type="warning")
                        return
                    await handler(door, sent)
                except (NotOpenYet, StoreError) as error:
                    logger.warning("panel event failed: %s", type(error).__name__)
                    ui.notify(self.say(Panel.AWAY), type="negative")
                except Exception:
                    # A page whose button does nothing would leave its reader guessing.
                    logger.exception("panel page failed after it was shown")
                    ui.notify(self.say(Panel.UNEXPECTED, request=request_id), type="negative")

        happen.is_guarded = True  # type: ignore[attr-defined] # a test looks for it on every element
        return happen

    def _shut(self, refusal: Refusal) -> None:
        if refusal is Refusal.CLOSED:
            logger.warning("panel event refused: the bot has not been heard of")
            ui.notify(self.say(Panel.CLOSED), type="warning")
        else:
            ui.notify(self.say(Panel.SIGNED_OUT), type="warning")
            ui.navigate.to("/panel")


PageBody = Callable[[Visit], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Leaf:
    """Describes a page: where it is, what it is called, and what is on it."""

    path: str
    title: Panel
    icon: str
    body: PageBody
    for_managers: bool = False


class PanelPages:
    def __init__(self, doors: Doors, leaves: tuple[Leaf, ...], chat: str | None) -> None:
        """Add a page for each leaf; `chat` is the address of the local guild's chat, if there is one."""
        self._doors = doors
        self._leaves = leaves
        self._chat = chat
        for leaf in leaves:
            self._add(leaf)

    def _add(self, leaf: Leaf) -> None:
        @ui.page(leaf.path, title="Innkeeper", response_timeout=RESPONSE_SECONDS)
        async def page(request: Request) -> Response | None:
            speech, secret = speech_for(request.headers), self._doors.secret_in(request.headers)
            try:
                door = await self._doors.of_session(secret)
                zone = UTC if isinstance(door, Refusal) else await self._zone_of(door)
            except (NotOpenYet, StoreError):
                self._closed(speech, Panel.AWAY)
                return None
            if isinstance(door, Refusal):
                self._closed(speech, Panel.CLOSED if door is Refusal.CLOSED else Panel.HOW_TO_SIGN_IN)
                return None
            if leaf.for_managers and not door.is_manager:
                self._closed(speech, Panel.ONLY_MANAGERS)
                return None
            self._only_for(ui.context.client, secret)
            visit = Visit(self._doors, secret, door, speech, self._chat, zone, leaf.for_managers)
            self._frame(visit, leaf)
            with ui.column().classes("page"):
                title(visit.say(leaf.title))
                await self._body(visit, leaf)
            return None

    async def _zone_of(self, door: Door) -> tzinfo:
        return ZoneInfo(await self._doors.memory.reminders.zone_of(door.guild_id, door.user_id))

    async def _body(self, visit: Visit, leaf: Leaf) -> None:
        with requested("panel") as request_id:
            try:
                await leaf.body(visit)
            except (NotOpenYet, StoreError) as error:
                logger.warning("panel page failed: %s", type(error).__name__)
                ui.label(visit.say(Panel.AWAY)).classes("text-negative")
            except Exception:
                logger.exception("panel page failed")
                ui.label(visit.say(Panel.UNEXPECTED, request=request_id)).classes("text-negative")

    def _only_for(self, client: Client, secret: str) -> None:
        """Accept a page's socket only with the cookie the page was made for: NiceGUI takes the page's id for proof."""
        accept = client.accept_handshake

        def accepted(socket_id: str, tab_id: str, environ: dict[str, Any] | None) -> bool:
            sent = {"cookie": str((environ or {}).get("HTTP_COOKIE", ""))}
            return self._doors.secret_in(sent) == secret and accept(socket_id, tab_id, environ)

        client.accept_handshake = accepted  # type: ignore[method-assign]

    def _frame(self, visit: Visit, here: Leaf) -> None:
        ui.add_head_html(head())
        ui.page_title(f"{visit.say(here.title)} · Innkeeper")
        with ui.header().classes("items-center q-px-md no-wrap"):
            drawer_button = _icon_button(visit, "menu", Panel.MENU)
            ui.label(visit.door.guild_name).classes("guild ellipsis").style("flex: 1; min-width: 0")
            ui.label(visit.door.name).classes("text-caption ellipsis gt-xs").style("max-width: 14rem")
            _icon_button(visit, "logout", Panel.SIGN_OUT).on_click(visit.event(self._sign_out))
        drawer = ui.left_drawer(bordered=True).props("width=248 breakpoint=900").classes("q-px-none")
        with drawer, ui.list().props('padding role="navigation"').classes("full-width"):
            for leaf in self._leaves:
                if not leaf.for_managers or visit.door.is_manager:
                    self._entry(visit.say(leaf.title), leaf.icon, leaf.path, is_here=leaf is here)
            if self._chat is not None:
                self._entry(visit.say(Panel.CHAT), "forum", self._chat, is_here=False)
        with drawer:
            ui.label(visit.say(Panel.CLOCK, zone=str(visit.zone))).classes("clock")
        drawer_button.on_click(drawer.toggle)

    def _entry(self, title: str, icon: str, path: str, *, is_here: bool) -> None:
        with ui.item().props(
            f'clickable tag="a" role="link" href="{path}"' + (' active aria-current="page"' if is_here else "")
        ):
            with ui.item_section().props("avatar"):
                ui.icon(icon).props('aria-hidden="true"')
            with ui.item_section():
                ui.item_label(title)

    async def _sign_out(self, door: Door, _: object) -> None:
        await self._doors.memory.access.sign_out(door.key)
        ui.navigate.to("/panel")

    def _closed(self, speech: Speech, why: Panel) -> None:
        ui.add_head_html(head())
        ui.page_title("Innkeeper")
        with ui.column().classes("door"):
            title("Innkeeper")
            ui.label(speech.say(why))
            if self._chat is not None and why is Panel.HOW_TO_SIGN_IN:
                ui.link(speech.say(Panel.CHAT), self._chat)


def asking(visit: Visit, words: str, yes: str, no: str, act: Callable[..., Awaitable[None]]) -> None:
    """Ask before something that cannot be undone. `act` is given the door, when it is answered with yes."""
    with ui.dialog() as dialog, ui.card().style("max-width: 34rem"):
        ui.label(words).classes("said")

        async def agreed(door: Door, _: object) -> None:
            dialog.close()
            await act(door)

        with ui.row().classes("full-width justify-end"):
            ui.button(no, on_click=dialog.close).props("flat autofocus")
            ui.button(yes, on_click=visit.event(agreed), color="negative")
    dialog.open()


def _icon_button(visit: Visit, icon: str, label: Panel) -> ui.button:
    button = ui.button(icon=icon).props("flat dense round").tooltip(visit.say(label))
    button.props["aria-label"] = visit.say(label)
    return button


def capitalised(words: str) -> str:
    """Capitalise words that on Discord stand behind a bullet, as a line of their own."""
    return words[:1].upper() + words[1:]


def title(words: str) -> None:
    ui.label(words).classes("title").props('role="heading" aria-level="1"')


# What several pages show: people by their names, what was said, and somebody or a channel to choose.


MOST_OFFERED = 20
"""People or channels in a list; whoever looks for another types a part of the name."""
MOST_KNOWN = 500
LONGEST_SHOWN = 600
LONGEST_TYPED = 100
NOBODY = 0
"""In the place of a member or a channel: all of them."""
_MARK = re.compile(r"<(@!?|#)(\d{1,20})>")

Search = Callable[[Door, str], Awaitable[dict[int, str]]]


@dataclass(frozen=True, slots=True)
class Names:
    """Knows the names of people and channels, as far as the reader may."""

    people: Mapping[int, str]
    places: Mapping[int, str]

    def of(self, user_id: int) -> str:
        return self.people.get(user_id, UNNAMED)

    def place(self, channel_id: int) -> str:
        return f"#{self.places.get(channel_id, '…')}"

    def within(self, text: str) -> str:
        """Write names into a text in which they stand as numbers."""

        def named(found: re.Match[str]) -> str:
            return self.place(int(found[2])) if found[1] == "#" else f"@{self.of(int(found[2]))}"

        return _MARK.sub(named, text)


async def names_for(visit: Visit, texts: Iterable[str], ids: Iterable[int | None] = ()) -> Names:
    """Look up the names of those whom the texts mention, and of the given ids."""
    door = visit.door
    people = {one for text in texts for one in mentioned_ids(text)} | {one for one in ids if one is not None}
    called = await visit.memory.people.called(door.guild_id, people)
    return Names(called | {door.user_id: door.name}, visit.memory.places.names(door.reader))


def said(visit: Visit, message: Message, names: Names) -> None:
    """Show who said it, when, where, what, and the way there."""
    with ui.column().classes("full-width").style("gap: 0"):
        with ui.row(align_items="center").classes("text-caption").style("gap: 0.5rem"):
            author = speaker_name(message, visit.speech.language) or names.of(message.author_id)
            ui.label(f"{author} · {visit.moment(message.sent_at)} · {names.place(message.channel_id)}")
            to_message(visit, message.channel_id, message.message_id)
        ui.label(shorten(names.within(text_of(message)), LONGEST_SHOWN) or "…").classes("said")


def to_message(visit: Visit, channel_id: int, message_id: int) -> None:
    ui.link(visit.say(Panel.TO_MESSAGE), visit.link(channel_id, message_id), new_tab=True)


async def quote(visit: Visit, messages: Sequence[Message]) -> None:
    """Show what something rests on."""
    if not messages:
        ui.label(visit.say(Panel.RESTS_ON_NOTHING)).classes("text-caption")
    names = await names_for(visit, map(text_of, messages), [one.author_id for one in messages])
    for message in messages:
        said(visit, message, names)


def more(visit: Visit, go_on: Callable[[Door], Awaitable[None]]) -> None:
    """Show a button that the next page takes the place of."""

    async def press(door: Door, _: object) -> None:
        button.delete()
        await go_on(door)

    button = ui.button(visit.say(Panel.MORE), on_click=visit.event(press)).props("outline")


def focus(element: ui.element) -> None:
    """Move the keyboard on, once what it was at has been taken off the page."""
    ui.run_javascript(f"getHtmlElement({element.id}).focus()")


def weight(importance: int) -> str:
    """Name the colour of a memory's importance."""
    return "gray" if importance <= 3 else "blue" if importance <= 6 else "orange" if importance <= 8 else "red"


def card() -> ui.card:
    return ui.card().classes("full-width").props('flat role="article"').style("gap: 0.35rem")


def heading(text: str, classes: str = "heading", level: int = 2) -> None:
    ui.label(text).classes(classes).props(f'role="heading" aria-level="{level}"')


@contextmanager
def at_work(button: ui.button) -> Iterator[None]:
    """Turn the button that began something until it is done, and begin nothing twice."""
    button.props("loading").disable()
    try:
        yield
    finally:
        button.props(remove="loading").enable()


# Lists that the server searches: no browser is sent all members or threads of a guild.


async def members(visit: Visit, label: Panel, everybody: Panel) -> ui.select:
    """Offer the members of the guild, oneself first."""

    async def search(door: Door, typed: str) -> dict[int, str]:
        found = await visit.memory.people.listed(door.guild_id, typed, 0, MOST_OFFERED)
        own = visit.say(Panel.YOU, name=door.name)
        first = {} if typed else {NOBODY: visit.say(everybody), door.user_id: own}
        return first | {one.user_id: one.display_name for one in found if one.user_id not in first}

    return await _list(visit, label, search)


async def channels(visit: Visit, everywhere: Panel | None = None) -> ui.select:
    """Offer the channels that the reader can read; at first one that everyone can, unless all can be meant."""

    async def search(door: Door, typed: str) -> dict[int, str]:
        named = visit.memory.places.names(door.reader)
        found = sorted((name, one) for one, name in named.items() if fold(typed.lstrip("#")) in fold(name))
        first = {} if everywhere is None or typed else {NOBODY: visit.say(everywhere)}
        return first | {one: f"#{name}" for name, one in found[:MOST_OFFERED]}

    select = await _list(visit, Panel.CHANNEL, search)
    hall = visit.memory.places.hall(visit.door.guild_id)
    if everywhere is None:
        select.set_value(next((one for one in select.options if one in hall), select.value))
    return select


async def _list(visit: Visit, label: Panel, search: Search) -> ui.select:
    known = await search(visit.door, "")
    select = ui.select(known, value=next(iter(known), None), label=visit.say(label), with_input=True)
    select.props("dense outlined").style("min-width: 15rem")

    async def look(door: Door, event: GenericEventArguments) -> None:
        typed = str(event.args or "")[:LONGEST_TYPED]
        new = {one: name for one, name in (await search(door, typed)).items() if one not in known}
        if new and len(known) < MOST_KNOWN:
            # Only ever added to: the browser names what is chosen by its place in the list that it has.
            known.update(new)
            select.set_options(known)
            select.run_method("filter", typed)

    select.on("input-value", visit.event(look), throttle=0.3, leading_events=False)
    return select
