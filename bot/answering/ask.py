"""Answers that one person alone can read, made from all that this person can read: by `/ask`, or by a button."""

import logging
from typing import Any

import discord
from discord import app_commands

from bot.replies.buttons import ShowMissed
from bot.replies.compose import Composer
from bot.replies.draft import Draft
from bot.replies.interactions import Interaction
from bot.replies.private import PrivateReplies
from bot.settings import BotOptions
from bot.translate import AddressCheck, to_message
from bot.words.commands import described
from bot.words.keys import Phrase, Slash
from bot.words.voice import Voice
from memory.commands.addressing import Addressed
from memory.commands.small_talk import Kindness, wanted_in
from memory.core.values import Choice, Intent, Question
from memory.health import HealthReporter
from memory.manager import MemoryManager
from memory.places.view import Audience

logger = logging.getLogger(__name__)

LONGEST_QUESTION = 1500


class PrivateAnswers:
    def __init__(
        self,
        memory: MemoryManager,
        composer: Composer,
        replies: PrivateReplies,
        options: BotOptions,
        part: HealthReporter,
    ) -> None:
        self._memory = memory
        self._composer = composer
        self._replies = replies
        self._address_check = AddressCheck(options.names)
        self._part = part

    async def answer(self, interaction: Interaction, text: str, *, choices: tuple[Choice, ...] = ()) -> None:
        """What was asked in words, with or without our name before them. It stands at the moment of the interaction,
        behind everything that was said before."""
        if interaction.guild_id is None or interaction.channel_id is None:
            raise ValueError("questions are asked in a guild")
        addressed = self._address_check.in_command(text, interaction) or Addressed(Intent.QUESTION, text, None)
        theirs = self._replies.voice(interaction)
        voice = Voice(addressed.language or theirs.language, theirs.bot_name)
        question = Question(
            guild_id=interaction.guild_id,
            channel_id=interaction.channel_id,
            message_id=interaction.id,
            asker_id=interaction.user.id,
            text=addressed.body,
            asked_at=interaction.created_at,
            choices=choices,
            language=voice.language,
        )
        until = self._composer.until(answerer=True)

        async def work(reader: Audience) -> Draft:
            if addressed.intent not in (Intent.KNOWLEDGE, Intent.QUESTION):
                return Draft(voice.say(Phrase.ASK_ONLY_ANSWERS))
            wanted = wanted_in(addressed.body)
            if wanted is not None and wanted[0] is Kindness.MISSED:
                return Draft(voice.say(Phrase.CATCH_UP_OFFER), buttons=(ShowMissed.of(question.asker_id, voice),))
            return await self._composer.answered(question, addressed.intent, reader, voice, until)

        logger.info("asked privately", extra={"intent": addressed.intent.value, "channel_id": question.channel_id})
        with self._memory.contexts.hold_background_work(question.guild_id):
            draft, _ = await self._replies.answer(interaction, work, voice=voice, until=until, repeating=text)
        self._part.count("private replies")
        logger.info("answered privately", extra={"channel_id": question.channel_id, "characters": len(draft.words)})

    async def answer_again(self, interaction: Interaction, message_id: int) -> None:
        """What was asked in a message. It is read from Discord, not from the log: who is not stored may ask as well."""
        text = await self._asked_in(interaction, message_id)
        if text is not None:
            await self.answer(interaction, text)
            return
        await interaction.followup.send(self._replies.voice(interaction).say(Phrase.QUESTION_GONE), ephemeral=True)

    async def _asked_in(self, interaction: Interaction, message_id: int) -> str | None:
        if interaction.channel_id is None:
            return None
        place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
        try:
            message = await place.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        stored = to_message(message, interaction.application_id)
        return stored.text if stored is not None and stored.author_id == interaction.user.id else None


def ask_command(answers: PrivateAnswers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="ask", description=described(Slash.ASK))
    @app_commands.describe(question=described(Slash.ASK_QUESTION))
    @app_commands.guild_only()
    async def ask(
        interaction: discord.Interaction[discord.Client], question: app_commands.Range[str, 1, LONGEST_QUESTION]
    ) -> None:
        await answers.answer(interaction, question)

    return ask
