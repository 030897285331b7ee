"""Makes replies: asks memory for one audience, and turns what came of it into words.

Whatever happens in between, the person gets a sentence: that memory cannot be reached, that it took too long, that
something broke. None of these is ever confused with knowing nothing.

What one person alone can see, in answer to a command, a button or a form, is said in their language, and made from what
they can read at that moment.
"""

import asyncio
import logging
from collections.abc import Awaitable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeVar

import discord

from bot.replies.buttons import (
    EveryoneMayKnow,
    ForgetThis,
    NotTrue,
    ShowMissed,
    ThisMember,
    Unfinished,
    of_change,
    under_taken_away,
    under_told,
)
from bot.replies.draft import Draft, Make, Mark, Readers, Sent, deliver, knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, answer, voice_of
from bot.replies.send import ReceiptWriter, Still, answer_in_place, ephemeral_post, send
from bot.replies.split import with_sources
from bot.words import Notice, Phrase, Voice, name_of, told_as
from memory.commands.small_talk import Kindness, chatter_in, kindness_of
from memory.core.outcomes import (
    AlreadyKnown,
    Answer,
    ForgetOutcome,
    Forgotten,
    ForgottenAll,
    KnownBetter,
    MayNotForget,
    Remembered,
    UnclearWhat,
    UnclearWho,
    Withdrawn,
)
from memory.core.provenance import Evidence, Read
from memory.core.values import Fact, Intent, Member, Question, RememberRequest
from memory.db.errors import StoreError
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.people.names import NameOf
from memory.places.view import Audience
from memory.tasks import current_request, request

logger = logging.getLogger(__name__)

Made = TypeVar("Made")

_KIND_WORDS = {
    Kindness.THANKS: Phrase.WELCOME,
    Kindness.GREETING: Phrase.GREETING,
    Kindness.FAREWELL: Phrase.FAREWELL,
    Kindness.OTHER: Phrase.NOD,
    Kindness.HELP: Phrase.HELP,
    Kindness.MISSED: Phrase.CATCH_UP_OFFER,
    Kindness.NOTHING_KEPT: Phrase.NOTHING_KEPT,
    Kindness.REMINDERS: Phrase.REMINDERS_POINTED,
    Kindness.REMIND_OTHER: Phrase.REMINDS_WHO_ASKS,
}
_MARKS = {
    Kindness.MISSED: Mark.ASK_PRIVATELY,
    Kindness.REMINDERS: Mark.ASK_PRIVATELY,
    Kindness.REMIND_OTHER: Mark.NOT_DONE,
}
_KINDS = {Intent.CATCH_UP: Kindness.MISSED, Intent.REMINDERS: Kindness.REMINDERS}


class Composer:
    def __init__(self, memory: MemoryManager, part: HealthReporter, reply_seconds: float) -> None:
        """Give any reply `reply_seconds`; an answer may have less."""
        self._memory = memory
        self._part = part
        self._reply_seconds = reply_seconds

    def until(self, *, answerer: bool = False) -> float:
        """Find when a reply that is begun now has to be made, by the loop's clock."""
        seconds = min(self._reply_seconds, self._memory.answers.seconds) if answerer else self._reply_seconds
        return asyncio.get_running_loop().time() + seconds

    async def attempt(self, work: Awaitable[Made], voice: Voice, until: float, *, reading: bool) -> Made | Draft:
        """Await the work of a reply, and else draft why not, at the latest when the loop's clock says `until`.

        `reading`: nothing was to be written, so nothing can have been lost.
        """
        is_undone = False
        try:
            async with asyncio.timeout_at(until):
                return await work
        except TimeoutError:
            logger.warning("reply took too long")
            words = voice.say(Phrase.TOOK_TOO_LONG)
        except StoreError as error:
            logger.warning("database unavailable for a reply", extra={"reason": type(error).__name__})
            words, is_undone = voice.say(Phrase.CANNOT_LOOK if reading else Phrase.CANNOT_WRITE), True
        except Exception:
            # The edge: whatever broke, the person is told so, and the operator finds it by the request's id.
            logger.exception("reply failed")
            self._part.count("failures")
            words = voice.say(Phrase.UNEXPECTED, request=current_request())
        return Draft(words, mark=Mark.FAILED, is_undone=is_undone)

    async def remembered(self, telling: RememberRequest, audience: Audience, voice: Voice) -> Draft:
        outcome = await self._memory.remember(telling, audience)
        words = voice.told(outcome)
        match outcome:
            case Remembered(fact=fact, may_be_opened=may_be_opened, replaced=replaced, also=also, change_id=change_id):
                is_about_others = _is_about_others(outcome, telling)
                # In the words of another it is theirs to change; of several things none is meant.
                can_edit = not also and fact.teller_id == telling.teller_id
                can_object = is_about_others and not telling.by_command and self._is_in_sight(outcome, telling)
                handles = under_told(change_id, voice, can_object=can_object, can_edit=can_edit)
                buttons = (*_to_open(fact, voice, may_be_opened=may_be_opened), *handles)
                told = [fact, *also, *replaced]
                # Where not all can read back, it repeats what was said there just now, and nothing older from there.
                drawn_from = source_channels(told) - ({audience.place_id} - audience.sources)
                aloud = self._aloud(outcome, telling, voice) if telling.by_command and is_about_others else None
                return Draft(words, drawn_from, buttons=buttons, evidence=repeating(told), aloud=aloud)
            case AlreadyKnown(fact=fact, may_be_opened=may_be_opened, also=also, change_id=change_id):
                opening = _to_open(fact, voice, may_be_opened=may_be_opened)
                buttons = (*opening, *under_taken_away(change_id, voice))
                known = [fact, *also]
                return Draft(words, source_channels(known), buttons=buttons, evidence=repeating(known))
            case KnownBetter(fact=fact):
                return Draft(words, source_channels([fact]), Mark.NOT_DONE, evidence=repeating([fact]))
            case UnclearWho():
                return _asking(words, Unfinished.of_telling(telling, Intent.REMEMBER), outcome, audience, voice)
            case _:
                is_unasked = isinstance(outcome, Withdrawn)
                return Draft(words, mark=Mark.NOT_DONE, evidence=Evidence(), is_unasked=is_unasked)

    def _aloud(self, outcome: Remembered, telling: RememberRequest, voice: Voice) -> Draft | None:
        """Draft a word to those it is about, if they can read the place: nobody else sees what a command says. None if
        they cannot, since elsewhere nothing may hint at it."""
        about = [one for one in (outcome.subject, *outcome.others) if one is not None]
        told = (outcome.fact, *outcome.also)
        if outcome.change_id is None or not any(self._can_object(one, telling) for one in about):
            return None
        words = voice.say(
            Phrase.TOLD_BY_COMMAND,
            teller=f"<@{telling.teller_id}>",
            name=", ".join(name_of(one) for one in about),
            fact=" · ".join(map(told_as, told)),
        )
        buttons = (of_change(NotTrue, outcome.change_id, voice),)
        return Draft(words, source_channels(told), buttons=buttons, evidence=repeating(told))

    def _is_in_sight(self, outcome: Remembered, telling: RememberRequest) -> bool:
        """Say whether somebody it is about can read the place; they may, where that is not known."""
        if not self._memory.place_mirror.view(telling.guild_id).is_open:
            return True
        return any(one is not None and self._can_object(one, telling) for one in (outcome.subject, *outcome.others))

    def _can_object(self, member: Member, telling: RememberRequest) -> bool:
        """Say whether a member is not the teller, and can read what is said in the place, as far as is known."""
        if member.is_bot or member.user_id == telling.teller_id:
            return False
        reader = self._memory.places.audience_for(telling.guild_id, telling.channel_id, member.user_id)
        return knows_who_reads(reader) and telling.channel_id in reader.sources

    async def forgotten(self, telling: RememberRequest, audience: Audience, voice: Voice) -> Draft:
        outcome = await self._memory.forget(telling, audience)
        named = _named(outcome)
        evidence = repeating(named) or Evidence()
        draft = Draft(voice.forgot(outcome), source_channels(named), Mark.NOT_DONE, evidence=evidence)
        match outcome:
            case Forgotten(change_id=change_id):
                unsaid = Draft(voice.say(Phrase.FORGOTTEN_UNSAID))
            case ForgottenAll(change_id=change_id):
                unsaid = Draft(voice.forgot(ForgottenAll(())))
            case UnclearWho():
                return _asking(draft.words, Unfinished.of_telling(telling, Intent.FORGET), outcome, audience, voice)
            case UnclearWhat():
                return replace(draft, buttons=ForgetThis.of(telling.teller_id, outcome, voice))
            case _:
                return draft
        buttons = under_taken_away(change_id, voice)
        unsaid = replace(unsaid, buttons=buttons, evidence=Evidence())
        return replace(draft, mark=Mark.DONE, buttons=buttons, lapses=bool(named), instead=unsaid)

    async def answered(
        self, question: Question, intent: Intent, audience: Audience, voice: Voice, until: float
    ) -> Draft:
        """Answer a question; whatever this audience could read may have found its way into the answer."""
        if intent is Intent.KNOWLEDGE:
            known = await self._memory.answers.what_is_known(question, audience)
            return await self._answer_of(question, intent, known, audience, voice)
        made = await self.answered_or_wanted(question, audience, voice, until, may_write=False)
        return await self.pointed(question, made, voice) if isinstance(made, Intent) else made

    async def answered_or_wanted(
        self, question: Question, audience: Audience, voice: Voice, until: float, *, may_write: bool = True
    ) -> Draft | Intent:
        """Compose a reply to what no verb says: the answer, or what is wanted instead of one."""
        answer = await self._memory.answers.answer_or_intent(question, audience, until=until, may_write=may_write)
        if isinstance(answer, Intent):
            return answer
        return await self._answer_of(question, Intent.QUESTION, answer, audience, voice)

    async def pointed(self, question: Question, intent: Intent, voice: Voice) -> Draft:
        """Reply to what is wanted that is for one person alone, or only a kind word. Nothing is looked up for it, and
        it is no conversation."""
        await self._memory.answers.mark_addressed(question, Intent.QUESTION)
        kindness = _KINDS.get(intent)
        if kindness is None:
            # A single word may tell its language only to whoever knows what it is for.
            voice = replace(voice, language=chatter_in(question.text, voice.language) or voice.language)
            kindness = kindness_of(question.text, voice.language)
            if kindness is Kindness.GREETING and await self._memory.answers.is_first_word(question):
                kindness = Kindness.HELP  # a newcomer, who may not know what we are
        buttons = (ShowMissed.of(question.asker_id, voice),) if kindness is Kindness.MISSED else ()
        return Draft(voice.say(_KIND_WORDS[kindness]), mark=_MARKS.get(kindness, Mark.NOD), buttons=buttons)

    async def _answer_of(
        self, question: Question, intent: Intent, answer: Answer, audience: Audience, voice: Voice
    ) -> Draft:
        answer = await self._memory.receipts.with_standing_sources(answer, audience)
        words = with_sources(answer, audience) or voice.say(Phrase.NOTHING_TO_SAY)
        if answer.wait is not None:
            words = f"{voice.wait(answer.wait)}\n{words}"
        by_command = audience.viewer_id is not None
        if answer.unclear is None:
            draft = Draft(words, audience.sources)
        else:
            unfinished = Unfinished.of_question(question, intent, by_command=by_command)
            draft = _asking(words, unfinished, answer.unclear, audience, voice)
        if answer.may_be_told and not by_command:
            doubt = voice.say(Phrase.MAY_BE_TOLD)
            told = ThisMember.remembering(question, voice)
            draft = replace(draft, words=f"{draft.words}\n{doubt}", buttons=(*draft.buttons, told))
        return replace(draft, evidence=answer.evidence, made_during_outage=answer.made_during_outage, only_reads=True)


def _asking(words: str, unfinished: Unfinished, unclear: UnclearWho, audience: Audience, voice: Voice) -> Draft:
    """Ask whom they mean; names that were told somewhere are offered only to those who could read them there."""
    choices = ThisMember.of(unfinished, unclear, voice)
    repeats_words = unfinished.by_command and bool(choices)
    return Draft(
        words, audience.sources, Mark.NOT_DONE, buttons=choices, repeats_words=repeats_words, evidence=Evidence()
    )


def _to_open(fact: Fact, voice: Voice, *, may_be_opened: bool) -> tuple[EveryoneMayKnow, ...]:
    return (EveryoneMayKnow.of(fact, voice),) if may_be_opened else ()


def _is_about_others(outcome: Remembered, telling: RememberRequest) -> bool:
    """Say whether what was told is about others than its teller."""
    return any(one is not None and one.user_id != telling.teller_id for one in (outcome.subject, *outcome.others))


def _named(outcome: ForgetOutcome) -> tuple[Fact, ...]:
    """List the facts that the sentence for this outcome repeats."""
    match outcome:
        case Forgotten(facts=facts) | ForgottenAll(heard=facts) | MayNotForget(facts=facts):
            return facts
        case UnclearWhat(candidates=candidates):
            return candidates
        case _:
            return ()


def repeating(facts: Iterable[Fact]) -> Evidence | None:
    """Make the evidence of a reply that names these facts."""
    return Evidence.all_quoted(Read.of_facts(facts)) or None


def source_channels(facts: Iterable[Fact]) -> frozenset[int]:
    return frozenset(fact.channel_id for fact in facts if not fact.everywhere)


# Replies that one person alone can see.


FORM_SECONDS = 2.0
"""A form has to be shown within the three seconds that Discord waits for any answer."""


class PrivateReplies:
    def __init__(self, memory: MemoryManager, composer: Composer, bot_name: str) -> None:
        self._memory = memory
        self._composer = composer
        self.bot_name = bot_name

    def voice(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self.bot_name)

    def reader(self, interaction: Interaction) -> Audience:
        """Find what somebody can read now; in a direct message nothing of any server."""
        if interaction.guild_id is None:
            return Audience(0, interaction.channel_id or 0, frozenset(), viewer_id=interaction.user.id)
        return sole_reader(self._memory, interaction)

    async def answer(
        self,
        interaction: Interaction,
        work: Make,
        *,
        reading: bool = True,
        needs_view: bool = False,
        readers: Readers | None = None,
        voice: Voice | None = None,
        until: float | None = None,
        repeating: str = "",
    ) -> tuple[Draft, Sent]:
        """Send what comes of the work as a message of its own. `needs_view`: without knowing who reads what, it would
        look as if there were nothing. `repeating`: words of theirs that may have to stand under it."""
        with request(interaction.command.name if interaction.command is not None else "press"):
            if not interaction.response.is_done():
                await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice or self.voice(interaction)
            paper = ReceiptWriter(self._memory.receipts, interaction.id, interaction.user.id, voice)

            async def say(draft: Draft, still: Still) -> Sent:
                ready = await paper.before(draft, self.reader(interaction))
                if isinstance(ready, Sent):
                    return ready
                post = ephemeral_post(interaction, repeating=repeating if ready.repeats_words else "")
                return await send(ready, post, ending=voice.say(Phrase.CUT), still=still)

            make = self._made(work, voice, until, reading=reading, needs_view=needs_view)
            return await deliver(make, readers or partial(self.reader, interaction), say)

    async def replace(
        self, interaction: Interaction, work: Make, *, reading: bool = False, needs_view: bool = False
    ) -> None:
        """Put what comes of the work in the place of what was pressed. What could not be done is said to them alone,
        and that stays as it was."""
        if not interaction.response.is_done():
            await interaction.response.defer()
        voice = self.voice(interaction)
        make = self._made(work, voice, None, reading=reading, needs_view=needs_view)
        await answer_in_place(interaction, make, partial(self.reader, interaction), voice, self._memory.receipts)

    async def show_form(self, interaction: Interaction, work: Awaitable[discord.ui.Modal | str]) -> None:
        """Show the form that comes of the work, or say why there is none."""
        until = asyncio.get_running_loop().time() + FORM_SECONDS
        found = await self._composer.attempt(work, self.voice(interaction), until, reading=True)
        if isinstance(found, discord.ui.Modal):
            await interaction.response.send_modal(found)
        else:
            await answer(interaction, found if isinstance(found, str) else found.words)

    def _made(self, work: Make, voice: Voice, until: float | None, *, reading: bool, needs_view: bool) -> Make:
        until = until or self._composer.until()

        async def make(reader: Audience) -> Draft:
            if needs_view and not knows_who_reads(reader):
                return Draft(voice.say(Notice.NOT_KNOWN_YET), mark=Mark.FAILED)
            return await self._composer.attempt(work(reader), voice, until, reading=reading)

        return make


def names_in(interaction: Interaction) -> NameOf:
    def called(user_id: int) -> str | None:
        member = None if interaction.guild is None else interaction.guild.get_member(user_id)
        return None if member is None else member.display_name

    return called
