"""What happens when somebody presses a button under the line that says what changed in memory.

Memory decides who may and for how long. What is done is said in the place of that line, for those who can read it, and
nothing is left there of words that were to go; what is not done is whispered to the one who pressed, with the reason.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from uuid import UUID

import aiohttp
import discord

from bot.facts.forms import FactModal, OtherWords, changed_since, edited, not_edited, refused, undone
from bot.facts.tellings import rank_in
from bot.replies.buttons import EveryoneMayKnow
from bot.replies.compose import Composer, repeating, told_in
from bot.replies.draft import Draft, Mark, may_write, sole_reader
from bot.replies.interactions import Interaction
from bot.replies.send import SILENT, answer_in_place, is_whispered
from bot.replies.undo_buttons import Handles, under_taken_away, under_told
from bot.settings import BotOptions
from bot.words.keys import Phrase
from bot.words.voice import Voice, language_of_locale, name_of
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
from memory.tasks import request

logger = logging.getLogger(__name__)

FORM_SECONDS = 2.0
"""A form has to be shown within the three seconds that Discord waits for any answer."""
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)

Work = Callable[[Audience], Awaitable[Draft]]


class UndoPresses:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._bot_name = options.names[0]

    async def undo(self, interaction: Interaction, change_id: UUID, language: Language) -> None:
        voice, theirs = Voice(language, self._bot_name), self._voice_for(interaction)

        async def work(audience: Audience) -> Draft:
            outcome = await self._memory.undos.undo(
                audience.guild_id, change_id, _actor(interaction), audience, said_in=_said_in(interaction)
            )
            match outcome:
                case Undone():
                    back, words = outcome.back, undone(outcome, _stood(interaction), voice)
                    handles = _still_to_do(interaction, outcome, voice)
                    unsaid = Draft(voice.say(Phrase.AS_IT_WAS), handles=handles)
                    return Draft(
                        words,
                        told_in(back),
                        button=_to_open(interaction, outcome, voice),
                        handles=handles,
                        evidence=repeating(back),
                        instead=unsaid,
                    )
                case MayNotUndo(who_may=who_may):
                    return _whispered(refused(who_may, theirs))
                case ChangedSince():
                    return Draft(changed_since(outcome, theirs), told_in(outcome.now), mark=Mark.FAILED)
                case NothingToUndo():
                    return _whispered(theirs.say(Phrase.NOTHING_TO_UNDO))

        await self._do(interaction, voice, work)

    async def object(self, interaction: Interaction, change_id: UUID, language: Language) -> None:
        """The one it is about says that it is not true of them: all that was told of them there."""
        voice, theirs = Voice(language, self._bot_name), self._voice_for(interaction)

        async def work(audience: Audience) -> Draft:
            actor = _actor(interaction)
            change = await self._memory.undos.change(audience.guild_id, change_id)
            if change is None or not change.facts:
                return _whispered(theirs.say(Phrase.NOTHING_TO_UNDO))
            verdict = may(Action.VETO, actor, change.matter, FactRules())
            if not verdict:
                return _whispered(refused(verdict.who_may, theirs))
            wish = HearsayAction(
                sole_reader(self._memory, interaction),
                actor,
                actor.user_id,
                change.facts[0].message_id,
                said_in=_said_in(interaction),
            )
            outcome = await self._memory.hearsay.do(Action.VETO, wish)
            match outcome:
                case Done(change_id=denied):
                    words = voice.say(Phrase.VETOED_NOT_TRUE, name=name_of(interaction.user))
                    return Draft(words, handles=under_taken_away(denied, voice))
                case MayNot(who_may=who_may):
                    return _whispered(refused(who_may, theirs))
                case _:
                    return _whispered(theirs.say(Phrase.NOT_KEPT_ANY_MORE))

        await self._do(interaction, voice, work)

    async def ask_for_other_words(self, interaction: Interaction, change_id: UUID, language: Language) -> None:
        """Shows the form, with the words as they are now, to the one who told them."""
        with request("press"):
            try:
                theirs = self._voice_for(interaction)
                until = asyncio.get_running_loop().time() + FORM_SECONDS
                audience = self._readers(interaction)
                work = self._memory.fact_editor.words(audience.guild_id, change_id, audience)
                fact = await self._composer.attempt(work, theirs, until, reading=True)
                if isinstance(fact, Draft):
                    await _refuse(interaction, fact.words)
                    return
                if fact is None:
                    await _refuse(interaction, theirs.say(Phrase.NOTHING_TO_EDIT))
                    return
                verdict = may(Action.EDIT, _actor(interaction), fact, FactRules())
                if not verdict:
                    await _refuse(interaction, refused(verdict.who_may, theirs))
                    return
                voice = Voice(language, self._bot_name)
                await interaction.response.send_modal(FactModal(change_id, fact.text, voice, _names(interaction)))
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def read_form(self, interaction: Interaction) -> None:
        """Discord tells of every form; ours is read from what it tells, whatever was restarted meanwhile."""
        form = OtherWords.filled_in(interaction)
        if form is None:
            return
        voice, theirs = Voice(form.language, self._bot_name), self._voice_for(interaction)

        async def work(audience: Audience) -> Draft:
            fact_editor, guild_id = self._memory.fact_editor, audience.guild_id
            now = await fact_editor.words(guild_id, form.change_id, audience)
            if now is None:
                return _whispered(theirs.say(Phrase.NOTHING_TO_EDIT))
            text = with_ids(form.typed, now.text, _names(interaction))
            outcome = await fact_editor.edit(
                guild_id, form.change_id, _actor(interaction), text, audience, said_in=_said_in(interaction)
            )
            if not isinstance(outcome, Edited):
                return _whispered(not_edited(outcome, theirs, _names(interaction)))
            of_others = any(user_id != outcome.fact.teller_id for user_id in outcome.about)
            can_object = of_others and not is_whispered(interaction)
            handles = under_told(outcome.change_id, voice, can_object=can_object)
            told = [outcome.fact, *outcome.replaced]
            unsaid = Draft(voice.say(Phrase.EDITED_UNSAID), handles=handles)
            if not is_whispered(interaction) and not may_write(interaction.channel, interaction.permissions):
                return unsaid
            return Draft(
                edited(outcome, _stood(interaction), voice, _names(interaction)),
                told_in(told),
                evidence=repeating(told),
                button=EveryoneMayKnow.of(outcome.fact, voice) if _may_be_opened(interaction) else None,
                handles=handles,
                instead=unsaid,
            )

        await self._do(interaction, voice, work)

    async def _do(self, interaction: Interaction, voice: Voice, work: Work) -> None:
        with request("press"):
            try:
                await interaction.response.defer()
                until = self._composer.until()

                async def make(audience: Audience) -> Draft:
                    theirs = self._voice_for(interaction)
                    return await self._composer.attempt(work(audience), theirs, until, reading=False)

                await answer_in_place(
                    interaction, make, lambda: self._readers(interaction), voice, self._memory.receipts
                )
                logger.info("a change was pressed upon", extra={"channel_id": interaction.channel_id})
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    def _readers(self, interaction: Interaction) -> Audience:
        """Of the line above the buttons."""
        if interaction.guild_id is None or interaction.channel_id is None or is_whispered(interaction):
            return sole_reader(self._memory, interaction)
        return self._memory.places.audience_of(interaction.guild_id, interaction.channel_id)

    def _voice_for(self, interaction: Interaction) -> Voice:
        return Voice(language_of_locale(str(interaction.locale)), self._bot_name)


def _actor(interaction: Interaction) -> Actor:
    return Actor(interaction.user.id, rank_in(interaction))


def _said_in(interaction: Interaction) -> int | None:
    """The message that will say what holds now, so that nobody else takes it back meanwhile."""
    return None if interaction.message is None else interaction.message.id


def _still_to_do(interaction: Interaction, outcome: Undone, voice: Voice) -> Handles:
    """About what holds again: what could be done about it when it was told."""
    return under_told(outcome.told_by, voice, can_object=outcome.is_about_others and not is_whispered(interaction))


def _to_open(interaction: Interaction, outcome: Undone, voice: Voice) -> EveryoneMayKnow | None:
    """What lives in here, or does so again, can be let known."""
    is_private = outcome.kind is ChangeKind.OPENED or (
        outcome.kind is ChangeKind.EDITED and _may_be_opened(interaction)
    )
    return EveryoneMayKnow.of(outcome.back[0], voice) if is_private and outcome.back else None


def _stood(interaction: Interaction) -> str:
    return "" if interaction.message is None else interaction.message.content


def _whispered(words: str) -> Draft:
    """Nothing was done, and what stands there stays."""
    return Draft(words, mark=Mark.FAILED)


def _names(interaction: Interaction) -> Callable[[int], str | None]:
    def called(user_id: int) -> str | None:
        member = None if interaction.guild is None else interaction.guild.get_member(user_id)
        return None if member is None else member.display_name

    return called


def _may_be_opened(interaction: Interaction) -> bool:
    """Its teller could still let everyone know it, and can do so still."""
    message = interaction.message
    rows = [] if message is None else message.components
    ids = [
        str(child.custom_id) for row in rows for child in getattr(row, "children", []) if hasattr(child, "custom_id")
    ]
    return any(one.startswith(EveryoneMayKnow.PREFIX) for one in ids)


async def _refuse(interaction: Interaction, words: str) -> None:
    await interaction.response.send_message(words, ephemeral=True, allowed_mentions=SILENT)
