"""Shows what days and channels were about, as it was summed up, with what that rests on; and where digests stand."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from itertools import groupby

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from memory.access import Door
from memory.channels.make import SummaryOutcome
from memory.channels.values import LONGEST as LONGEST_SUMMARY
from memory.channels.values import ChannelSummary
from memory.core.outcomes import Correction
from memory.core.provenance import Explanation
from memory.core.values import Message, time_of
from memory.models.usage import Requester
from memory.people.names import with_ids, with_names
from memory.places.view import NOWHERE, Audience
from memory.policy.setting_fields import weekday_names
from memory.summaries.days import LONGEST as LONGEST_DAY
from memory.summaries.days import ToldDay
from memory.summaries.happenings import EntryKind, ToldHappening
from memory.summaries.make_day import DayOutcome
from web.guard import within
from web.panel.shell import Names, Visit, at_work, card, channels, heading, names_for, quote, to_message
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

KINDS = {EntryKind.HAPPENED: None, EntryKind.DECIDED: "catchup_decided", EntryKind.PLANNED: "digest_planned"}
"""The words above each group of what happened."""
CORRECTED = {
    Correction.DONE: Panel.DONE_CORRECT,
    Correction.GONE: Panel.CHANGED_MEANWHILE,
    Correction.NAMES_WHO_OPTED_OUT: Panel.OPTED_OUT,
}

Sources = Callable[[Door], Awaitable[Sequence[Message]]]
Fill = Callable[[Door], Awaitable[None]]


async def body(visit: Visit) -> None:
    heading(visit.say(Panel.DAYS_HEADING))
    await _Days(visit).show()
    ui.separator()
    heading(visit.say(Panel.CONVERSATIONS))
    await _Conversations(visit).show()
    ui.separator()
    heading(visit.say(Panel.DIGESTS))
    await _digests(visit)


def _buttons(visit: Visit, sources: Sources, edit: Fill | None = None) -> None:
    """Put buttons side by side, the last of which shows what something was made from; below them, what they show."""

    async def show_sources(door: Door) -> None:
        await quote(visit, await sources(door))

    def add(label: Panel, show: Fill) -> None:
        async def press(door: Door, _: object) -> None:
            shown.clear()
            with at_work(button), shown:
                await show(door)

        button = ui.button(visit.say(label), on_click=visit.event(press)).props("flat dense")

    with ui.row():
        if edit is not None:
            add(Panel.CORRECT, edit)
        add(Panel.RESTS_ON, show_sources)
    shown = ui.column().classes("full-width q-pl-md")


def _form(
    visit: Visit,
    text: str,
    names: Names,
    longest: int,
    correct: Callable[[Door, str], Awaitable[Panel]],
    box: ui.column,
    fill: Fill,
) -> None:
    """Let somebody put a text right in its own place; `fill` has all in the box shown again, as it is then."""
    words = ui.textarea(visit.say(Panel.OWN_WORDS), value=with_names(text, names.people.get))
    words.props("autofocus autogrow outlined").classes("full-width")

    async def save(door: Door, _: object) -> None:
        typed = with_ids(str(words.value or ""), text, names.people.get).strip()
        if len(typed) > longest:
            ui.notify(visit.say(Panel.TOO_LONG, length=len(typed), limit=longest), type="warning")
        elif typed and typed != text:
            with box:
                ui.notify(visit.say(await correct(door, typed)))
                await fill(door)

    with ui.row():
        ui.button(visit.say(Panel.SAVE), on_click=visit.event(save))
        ui.button(visit.say(Panel.CANCEL), on_click=visit.event(lambda door, _: fill(door))).props("flat")


def _correction_lost(visit: Visit, when: datetime) -> None:
    ui.label(visit.bot("notice", "summary_correction_lost", when=visit.moment(when))).props('role="status"')


def _in(door: Door, channel_id: int | None) -> Audience:
    """Make an audience of the reader alone, in a channel if one is chosen: one they cannot read tells nothing."""
    return replace(door.reader, place_id=channel_id or NOWHERE)


class _Days:
    """Shows seven days at a time, of what everyone can read or of one private channel."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._days = visit.memory.day_answers.days
        self._folded: dict[date, bool] = {}
        """Of each day that was shown, whether what it tells is open."""

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
        self._last = within(self._last - WEEK)
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
        happened = await self._days.happened(audience, last - WEEK + timedelta(days=1), last)
        happened = [one for one in happened if one.scope == scope]
        lost = await self._days.lost_corrections(audience, scope, last - WEEK + timedelta(days=1), last)
        people = [who for one in told for who in (one.user_id, one.corrected_by)]
        texts = [*(one.text for one in told), *(one.text for one in happened)]
        names = await names_for(visit, texts, people)
        by_date = {day: list(some) for day, some in groupby(told, key=lambda one: one.day.date)}
        may_make = self._days.channels_of(door.guild_id, scope) <= audience.sources
        self._list.clear()
        with self._list:
            for number in range(WEEK.days):
                day = last - timedelta(days=number)
                with card():
                    with ui.row().classes("day"):
                        weekday = weekday_names(visit.speech.language)[day.weekday()]
                        heading(f"{weekday}, {visit.speech.day(day)}", "subheading", level=3)
                        if day not in by_date:
                            ui.label(visit.say(Panel.DAY_UNTOLD)).classes("text-caption")
                        if may_make:
                            self._make_button(scope, day, Panel.MAKE_ANEW if day in by_date else Panel.MAKE_DAY)
                    if day in lost:
                        _correction_lost(visit, lost[day])
                    self._happened([one for one in happened if one.day.date == day], names)
                    if told_of := by_date.get(day):
                        self._members(day, told_of, names)

    def _happened(self, told: Sequence[ToldHappening], names: Names) -> None:
        """Show by topic what happened, what was decided, what was planned."""
        for kind, words in KINDS.items():
            of_kind = [one for one in told if one.kind is kind]
            if of_kind and words is not None:
                ui.label(self._visit.bot("notice", words)).classes("text-bold")
            for one in of_kind:
                with ui.row(align_items="baseline").classes("full-width"):
                    ui.label(names.within(one.text)).classes("said")
                    for source in one.sources[:1]:
                        to_message(self._visit, source.channel_id, source.message_id)

    def _members(self, day: date, told: Sequence[ToldDay], names: Names) -> None:
        """Show what is told of members on a day, folded up but for the newest, and as somebody left it."""
        is_open = self._folded.setdefault(day, day == self._last)
        words = self._visit.say(Panel.TOLD_OF, count=len(told))
        with ui.expansion(words, value=is_open).classes("full-width") as fold:
            for one in told:
                with ui.column().classes("full-width").style("gap: 0.25rem") as box:
                    self._member(one, names, box)

        async def turn(_door: Door, event: ValueChangeEventArguments[bool]) -> None:
            self._folded[day] = event.value

        fold.on_value_change(self._visit.event(turn))

    def _member(self, told: ToldDay, names: Names, box: ui.column) -> None:
        visit = self._visit
        ui.label(f"{names.of(told.user_id)}: {names.within(told.text)}").classes("said")
        if told.corrected_by is not None:
            small = visit.say(Panel.CORRECTED_BY, name=names.of(told.corrected_by))
        else:
            small = visit.say(Panel.BY_QUOTING if told.is_quoted else Panel.BY_MODEL, when=visit.moment(told.made_at))
        ui.label(small).classes("text-caption")

        async def edit(door: Door) -> None:
            day = told.day.date
            if told not in await self._days.told(_in(door, told.scope), day, day, [told.user_id]):
                await self._fill(door)
                return
            correct = partial(self._correct, told)
            box.clear()
            with box:
                _form(visit, told.text, names, LONGEST_DAY, correct, self._list, self._fill)

        async def sources(door: Door) -> Sequence[Message]:
            return await self._days.rests_on(_in(door, told.scope), told, MOST_SOURCES)

        may = self._days.may_correct(told, visit.door.user_id, is_manager=visit.door.is_manager)
        _buttons(visit, sources, edit if may else None)

    async def _correct(self, told: ToldDay, door: Door, typed: str) -> Panel:
        if not self._days.may_correct(told, door.user_id, is_manager=door.is_manager):
            return Panel.MAY_NOT
        return CORRECTED[await self._days.correct(_in(door, told.scope), told, typed, door.user_id)]

    def _make_button(self, scope: int, day: date, label: Panel) -> None:
        visit = self._visit

        async def make(door: Door, _: object) -> None:
            audience = _in(door, scope)
            by = Requester.without_message(door.user_id, visit.memory.clock.now())
            with at_work(button):
                outcome = await self._days.regenerate(audience, scope, day, by)
            ui.notify(visit.say(DAYS_MADE[outcome]))
            await self._fill(door)

        button = ui.button(visit.say(label), on_click=visit.event(make)).props("flat dense")


class _Conversations:
    """Shows the summaries of one channel at a time, of those that the reader can read."""

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
        by = Requester.without_message(door.user_id, visit.memory.clock.now())
        with at_work(self._button):
            outcome = await summaries.now(audience, by)
        ui.notify(visit.say(SUMMARIES_MADE[outcome]))
        await self._fill(door)

    async def _fill(self, door: Door) -> None:
        visit = self._visit
        audience = _in(door, self._place.value)
        status = await visit.memory.channels.status(audience)
        told = sorted(status.summaries, key=lambda one: -one.span.last_id)
        names = await names_for(visit, [one.text for one in told], [one.corrected_by for one in told])
        may = [
            await visit.memory.channels.may_correct(audience, one, door.user_id, is_manager=door.is_manager)
            for one in told
        ]
        self._list.clear()
        with self._list:
            if status.lost_correction_at is not None:
                _correction_lost(visit, status.lost_correction_at)
            if not told:
                ui.label(visit.say(Panel.SUMMARY_NONE)).classes("text-caption")
            for one, may_correct in zip(told, may, strict=True):
                with card() as box:
                    self._summary(one, names, box, may_correct=may_correct)

    def _summary(self, summary: ChannelSummary, names: Names, box: ui.card, *, may_correct: bool) -> None:
        visit, span = self._visit, summary.span
        ui.label(names.within(summary.text)).classes("said")
        first, last = (visit.day(time_of(one)) for one in (span.first_id, span.last_id))
        how = Panel.BY_QUOTING if summary.model is None else Panel.BY_MODEL
        small = [
            visit.say(how, when=visit.moment(summary.made_at)),
            visit.say(Panel.COVERS, count=span.messages, first=first, last=last),
        ]
        if summary.corrected_by is not None:
            small.append(visit.say(Panel.CORRECTED_BY, name=names.of(summary.corrected_by)))
        ui.label(" · ".join(small)).classes("text-caption")

        async def sources(door: Door) -> Sequence[Message]:
            audience = _in(door, summary.channel_id)
            return await visit.memory.channels.rests_on(audience, summary)

        async def edit(door: Door) -> None:
            if await visit.memory.channels.by_id(door.reader, summary.summary_id) is None:
                await self._fill(door)
                return
            correct = partial(self._correct, summary)
            box.clear()
            with box:
                _form(visit, summary.text, names, LONGEST_SUMMARY, correct, self._list, self._fill)

        _buttons(visit, sources, edit if may_correct else None)

    async def _correct(self, shown: ChannelSummary, door: Door, typed: str) -> Panel:
        """Correct a summary, asking anew who may, and whether it still says what they were shown."""
        summaries, audience = self._visit.memory.channels, _in(door, shown.channel_id)
        summary = await summaries.by_id(audience, shown.summary_id)
        if summary is None:
            return Panel.NOT_KEPT_ANY_MORE
        if not await summaries.may_correct(audience, summary, door.user_id, is_manager=door.is_manager):
            return Panel.MAY_NOT
        if summary.text != shown.text:
            return Panel.CHANGED_MEANWHILE
        return CORRECTED[await summaries.correct(audience, shown.summary_id, typed, door.user_id)]


async def _digests(visit: Visit) -> None:
    """List the digests that were posted; their words stand on Discord alone."""
    posted = await visit.memory.digests.posted(visit.door.reader, MOST_DIGESTS)
    names = await names_for(visit, ())
    if not posted:
        ui.label(visit.say(Panel.DIGEST_NONE)).classes("text-caption")
    for digest in posted:
        if digest.message_id is not None:
            with card():
                with ui.row(align_items="center"):
                    ui.label(f"{visit.speech.day(digest.local_date)} · {names.place(digest.channel_id)}")
                    to_message(visit, digest.channel_id, digest.message_id)
                _buttons(visit, partial(_digest_sources, visit, digest.message_id))


async def _digest_sources(visit: Visit, message_id: int, door: Door) -> Sequence[Message]:
    found = await visit.memory.receipts.explain(door.reader, message_id, None)
    return [one.message for one in found.messages] if isinstance(found, Explanation) else []
