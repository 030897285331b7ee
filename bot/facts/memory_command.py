"""Answers `/memory`: shows one person alone what is held about a member, and does what they want done about it.

A page keeps nothing: whatever is pressed, memory is asked anew, for what the one who presses can read at that moment.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.facts.memory_pages import (
    ENTRIES_ON_A_PAGE,
    LABELS,
    NOBODY,
    ON_A_PAGE,
    Act,
    ChooseFact,
    Chosen,
    RemindMe,
    Sheet,
    TurnAudit,
    TurnMemory,
    audit_page,
    fitting,
    memory_page,
    numbered,
    one_fact,
    pages_in,
    turning,
)
from bot.facts.tellings import PrivateTellings, rank_in
from bot.facts.undo import FIELD, LONGEST, field_with, refused
from bot.replies.buttons import Form, FormField, ReplyButton, filled_in, under_taken_away
from bot.replies.compose import PrivateReplies, names_in
from bot.replies.draft import Draft, Mark
from bot.replies.interactions import Interaction
from bot.words import Notice, Phrase, Slash, Voice, described
from memory.audit import AuditPage
from memory.core.outcomes import NothingToRemember, SubjectOptedOut, TooLong
from memory.core.values import Category, Fact, Rank, Traits
from memory.facts.values import (
    Done,
    FactPage,
    HearsayAction,
    HearsayOutcome,
    ListedFact,
    MayNot,
    NotThere,
    cleaned_tags,
)
from memory.health import HealthReporter
from memory.language.own_words import words_alone
from memory.language.wording import wording
from memory.manager import MemoryManager
from memory.models.prompt_data import statement_line
from memory.people.names import NameOf, with_ids, with_names
from memory.places.view import Audience
from memory.policy.authority import Action, Actor

_DONE = {
    Action.CONFIRM: Notice.DONE_CONFIRM,
    Action.CORRECT: Notice.DONE_CORRECT,
    Action.VETO: Notice.DONE_VETO,
    Action.FORGET: Notice.DONE_FORGET,
}

OWN_WORDS = "own-words"
"""The kind of the form, by which its ids begin."""
CATEGORY, IMPORTANCE = "category", "importance"

FormOf = Callable[[ListedFact], discord.ui.Modal | None]
"""A form about a fact; None: not for whoever asks for it."""


class CorrectModal(Form):
    """Asks a member to put what is held about them in their own words."""

    def __init__(self, chosen: Chosen, fact: Fact, voice: Voice, name_of: NameOf) -> None:
        words = field_with(words_alone(fact.text), name_of)
        fields: dict[str, FormField] = {voice.say(Notice.CORRECT_FIELD): words}
        if fact.teller_id == fact.subject_id:
            fields |= _memory_fields(fact.traits, voice)
        super().__init__(voice.say(Notice.CORRECT_TITLE), OWN_WORDS, *chosen.values, fields=fields)


def _memory_fields(traits: Traits | None, voice: Voice) -> dict[str, FormField]:
    """Make the fields for what makes a fact a memory; they may be left as they are."""
    category = None if traits is None else traits.category
    options = [
        discord.SelectOption(label=wording(voice.language, one), value=one, default=one is category) for one in Category
    ]
    importance = "" if traits is None else str(traits.importance)
    return {
        voice.say(Notice.MEMORY_CATEGORY): discord.ui.Select(custom_id=CATEGORY, options=options, required=False),
        voice.say(Notice.MEMORY_IMPORTANCE): discord.ui.TextInput(
            custom_id=IMPORTANCE, default=importance, max_length=2, required=False
        ),
    }


def traits_in(filled: dict[str, str], known: Traits | None) -> Traits | None:
    """Read from a form what makes a fact a memory from now on; None: nothing was said about that."""
    if filled.get(CATEGORY) not in list(Category):
        return known
    typed = filled.get(IMPORTANCE, "").strip()
    given = int(typed) if typed.isdecimal() else 5 if known is None else known.importance
    category, importance = Category(filled[CATEGORY]), min(max(given, 1), 10)
    return replace(known or Traits(Category.OTHER), category=category, importance=importance)


class MemoryCommands(app_commands.Group):
    def __init__(
        self,
        memory: MemoryManager,
        replies: PrivateReplies,
        reminder_form: Callable[[Interaction, str], discord.ui.Modal],
        tellings: PrivateTellings,
        part: HealthReporter,
    ) -> None:
        super().__init__(name="memory", description=described(Slash.MEMORY), guild_only=True)
        self._memory = memory
        self._replies = replies
        self._reminder_form = reminder_form
        self._tellings = tellings
        self._part = part

    @app_commands.command(name="add", description=described(Slash.MEMORY_ADD))
    @app_commands.describe(
        text=described(Slash.MEMORY_ADD_TEXT),
        category=described(Slash.MEMORY_ADD_CATEGORY),
        importance=described(Slash.MEMORY_ADD_IMPORTANCE),
        tags=described(Slash.MEMORY_ADD_TAGS),
    )
    @app_commands.choices(category=[app_commands.Choice(name=described(one), value=one.value) for one in Category])
    async def add(
        self,
        interaction: Interaction,
        text: app_commands.Range[str, 1, LONGEST],
        category: str = Category.OTHER.value,
        importance: app_commands.Range[int, 1, 10] = 5,
        tags: app_commands.Range[str, 1, 200] = "",
    ) -> None:
        traits = Traits(Category(category), importance, cleaned_tags(tags.replace(",", " ").split()))
        await self._tellings.remember(interaction, text, traits=traits)

    @app_commands.command(name="show", description=described(Slash.MEMORY_SHOW))
    @app_commands.describe(member=described(Slash.MEMORY_SHOW_MEMBER))
    async def show(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        work = partial(self._page, interaction, Sheet((member or interaction.user).id))
        await self._replies.answer(interaction, work, needs_view=True)

    @app_commands.command(name="audit", description=described(Slash.MEMORY_AUDIT))
    @app_commands.describe(member=described(Slash.MEMORY_AUDIT_MEMBER))
    async def audit(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        work = partial(self._audit, interaction, Sheet(NOBODY if member is None else member.id))
        await self._replies.answer(interaction, work, needs_view=True)

    async def turn_to(self, interaction: Interaction, _way: str, *sheet: str) -> None:
        await self._replies.replace(interaction, partial(self._page, interaction, Sheet.read(*sheet)), needs_view=True)

    async def turn_audit_to(self, interaction: Interaction, _way: str, *sheet: str) -> None:
        await self._replies.replace(interaction, partial(self._audit, interaction, Sheet.read(*sheet)), needs_view=True)

    async def choose(self, interaction: Interaction, *chosen: str) -> None:
        await self._replies.replace(interaction, partial(self._fact, interaction, Chosen.read(*chosen)))

    async def remind(self, interaction: Interaction, *values: str) -> None:
        """Offer a reminder of what they noted, or let on: extraction never makes one."""

        def form_of(held: ListedFact) -> discord.ui.Modal | None:
            if not _may_be_due(held.fact, interaction.user.id):
                return None
            text = with_names(words_alone(held.fact.text), names_in(interaction))
            return self._reminder_form(interaction, text)

        await self._replies.show_form(interaction, self._form(interaction, Chosen.read(*values), form_of))

    async def act(self, interaction: Interaction, name: str, *values: str) -> None:
        action, chosen = Action(name), Chosen.read(*values)
        if action is Action.CORRECT:

            def form_of(held: ListedFact) -> discord.ui.Modal | None:
                voice = self._replies.voice(interaction)
                corrects = Action.CORRECT in held.may
                return CorrectModal(chosen, held.fact, voice, names_in(interaction)) if corrects else None

            await self._replies.show_form(interaction, self._form(interaction, chosen, form_of))
            return

        async def work(reader: Audience) -> Draft:
            outcome = await self._memory.hearsay.do(action, _wish(interaction, chosen, reader))
            return self._told(interaction, chosen, outcome)

        await self._replies.replace(interaction, work)

    async def correct(self, interaction: Interaction, *values: str) -> None:
        """Put a fact in the words that somebody filled in."""
        chosen, filled = Chosen.read(*values), filled_in(interaction)

        async def work(reader: Audience) -> Draft:
            wish = _wish(interaction, chosen, reader)
            held, typed, voice = await self._memory.hearsay.one(wish), filled[FIELD], self._replies.voice(interaction)
            traits = None
            if held is not None:
                typed = with_ids(typed, held.fact.text, names_in(interaction))
                traits = traits_in(filled, held.fact.traits)
            outcome = await self._memory.hearsay.correct(wish, typed, interaction.id, voice.language, traits)
            if isinstance(outcome, TooLong | NothingToRemember | SubjectOptedOut):
                return Draft(voice.told(outcome), mark=Mark.FAILED)
            return self._told(interaction, chosen, outcome)

        await self._replies.replace(interaction, work)

    async def _form(self, interaction: Interaction, chosen: Chosen, form_of: FormOf) -> discord.ui.Modal | str:
        held = await self._memory.hearsay.one(_wish(interaction, chosen, self._replies.reader(interaction)))
        form = None if held is None else form_of(held)
        return form or self._replies.voice(interaction).say(Phrase.NOT_KEPT_ANY_MORE)

    async def _page(self, interaction: Interaction, sheet: Sheet, reader: Audience) -> Draft:
        actor = Actor(interaction.user.id, rank_in(interaction))
        page = await self._read(reader, actor, sheet)
        if not page.held and page.in_all:
            # What stood there is gone; the last page is what comes nearest.
            sheet = Sheet(sheet.subject_id, pages_in(page.in_all) - 1)
            page = await self._read(reader, actor, sheet)
        self._part.count("memories shown")
        return Draft(
            memory_page(page, sheet, reader, self._replies.voice(interaction)),
            _drawn_from(reader, (held.fact for held in page.held)),
            buttons=(*_choices(page, sheet), *turning(TurnMemory, sheet, pages_in(page.in_all))),
        )

    async def _read(self, reader: Audience, actor: Actor, sheet: Sheet) -> FactPage:
        return await self._memory.hearsay.page(
            reader, actor, sheet.subject_id, skip=sheet.page * ON_A_PAGE, most=ON_A_PAGE
        )

    async def _fact(self, interaction: Interaction, chosen: Chosen, reader: Audience) -> Draft:
        voice = self._replies.voice(interaction)
        held = await self._memory.hearsay.one(_wish(interaction, chosen, reader))
        back = _back(chosen, voice)
        if held is None:
            return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE), buttons=(back,))
        is_party = reader.viewer_id in (held.fact.subject_id, held.fact.teller_id)
        labels = LABELS if is_party else LABELS | {Action.FORGET: Notice.ACT_REMOVE}
        labels = labels if held.fact.traits is None else labels | {Action.CORRECT: Phrase.EDIT}
        actions: list[ReplyButton] = [Act.of(action, chosen, voice.say(labels[action])) for action in held.may]
        if _may_be_due(held.fact, reader.viewer_id):
            actions.append(RemindMe(*chosen.values, label=voice.say(Notice.REMIND_ME)))
        return Draft(one_fact(held, reader, voice), _drawn_from(reader, [held.fact]), buttons=(*actions, back))

    async def _audit(self, interaction: Interaction, sheet: Sheet, reader: Audience) -> Draft:
        voice = self._replies.voice(interaction)
        if rank_in(interaction) < Rank.MANAGER:
            return Draft(voice.say(Notice.USAGE_ONLY_MANAGERS), mark=Mark.FAILED)
        page = await self._entries(reader, sheet)
        pages = pages_in(page.in_all, ENTRIES_ON_A_PAGE)
        if not page.entries and page.in_all:
            sheet = Sheet(sheet.subject_id, pages - 1)
            page = await self._entries(reader, sheet)
        return Draft(audit_page(page, sheet, voice), reader.sources, buttons=turning(TurnAudit, sheet, pages))

    async def _entries(self, reader: Audience, sheet: Sheet) -> AuditPage:
        skip, audit_log = sheet.page * ENTRIES_ON_A_PAGE, self._memory.audit_log
        if sheet.subject_id == NOBODY:
            return await audit_log.of_guild(reader, skip=skip, most=ENTRIES_ON_A_PAGE)
        return await audit_log.of_member(reader, sheet.subject_id, skip=skip, most=ENTRIES_ON_A_PAGE)

    def _told(self, interaction: Interaction, chosen: Chosen, outcome: HearsayOutcome) -> Draft:
        voice = self._replies.voice(interaction)
        match outcome:
            case Done():
                return _done(outcome, chosen, voice)
            case MayNot(who_may=who_may):
                return Draft(refused(who_may, voice), mark=Mark.FAILED)
            case NotThere():
                return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE), buttons=(_back(chosen, voice),))


def _done(outcome: Done, chosen: Chosen, voice: Voice) -> Draft:
    back = _back(chosen, voice)
    if outcome.change_id is None:
        return Draft(voice.say(Notice.DONE_BEFORE), buttons=(back,))
    notice = _DONE[outcome.action]
    text = "" if outcome.now is None else outcome.now.text
    words = fitting(lambda length: voice.say(notice, fact=statement_line(text, length)))
    buttons = (*under_taken_away(outcome.change_id, voice), back)
    unsaid = Draft(voice.say(Notice.DONE_UNSAID), buttons=buttons)
    # Words that were to go are not repeated.
    repeats = outcome.action in (Action.CONFIRM, Action.CORRECT)
    drawn_from = frozenset((outcome.fact.channel_id,)) if repeats else frozenset()
    return Draft(words, drawn_from, buttons=buttons, instead=unsaid)


def _back(chosen: Chosen, voice: Voice) -> TurnMemory:
    return TurnMemory("n", *chosen.sheet.values, label=voice.say(Notice.ACT_BACK))


def _choices(page: FactPage, sheet: Sheet) -> tuple[ReplyButton, ...]:
    """Make a button to choose each fact about which something can be done; Discord takes no two of the same id."""
    choices = {
        (held.fact.message_id, held.fact.thing): ChooseFact(
            *Chosen(sheet, held.fact.message_id, held.fact.thing).values, label=str(number), row=0
        )
        for number, held in numbered(page.held, sheet)
        if held.may
    }
    return tuple(choices.values())


def _may_be_due(fact: Fact, user_id: int | None) -> bool:
    """Say whether a fact is something of their own that has a day or is to be done."""
    has_time = fact.traits is not None and fact.traits.category in (Category.SCHEDULE, Category.TASK)
    return has_time and fact.subject_id == user_id and fact.valid_to is None


def _wish(interaction: Interaction, chosen: Chosen, reader: Audience) -> HearsayAction:
    actor = Actor(interaction.user.id, rank_in(interaction))
    return HearsayAction(reader, actor, chosen.sheet.subject_id, chosen.message_id, chosen.thing)


def _drawn_from(reader: Audience, facts: Iterable[Fact]) -> frozenset[int]:
    """List where facts were told; of what everyone may know only the channels that the reader can read."""
    return frozenset(f.channel_id for f in facts if not f.everywhere or f.channel_id in reader.sources)
