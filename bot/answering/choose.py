"""When it was not clear whom a message means, and its author has chosen: it is read again, and done or answered.

The message is read from Discord, so that it works after any restart and whoever is stored; what comes of it takes the
place of our question.
"""

import logging
from dataclasses import dataclass, replace

import discord

from bot.facts.tellings import rank_in, telling_in
from bot.replies.buttons import AnswerOnlyToMe, ToldThing, Unfinished
from bot.replies.compose import Composer
from bot.replies.draft import Draft, sole_reader
from bot.replies.interactions import Interaction
from bot.replies.send import answer_in_place, is_whispered, say_in_place, whisper
from bot.settings import BotOptions
from bot.translate import to_message
from bot.words.keys import Phrase
from bot.words.voice import Voice, language_of_locale
from memory.commands.addressing import Addressed, address
from memory.core.values import Intent, Message, Question, Telling
from memory.manager import MemoryManager
from memory.places.view import Audience

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Said:
    """A message as it stands there now."""

    stored: Message
    addressed: Addressed
    about: Message | None
    voice: Voice


class MemberChoice:
    def __init__(self, memory: MemoryManager, composer: Composer, options: BotOptions) -> None:
        self._memory = memory
        self._composer = composer
        self._options = options

    async def choose(self, interaction: Interaction, unfinished: Unfinished) -> None:
        """For an interaction that has been deferred, by the author themselves."""
        said = await self._read_again(interaction, unfinished.said_in)
        asks = not unfinished.tells
        if said is None:
            await self._tell_that_it_is_gone(interaction, asks=asks)
            return
        until = self._composer.until(answerer=asks)

        def readers() -> Audience:
            return self._memory.places.audience_of(said.stored.guild_id, said.stored.channel_id)

        async def make(audience: Audience) -> Draft:
            work = self._work(interaction, unfinished, said, audience, until)
            draft = await self._composer.attempt(work, said.voice, until, reading=asks)
            if not asks or sole_reader(self._memory, interaction).sources <= audience.sources:
                return draft
            label = said.voice.say(Phrase.ANSWER_ONLY_TO_ME)
            return replace(draft, button=AnswerOnlyToMe(unfinished.person_id, unfinished.said_in, label))

        await answer_in_place(interaction, make, readers, said.voice, self._memory.receipts)
        extra = {"intent": unfinished.intent.value, "channel_id": said.stored.channel_id}
        logger.info("a member was chosen", extra=extra)

    async def _tell_that_it_is_gone(self, interaction: Interaction, *, asks: bool) -> None:
        voice = Voice(language_of_locale(str(interaction.locale)), self._options.names[0])
        if not asks:
            await say_in_place(interaction, voice.say(Phrase.TELLING_GONE))
            return
        # What stands there may be an answer, of which only this person wanted another.
        await interaction.edit_original_response(view=None)
        await whisper(interaction, voice.say(Phrase.QUESTION_GONE))

    async def _work(
        self, interaction: Interaction, unfinished: Unfinished, said: _Said, audience: Audience, until: float
    ) -> Draft:
        if not unfinished.tells:
            question = replace(_question(said), choices=unfinished.choices)
            return await self._composer.answered(question, unfinished.intent, audience, said.voice, until)
        wish = said.addressed
        if wish.intent is not unfinished.intent:
            # A verb with slips says so, or none; it was taken for that when it was first read.
            meant = (one for one in wish.may_mean if one.intent is unfinished.intent)
            wish = next(meant, replace(wish, intent=unfinished.intent, is_guess=True))
        telling = telling_in(said.stored, wish, said.about, rank=rank_in(interaction))
        telling = replace(telling, choices=unfinished.choices)
        remembers = unfinished.intent is Intent.REMEMBER
        compose = self._composer.remembered if remembers else self._composer.forgotten
        return await compose(telling, audience, said.voice)

    async def _read_again(self, interaction: Interaction, message_id: int) -> _Said | None:
        """None if it is gone, or not for us any more."""
        if interaction.channel_id is None or interaction.guild is None:
            return None
        place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
        try:
            message = await place.fetch_message(message_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        stored = to_message(message, interaction.application_id)
        if stored is None or stored.author_id != interaction.user.id:
            return None
        about = _replied_to(message, interaction.application_id)
        addressed = self._addressed(interaction, stored, about)
        if addressed is None:
            return None
        spoken = addressed.language or self._memory.log.language_last_spoken(stored)
        language = spoken or language_of_locale(str(interaction.guild.preferred_locale))
        return _Said(stored, addressed, about, Voice(language, self._options.names[0]))

    def _addressed(self, interaction: Interaction, stored: Message, about: Message | None) -> Addressed | None:
        ours = interaction.guild.self_role if interaction.guild is not None else None
        return address(
            stored.text,
            names=self._options.names,
            bot_id=interaction.application_id,
            bot_role_ids=() if ours is None else (ours.id,),
            reply_to_us=about is not None and about.author_id == interaction.application_id,
        )


def _replied_to(message: discord.Message, self_id: int) -> Message | None:
    resolved = message.reference.resolved if message.reference is not None else None
    if not isinstance(resolved, discord.Message) or resolved.channel.id != message.channel.id:
        return None
    return to_message(resolved, self_id)


def _question(said: _Said) -> Question:
    stored = said.stored
    return Question(
        guild_id=stored.guild_id,
        channel_id=stored.channel_id,
        message_id=stored.message_id,
        asker_id=stored.author_id,
        text=said.addressed.body,
        asked_at=stored.sent_at,
        about=said.about,
        language=said.voice.language,
    )


# When several facts may have been meant to be forgotten, and the one who asked has chosen one of them.
#
# Everything is decided anew: whether its readers may still hear of it, and whether they may have it forgotten.


class FactChoice:
    def __init__(self, memory: MemoryManager, composer: Composer) -> None:
        self._memory = memory
        self._composer = composer

    async def forget(self, interaction: Interaction, told: ToldThing, voice: Voice) -> None:
        """For an interaction that has been deferred, by the one who asked."""
        telling = _pointing_at(interaction, told)
        until = self._composer.until()

        def readers() -> Audience:
            if is_whispered(interaction):
                return sole_reader(self._memory, interaction)
            return self._memory.places.audience_of(telling.guild_id, telling.channel_id)

        async def make(audience: Audience) -> Draft:
            work = self._composer.forgotten(telling, audience, voice)
            return await self._composer.attempt(work, voice, until, reading=False)

        await answer_in_place(interaction, make, readers, voice, self._memory.receipts)
        logger.info("a fact was chosen", extra={"channel_id": telling.channel_id})


def _pointing_at(interaction: Interaction, told: ToldThing) -> Telling:
    if interaction.guild_id is None or interaction.channel_id is None:
        raise ValueError("what is to be forgotten was told in a guild")
    return Telling(
        guild_id=interaction.guild_id,
        channel_id=interaction.channel_id,
        message_id=interaction.id,
        teller_id=interaction.user.id,
        body="",
        told_at=interaction.created_at,
        rank=rank_in(interaction),
        told_in=told.message_id,
        thing=told.thing,
        by_command=True,
    )
