"""What happens when somebody presses a button under one of our replies, which everyone there can see."""

import logging
from datetime import timedelta

import aiohttp
import discord

from bot.answering.ask import PrivateAnswers
from bot.answering.choose import FactChoice, MemberChoice
from bot.facts.forms import opened_to_all
from bot.facts.tellings import PrivateTellings
from bot.replies.buttons import EveryoneMayKnow, ToldThing, Unfinished
from bot.replies.compose import Composer
from bot.replies.draft import Draft
from bot.replies.interactions import Interaction
from bot.replies.send import SILENT, say_in_place, whisper
from bot.replies.undo_buttons import Undo
from bot.settings import BotOptions
from bot.words.keys import Phrase
from bot.words.voice import Voice, language_of_locale
from memory.language.detect import Language
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

LONGEST_WAIT = timedelta(days=1)
"""For somebody to choose."""
_DISCORD_FAILS = (discord.HTTPException, aiohttp.ClientError, OSError)


class ButtonPresses:
    def __init__(
        self,
        memory: MemoryManager,
        composer: Composer,
        answers: PrivateAnswers,
        tellings: PrivateTellings,
        options: BotOptions,
    ) -> None:
        self._memory = memory
        self._composer = composer
        self._answers = answers
        self._tellings = tellings
        self._options = options
        self._members = MemberChoice(memory, composer, options)
        self._facts = FactChoice(memory, composer)

    async def answer_only_to(self, interaction: Interaction, asker_id: int, message_id: int) -> None:
        """The asker gets an answer from all they can read; anybody else a word on how to get their own."""
        with request("press"):
            try:
                if interaction.user.id != asker_id:
                    await self._refuse(interaction, Phrase.NOT_YOUR_ANSWER)
                    return
                await interaction.response.defer(ephemeral=True, thinking=True)
                await self._answers.answer_again(interaction, message_id)
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def let_everyone_know(
        self, interaction: Interaction, teller_id: int, message_id: int, language: Language
    ) -> None:
        """The teller decides; the confirmation then says so in its own language, and the button goes."""
        with request("press"):
            try:
                if interaction.user.id != teller_id or interaction.guild_id is None:
                    await self._refuse(interaction, Phrase.NOT_YOURS_TO_OPEN)
                    return
                await interaction.response.defer()
                until = self._composer.until()
                work = self._open(interaction, interaction.guild_id, message_id, language)
                told = await self._composer.attempt(work, self._voice_for(interaction), until, reading=False)
                if told.words:
                    await whisper(interaction, told.words)
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def choose_member(self, interaction: Interaction, unfinished: Unfinished) -> None:
        """Whoever we asked says whom they mean; what they wanted is done then, and said where we asked."""
        with request("press"):
            try:
                # A question may be asked again at any time; what was told long ago would be taken for the latest word.
                since = unfinished.said_in if unfinished.tells else interaction.id
                if not await self._may_choose(interaction, unfinished.person_id, since):
                    return
                if unfinished.by_command:
                    await self._go_on(interaction, unfinished)
                    return
                await interaction.response.defer()
                await self._members.choose(interaction, unfinished)
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def forget_this(self, interaction: Interaction, person_id: int, told: ToldThing, language: Language) -> None:
        """Whoever we asked says which of the facts in our list is to be forgotten."""
        with request("press"):
            try:
                asked_in = interaction.message.id if interaction.message is not None else interaction.id
                if not await self._may_choose(interaction, person_id, asked_in):
                    return
                await interaction.response.defer()
                await self._facts.forget(interaction, told, Voice(language, self._options.names[0]))
            except _DISCORD_FAILS:
                logger.exception("a press could not be answered")

    async def _may_choose(self, interaction: Interaction, person_id: int, since: int) -> bool:
        """Only the one we asked, and not for ever."""
        if interaction.user.id != person_id:
            await self._refuse(interaction, Phrase.NOT_YOUR_CHOICE)
            return False
        if interaction.created_at - discord.utils.snowflake_time(since) <= LONGEST_WAIT:
            return True
        await interaction.response.defer()
        await say_in_place(interaction, self._voice_for(interaction).say(Phrase.CHOSEN_TOO_LATE))
        return False

    async def _go_on(self, interaction: Interaction, unfinished: Unfinished) -> None:
        """A command stands nowhere, but its words stand under our question."""
        beneath = interaction.message.embeds if interaction.message is not None else []
        text = beneath[0].description if beneath else None
        await interaction.response.edit_message(view=None)
        if not text:
            gone = Phrase.TELLING_GONE if unfinished.tells else Phrase.QUESTION_GONE
            await whisper(interaction, self._voice_for(interaction).say(gone))
        elif unfinished.tells:
            await self._tellings.go_on(interaction, unfinished, text)
        else:
            await self._answers.answer(interaction, text, choices=unfinished.choices)

    async def _open(self, interaction: Interaction, guild_id: int, message_id: int, language: Language) -> Draft:
        """Nothing is left to say if it is done: the confirmation itself says so."""
        opened = await self._memory.facts.let_everyone_know(guild_id, message_id, interaction.user.id)
        if opened is None:
            await interaction.edit_original_response(view=_without_opening(interaction))
            return Draft(self._voice_for(interaction).say(Phrase.NOTHING_TO_OPEN))
        voice = Voice(language, self._options.names[0])
        confirmed = interaction.message.content if interaction.message is not None else ""
        undo = None if opened.change_id is None else Undo.of(opened.change_id, voice)
        await interaction.edit_original_response(
            content=opened_to_all(confirmed, voice), view=_without_opening(interaction, undo)
        )
        return Draft("")

    async def _refuse(self, interaction: Interaction, phrase: Phrase) -> None:
        words = self._voice_for(interaction).say(phrase)
        await interaction.response.send_message(words, ephemeral=True, allowed_mentions=SILENT)

    def _voice_for(self, interaction: Interaction) -> Voice:
        return Voice(language_of_locale(str(interaction.locale)), self._options.names[0])


def _without_opening(interaction: Interaction, undo: Undo | None = None) -> discord.ui.View | None:
    """What else can be pressed there; `undo` takes back that everyone may know it, and only then all of it."""
    if interaction.message is None:
        return None
    view = discord.ui.View(timeout=None)
    for item in discord.ui.View.from_message(interaction.message, timeout=None).children:
        pressed = str(item.custom_id) if isinstance(item, discord.ui.Button) else ""
        if undo is not None and pressed.startswith(f"{Undo.kind}:"):
            view.add_item(undo)
        elif not pressed.startswith(EveryoneMayKnow.PREFIX):
            view.add_item(item)
    view.stop()  # these are known by their ids; discord.py has nothing to keep
    return view
