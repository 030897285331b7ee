"""Shows what is kept about members: looked through, put right, forgotten and noted, and what it comes to in all."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from memory.access import Door
from memory.core.outcomes import (
    AlreadyKnown,
    KnownBetter,
    NothingToRemember,
    NotToldOfOthers,
    Refusal,
    Remembered,
    RememberOutcome,
    SubjectOptedOut,
    ToldEnough,
    TooLong,
    UnclearWho,
)
from memory.core.values import Category, Fact, RememberRequest, Standing, Traits, new_id
from memory.facts.values import (
    Done,
    FactFilter,
    HearsayAction,
    HearsayOutcome,
    ListedFact,
    MayNot,
    NotThere,
    Undone,
    cleaned_tags,
)
from memory.language.wording import wording
from memory.models.usage import Requester
from memory.people.names import with_ids, with_names
from memory.policy.authority import Action
from web.panel.shell import (
    NOBODY,
    Names,
    Visit,
    at_work,
    card,
    channels,
    focus,
    heading,
    members,
    more,
    names_for,
    to_message,
    weight,
)
from web.words import Panel

logger = logging.getLogger(__name__)

ON_A_PAGE = 20
MOST_FORGOTTEN = 20
LONGEST_TYPED = 4_000
LONGEST_WORDS = 100
ALL, TOLD = "", "told"

Then = Callable[[Door], Awaitable[None]]

ACTIONS = {
    Action.CONFIRM: Panel.CONFIRM,
    Action.CORRECT: Panel.CORRECT,
    Action.VETO: Panel.NOT_TRUE,
    Action.FORGET: Panel.FORGET,
}
DONE = {
    Action.CONFIRM: Panel.DONE_CONFIRM,
    Action.CORRECT: Panel.DONE_CORRECT,
    Action.VETO: Panel.DONE_VETO,
    Action.FORGET: Panel.DONE_FORGET,
}


async def body(visit: Visit) -> None:
    await _Memory(visit).show()


class _Memory:
    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._wanted = FactFilter(subject_id=visit.door.user_id)
        self._turn = 0

    async def show(self) -> None:
        visit = self._visit
        with ui.row(align_items="end").classes("full-width"):
            member = await members(visit, Panel.ABOUT_WHOM, Panel.EVERYONE)
            member.set_value(visit.door.user_id)
            member.on_value_change(visit.event(self._choose_member))
            kinds = {ALL: visit.say(Panel.KIND_ALL), TOLD: visit.say(Panel.KIND_TOLD), **_categories(visit)}
            kind = ui.select(kinds, value=ALL, label=visit.say(Panel.KIND), on_change=visit.event(self._choose_kind))
            kind.props("dense outlined").style("min-width: 12rem")
            words = ui.input(visit.say(Panel.WORDS_IN_IT), on_change=visit.event(self._type))
            words.props(f"dense outlined clearable debounce=400 maxlength={LONGEST_WORDS}")
        self._about = ui.column().classes("full-width")
        self._note = ui.expansion(icon="add").classes("full-width")
        self._list = ui.column().classes("full-width")
        self._forgotten = ui.column().classes("full-width")
        await self._tell_about()
        await self.renew(visit.door)

    async def _choose_member(self, door: Door, event: ValueChangeEventArguments[int | None]) -> None:
        self._wanted = replace(self._wanted, subject_id=event.value or None)
        await self._tell_about()
        await self.renew(door)

    async def _choose_kind(self, door: Door, event: ValueChangeEventArguments[str | None]) -> None:
        category = Category(event.value) if event.value in list(Category) else None
        self._wanted = replace(self._wanted, category=category, memories=False if event.value == TOLD else None)
        await self.renew(door)

    async def _type(self, door: Door, event: ValueChangeEventArguments[str | None]) -> None:
        self._wanted = replace(self._wanted, words=str(event.value or "").replace("\0", "")[:LONGEST_WORDS])
        await self.renew(door)

    async def renew(self, door: Door) -> None:
        self._list.clear()
        self._turn += 1
        await self._add_page(door, "")
        await self._show_forgotten(door)

    async def _show_forgotten(self, door: Door) -> None:
        """Show what this reader had forgotten or denied within a day, with the way back."""
        visit = self._visit
        found = await visit.memory.undos.recently_forgotten(door.reader, door.actor, MOST_FORGOTTEN)
        names = await _names(visit, *(fact for one in found for fact in one.facts))
        self._forgotten.clear()
        with self._forgotten:
            if found:
                heading(visit.say(Panel.RECENTLY_FORGOTTEN))
                ui.label(visit.say(Panel.RECENTLY_FORGOTTEN_HELP)).classes("text-caption")
            for one in found:
                with card().classes("over"):
                    for fact in one.facts:
                        ui.label(names.within(fact.text)).classes("said")
                    undo_bar(visit, visit.moment(one.at), one.change_id, self.renew, is_new=False)

    async def _add_page(self, door: Door, rest: str) -> None:
        visit, turn = self._visit, self._turn
        found = await visit.memory.hearsay.browse(door.reader, door.actor, self._wanted, rest=rest, most=ON_A_PAGE)
        facts = [one.fact for one in found.held]
        names = await _names(visit, *facts)
        if turn != self._turn:
            return  # something else was chosen meanwhile
        with self._list:
            if not rest:
                said = Panel.FACTS_FOUND if found.in_all else Panel.ABOUT_NOTHING
                ui.label(visit.say(said, count=found.in_all)).classes("subheading").props('role="status"')
            for held in found.held:
                _Card(visit, with_subject=self._wanted.subject_id is None).draw(held, names)
            if found.rest:
                more(visit, lambda door: self._add_page(door, found.rest))

    async def _tell_about(self) -> None:
        """Show what is known of a member, as an answer would have it."""
        visit, subject_id = self._visit, self._wanted.subject_id
        name = (await names_for(visit, (), [subject_id])).of(subject_id or NOBODY)
        if subject_id != self._wanted.subject_id:
            return  # somebody else was chosen meanwhile
        self._note.clear()
        with self._note:
            await _note(visit, subject_id, self.renew)
        title = Panel.NOTE_ANY if subject_id is None else Panel.NOTE_ABOUT
        self._note.set_text(visit.say(Panel.NOTE_TITLE if subject_id == visit.door.user_id else title, name=name))
        self._about.clear()
        if subject_id is None:
            return
        with self._about:
            is_own = subject_id == visit.door.user_id
            heading(visit.say(Panel.ABOUT_YOU) if is_own else visit.say(Panel.ABOUT_TITLE, name=name))
            about = visit.say(Panel.ABOUT_HELP_YOU) if is_own else visit.say(Panel.ABOUT_HELP, name=name)
            ui.label(about).classes("text-caption")
            with ui.row(align_items="center"):
                place = await channels(visit, Panel.ABOUT_ALONE)
                button = ui.button(visit.say(Panel.ABOUT_THERE)).props("outline")
            answer = ui.column().classes("full-width").props('role="status"')

        async def preview(door: Door, _: object) -> None:
            with at_work(button):
                text = await self._told_there(door, subject_id, place.value or NOBODY)
            names = await names_for(visit, [text])
            answer.clear()
            with answer:
                ui.label(names.within(text)).classes("said")

        button.on_click(visit.event(preview))

    async def _told_there(self, door: Door, subject_id: int, channel_id: int) -> str:
        """Say what an answer in a channel, or to the reader alone, would build on."""
        visit, heard = self._visit, self._visit.memory.places.audience_of(door.guild_id, channel_id)
        if channel_id == NOBODY:
            heard = door.reader
        elif channel_id not in door.reader.sources or not heard.sources <= door.reader.sources:
            return visit.say(Panel.ABOUT_NOT_YOURS)
        by = Requester.without_message(door.user_id, visit.memory.clock.now())
        return await visit.memory.get_memories(heard, subject_id, by) or visit.say(Panel.ABOUT_NOTHING)


class _Card:
    """Shows one fact, and what may be done about it."""

    def __init__(self, visit: Visit, *, with_subject: bool) -> None:
        self._visit = visit
        self._with_subject = with_subject
        self._box = card()

    def draw(self, held: ListedFact, names: Names) -> None:
        visit, fact = self._visit, held.fact
        is_over = fact.valid_to is not None
        self._box.clear()
        self._box.classes(add="over" if is_over else "", remove="" if is_over else "over")
        with self._box:
            with ui.row(align_items="center").classes("text-caption"):
                if is_over:
                    ui.label(visit.bot("notice", "memory_over")).classes("tag")
                if fact.traits is not None:
                    number = fact.traits.importance
                    badge = ui.label(str(number)).classes(f"weight weight-{weight(number)}").props('role="img"')
                    badge.props["aria-label"] = f"{visit.say(Panel.IMPORTANCE)} {number}"
                    ui.label(wording(visit.speech.language, fact.traits.category))
                if self._with_subject:
                    about = visit.say(Panel.THE_SERVER) if fact.subject_id is None else names.of(fact.subject_id)
                    ui.label(about).classes("text-weight-medium")
            ui.label(names.within(fact.text)).classes("said")
            with ui.row(align_items="center").classes("text-caption"):
                ui.label(" · ".join(_founded(visit, fact, names)))
                if held.has_message and fact.channel_id in visit.door.reader.sources:
                    to_message(visit, fact.source.channel_id, fact.source.message_id)
            if fact.withheld:
                ui.label(visit.say(Panel.WITHHELD)).classes("text-caption")
            with ui.row():
                for action in held.may:
                    self._button(action, fact)

    def _button(self, action: Action, fact: Fact) -> None:
        visit = self._visit
        is_edit = action is Action.CORRECT and fact.traits is not None

        async def act(door: Door, _: object) -> None:
            if action is Action.CORRECT:
                await self._again(door, fact, self._edit)
            else:
                await self._tell(door, fact, await visit.memory.hearsay.do(action, _wish(door, fact)))

        label = visit.say(Panel.EDIT if is_edit else ACTIONS[action])
        ui.button(label, on_click=visit.event(act)).props("flat dense")

    def _edit(self, held: ListedFact, names: Names) -> None:
        visit, fact = self._visit, held.fact
        self._box.clear()
        with self._box:
            words = ui.textarea(visit.say(Panel.OWN_WORDS), value=with_names(fact.text, names.people.get))
            words.props(f"autofocus autogrow outlined maxlength={LONGEST_TYPED}").classes("full-width")
            traits = _TraitFields(visit, fact.traits) if fact.teller_id == fact.subject_id else None

            async def save(door: Door, _: object) -> None:
                typed = with_ids(words.value or "", fact.text, names.people.get)[:LONGEST_TYPED]
                wanted = None if traits is None else traits.given(fact.traits)
                number = new_id(visit.memory.clock.now())
                outcome = await visit.memory.hearsay.correct(_wish(door, fact), typed, number, traits=wanted)
                if isinstance(outcome, TooLong | NothingToRemember | SubjectOptedOut):
                    ui.notify(await _not_kept(visit, outcome), type="warning")
                else:
                    await self._tell(door, fact, outcome)

            async def cancel(_door: Door, _: object) -> None:
                self.draw(held, names)
                self._go_on()

            with ui.row():
                ui.button(visit.say(Panel.SAVE), on_click=visit.event(save))
                ui.button(visit.say(Panel.CANCEL), on_click=visit.event(cancel)).props("flat")

    async def _tell(self, door: Door, fact: Fact, outcome: HearsayOutcome) -> None:
        """Tell what came of an action on a fact, with the way back."""
        visit = self._visit
        match outcome:
            case MayNot():
                ui.notify(visit.say(Panel.MAY_NOT), type="warning")
            case NotThere():
                self._say_gone()
            case Done(action=action, change_id=change_id, now=now):
                held = None if now is None else await visit.memory.hearsay.one(_wish(door, now))
                if held is None:
                    self._box.clear()
                else:
                    self.draw(held, await _names(visit, held.fact))
                with self._box:
                    undo_bar(visit, visit.say(DONE[action]), change_id, lambda door: self._again(door, fact, self.draw))

    async def _again(self, door: Door, fact: Fact, show: Callable[[ListedFact, Names], None]) -> None:
        """Look the fact up as it is now, for whoever presses now."""
        held = await self._visit.memory.hearsay.one(_wish(door, fact))
        if held is None:
            self._say_gone()
        else:
            show(held, await _names(self._visit, held.fact))
            self._go_on()

    def _go_on(self) -> None:
        """Go on by keys at the first button; a form has the focus itself."""
        buttons = [one for one in self._box.descendants() if isinstance(one, ui.button)]
        if buttons and not any(isinstance(one, ui.textarea) for one in self._box.descendants()):
            focus(buttons[0])

    def _say_gone(self) -> None:
        self._box.clear()
        with self._box:
            ui.label(self._visit.say(Panel.NOT_KEPT_ANY_MORE)).props('role="status"')


def undo_bar(visit: Visit, words: str, change_id: UUID | None, undone: Then, *, is_new: bool = True) -> None:
    """Say that something was done, beside a button that takes it back; `undone` is given the door. Only what was done
    just now is read out, and has the focus."""
    with ui.row(align_items="center").props('role="status"' if is_new else "") as bar:
        ui.label(words).classes("text-weight-medium" if is_new else "text-caption")
        if change_id is not None:

            async def undo(door: Door, _: object) -> None:
                outcome = await visit.memory.undos.undo(door.guild_id, change_id, door.actor, door.reader)
                if not isinstance(outcome, Undone):
                    ui.notify(visit.say(Panel.UNDO_TOO_LATE), type="warning")
                    return
                bar.delete()
                await undone(door)

            button = ui.button(visit.say(Panel.UNDO), icon="undo", on_click=visit.event(undo)).props("flat dense")
            if is_new:
                focus(button)


class _TraitFields:
    """Asks for what makes a memory of a fact. By lists alone: nothing else than what they offer can come back."""

    def __init__(self, visit: Visit, traits: Traits | None) -> None:
        with ui.row(align_items="end"):
            kind = None if traits is None else traits.category
            self._category = ui.select(_categories(visit), value=kind, label=visit.say(Panel.KIND))
            self._category.props("dense outlined").style("min-width: 12rem")
            importance = 5 if traits is None else traits.importance
            self._importance = ui.select(list(range(1, 11)), value=importance, label=visit.say(Panel.IMPORTANCE))
            self._importance.props("dense outlined").style("min-width: 8rem")

    def given(self, known: Traits | None) -> Traits | None:
        """Read the traits that were chosen; `known` where nothing was said about that."""
        if self._category.value is None:
            return known
        traits = known or Traits(Category.OTHER)
        return replace(traits, category=Category(self._category.value), importance=int(self._importance.value))


async def _note(visit: Visit, subject_id: int | None, renew: Then) -> None:
    """Note a memory of oneself, or what one tells of another: as with /remember in the channel that is chosen.

    `subject_id` is None where the words say whom it is about.
    """
    is_own = subject_id == visit.door.user_id
    if not is_own:
        ui.label(visit.say(Panel.NOTE_OTHERS)).classes("text-caption")
    words = ui.textarea(visit.say(Panel.NOTE_TEXT)).classes("full-width")
    words.props(f"autogrow outlined maxlength={LONGEST_TYPED}")
    traits = _TraitFields(visit, Traits(Category.OTHER)) if is_own else None
    with ui.row(align_items="end"):
        tags = ui.input(visit.say(Panel.TAGS)).props("dense outlined maxlength=200").style("min-width: 17rem")
        tags.set_visibility(is_own)
        place = await channels(visit)

    def seen_by() -> str:
        channel = str(place.options.get(place.value, "…")) if isinstance(place.options, dict) else "…"
        return visit.say(Panel.NOTE_SEEN_BY, channel=channel)

    seen = ui.label(seen_by()).classes("text-caption")

    async def choose(_door: Door, _: object) -> None:
        seen.set_text(seen_by())

    place.on_value_change(visit.event(choose))
    answer = ui.column()

    async def save(door: Door, _: object) -> None:
        answer.clear()
        if place.value not in door.reader.sources:
            logger.warning("panel note refused: its channel cannot be read now")
            ui.notify(visit.say(Panel.MAY_NOT), type="warning")
            return
        now = visit.memory.clock.now()
        typed, wanted = str(words.value or "")[:LONGEST_TYPED], None
        if traits is not None:
            labels = cleaned_tags(str(tags.value or "").replace(",", " ").split())
            wanted = replace(traits.given(None) or Traits(Category.OTHER), tags=labels)
        elif subject_id is not None and typed.strip():
            typed = f"about <@{subject_id}>: {typed}"
        telling = RememberRequest(
            door.guild_id,
            place.value,
            new_id(now),
            door.user_id,
            typed,
            now,
            rank=door.rank,
            by_command=True,
            traits=wanted,
        )
        heard = visit.memory.places.audience_of(door.guild_id, place.value)
        outcome = await visit.memory.remember(telling, heard)
        refused = "" if isinstance(outcome, Remembered | AlreadyKnown) else await _not_kept(visit, outcome)
        with answer:
            if isinstance(outcome, Remembered | AlreadyKnown):
                is_new = isinstance(outcome, Remembered)
                words.set_value("")
                kept = visit.say(Panel.KEPT if is_new else Panel.KNOWN_ALREADY)
                undo_bar(visit, kept, outcome.change_id, renew)
            else:
                ui.label(refused).classes("text-negative").props('role="status"')
        await renew(door)

    ui.button(visit.say(Panel.SAVE), on_click=visit.event(save))


async def _not_kept(visit: Visit, outcome: RememberOutcome) -> str:
    match outcome:
        case KnownBetter(fact=fact, subject=subject):
            told = (await _names(visit, fact)).within(fact.text)
            return visit.bot("phrase", "known_better", name=subject.display_name, fact=told)
        case NotToldOfOthers(refusal=refusal, subject=subject):
            why = "not_about_others" if refusal is Refusal.GUILD else "denied_before"
            return visit.bot("phrase", why, name=subject.display_name, bot="Innkeeper")
        case UnclearWho(name=name):
            return visit.say(Panel.UNCLEAR_WHO, name=name)
        case TooLong(length=length, limit=limit):
            return visit.say(Panel.TOO_LONG, length=length, limit=limit)
        case NothingToRemember():
            return visit.say(Panel.NO_WORDS)
        case SubjectOptedOut():
            return visit.say(Panel.OPTED_OUT)
        case ToldEnough():
            return visit.say(Panel.TOLD_ENOUGH)
        case _:
            return visit.say(Panel.NOT_KEPT)


def _categories(visit: Visit) -> dict[str, str]:
    return {one.value: wording(visit.speech.language, one) for one in Category}


async def _names(visit: Visit, *facts: Fact) -> Names:
    ids = [one for fact in facts for one in (fact.subject_id, fact.teller_id)]
    return await names_for(visit, (fact.text for fact in facts), ids)


def _wish(door: Door, fact: Fact) -> HearsayAction:
    return HearsayAction(door.reader, door.actor, fact.subject_id, fact.message_id, fact.thing)


def _founded(visit: Visit, fact: Fact, names: Names) -> list[str]:
    """Say whose word a fact is, since when and how long it holds, and who may hear it."""
    teller, name = names.of(fact.teller_id), "" if fact.subject_id is None else names.of(fact.subject_id)
    if fact.standing is Standing.INFERRED and fact.teller_id == fact.subject_id:
        said = [visit.say(Panel.STANDS_LET_ON, name=name)]
    elif fact.subject_id == fact.teller_id:
        said = [visit.say(Panel.STANDS_SELF, name=name)]
    elif fact.standing is Standing.CONFIRMED:
        said = [visit.say(Panel.STANDS_CONFIRMED, teller=teller, name=name)]
    else:
        said = [visit.say(Panel.STANDS_HEARSAY, teller=teller)]
    said.append(visit.say(Panel.SINCE_DAY, day=visit.day(fact.valid_from)))
    until = fact.valid_to or (fact.traits.expires_at if fact.traits is not None else None)
    if until is not None:
        said.append(visit.say(Panel.UNTIL_DAY, day=visit.day(until)))
    if fact.everywhere:
        said.append(visit.say(Panel.SEEN_BY_ALL))
    else:
        said.append(visit.say(Panel.SEEN_IN, channel=names.place(fact.channel_id)))
    if fact.traits is not None and fact.traits.tags:
        said.append(" ".join(f"#{tag}" for tag in fact.traits.tags))
    return said
