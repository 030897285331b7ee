"""`/privacy`: a member sees what is held on them, takes it along, has it erased, decides whether they are stored."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import aiohttp
import discord
from discord import app_commands

from bot.privacy.export import Progress, hand_over
from bot.privacy.holdings import describe_gone_of_me, describe_mine, describe_opted_out, grouped
from bot.replies.draft import knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, Question, Questions, answer, voice_of
from bot.words.commands import described
from bot.words.keys import Notice, Slash
from bot.words.voice import Voice
from memory.core.log_values import ErasureProgress, ErasureReport, OnProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.tasks import request

# What happens when somebody wants something gone: it goes while they are told how far it has come, then a receipt.


logger = logging.getLogger(__name__)

Erase = Callable[[OnProgress], Awaitable[ErasureReport]]
Conclude = Callable[[str], Awaitable[None]]
"""Says the last word, in the place of all that was said before."""


async def erase_if_asked(
    question: Question, interaction: Interaction, voice: Voice, erase: Erase, receipt: Callable[[ErasureReport], str]
) -> bool:
    """When a question before it has been answered with yes. Whether it is done to the end."""
    question.stop()
    await interaction.response.edit_message(view=None)
    return await erase_and_tell(partial(question.conclude, interaction), interaction, voice, erase, receipt)


async def erase_and_tell(
    conclude: Conclude, interaction: Interaction, voice: Voice, erase: Erase, receipt: Callable[[ErasureReport], str]
) -> bool:
    """For an interaction that has been answered or deferred. Whether it is done to the end: what was decided holds in
    any case, and the purge finishes what broke off."""
    try:
        async with _showing(interaction, voice) as progress:

            async def note(come: ErasureProgress) -> None:
                await progress.note(come.messages, come.in_all)

            gone = await erase(note)
    except StoreError as error:
        logger.warning("an erasure was not possible", extra={"reason": type(error).__name__})
        await _say_last(conclude, _broken_off(progress, voice))
        return False
    logger.info("erased", extra={"messages": gone.messages})
    await _say_last(conclude, receipt(gone))
    return True


def _showing(interaction: Interaction, voice: Voice) -> Progress:
    def words(done: int, of: int) -> str:
        return voice.say(Notice.ERASING, done=grouped(done), total=grouped(of))

    return Progress(interaction, words, voice.say(Notice.ERASING_GOES_ON))


def _broken_off(progress: Progress, voice: Voice) -> str:
    """The first part decides: before it came about, nothing is changed."""
    if progress.reached is None:
        return voice.say(Notice.NOT_DONE)
    done, of = progress.reached
    return voice.say(Notice.ERASE_BROKE_OFF, done=grouped(done), total=grouped(of))


async def _say_last(conclude: Conclude, words: str) -> None:
    """It is done, whether or not that can still be said: Discord lets us answer for fifteen minutes."""
    try:
        await conclude(words)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        logger.warning("nobody could be told of an erasure", extra={"reason": type(error).__name__})


CONFIRM_SECONDS = 180.0
"""How long the question before an erasure waits for its answer."""


class PrivacyCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(name="privacy", description=described(Slash.PRIVACY), guild_only=True)
        self._memory = memory
        self._questions = questions
        self._bot_name = bot_name

    @app_commands.command(name="show", description=described(Slash.PRIVACY_SHOW))
    async def show(self, interaction: Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            reader = sole_reader(self._memory, interaction)
            if not knows_who_reads(reader):
                await answer(interaction, voice.say(Notice.NOT_KNOWN_YET))
                return
            try:
                await self._memory.log.settled(reader.guild_id)
                mine = await self._memory.exports.held_on(reader)
                log = (await self._memory.privacy.settings(reader.guild_id)).log
            except StoreError:
                await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
                return
            await answer(interaction, describe_mine(mine, log, voice))

    @app_commands.command(name="export", description=described(Slash.PRIVACY_EXPORT))
    async def export(self, interaction: Interaction) -> None:
        with request("export"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            if not knows_who_reads(sole_reader(self._memory, interaction)):
                await answer(interaction, voice.say(Notice.NOT_KNOWN_YET))
                return
            await hand_over(
                interaction,
                self._memory,
                voice,
                self._memory.exports.of_member,
                of=str(interaction.user.id),
                about=(Notice.EXPORT_ABOUT_ME, Notice.EXPORT_ABOUT_ROOMS, Notice.EXPORT_ABOUT_FORM),
                ready=voice.say(Notice.EXPORT_READY),
            )

    @app_commands.command(name="opt-out", description=described(Slash.PRIVACY_OPT_OUT))
    async def opt_out(self, interaction: Interaction) -> None:
        with request("privacy"):

            def opt_out(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
                return self._memory.privacy.opt_out(_guild_id(pressed), pressed.user.id, on_progress)

            await self._ask(interaction, OPTING_OUT, opt_out)

    @app_commands.command(name="opt-in", description=described(Slash.PRIVACY_OPT_IN))
    async def opt_in(self, interaction: Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            words = Notice.OPTED_IN
            try:
                await self._memory.privacy.opt_in(_guild_id(interaction), interaction.user.id)
            except StoreError:
                words = Notice.NOT_DONE
            await answer(interaction, voice_of(interaction, self._bot_name).say(words))

    @app_commands.command(name="erase", description=described(Slash.PRIVACY_ERASE))
    async def erase(self, interaction: Interaction) -> None:
        with request("privacy"):

            def erase(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
                # Whatever has been said up to this click has a smaller id than the click itself.
                return self._memory.privacy.erase_member(_guild_id(pressed), pressed.user.id, pressed.id, on_progress)

            await self._ask(interaction, ERASING, erase)

    async def _ask(self, interaction: Interaction, words: "Words", erase: "EraseMember") -> None:
        voice = voice_of(interaction, self._bot_name)
        question = EraseQuestion(self._questions, voice, words, erase)
        await interaction.response.send_message(voice.say(words.ask), view=question, ephemeral=True)
        question.shown_by(interaction)


EraseMember = Callable[[Interaction, OnProgress], Awaitable[ErasureReport]]


@dataclass(frozen=True, slots=True)
class Words:
    """What is said before something is erased, and after."""

    ask: Notice
    yes: Notice
    no: Notice
    unchanged: Notice
    receipt: Callable[[ErasureReport, Voice], str]


ERASING = Words(Notice.ERASE_ASK, Notice.ERASE_YES, Notice.ERASE_NO, Notice.NOT_ERASED, describe_gone_of_me)
OPTING_OUT = Words(Notice.OPT_OUT_ASK, Notice.OPT_OUT_YES, Notice.ERASE_NO, Notice.NOT_OPTED_OUT, describe_opted_out)


class EraseQuestion(Question):
    """Unanswered, it means no."""

    def __init__(self, questions: Questions, voice: Voice, words: Words, erase: EraseMember) -> None:
        super().__init__(questions, voice, patience=CONFIRM_SECONDS, ran_out=words.unchanged)
        self._words = words
        self._erase = erase
        for button, name, label in ((self.yes, "yes", words.yes), (self.no, "no", words.no)):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        with request("erase"):

            def receipt(gone: ErasureReport) -> str:
                return self._words.receipt(gone, self._voice)

            await erase_if_asked(self, interaction, self._voice, partial(self._erase, interaction), receipt)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(self._words.unchanged))


def _guild_id(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
