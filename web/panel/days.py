"""What days and channels were about, as it was summed up, with what that rests on; and where digests stand."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby

from nicegui import ui

from memory.access.values import Door
from memory.channels.make import Outcome as SummaryOutcome
from memory.channels.values import LONGEST, ChannelSummary, Correction
from memory.core.provenance import Explanation
from memory.core.values import Message, new_id, time_of
from memory.models.usage import Requester
from memory.people.names import with_ids, with_names
from memory.places.view import NOWHERE, Audience
from memory.summaries.days import ToldDay
from memory.summaries.make_day import Outcome as DayOutcome
from web.panel.elements import Names, at_work, card, channels, heading, names_for, quote, to_message
from web.panel.shell import Visit, moment
from web.words import Panel

WEEK = timedelta(days=7)
MOST_SOURCES = 10
MOST_DIGESTS = 30
DAYS_MADE = {
    DayOutcome.MADE: Panel.MADE,
    DayOutcome.QUOTED: Panel.MADE_QUOTED,
    DayOutcome.KEPT: Panel.MADE_FAILED,
    DayOutcome.QUIET: Panel.NOTHING_SAID,
    DayOutcome.CHANGED: Panel.CHANGED_MEANWHILE,
    DayOutcome.ELSEWHERE: Panel.MADE_ELSEWHERE,
    DayOutcome.TOO_OFTEN: Panel.TOO_OFTEN,
}
SUMMARIES_MADE = {
    SummaryOutcome.MADE: Panel.MADE,
    SummaryOutcome.QUOTED: Panel.MADE_QUOTED,
    SummaryOutcome.FAILED: Panel.MADE_FAILED,
    SummaryOutcome.TOO_OFTEN: Panel.TOO_OFTEN,
    SummaryOutcome.NOT_DUE: Panel.NOTHING_NEW,
    SummaryOutcome.CHANGED: Panel.CHANGED_MEANWHILE,
    SummaryOutcome.ELSEWHERE: Panel.MADE_ELSEWHERE,
}

Sources = Callable[[Door], Awaitable[Sequence[Message]]]


async def body(visit: Visit) -> None:
    heading(visit.say(Panel.DAYS_HEADING))
    await _Days(visit).show()
    ui.separator()
    heading(visit.say(Panel.CONVERSATIONS))
    await _Conversations(visit).show()
    ui.separator()
    heading(visit.say(Panel.DIGESTS))
    await _digests(visit)


def _rests_on(visit: Visit, sources: Sources) -> None:
    """A button under which it is shown, once somebody wants to see it."""

    async def show(door: Door, _: object) -> None:
        said = await sources(door)
        shown.clear()
        with shown:
            await quote(visit, said)

    ui.button(visit.say(Panel.RESTS_ON), on_click=visit.event(show)).props("flat dense")
    shown = ui.column().classes("full-width q-pl-md")


def _in(door: Door, channel_id: int | None) -> Audience:
    """The reader by themselves, in a channel if one is chosen: of one that they cannot read, nothing is told there."""
    return replace(door.reader, place_id=channel_id or NOWHERE)


class _Days:
    """Seven days at a time, of what everyone can read or of one private channel."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._days = visit.memory.day_answers.days

    async def show(self) -> None:
        visit = self._visit
        ui.label(visit.say(Panel.DAYS_HELP)).classes("text-caption")
        with ui.row(align_items="end"):
            self._place = await channels(visit, Panel.EVERYWHERE_OPEN)
            self._place.on_value_change(visit.event(lambda door, _: self._fill(door)))
            ui.button(visit.say(Panel.EARLIER), on_click=visit.event(self._earlier)).props("flat")
            ui.button(visit.say(Panel.LATER), on_click=visit.event(self._later)).props("flat")
        self._list = ui.column().classes("full-width")
        self._last = await self._days.today(visit.door.guild_id)
        await self._fill(visit.door)

    async def _earlier(self, door: Door, _: object) -> None:
        self._last -= WEEK
        await self._fill(door)

    async def _later(self, door: Door, _: object) -> None:
        self._last = min(self._last + WEEK, await self._days.today(door.guild_id))
        await self._fill(door)

    async def _fill(self, door: Door) -> None:
        visit, last = self._visit, self._last
        audience = _in(door, self._place.value)
        scope = self._days.scopes(audience)[-1]
        told = await self._days.told(audience, last - WEEK + timedelta(days=1), last)
        told = [one for one in told if one.scope == scope]
        names = await names_for(visit, [one.text for one in told], [one.user_id for one in told])
        by_date = {day: list(some) for day, some in groupby(told, key=lambda one: one.day.date)}
        may_make = self._days.channels_of(door.guild_id, scope) <= audience.sources
        self._list.clear()
        with self._list:
            for number in range(WEEK.days):
                day = last - timedelta(days=number)
                with card():
                    with ui.row(align_items="center").classes("full-width"):
                        ui.label(f"{day}").classes("text-weight-medium")
                        if day not in by_date:
                            ui.label(visit.say(Panel.DAY_UNTOLD)).classes("text-caption")
                        if may_make:
                            self._make_button(scope, day)
                    for one in by_date.get(day, ()):
                        ui.label(f"{names.of(one.user_id)}: {names.within(one.text)}").classes("said")
                        how = Panel.BY_QUOTING if one.is_quoted else Panel.BY_MODEL
                        ui.label(visit.say(how, when=moment(one.made_at))).classes("text-caption")
                        _rests_on(visit, self._sources(one))

    def _sources(self, told: ToldDay) -> Sources:
        async def sources(door: Door) -> Sequence[Message]:
            audience = _in(door, told.scope)
            return await self._days.rests_on(audience, told, MOST_SOURCES)

        return sources

    def _make_button(self, scope: int, day: date) -> None:
        visit = self._visit

        async def make(door: Door, _: object) -> None:
            audience = _in(door, scope)
            by = Requester(door.user_id, new_id(visit.memory.clock.now()))
            with at_work(button):
                outcome = await self._days.make_anew(audience, scope, day, by)
            ui.notify(visit.say(DAYS_MADE[outcome]))
            await self._fill(door)

        button = ui.button(visit.say(Panel.MAKE_ANEW), on_click=visit.event(make)).props("flat dense")


class _Conversations:
    """The summaries of one channel at a time, of those that the reader can read."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    async def show(self) -> None:
        visit = self._visit
        with ui.row(align_items="end"):
            self._place = await channels(visit)
            self._place.on_value_change(visit.event(lambda door, _: self._fill(door)))
            self._button = ui.button(visit.say(Panel.BRING_UP), on_click=visit.event(self._make)).props("flat")
        self._list = ui.column().classes("full-width")
        await self._fill(visit.door)

    async def _make(self, door: Door, _: object) -> None:
        visit, summaries = self._visit, self._visit.memory.channels
        audience = _in(door, self._place.value)
        if not (await summaries.status(audience)).rules.is_on:
            ui.notify(visit.say(Panel.SUMMARIES_OFF))
            return
        by = Requester(door.user_id, new_id(visit.memory.clock.now()))
        with at_work(self._button):
            outcome = await summaries.now(audience, by)
        ui.notify(visit.say(SUMMARIES_MADE[outcome]))
        await self._fill(door)

    async def _fill(self, door: Door) -> None:
        visit = self._visit
        audience = _in(door, self._place.value)
        told = sorted((await visit.memory.channels.status(audience)).summaries, key=lambda one: -one.span.last_id)
        names = await names_for(visit, [one.text for one in told], [one.corrected_by for one in told])
        may = [
            await visit.memory.channels.may_correct(audience, one, door.user_id, is_manager=door.is_manager)
            for one in told
        ]
        self._list.clear()
        with self._list:
            if not told:
                ui.label(visit.say(Panel.SUMMARY_NONE)).classes("text-caption")
            for one, may_correct in zip(told, may, strict=True):
                with card() as box:
                    self._summary(one, names, box, may_correct=may_correct)

    def _summary(self, summary: ChannelSummary, names: Names, box: ui.card, *, may_correct: bool) -> None:
        visit, span = self._visit, summary.span
        ui.label(names.within(summary.text)).classes("said")
        first, last = (moment(time_of(one))[:10] for one in (span.first_id, span.last_id))
        how = Panel.BY_QUOTING if summary.model is None else Panel.BY_MODEL
        small = [
            visit.say(how, when=moment(summary.made_at)),
            visit.say(Panel.COVERS, count=span.messages, first=first, last=last),
        ]
        if summary.corrected_by is not None:
            small.append(visit.say(Panel.CORRECTED_BY, name=names.of(summary.corrected_by)))
        ui.label(" · ".join(small)).classes("text-caption")

        async def sources(door: Door) -> Sequence[Message]:
            audience = _in(door, summary.channel_id)
            return await visit.memory.channels.rests_on(audience, summary)

        async def edit(door: Door, _: object) -> None:
            if await visit.memory.channels.by_id(door.reader, summary.summary_id) is None:
                await self._fill(door)
                return
            box.clear()
            with box:
                self._form(summary, names)

        if may_correct:
            ui.button(visit.say(Panel.CORRECT), on_click=visit.event(edit)).props("flat dense")
        _rests_on(visit, sources)

    def _form(self, summary: ChannelSummary, names: Names) -> None:
        visit = self._visit
        words = ui.textarea(visit.say(Panel.OWN_WORDS), value=with_names(summary.text, names.people.get))
        words.props("autofocus autogrow outlined").classes("full-width")

        async def save(door: Door, _: object) -> None:
            typed = with_ids(str(words.value or ""), summary.text, names.people.get).strip()
            if len(typed) > LONGEST:
                ui.notify(visit.say(Panel.TOO_LONG, length=len(typed), limit=LONGEST), type="warning")
            elif typed and typed != summary.text:
                with self._list:
                    ui.notify(visit.say(await self._correct(door, summary, typed)))
                    await self._fill(door)

        async def cancel(door: Door, _: object) -> None:
            await self._fill(door)

        with ui.row():
            ui.button(visit.say(Panel.SAVE), on_click=visit.event(save))
            ui.button(visit.say(Panel.CANCEL), on_click=visit.event(cancel)).props("flat")

    async def _correct(self, door: Door, shown: ChannelSummary, typed: str) -> Panel:
        """Asked anew who may, and whether it still says what they were shown."""
        summaries, audience = self._visit.memory.channels, _in(door, shown.channel_id)
        summary = await summaries.by_id(audience, shown.summary_id)
        if summary is None:
            return Panel.NOT_KEPT_ANY_MORE
        if not await summaries.may_correct(audience, summary, door.user_id, is_manager=door.is_manager):
            return Panel.MAY_NOT
        if summary.text != shown.text:
            return Panel.CHANGED_MEANWHILE
        corrected = {
            Correction.DONE: Panel.DONE_CORRECT,
            Correction.GONE: Panel.NOT_KEPT_ANY_MORE,
            Correction.NAMES_WHO_OPTED_OUT: Panel.OPTED_OUT,
        }
        return corrected[await summaries.correct(audience, shown.summary_id, typed, door.user_id)]


async def _digests(visit: Visit) -> None:
    """Their words stand on Discord alone."""
    posted = await visit.memory.digests.posted(visit.door.reader, MOST_DIGESTS)
    names = await names_for(visit, ())
    if not posted:
        ui.label(visit.say(Panel.DIGEST_NONE)).classes("text-caption")
    for digest in posted:
        if digest.message_id is None:
            continue
        message_id = digest.message_id
        with card():
            with ui.row(align_items="center"):
                ui.label(f"{digest.local_date} · {names.place(digest.channel_id)}")
                to_message(visit, digest.channel_id, message_id)

            async def sources(door: Door, message_id: int = message_id) -> Sequence[Message]:
                found = await visit.memory.receipts.explain(door.reader, message_id, None)
                return [one.message for one in found.messages] if isinstance(found, Explanation) else []

            _rests_on(visit, sources)
