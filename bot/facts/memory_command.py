"""`/memory`: what is held about a member, shown to one person alone, and what they do about it.

A page keeps nothing: whatever is pressed, memory is asked anew, for what the one who presses can read at that moment.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

import aiohttp
import discord
from discord import app_commands

from bot.facts.forms import LONGEST, Corrected, CorrectModal, refused
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
    offers_of,
    one_fact,
    pages_in,
)
from bot.facts.tellings import PrivateTellings, rank_in
from bot.replies.compose import Composer
from bot.replies.draft import Button, Draft, Mark, Sent, deliver, knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, voice_of
from bot.replies.send import SILENT, Still, send, view_of, whisper, whispering_to
from bot.replies.undo_buttons import under_taken_away
from bot.settings import BotOptions
from bot.words.commands import described
from bot.words.keys import Notice, Phrase, Slash
from bot.words.voice import Voice
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
from memory.health import Part
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.people.names import NameOf, with_ids, with_names
from memory.places.view import Audience
from memory.policy.authority import Action, Actor
from memory.tasks import request

logger = logging.getLogger(__name__)

FORM_SECONDS = 2.0
"""A form has to be shown within the three seconds that Discord waits for any answer."""
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)
_DONE = {
    Action.CONFIRM: Notice.DONE_CONFIRM,
    Action.CORRECT: Notice.DONE_CORRECT,
    Action.VETO: Notice.DONE_VETO,
    Action.FORGET: Notice.DONE_FORGET,
}

Work = Callable[[Audience], Awaitable[Draft]]
FormOf = Callable[[ListedFact, Voice], discord.ui.Modal | None]
"""A form about a fact; None: not for whoever asks for it."""


class MemoryCommand:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]
        self._part = part

    async def show(self, interaction: Interaction, subject_id: int) -> None:
        """For a command that has been deferred."""
        await self._begin(interaction, partial(self._page, interaction, Sheet(subject_id)))

    async def audit(self, interaction: Interaction, subject_id: int | None) -> None:
        await self._begin(interaction, partial(self._audit, interaction, Sheet(subject_id or NOBODY)))

    async def turn_to(self, interaction: Interaction, sheet: Sheet) -> None:
        await self._go_on(interaction, partial(self._page, interaction, sheet))

    async def turn_audit_to(self, interaction: Interaction, sheet: Sheet) -> None:
        await self._go_on(interaction, partial(self._audit, interaction, sheet))

    async def choose(self, interaction: Interaction, chosen: Chosen) -> None:
        await self._go_on(interaction, partial(self._fact, interaction, chosen))

    async def remind(self, interaction: Interaction, chosen: Chosen) -> None:
        """Offer a reminder of what they noted, or let on: extraction never makes one."""
        offers = offers_of(interaction)

        def form_of(held: ListedFact, _: Voice) -> discord.ui.Modal | None:
            text = with_names(held.fact.text, names_in(interaction))
            return offers.form_about(interaction, text) if _may_be_due(held.fact, interaction.user.id) else None

        await self._show_form(interaction, chosen, form_of)

    async def act(self, interaction: Interaction, chosen: Chosen, action: Action) -> None:
        if action is Action.CORRECT:

            def form_of(held: ListedFact, voice: Voice) -> discord.ui.Modal | None:
                corrects = Action.CORRECT in held.may
                return CorrectModal(chosen, held.fact, voice, names_in(interaction)) if corrects else None

            await self._show_form(interaction, chosen, form_of)
            return

        async def work(reader: Audience) -> Draft:
            outcome = await self._memory.hearsay.do(action, _wish(interaction, chosen, reader))
            return self._told(interaction, chosen, outcome)

        await self._go_on(interaction, work)

    async def read_form(self, interaction: Interaction) -> None:
        """Discord tells of every form; ours is read from what it tells, whatever was restarted meanwhile."""
        form = Corrected.filled_in(interaction)
        if form is None:
            return

        async def work(reader: Audience) -> Draft:
            wish = _wish(interaction, form.chosen, reader)
            held = await self._memory.hearsay.one(wish)
            typed = form.typed if held is None else with_ids(form.typed, held.fact.text, names_in(interaction))
            voice = self._voice(interaction)
            traits = None if held is None else form.traits(held.fact)
            outcome = await self._memory.hearsay.correct(wish, typed, interaction.id, voice.language, traits)
            if isinstance(outcome, TooLong | NothingToRemember | SubjectOptedOut):
                return Draft(voice.told(outcome), mark=Mark.FAILED)
            return self._told(interaction, form.chosen, outcome)

        await self._go_on(interaction, work)

    async def _show_form(self, interaction: Interaction, chosen: Chosen, form_of: FormOf) -> None:
        with request("memory"):
            try:
                voice = self._voice(interaction)
                until = asyncio.get_running_loop().time() + FORM_SECONDS
                wish = _wish(interaction, chosen, sole_reader(self._memory, interaction))
                held = await self._composer.attempt(self._memory.hearsay.one(wish), voice, until, reading=True)
                form = form_of(held, voice) if isinstance(held, ListedFact) else None
                if form is not None:
                    await interaction.response.send_modal(form)
                    return
                words = held.words if isinstance(held, Draft) else voice.say(Phrase.NOT_KEPT_ANY_MORE)
                await interaction.response.send_message(words, ephemeral=True, allowed_mentions=SILENT)
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def _page(self, interaction: Interaction, sheet: Sheet, reader: Audience) -> Draft:
        voice = self._voice(interaction)
        if not knows_who_reads(reader):
            return Draft(voice.say(Notice.NOT_KNOWN_YET), mark=Mark.FAILED)
        actor = Actor(interaction.user.id, rank_in(interaction))
        page = await self._read(reader, actor, sheet)
        if not page.held and page.in_all:
            # What stood there is gone; the last page is what comes nearest.
            sheet = Sheet(sheet.subject_id, pages_in(page.in_all) - 1)
            page = await self._read(reader, actor, sheet)
        self._part.count("memories shown")
        return Draft(
            memory_page(page, sheet, reader, voice),
            _drawn_from(reader, (held.fact for held in page.held)),
            choices=(*_choices(page, sheet), *TurnMemory.both(sheet, pages_in(page.in_all))),
        )

    async def _read(self, reader: Audience, actor: Actor, sheet: Sheet) -> FactPage:
        return await self._memory.hearsay.page(
            reader, actor, sheet.subject_id, skip=sheet.page * ON_A_PAGE, most=ON_A_PAGE
        )

    async def _fact(self, interaction: Interaction, chosen: Chosen, reader: Audience) -> Draft:
        voice = self._voice(interaction)
        held = await self._memory.hearsay.one(_wish(interaction, chosen, reader))
        back = _back(chosen, voice)
        if held is None:
            return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE), choices=(back,))
        is_party = reader.viewer_id in (held.fact.subject_id, held.fact.teller_id)
        labels = LABELS if is_party else LABELS | {Action.FORGET: Notice.ACT_REMOVE}
        labels = labels if held.fact.traits is None else labels | {Action.CORRECT: Phrase.EDIT}
        actions: list[Button] = [Act(action, chosen, voice.say(labels[action])) for action in held.may]
        if _may_be_due(held.fact, reader.viewer_id):
            actions.append(RemindMe(chosen, voice.say(Notice.REMIND_ME)))
        return Draft(one_fact(held, reader, voice), _drawn_from(reader, [held.fact]), choices=(*actions, back))

    async def _audit(self, interaction: Interaction, sheet: Sheet, reader: Audience) -> Draft:
        voice = self._voice(interaction)
        if rank_in(interaction) < Rank.MANAGER:
            return Draft(voice.say(Notice.USAGE_ONLY_MANAGERS), mark=Mark.FAILED)
        if not knows_who_reads(reader):
            return Draft(voice.say(Notice.NOT_KNOWN_YET), mark=Mark.FAILED)
        page = await self._entries(reader, sheet)
        pages = pages_in(page.in_all, ENTRIES_ON_A_PAGE)
        if not page.entries and page.in_all:
            sheet = Sheet(sheet.subject_id, pages - 1)
            page = await self._entries(reader, sheet)
        return Draft(audit_page(page, sheet, voice), reader.sources, choices=TurnAudit.both(sheet, pages))

    async def _entries(self, reader: Audience, sheet: Sheet) -> AuditPage:
        skip, audit_log = sheet.page * ENTRIES_ON_A_PAGE, self._memory.audit_log
        if sheet.subject_id == NOBODY:
            return await audit_log.of_guild(reader, skip=skip, most=ENTRIES_ON_A_PAGE)
        return await audit_log.of_member(reader, sheet.subject_id, skip=skip, most=ENTRIES_ON_A_PAGE)

    def _told(self, interaction: Interaction, chosen: Chosen, outcome: HearsayOutcome) -> Draft:
        voice = self._voice(interaction)
        match outcome:
            case Done():
                return _done(outcome, chosen, voice)
            case MayNot(who_may=who_may):
                return Draft(refused(who_may, voice), mark=Mark.FAILED)
            case NotThere():
                return Draft(voice.say(Phrase.NOT_KEPT_ANY_MORE), choices=(_back(chosen, voice),))

    async def _begin(self, interaction: Interaction, work: Work) -> None:
        """What a command shows first."""

        async def say(draft: Draft, still: Still) -> Sent:
            return await send(draft, whispering_to(interaction), ending=voice.say(Phrase.CUT), still=still)

        voice, until = self._voice(interaction), self._composer.until()
        await deliver(self._made(work, voice, until), partial(sole_reader, self._memory, interaction), say)

    async def _go_on(self, interaction: Interaction, work: Work) -> None:
        """What stands in its place then; what could not be done is whispered, and it stays as it was."""
        with request("memory"):
            try:
                await interaction.response.defer()
                voice, until = self._voice(interaction), self._composer.until()
                readers = partial(sole_reader, self._memory, interaction)
                await deliver(self._made(work, voice, until), readers, partial(say_in_place, interaction))
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    def _made(self, work: Work, voice: Voice, until: float) -> Work:
        async def make(reader: Audience) -> Draft:
            return await self._composer.attempt(work(reader), voice, until, reading=False)

        return make

    def _voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self._bot_name)


def _done(outcome: Done, chosen: Chosen, voice: Voice) -> Draft:
    back = _back(chosen, voice)
    if outcome.change_id is None:
        return Draft(voice.say(Notice.DONE_BEFORE), choices=(back,))
    notice = _DONE[outcome.action]
    text = "" if outcome.now is None else outcome.now.text
    words = fitting(lambda length: voice.say(notice, fact=one_line(text, length)))
    choices = (*under_taken_away(outcome.change_id, voice), back)
    unsaid = Draft(voice.say(Notice.DONE_UNSAID), choices=choices)
    # Words that were to go are not repeated.
    repeats = outcome.action in (Action.CONFIRM, Action.CORRECT)
    drawn_from = frozenset((outcome.fact.channel_id,)) if repeats else frozenset()
    return Draft(words, drawn_from, choices=choices, instead=unsaid)


def _back(chosen: Chosen, voice: Voice) -> TurnMemory:
    return TurnMemory("n", chosen.sheet, voice.say(Notice.ACT_BACK))


def _choices(page: FactPage, sheet: Sheet) -> tuple[Button, ...]:
    """One for each fact about which something can be done; Discord takes no two of the same id."""
    choices = {
        (held.fact.message_id, held.fact.thing): ChooseFact(
            Chosen(sheet, held.fact.message_id, held.fact.thing), str(number)
        )
        for number, held in numbered(page.held, sheet)
        if held.may
    }
    return tuple(choices.values())


def _may_be_due(fact: Fact, user_id: int | None) -> bool:
    """Of their own, something that has a day or is to be done."""
    has_time = fact.traits is not None and fact.traits.category in (Category.SCHEDULE, Category.TASK)
    return has_time and fact.subject_id == user_id and fact.valid_to is None


def _wish(interaction: Interaction, chosen: Chosen, reader: Audience) -> HearsayAction:
    actor = Actor(interaction.user.id, rank_in(interaction))
    return HearsayAction(reader, actor, chosen.sheet.subject_id, chosen.message_id, chosen.thing)


def _drawn_from(reader: Audience, facts: Iterable[Fact]) -> frozenset[int]:
    """Where they were told is said, also of what everyone may know."""
    return frozenset(f.channel_id for f in facts if not f.everywhere or f.channel_id in reader.sources)


def names_in(interaction: Interaction) -> NameOf:
    def called(user_id: int) -> str | None:
        member = None if interaction.guild is None else interaction.guild.get_member(user_id)
        return None if member is None else member.display_name

    return called


async def say_in_place(interaction: Interaction, draft: Draft, still: Still) -> Sent:
    if draft.mark is Mark.FAILED:
        await whisper(interaction, draft.words)
        return Sent.DELIVERED
    if not still():
        return Sent.CHANGED
    await interaction.edit_original_response(content=draft.words, view=view_of(draft), allowed_mentions=SILENT)
    return Sent.DELIVERED


# `/memory`: what is held about oneself or another member, and for managers, who looked at it or changed it.


class MemoryCommands(app_commands.Group):
    def __init__(self, looking: MemoryCommand, tellings: PrivateTellings) -> None:
        super().__init__(name="memory", description=described(Slash.MEMORY), guild_only=True)
        self._looking = looking
        self._tellings = tellings

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
        with request("memory"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            traits = Traits(Category(category), importance, cleaned_tags(tags.replace(",", " ").split()))
            await self._tellings.note(interaction, text, traits)

    @app_commands.command(name="show", description=described(Slash.MEMORY_SHOW))
    @app_commands.describe(member=described(Slash.MEMORY_SHOW_MEMBER))
    async def show(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        with request("memory"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._looking.show(interaction, interaction.user.id if member is None else member.id)

    @app_commands.command(name="audit", description=described(Slash.MEMORY_AUDIT))
    @app_commands.describe(member=described(Slash.MEMORY_AUDIT_MEMBER))
    async def audit(self, interaction: Interaction, member: discord.Member | discord.User | None = None) -> None:
        with request("memory"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._looking.audit(interaction, None if member is None else member.id)
