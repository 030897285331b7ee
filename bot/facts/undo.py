"""What happens when somebody presses a button under the line that says what changed in memory.

Memory decides who may and for how long. What is done is said in the place of that line, for those who can read it, and
nothing is left there of words that were to go; what is not done is whispered to the one who pressed, with the reason.
"""

import logging
from uuid import UUID

import discord

from bot.facts.forms import FIELD, FactModal, changed_since, edited, not_edited, refused, undone
from bot.facts.tellings import rank_in
from bot.replies.buttons import EveryoneMayKnow, ReplyButton, filled_in, under_taken_away, under_told
from bot.replies.compose import Composer, repeating, told_in
from bot.replies.draft import Draft, Make, Mark, may_write
from bot.replies.interactions import Interaction
from bot.replies.private import PrivateReplies, names_in
from bot.replies.send import answer_in_place, is_whispered
from bot.words.keys import Phrase
from bot.words.voice import Voice, name_of
from memory.facts.values import (
    ChangedSince,
    ChangeKind,
    Done,
    Edited,
    HearsayAction,
    MayNot,
    MayNotUndo,
    NothingToUndo,
    Undone,
)
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.people.names import with_ids
from memory.places.view import Audience
from memory.policy.authority import Action, Actor, FactRules, may

logger = logging.getLogger(__name__)


class UndoPresses:
    def __init__(self, memory: MemoryManager, composer: Composer, replies: PrivateReplies) -> None:
        self._memory = memory
        self._composer = composer
        self._replies = replies

    async def undo(self, interaction: Interaction, language: str, change: str) -> None:
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            outcome = await self._memory.undos.undo(
                audience.guild_id, UUID(change), _actor(interaction), audience, said_in=_said_in(interaction)
            )
            match outcome:
                case Undone():
                    can_object = outcome.is_about_others and not is_whispered(interaction)
                    handles = under_told(outcome.told_by, voice, can_object=can_object)
                    return Draft(
                        undone(outcome, _stood(interaction), voice),
                        told_in(outcome.back),
                        buttons=(*_to_open(interaction, outcome, voice), *handles),
                        evidence=repeating(outcome.back),
                        instead=Draft(voice.say(Phrase.AS_IT_WAS), buttons=handles),
                    )
                case MayNotUndo(who_may=who_may):
                    return _whispered(refused(who_may, theirs))
                case ChangedSince():
                    return Draft(changed_since(outcome, theirs), told_in(outcome.now), mark=Mark.FAILED)
                case NothingToUndo():
                    return _whispered(theirs.say(Phrase.NOTHING_TO_UNDO))

        await self._do(interaction, voice, work)

    async def object(self, interaction: Interaction, language: str, change: str) -> None:
        """The one it is about says that it is not true of them: all that was told of them there."""
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            actor = _actor(interaction)
            told = await self._memory.undos.change(audience.guild_id, UUID(change))
            if told is None or not told.facts:
                return _whispered(theirs.say(Phrase.NOTHING_TO_UNDO))
            verdict = may(Action.VETO, actor, told.matter, FactRules())
            if not verdict:
                return _whispered(refused(verdict.who_may, theirs))
            reader, message_id = self._replies.reader(interaction), told.facts[0].message_id
            wish = HearsayAction(reader, actor, actor.user_id, message_id, said_in=_said_in(interaction))
            match await self._memory.hearsay.do(Action.VETO, wish):
                case Done(change_id=denied):
                    words = voice.say(Phrase.VETOED_NOT_TRUE, name=name_of(interaction.user))
                    return Draft(words, buttons=under_taken_away(denied, voice))
                case MayNot(who_may=who_may):
                    return _whispered(refused(who_may, theirs))
                case _:
                    return _whispered(theirs.say(Phrase.NOT_KEPT_ANY_MORE))

        await self._do(interaction, voice, work)

    async def ask_for_other_words(self, interaction: Interaction, language: str, change: str) -> None:
        """Shows the form, with the words as they are now, to the one who told them."""
        voice, theirs = self._voices(interaction, language)

        async def form() -> discord.ui.Modal | str:
            audience = self._readers(interaction)
            fact = await self._memory.fact_editor.words(audience.guild_id, UUID(change), audience)
            if fact is None:
                return theirs.say(Phrase.NOTHING_TO_EDIT)
            verdict = may(Action.EDIT, _actor(interaction), fact, FactRules())
            if not verdict:
                return refused(verdict.who_may, theirs)
            return FactModal(UUID(change), fact.text, voice, names_in(interaction))

        await self._replies.show_form(interaction, form())

    async def reword(self, interaction: Interaction, language: str, change: str) -> None:
        """Puts what was told in the words that somebody filled in."""
        voice, theirs = self._voices(interaction, language)

        async def work(audience: Audience) -> Draft:
            fact_editor, guild_id, names = self._memory.fact_editor, audience.guild_id, names_in(interaction)
            now = await fact_editor.words(guild_id, UUID(change), audience)
            if now is None:
                return _whispered(theirs.say(Phrase.NOTHING_TO_EDIT))
            text = with_ids(filled_in(interaction)[FIELD], now.text, names)
            outcome = await fact_editor.edit(
                guild_id, UUID(change), _actor(interaction), text, audience, said_in=_said_in(interaction)
            )
            if not isinstance(outcome, Edited):
                return _whispered(not_edited(outcome, theirs, names))
            of_others = any(user_id != outcome.fact.teller_id for user_id in outcome.about)
            can_object = of_others and not is_whispered(interaction)
            handles = under_told(outcome.change_id, voice, can_object=can_object)
            told = [outcome.fact, *outcome.replaced]
            unsaid = Draft(voice.say(Phrase.EDITED_UNSAID), buttons=handles)
            if not is_whispered(interaction) and not may_write(interaction.channel, interaction.permissions):
                return unsaid
            opening = (EveryoneMayKnow.of(outcome.fact, voice),) if _may_be_opened(interaction) else ()
            return Draft(
                edited(outcome, _stood(interaction), voice, names),
                told_in(told),
                evidence=repeating(told),
                buttons=(*opening, *handles),
                instead=unsaid,
            )

        await self._do(interaction, voice, work)

    async def _do(self, interaction: Interaction, voice: Voice, work: Make) -> None:
        await interaction.response.defer()
        until, theirs = self._composer.until(), self._replies.voice(interaction)

        async def make(audience: Audience) -> Draft:
            return await self._composer.attempt(work(audience), theirs, until, reading=False)

        await answer_in_place(interaction, make, lambda: self._readers(interaction), voice, self._memory.receipts)
        logger.info("button of a change pressed", extra={"channel_id": interaction.channel_id})

    def _readers(self, interaction: Interaction) -> Audience:
        """Of the line above the buttons."""
        if interaction.guild_id is None or interaction.channel_id is None or is_whispered(interaction):
            return self._replies.reader(interaction)
        return self._memory.places.audience_of(interaction.guild_id, interaction.channel_id)

    def _voices(self, interaction: Interaction, language: str) -> tuple[Voice, Voice]:
        """The one of the line above the buttons, and the one of whoever pressed."""
        return Voice(Language(language), self._replies.bot_name), self._replies.voice(interaction)


def _actor(interaction: Interaction) -> Actor:
    return Actor(interaction.user.id, rank_in(interaction))


def _said_in(interaction: Interaction) -> int | None:
    """The message that will say what holds now, so that nobody else takes it back meanwhile."""
    return None if interaction.message is None else interaction.message.id


def _to_open(interaction: Interaction, outcome: Undone, voice: Voice) -> tuple[ReplyButton, ...]:
    """What lives in here, or does so again, can be let known."""
    is_private = outcome.kind is ChangeKind.OPENED or (
        outcome.kind is ChangeKind.EDITED and _may_be_opened(interaction)
    )
    return (EveryoneMayKnow.of(outcome.back[0], voice),) if is_private and outcome.back else ()


def _stood(interaction: Interaction) -> str:
    return "" if interaction.message is None else interaction.message.content


def _whispered(words: str) -> Draft:
    """Nothing was done, and what stands there stays."""
    return Draft(words, mark=Mark.FAILED)


def _may_be_opened(interaction: Interaction) -> bool:
    """Its teller could still let everyone know it, and can do so still."""
    rows = [] if interaction.message is None else interaction.message.components
    ids = [str(getattr(one, "custom_id", "")) for row in rows for one in getattr(row, "children", [])]
    return any(one.startswith(f"{EveryoneMayKnow.kind}:") for one in ids)
