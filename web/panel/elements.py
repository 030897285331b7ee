"""What several pages show: people by their names, what was said, and somebody or a channel to choose."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from nicegui import ui
from nicegui.events import GenericEventArguments

from memory.access.values import Door
from memory.core.values import UNNAMED, Message, text_of
from memory.language.text import fold, shorten
from memory.people.names import mentioned_ids
from web.panel.shell import Visit
from web.words import Panel

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
    """Of people and channels, as far as the reader may know them."""

    people: Mapping[int, str]
    places: Mapping[int, str]

    def of(self, user_id: int) -> str:
        return self.people.get(user_id, UNNAMED)

    def place(self, channel_id: int) -> str:
        return f"#{self.places.get(channel_id, '…')}"

    def within(self, text: str) -> str:
        """A text in which they stand as numbers."""

        def named(found: re.Match[str]) -> str:
            return self.place(int(found[2])) if found[1] == "#" else f"@{self.of(int(found[2]))}"

        return _MARK.sub(named, text)


async def names_for(visit: Visit, texts: Iterable[str], ids: Iterable[int | None] = ()) -> Names:
    """Of those whom the texts mention, and of those with the given ids."""
    door = visit.door
    people = {one for text in texts for one in mentioned_ids(text)} | {one for one in ids if one is not None}
    called = await visit.memory.people.called(door.guild_id, people)
    return Names(called | {door.user_id: door.name}, visit.memory.places.names(door.reader))


def said(visit: Visit, message: Message, names: Names) -> None:
    """Who said it, when, where, what, and the way there."""
    with ui.column().classes("full-width").style("gap: 0"):
        with ui.row(align_items="center").classes("text-caption").style("gap: 0.5rem"):
            ui.label(
                f"{names.of(message.author_id)} · {visit.moment(message.sent_at)} · {names.place(message.channel_id)}"
            )
            to_message(visit, message.channel_id, message.message_id)
        ui.label(shorten(names.within(text_of(message)), LONGEST_SHOWN) or "…").classes("said")


def to_message(visit: Visit, channel_id: int, message_id: int) -> None:
    ui.link(visit.say(Panel.TO_MESSAGE), visit.link(channel_id, message_id), new_tab=True)


async def quote(visit: Visit, messages: Sequence[Message]) -> None:
    """What something rests on."""
    if not messages:
        ui.label(visit.say(Panel.RESTS_ON_NOTHING)).classes("text-caption")
    names = await names_for(visit, map(text_of, messages), [one.author_id for one in messages])
    for message in messages:
        said(visit, message, names)


def more(visit: Visit, go_on: Callable[[Door], Awaitable[None]]) -> None:
    """A button that the next page takes the place of."""

    async def press(door: Door, _: object) -> None:
        button.delete()
        await go_on(door)

    button = ui.button(visit.say(Panel.MORE), on_click=visit.event(press)).props("outline")


def focus(element: ui.element) -> None:
    """Where the keyboard goes on, once what it was at has been taken off the page."""
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
    """While something takes its time, the button that began it turns, and begins nothing twice."""
    button.props("loading").disable()
    try:
        yield
    finally:
        button.props(remove="loading").enable()


# Lists that the server searches: no browser is sent all members or threads of a guild.


async def members(visit: Visit, label: Panel, everybody: Panel) -> ui.select:
    """Oneself first."""

    async def search(door: Door, typed: str) -> dict[int, str]:
        found = await visit.memory.people.listed(door.guild_id, typed, 0, MOST_OFFERED)
        own = visit.say(Panel.YOU, name=door.name)
        first = {} if typed else {NOBODY: visit.say(everybody), door.user_id: own}
        return first | {one.user_id: one.display_name for one in found if one.user_id not in first}

    return await _list(visit, label, search)


async def channels(visit: Visit, everywhere: Panel | None = None) -> ui.select:
    """Of those that the reader can read; at first one that everyone can, unless all of them can be meant."""

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
    select.props("dense outlined").style("min-width: 13rem")

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
