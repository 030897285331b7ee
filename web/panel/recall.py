"""Searches through what was said, with the limits that `/recall` has; each find says why it is one.

A page keeps no text: whoever goes on is shown what stands there now, as far as they may read it now.
"""

from collections.abc import Mapping
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from nicegui import ui

from memory.access import Door
from memory.core.values import new_id, text_of
from memory.models.prompt_data import speaker_name
from memory.recall.query import Limits
from memory.recall.results import Bookmark, Passage
from web.guard import within
from web.panel.shell import NOBODY, Names, Visit, at_work, card, channels, members, more, names_for, said
from web.words import Panel

ON_A_PAGE = 10
MOST_FOUND = 50
LONGEST_QUESTION = 1_000
LEAST = 0.3
"""What added less to a find is no reason that somebody would see."""
MOST_REASONS = 3
REASONS = {
    Panel.WHY_WORDS: ("said", "said_all", "said_with_before"),
    Panel.WHY_TOPIC: ("topic",),
    Panel.WHY_MEANING: ("meaning", "meaning_around"),
    Panel.WHY_ANSWERS: ("answers",),
    Panel.WHY_SPEAKER: ("speaker",),
    Panel.WHY_SPOKEN_OF: ("spoken_of",),
    Panel.WHY_TIME: ("in_time",),
    Panel.WHY_TELLS: ("tells_time", "tells_place", "tells_number", "tells_person"),
}


def reasons(why: Mapping[str, float]) -> list[Panel]:
    """List what speaks for a find, the strongest first."""
    added = {reason: sum(why.get(part, 0.0) for part in parts) for reason, parts in REASONS.items()}
    strong = [reason for reason, amount in added.items() if amount >= LEAST]
    return sorted(strong, key=lambda reason: -added[reason])[:MOST_REASONS]


async def body(visit: Visit) -> None:
    await _Recall(visit).show()


class _Recall:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._marks: list[Bookmark] = []
        self._why: dict[int, list[Panel]] = {}

    async def show(self) -> None:
        visit = self._visit
        search = visit.event(self._search)
        self._question = ui.input(visit.say(Panel.LOOK_FOR)).classes("full-width").on("keydown.enter", search)
        self._question.props(f"outlined clearable maxlength={LONGEST_QUESTION}")
        with ui.row(align_items="end").classes("full-width"):
            self._author = await members(visit, Panel.FROM, Panel.ANYONE)
            self._place = await channels(visit, Panel.ANYWHERE)
            self._after = ui.input(visit.say(Panel.AFTER)).props("type=date dense outlined stack-label")
            self._before = ui.input(visit.say(Panel.BEFORE)).props("type=date dense outlined stack-label")
            self._button = ui.button(visit.say(Panel.SEARCH), icon="search", on_click=search)
        self._found = ui.column().classes("full-width")

    async def _search(self, door: Door, _: object) -> None:
        visit, question = self._visit, str(self._question.value or "").replace("\0", "")[:LONGEST_QUESTION]
        if not question.strip():
            return
        with at_work(self._button):
            now = visit.memory.clock.now()
            found = await visit.memory.recall.search(
                question,
                door.reader,
                door.user_id,
                now,
                MOST_FOUND,
                limits=await self._limits(door),
                request_id=new_id(now),
            )
        self._marks = [Bookmark.of(one) for one in found]
        self._why = {one.message.message_id: reasons(one.why) for one in found}
        self._found.clear()
        with self._found:
            count = len(found)
            told = visit.say(Panel.FOUND, count=count) if count else visit.say(Panel.NOT_FOUND)
            ui.label(told).props('role="status"')
        await self._add_page(door, 0)

    async def _limits(self, door: Door) -> Limits:
        zone = ZoneInfo((await self._visit.memory.privacy.settings(door.guild_id)).time_zone)
        author, place = self._author.value or NOBODY, self._place.value or NOBODY
        return Limits(
            frozenset((author,)) if author else None,
            self._visit.memory.places.with_threads(door.reader, place) if place else None,
            _begin(self._after.value, zone),
            _begin(self._before.value, zone),
        )

    async def _add_page(self, door: Door, start: int) -> None:
        visit, marks = self._visit, self._marks
        page, question = marks[start : start + ON_A_PAGE], str(self._question.value or "")[:LONGEST_QUESTION]
        passages = await visit.memory.recall.read_again(door.reader, page, question)
        texts = [text_of(message) for one in passages for message in one.messages]
        names = await names_for(visit, texts, [message.author_id for one in passages for message in one.messages])
        if marks is not self._marks:
            return  # something else was looked for meanwhile
        with self._found:
            for one in passages:
                with card():
                    self._passage(one, names)
            if start + ON_A_PAGE < len(marks):
                more(visit, lambda door: self._add_page(door, start + ON_A_PAGE))

    def _passage(self, one: Passage, names: Names) -> None:
        visit = self._visit
        said(visit, one.message, names)
        for beside in (*one.before, *one.after):
            author = speaker_name(beside, visit.speech.language) or names.of(beside.author_id)
            line = f"{author}: {names.within(text_of(beside))}"
            ui.label(line).classes("said text-caption q-pl-md")
        why = [visit.say(reason) for reason in self._why.get(one.message.message_id, ())]
        if why:
            ui.label(visit.say(Panel.WHY_FOUND, reasons=", ".join(why))).classes("text-caption")


def _begin(typed: object, zone: ZoneInfo) -> datetime | None:
    """Read when a day begins, as a browser writes it."""
    try:
        return datetime.combine(within(date.fromisoformat(str(typed or ""))), time.min, zone)
    except ValueError:
        return None
