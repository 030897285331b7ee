"""Remembering and forgetting by command: nobody else sees the reply, and what is told lives where it was told.

It is the way in where Discord does not hand out what messages say.
"""

import logging
from dataclasses import replace

import discord

from bot.buttons import Interaction
from bot.commands.saying import voice_of
from bot.composing import Composing
from bot.drafts import Draft, Sent, deliver
from bot.phrasebook.phrase import Phrase
from bot.phrases import Voice, language_of_locale
from bot.sending import Still, send, whispering_to
from bot.settings import BotOptions
from bot.sole_reader import sole_reader
from bot.tellings import THIS, telling_by
from bot.translate import to_message
from bot.unfinished import Unfinished
from memory.commands.addressing import Addressed, address
from memory.core.values import Intent, Telling
from memory.health import Part
from memory.manager import MemoryManager
from memory.places.view import Audience

logger = logging.getLogger(__name__)

REMEMBER, FORGET = Intent.REMEMBER, Intent.FORGET


class PrivateTellings:
    """For interactions that have been deferred."""

    def __init__(self, memory: MemoryManager, composing: Composing, options: BotOptions, part: Part) -> None:
        self._memory = memory
        self._composing = composing
        self._options = options
        self._part = part

    async def remember(self, interaction: Interaction, text: str, *, everywhere: bool = False) -> None:
        telling = telling_by(interaction, text, read=self._read(interaction, text), everywhere=everywhere)
        await self._carry_out(interaction, telling, REMEMBER, text)

    async def remember_this(self, interaction: Interaction, message: discord.Message) -> None:
        """A message that somebody points at."""
        about = to_message(message, interaction.application_id)
        if about is None:
            words = voice_of(interaction, self._options.names[0]).say(Phrase.NOTHING_TO_REMEMBER)
            await send(Draft(words), whispering_to(interaction), ending="", still=lambda: True)
            return
        await self._carry_out(interaction, telling_by(interaction, THIS, about=about), REMEMBER, THIS)

    async def forget(self, interaction: Interaction, text: str) -> None:
        telling = telling_by(interaction, text, read=self._read(interaction, text))
        await self._carry_out(interaction, telling, FORGET, text)

    async def go_on(self, interaction: Interaction, unfinished: Unfinished, text: str) -> None:
        """Its teller has chosen whom they mean. It stands where the command stood."""
        read = self._read(interaction, text)
        telling = telling_by(interaction, text, read=read, everywhere=unfinished.everywhere)
        told_at = discord.utils.snowflake_time(unfinished.said_in)
        telling = replace(telling, message_id=unfinished.said_in, told_at=told_at, choices=unfinished.choices)
        await self._carry_out(interaction, telling, unfinished.intent, text)

    async def _carry_out(self, interaction: Interaction, telling: Telling, intent: Intent, text: str) -> None:
        """`text` is what was said, in full."""
        voice = self._voice(interaction, telling)
        until = self._composing.until()

        def readers() -> Audience:
            # What is told is told to the place. Whoever wants something forgotten may mean all that they can read.
            if intent is REMEMBER:
                return self._memory.audience_of(telling.guild_id, telling.channel_id)
            return sole_reader(self._memory, interaction)

        async def make(audience: Audience) -> Draft:
            compose = self._composing.remembered if intent is REMEMBER else self._composing.forgotten
            return await self._composing.attempt(compose(telling, audience, voice), voice, until, reading=False)

        async def say(draft: Draft, still: Still) -> Sent:
            post = whispering_to(interaction, repeating=text if draft.repeats_words else "")
            return await send(draft, post, ending=voice.say(Phrase.CUT), still=still)

        logger.info("told privately", extra={"intent": intent.value, "channel_id": telling.channel_id})
        await deliver(make, readers, say)
        self._part.count("private replies")

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
