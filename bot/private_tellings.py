"""Remembering and forgetting by command: nobody else sees the reply, and what is told lives where it was told.

It is the way in where Discord does not hand out what messages say.
"""

import logging
from dataclasses import replace

import discord

from bot.buttons import Interaction, choices_of
from bot.commands.questions import Question, Questions
from bot.commands.saying import voice_of
from bot.composing import Composing
from bot.drafts import Draft, Sent, deliver
from bot.phrasebook import Phrase
from bot.phrases import Voice, language_of_locale
from bot.sending import Still, send, whispering_to
from bot.settings import BotOptions
from bot.sole_reader import sole_reader
from bot.tellings import THIS, telling_by
from bot.translate import to_message
from memory.core.addressing import Addressed, Intent, address
from memory.core.audience import Audience
from memory.core.model import Telling
from memory.health import Part
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

REMEMBER, FORGET = Intent.REMEMBER, Intent.FORGET


class PrivateTellings:
    """For interactions that have been deferred."""

    def __init__(
        self, memory: MemoryManager, composing: Composing, questions: Questions, options: BotOptions, part: Part
    ) -> None:
        self._memory = memory
        self._composing = composing
        self._questions = questions
        self._options = options
        self._part = part

    async def remember(self, interaction: Interaction, text: str, *, everywhere: bool = False) -> None:
        read = self._read(interaction, text)
        await self.carry_out(interaction, telling_by(interaction, text, read=read, everywhere=everywhere), REMEMBER)

    async def remember_this(self, interaction: Interaction, message: discord.Message) -> None:
        """A message that somebody points at."""
        about = to_message(message, interaction.application_id)
        if about is None:
            words = voice_of(interaction, self._options.names[0]).say(Phrase.NOTHING_TO_REMEMBER)
            await send(Draft(words), whispering_to(interaction), ending="", still=lambda: True)
            return
        await self.carry_out(interaction, telling_by(interaction, THIS, about=about), REMEMBER)

    async def forget(self, interaction: Interaction, text: str) -> None:
        read = self._read(interaction, text)
        await self.carry_out(interaction, telling_by(interaction, text, read=read), FORGET)

    async def carry_out(self, interaction: Interaction, telling: Telling, intent: Intent) -> None:
        voice = self._voice(interaction, telling)
        until = self._composing.until()
        unclear: list[Draft] = []

        def readers() -> Audience:
            # What is told is told to the place. Whoever wants something forgotten may mean all that they can read.
            if intent is REMEMBER:
                return self._memory.audience_of(telling.guild_id, telling.channel_id)
            return sole_reader(self._memory, interaction)

        async def make(audience: Audience) -> Draft:
            compose = self._composing.remembered if intent is REMEMBER else self._composing.forgotten
            return await self._composing.attempt(compose(telling, audience, voice), voice, until, reading=False)

        async def say(draft: Draft, still: Still) -> Sent:
            if draft.unclear is not None:
                unclear.append(draft)
                return Sent.NOTHING
            return await send(draft, whispering_to(interaction), ending=voice.say(Phrase.CUT), still=still)

        logger.info("told privately", extra={"intent": intent.value, "channel_id": telling.channel_id})
        await deliver(make, readers, say)
        if unclear:
            await self._ask(interaction, telling, intent, unclear[0], voice)
        self._part.count("private replies")

    async def _ask(
        self, interaction: Interaction, telling: Telling, intent: Intent, draft: Draft, voice: Voice
    ) -> None:
        question = MemberQuestion(self, telling, intent, draft, self._questions, voice)
        silent = discord.AllowedMentions.none()
        await interaction.followup.send(draft.words, view=question, ephemeral=True, allowed_mentions=silent)
        question.shown_by(interaction)

    def _read(self, interaction: Interaction, text: str) -> Addressed | None:
        ours = interaction.guild.self_role if interaction.guild is not None else None
        return address(
            text,
            names=self._options.names,
            bot_id=interaction.application_id,
            bot_role_ids=() if ours is None else (ours.id,),
            reply_to_us=True,
        )

    def _voice(self, interaction: Interaction, telling: Telling) -> Voice:
        return Voice(telling.language or language_of_locale(str(interaction.locale)), self._options.names[0])


class MemberQuestion(Question):
    """Whom a command means. It lives as long as the words of the command do, in this process."""

    def __init__(
        self,
        tellings: PrivateTellings,
        telling: Telling,
        intent: Intent,
        draft: Draft,
        questions: Questions,
        voice: Voice,
    ) -> None:
        super().__init__(questions, voice)
        self._tellings = tellings
        self._telling = telling
        self._intent = intent
        for member_id, label in [] if draft.unclear is None else choices_of(draft.unclear, voice):
            self.add_item(_Choice(self, member_id, label))

    async def chosen(self, interaction: Interaction, member_id: int) -> None:
        await interaction.response.edit_message(view=None)
        self.stop()
        self._questions.end(self.number)
        telling = replace(self._telling, chosen_id=member_id)
        await self._tellings.carry_out(interaction, telling, self._intent)


class _Choice(discord.ui.Button[MemberQuestion]):
    def __init__(self, question: MemberQuestion, member_id: int, label: str) -> None:
        super().__init__(label=label, custom_id=f"{question.number}{member_id}")
        self._question = question
        self._member_id = member_id

    async def callback(self, interaction: Interaction) -> None:
        await self._question.chosen(interaction, self._member_id)
