"""Answers that one person alone can read, made from all that this person can read."""

import logging
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.replies.buttons import ShowMissed
from bot.replies.compose import Composer
from bot.replies.draft import Draft, Sent, deliver, sole_reader
from bot.replies.interactions import Interaction
from bot.replies.receipts import ReceiptWriter
from bot.replies.send import Still, send, whispering_to
from bot.settings import BotOptions
from bot.translate import to_message
from bot.words.commands import described
from bot.words.keys import Phrase, Slash
from bot.words.voice import Voice, language_of_locale
from memory.commands.addressing import Addressed, address
from memory.commands.small_talk import missed_in
from memory.core.values import Choice, Intent, Question
from memory.health import Part
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.tasks import request

logger = logging.getLogger(__name__)


class PrivateAnswers:
    """For interactions that have been deferred: Discord waits three seconds, and an answer may take longer."""

    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._composer = composer
        self._options = options
        self._part = part

    async def answer(self, interaction: Interaction, text: str, *, choices: tuple[Choice, ...] = ()) -> None:
        """What was asked in words, with or without our name before them."""
        addressed = self._read(interaction, text)
        voice = self._voice(interaction, addressed)
        question = replace(_question(interaction, addressed), choices=choices, language=voice.language)
        until = self._composer.until(answerer=True)
        reader = partial(sole_reader, self._memory, interaction)

        async def make(readers: Audience) -> Draft:
            if addressed.intent not in (Intent.KNOWLEDGE, Intent.QUESTION):
                return Draft(voice.say(Phrase.ASK_ONLY_ANSWERS))
            if missed_in(addressed.body) is not None:
                show = ShowMissed.of(question.asker_id, voice)
                return Draft(voice.say(Phrase.CATCH_UP_OFFER), choices=(show,))
            work = self._composer.answered(question, addressed.intent, readers, voice, until)
            return await self._composer.attempt(work, voice, until, reading=True)

        paper = ReceiptWriter(self._memory.receipts, question.message_id, question.asker_id, voice)

        async def say(draft: Draft, still: Still) -> Sent:
            ready = await paper.before(draft, reader())
            if isinstance(ready, Sent):
                return ready
            post = whispering_to(interaction, repeating=text if ready.repeats_words else "")
            return await send(ready, post, ending=voice.say(Phrase.CUT), still=still)

        logger.info("asked privately", extra={"intent": addressed.intent.value, "channel_id": question.channel_id})
        with self._memory.contexts.deferred(question.guild_id):
            draft, _ = await deliver(make, reader, say)
        self._part.count("private replies")
        logger.info("answered privately", extra={"channel_id": question.channel_id, "characters": len(draft.words)})

    async def answer_again(self, interaction: Interaction, message_id: int) -> None:
        """What was asked in a message. It is read from Discord, not from the log: who is not stored may ask as well."""
        text = await self._asked_in(interaction, message_id)
        if text is not None:
            await self.answer(interaction, text)
            return
        gone = Draft(self._voice(interaction).say(Phrase.QUESTION_GONE))
        await send(gone, whispering_to(interaction), ending="", still=lambda: True)

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

    def _read(self, interaction: Interaction, text: str) -> Addressed:
        ours = interaction.guild.self_role if interaction.guild is not None else None
        addressed = address(
            text,
            names=self._options.names,
            bot_id=interaction.application_id,
            bot_role_ids=() if ours is None else (ours.id,),
            reply_to_us=True,
        )
        return addressed or Addressed(Intent.QUESTION, text, None)

    def _voice(self, interaction: Interaction, addressed: Addressed | None = None) -> Voice:
        spoken = None if addressed is None else addressed.language
        return Voice(spoken or language_of_locale(str(interaction.locale)), self._options.names[0])


def _question(interaction: Interaction, addressed: Addressed) -> Question:
    """It stands at the moment of the interaction, behind everything that was said before."""
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("questions are asked in a guild")
    return Question(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
        message_id=interaction.id,
        asker_id=interaction.user.id,
        text=addressed.body,
        asked_at=interaction.created_at,
    )


# `/ask`: a question whose answer nobody else sees, made from all that the asker can read.


LONGEST_QUESTION = 1500


def ask_command(answers: PrivateAnswers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="ask", description=described(Slash.ASK))
    @app_commands.describe(question=described(Slash.ASK_QUESTION))
    @app_commands.guild_only()
    async def ask(
        interaction: discord.Interaction[discord.Client], question: app_commands.Range[str, 1, LONGEST_QUESTION]
    ) -> None:
        with request("ask"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            await answers.answer(interaction, question)

    return ask
