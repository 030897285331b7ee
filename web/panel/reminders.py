"""Shows, makes, changes, deletes and brings back one's own reminders; and sets one's time zone."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from nicegui import ui

from memory.access import Door
from memory.core.values import new_id
from memory.language.time_grammar import Every, Repeat
from memory.language.time_meaning import Shift
from memory.language.time_zones import COMMON, time_in, zone_meant
from memory.places.view import NOWHERE
from memory.reminders.values import (
    LONGEST_TEXT,
    MOST_OPEN,
    AskedWhen,
    Made,
    NoTime,
    Outcome,
    Refused,
    Reminder,
    State,
    Wish,
)
from web.panel.shell import Visit, focus
from web.words import Panel

LONGEST_WHEN = 100
FIELD = "dense outlined"
_WHY = {NoTime.MISSING: "missing", NoTime.PAST: "past", NoTime.TOO_FAR: "too_far", NoTime.TOO_OFTEN: "too_often"}
_SHIFTS = {Shift.SKIPPED: "skipped", Shift.DOUBLED: "doubled"}

Act = Callable[[Door], Awaitable[None]]


async def body(visit: Visit) -> None:
    await _RemindersPage(visit).show(visit.door)


class _RemindersPage:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._asked: Reminder | None = None
        """Waits for its owner to say when."""
        with ui.card().classes("full-width"):
            self._text = ui.input(visit.bot("remind", "form_what")).classes("full-width")
            self._text.props(f"{FIELD} maxlength={LONGEST_TEXT}")
            with ui.row().classes("full-width items-end"):
                self._when = ui.input(visit.bot("remind", "form_when"), placeholder=visit.bot("remind", "form_example"))
                self._when.props(f"{FIELD} maxlength={LONGEST_WHEN}").style("flex: 1 1 12rem")
                rooms = sorted(visit.memory.places.rooms(visit.door.reader).items(), key=lambda one: one[1].casefold())
                places = {NOWHERE: visit.say(Panel.BY_DIRECT_MESSAGE)} | {one: f"#{name}" for one, name in rooms}
                self._place = ui.select(places, value=NOWHERE, label=visit.say(Panel.WHERE), with_input=True)
                self._place.props(FIELD).style("flex: 1 1 12rem")
                ui.button(visit.say(Panel.REMIND_ME), on_click=visit.event(self._make))
            self._said = ui.column().classes("full-width").props('role="status"').style("gap: 0.2rem")
        self._list = ui.column().classes("full-width")
        self._zone = ui.card().classes("full-width")

    async def show(self, door: Door) -> None:
        visit, reminders = self._visit, self._visit.memory.reminders
        found = await reminders.of_owner(door.guild_id, door.user_id)
        zone = await reminders.zone_of(door.guild_id, door.user_id)
        self._list.clear()
        with self._list:
            if not found:
                ui.label(visit.say(Panel.NO_REMINDERS))
            for one in found:
                self._one(one, door)
        self._zone.clear()
        with self._zone, ui.row().classes("items-end"):
            typed = ui.input(visit.bot("remind", "my_zone"), value=zone, autocomplete=list(COMMON)).props(FIELD)

            async def choose(door: Door, _: object) -> None:
                await self._choose_zone(door, typed.value or "")

            ui.button(visit.say(Panel.SAVE), on_click=visit.event(choose)).props("flat")

    def _one(self, one: Reminder, door: Door) -> None:
        visit = self._visit

        async def delete(door: Door) -> None:
            gone = await visit.memory.reminders.delete(one)
            await self.show(door)
            if gone:
                self._say(visit.bot("remind", "deleted"), undo=lambda door: self._restore(door, one.reminder_id))
            else:
                self._say(visit.bot("remind", "gone"))

        with ui.card().classes("full-width"):
            ui.label(one.text or visit.bot("remind", "a_message")).classes("said")
            ui.label(self._small(one, door)).classes("text-caption said")
            with ui.row():
                self._button(visit.bot("phrase", "edit"), lambda _door: self._edit(one))
                self._button(visit.bot("remind", "delete"), delete)

    async def _edit(self, one: Reminder) -> None:
        visit = self._visit
        with self._list, ui.dialog() as dialog, ui.card().style("width: 30rem"):
            text = ui.input(visit.bot("remind", "form_what"), value=one.text)
            when = ui.input(visit.bot("remind", "form_when"), placeholder=self._moment(one, one.due_at))
            when.props(f"{FIELD} maxlength={LONGEST_WHEN}").classes("full-width")
            text.props(f"{FIELD} maxlength={LONGEST_TEXT}").classes("full-width")

            async def save(door: Door) -> None:
                dialog.close()
                # As it is now: it may have come due while the form stood there.
                now = await visit.memory.reminders.one(door.guild_id, one.reminder_id, door.user_id)
                changed = (
                    Refused.GONE
                    if now is None
                    else await visit.memory.reminders.change(now, when.value or "", text.value or "")
                )
                await self._told(changed, door)

            with ui.row().classes("full-width justify-end"):
                cancel = ui.button(visit.bot("notice", "setup_cancel"), on_click=dialog.close)
                cancel.props("outline dense").classes("q-px-sm")
                self._button(visit.say(Panel.SAVE), save)
        dialog.open()

    async def _make(self, door: Door, _: object) -> None:
        reminders, now = self._visit.memory.reminders, self._visit.memory.clock.now()
        words, when = self._text.value or "", self._when.value or ""
        if not words.strip():
            return
        if self._asked is not None:
            await self._told(await reminders.change(self._asked, when, words), door)
            return
        # What they could choose when the page was made, they may not be able to read any more.
        place = self._place.value if self._place.value in self._visit.memory.places.names(door.reader) else NOWHERE
        number, language = new_id(now), self._visit.speech.language
        wish = Wish(door.guild_id, int(place or NOWHERE), number, door.user_id, now, language, words, when)
        await self._told(await reminders.ask(wish), door)

    async def _told(self, outcome: Outcome, door: Door) -> None:
        visit, asked = self._visit, None
        match outcome:
            case Made(reminder=one, shift=shift, tells_zone=tells_zone):
                lines = [visit.bot("remind", "made", when=self._moment(one, one.due_at))]
                lines += [self._every(one.repeat)] if one.repeat is not None else []
                name = visit.memory.places.names(door.reader).get(one.channel_id)
                if name is not None and visit.memory.reminders.comes_privately(one):
                    lines.append(visit.bot("remind", "by_direct_message", channel=f"#{name}"))
                if shift is not None and one.wall is not None:
                    lines.append(visit.bot("remind", _SHIFTS[shift], time=f"{one.wall:%H:%M}"))
                lines += [visit.bot("remind", "by_zone", zone=one.zone)] if tells_zone else []
                self._text.value = self._when.value = ""
            case AskedWhen(reminder=one, why=why, moments=moments):
                asked = one if one.state is State.ASKED else None
                lines = [visit.bot("remind", "which" if moments else _WHY[why])]
            case Refused():
                limits = {"count": MOST_OPEN, "limit": LONGEST_TEXT}
                lines = [visit.bot("remind", outcome.name.lower(), **limits)]
        self._asked = asked
        await self.show(door)
        self._say(*lines)
        if isinstance(outcome, AskedWhen):
            with self._said, ui.row():
                for at in outcome.moments:
                    self._moment_button(outcome.reminder, at)

    def _moment_button(self, one: Reminder, at: datetime) -> None:
        async def choose(door: Door) -> None:
            await self._told(await self._visit.memory.reminders.choose(one, at), door)

        self._button(self._moment(one, at), choose)

    async def _restore(self, door: Door, reminder_id: int) -> None:
        reminders = self._visit.memory.reminders
        one = await reminders.one(door.guild_id, reminder_id, door.user_id)
        restored = one is not None and await reminders.restore(one)
        await self.show(door)
        self._say(self._visit.bot("remind", "restored" if restored else "gone").rstrip(":"))

    async def _choose_zone(self, door: Door, typed: str) -> None:
        visit = self._visit
        meant = await asyncio.to_thread(zone_meant, typed)
        if meant is None:
            unknown = visit.bot("notice", "zone_unknown", typed=typed[:LONGEST_WHEN])
            self._say(f"{unknown} {visit.bot('notice', 'zone_hint')}")
            return
        done = await visit.memory.reminders.choose_zone(door.guild_id, door.user_id, meant)
        time = f"{time_in(meant, visit.memory.clock.now()):%H:%M}"
        await self.show(door)
        self._say(visit.bot("remind", "zone_is", zone=meant, time=time) if done else visit.bot("remind", "opted_out"))

    # How it is said

    def _say(self, *lines: str, undo: Act | None = None) -> None:
        self._said.clear()
        with self._said:
            for line in lines:
                ui.label(line).classes("said")
            if undo is not None:
                focus(self._button(self._visit.bot("phrase", "undo"), undo))

    def _button(self, words: str, act: Act) -> ui.button:
        button = ui.button(words, on_click=self._visit.event(lambda door, _: act(door)))
        return button.props("outline dense").classes("q-px-sm")

    def _small(self, one: Reminder, door: Door) -> str:
        visit = self._visit
        name = visit.memory.places.names(door.reader).get(one.channel_id)
        said = [self._moment(one, one.due_at), visit.say(Panel.BY_DIRECT_MESSAGE) if name is None else f"#{name}"]
        said += [self._every(one.repeat)] if one.repeat is not None else []
        said += [visit.bot("remind", "undelivered")] if one.state is State.KEPT else []
        return " · ".join(said)

    def _moment(self, one: Reminder, at: datetime | None) -> str:
        """Write a moment by its owner's clock."""
        if at is None:
            return "…"
        when = self._visit.speech.moment(at, ZoneInfo(one.zone))
        return when if str(self._visit.zone) == one.zone else f"{when} ({one.zone})"

    def _every(self, repeat: Repeat) -> str:
        unit = repeat.every.value.removesuffix("s")
        several = repeat.count > 1 and repeat.every is not Every.WEEKDAY
        return self._visit.bot("remind", f"every_{unit}s" if several else f"every_{unit}", count=repeat.count)
