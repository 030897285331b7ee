"""Answers one person alone, by `/ask` or by a button; and does what somebody wants who presses a button under one of
our replies, which everyone there can see.

Where it was not clear whom or what a message means and its author has chosen, it is read from Discord again and done or
answered: that works after any restart and for whoever is stored, and what comes of it takes the place of our question.
"""

import logging
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import discord
from discord import app_commands

from bot.facts.tellings import PrivateTellings, question_in, rank_in, telling_in
from bot.facts.undo import opened_to_all
from bot.replies.buttons import AnswerOnlyToMe, EveryoneMayKnow, ReplyButton, ShowMissed, Undo, Unfinished, of_change
from bot.replies.compose import Composer, PrivateReplies
from bot.replies.draft import Draft, Make, Readers
from bot.replies.interactions import Interaction, answer
from bot.replies.send import answer_in_place, is_ephemeral, say_in_place
from bot.settings import BotOptions
from bot.translate import AddressCheck, to_message
from bot.words import Phrase, Slash, Voice, described, language_of_locale
from memory.commands.addressing import Addressed
from memory.commands.small_talk import Kindness, wanted_in
from memory.core.values import Choice, Intent, Message, Question, RememberRequest
from memory.health import HealthReporter
from memory.language.detect import Language
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
        """Answer what was asked in words, with or without our name before them. It stands at the moment of the
        interaction, behind everything that was said before."""
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
        """Answer what a message asked. It is read from Discord, not from the log: who is not stored may ask as well."""
        message = await _own_message(interaction, message_id)
        stored = None if message is None else to_message(message, interaction.application_id)
        if stored is not None:
            await self.answer(interaction, stored.text)
            return
        await interaction.followup.send(self._replies.voice(interaction).say(Phrase.QUESTION_GONE), ephemeral=True)


async def _own_message(interaction: Interaction, message_id: int) -> discord.Message | None:
    """Fetch a message of whoever pressed, as it stands now; None if it is gone, or somebody else's."""
    if interaction.channel_id is None:
        return None
    place = interaction.client.get_partial_messageable(interaction.channel_id, guild_id=interaction.guild_id)
    try:
        message = await place.fetch_message(message_id)
    except (discord.NotFound, discord.Forbidden):
        return None
    return message if message.author.id == interaction.user.id else None


def ask_command(answers: PrivateAnswers) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="ask", description=described(Slash.ASK))
    @app_commands.describe(question=described(Slash.ASK_QUESTION))
    @app_commands.guild_only()
    async def ask(
        interaction: discord.Interaction[discord.Client], question: app_commands.Range[str, 1, LONGEST_QUESTION]
    ) -> None:
        await answers.answer(interaction, question)

    return ask


LONGEST_WAIT = timedelta(days=1)
"""For somebody to choose."""


@dataclass(frozen=True, slots=True)
class _Said:
    """Holds a message as it stands on Discord now."""

    stored: Message
    addressed: Addressed
    about: Message | None
    voice: Voice


class ButtonPresses:
    def __init__(
        self,
        memory: MemoryManager,
        composer: Composer,
        replies: PrivateReplies,
        answers: PrivateAnswers,
        tellings: PrivateTellings,
        options: BotOptions,
    ) -> None:
        self._memory = memory
        self._composer = composer
        self._replies = replies
        self._answers = answers
        self._tellings = tellings
        self._address_check = AddressCheck(options.names)

    async def answer_only_to(self, interaction: Interaction, asker: str, message: str) -> None:
        """Give the asker an answer from all they can read; anybody else a word on how to get their own."""
        if interaction.user.id != int(asker):
            await self._refuse(interaction, Phrase.NOT_YOUR_ANSWER)
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._answers.answer_again(interaction, int(message))

    async def let_everyone_know(self, interaction: Interaction, language: str, teller: str, message: str) -> None:
        """Let everyone know what its teller opens; the confirmation says so in its language; the button goes."""
        if interaction.user.id != int(teller) or interaction.guild_id is None:
            await self._refuse(interaction, Phrase.NOT_YOURS_TO_OPEN)
            return
        await interaction.response.defer()
        work = self._open(interaction, interaction.guild_id, int(message), Language(language))
        theirs = self._replies.voice(interaction)
        told = await self._composer.attempt(work, theirs, self._composer.until(), reading=False)
        if told.words:
            await answer(interaction, told.words)

    async def _open(self, interaction: Interaction, guild_id: int, message_id: int, language: Language) -> Draft:
        """Open to everyone what was told. The confirmation itself says that it is done."""
        opened = await self._memory.facts.let_everyone_know(guild_id, message_id, interaction.user.id)
        if opened is None:
            await interaction.edit_original_response(view=_without_opening(interaction))
            return Draft(self._replies.voice(interaction).say(Phrase.NOTHING_TO_OPEN))
        voice = Voice(language, self._replies.bot_name)
        confirmed = interaction.message.content if interaction.message is not None else ""
        undo = None if opened.change_id is None else of_change(Undo, opened.change_id, voice)
        await interaction.edit_original_response(
            content=opened_to_all(confirmed, voice), view=_without_opening(interaction, undo)
        )
        return Draft("")

    async def choose_member(self, interaction: Interaction, *values: str) -> None:
        """Do what somebody wanted once they have chosen whom they mean, and say it where we asked."""
        unfinished = Unfinished.of_values(*values)
        # A question may be asked again at any time; what was told long ago would be taken for the latest word.
        since = unfinished.said_in if unfinished.tells else interaction.id
        if not await self._may_choose(interaction, unfinished.person_id, since):
            return
        if unfinished.by_command:
            await self._go_on(interaction, unfinished)
            return
        await interaction.response.defer()
        said = await self._read_again(interaction, unfinished.said_in)
        if said is None:
            await self._tell_that_it_is_gone(interaction, asks=not unfinished.tells)
            return
        until = self._composer.until(answerer=not unfinished.tells)

        async def work(audience: Audience) -> Draft:
            if unfinished.tells:
                return await self._told(interaction, unfinished, said, audience)
            question = replace(
                question_in(said.stored, said.addressed, said.about, said.voice), choices=unfinished.choices
            )
            draft = await self._composer.answered(question, unfinished.intent, audience, said.voice, until)
            if self._replies.reader(interaction).sources <= audience.sources:
                return draft
            button = AnswerOnlyToMe.of(unfinished.person_id, unfinished.said_in, said.voice)
            return replace(draft, buttons=(button, *draft.buttons))

        async def make(audience: Audience) -> Draft:
            return await self._composer.attempt(work(audience), said.voice, until, reading=not unfinished.tells)

        await self._answer_in_place(interaction, make, lambda: self._readers_of(said.stored), said.voice)

    async def forget_this(self, interaction: Interaction, language: str, person: str, message: str, thing: str) -> None:
        """Forget the fact that the one we asked chose in our list. Everything is decided anew: whether its readers may
        still hear of it, and whether they may have it forgotten."""
        asked_in = interaction.message.id if interaction.message is not None else interaction.id
        if not await self._may_choose(interaction, int(person, 16), asked_in):
            return
        if interaction.guild_id is None or interaction.channel_id is None:
            raise ValueError("what is to be forgotten was told in a guild")
        await interaction.response.defer()
        telling = RememberRequest(
            guild_id=interaction.guild_id,
            channel_id=interaction.channel_id,
            message_id=interaction.id,
            teller_id=interaction.user.id,
            body="",
            told_at=interaction.created_at,
            rank=rank_in(interaction),
            source_id=int(message, 16),
            thing=int(thing, 16),
            by_command=True,
        )
        until, voice = self._composer.until(), Voice(Language(language), self._replies.bot_name)

        def readers() -> Audience:
            if is_ephemeral(interaction):
                return self._replies.reader(interaction)
            return self._memory.places.audience_of(telling.guild_id, telling.channel_id)

        async def make(audience: Audience) -> Draft:
            work = self._composer.forgotten(telling, audience, voice)
            return await self._composer.attempt(work, voice, until, reading=False)

        await self._answer_in_place(interaction, make, readers, voice)

    async def _answer_in_place(self, interaction: Interaction, make: Make, readers: Readers, voice: Voice) -> None:
        await answer_in_place(interaction, make, readers, voice, self._memory.receipts)
        logger.info("somebody has chosen", extra={"channel_id": interaction.channel_id})

    async def _may_choose(self, interaction: Interaction, person_id: int, since: int) -> bool:
        """Say whether somebody may choose under our question: only the one we asked, and not for ever."""
        if interaction.user.id != person_id:
            await self._refuse(interaction, Phrase.NOT_YOUR_CHOICE)
            return False
        if interaction.created_at - discord.utils.snowflake_time(since) <= LONGEST_WAIT:
            return True
        await interaction.response.defer()
        await say_in_place(interaction, self._replies.voice(interaction).say(Phrase.CHOSEN_TOO_LATE))
        return False

    async def _go_on(self, interaction: Interaction, unfinished: Unfinished) -> None:
        """Go on with a command once it is clear whom it means: its words stand nowhere but under our question."""
        beneath = interaction.message.embeds if interaction.message is not None else []
        text = beneath[0].description if beneath else None
        await interaction.response.edit_message(view=None)
        if not text:
            gone = Phrase.TELLING_GONE if unfinished.tells else Phrase.QUESTION_GONE
            await answer(interaction, self._replies.voice(interaction).say(gone))
        elif unfinished.tells:
            await self._tellings.go_on(interaction, unfinished, text)
        else:
            await self._answers.answer(interaction, text, choices=unfinished.choices)

    async def _told(self, interaction: Interaction, unfinished: Unfinished, said: _Said, audience: Audience) -> Draft:
        wish = said.addressed
        if wish.intent is not unfinished.intent:
            # No verb says so: it was taken for that when it was first read.
            wish = replace(wish, intent=unfinished.intent, is_guess=True)
        telling = telling_in(said.stored, wish, said.about, rank=rank_in(interaction))
        telling = replace(telling, choices=unfinished.choices)
        remembers = unfinished.intent is Intent.REMEMBER
        compose = self._composer.remembered if remembers else self._composer.forgotten
        return await compose(telling, audience, said.voice)

    async def _read_again(self, interaction: Interaction, message_id: int) -> _Said | None:
        """Read a message again, with what it wants; None if it is gone, or not for us any more."""
        message, self_id = await _own_message(interaction, message_id), interaction.application_id
        stored = None if message is None else to_message(message, self_id)
        if message is None or stored is None or interaction.guild is None:
            return None
        resolved = message.reference.resolved if message.reference is not None else None
        is_here = isinstance(resolved, discord.Message) and resolved.channel.id == message.channel.id
        about = to_message(resolved, self_id) if isinstance(resolved, discord.Message) and is_here else None
        to_us = about is not None and about.author_id == self_id
        addressed = self._address_check.addressed(stored.text, interaction.guild, self_id, reply_to_us=to_us)
        if addressed is None:
            return None
        spoken = addressed.language or self._memory.log.language_last_spoken(stored)
        language = spoken or language_of_locale(str(interaction.guild.preferred_locale))
        return _Said(stored, addressed, about, Voice(language, self._replies.bot_name))

    async def _tell_that_it_is_gone(self, interaction: Interaction, *, asks: bool) -> None:
        voice = self._replies.voice(interaction)
        if not asks:
            await say_in_place(interaction, voice.say(Phrase.TELLING_GONE))
            return
        # What stands there may be an answer, of which only this person wanted another.
        await interaction.edit_original_response(view=None)
        await answer(interaction, voice.say(Phrase.QUESTION_GONE))

    def _readers_of(self, stored: Message) -> Audience:
        return self._memory.places.audience_of(stored.guild_id, stored.channel_id)

    async def _refuse(self, interaction: Interaction, phrase: Phrase) -> None:
        await answer(interaction, self._replies.voice(interaction).say(phrase))


def _without_opening(interaction: Interaction, undo: ReplyButton | None = None) -> discord.ui.View | None:
    """Make the view without that button; `undo` takes back that everyone may know it, and only then all of it."""
    if interaction.message is None:
        return None
    view = discord.ui.View(timeout=None)
    for item in discord.ui.View.from_message(interaction.message, timeout=None).children:
        pressed = str(item.custom_id) if isinstance(item, discord.ui.Button) else ""
        if undo is not None and pressed.startswith(f"{Undo.kind}:"):
            view.add_item(undo)
        elif not pressed.startswith(f"{EveryoneMayKnow.kind}:"):
            view.add_item(item)
    view.stop()  # these are known by their ids; discord.py has nothing to keep
    return view
