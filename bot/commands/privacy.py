"""`/privacy`: a member sees what is held on them, takes it along, has it erased, decides whether they are stored."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import discord
from discord import app_commands

from bot.commands.erasing import erase_if_asked
from bot.commands.exporting import hand_over
from bot.commands.holdings import describe_gone_of_me, describe_mine, describe_opted_out
from bot.commands.questions import Interaction, Question, Questions
from bot.commands.saying import answer, voice_of
from bot.notices.notice import Notice
from bot.phrases import Voice
from bot.sole_reader import knows_who_reads, sole_reader
from memory.core.log_values import ErasureReport, OnProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.tasks import request

CONFIRM_SECONDS = 180.0
"""How long the question before an erasure waits for its answer."""


class PrivacyCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(name="privacy", description="What Innkeeper may keep of you on this server", guild_only=True)
        self._memory = memory
        self._questions = questions
        self._bot_name = bot_name

    @app_commands.command(name="show", description="What is held on you here, what you decided, and what you can do")
    async def show(self, interaction: Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            reader = sole_reader(self._memory, interaction)
            if not knows_who_reads(reader):
                await answer(interaction, voice.say(Notice.NOT_KNOWN_YET))
                return
            try:
                await self._memory.settled(reader.guild_id)
                mine = await self._memory.exports.held_on(reader)
                log = (await self._memory.settings(reader.guild_id)).log
            except StoreError:
                await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
                return
            await answer(interaction, describe_mine(mine, log, voice))

    @app_commands.command(name="export", description="Everything that is held on you here, as a file that only you get")
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

    @app_commands.command(
        name="opt-out", description="Store nothing you write and nothing about you, and remove what was stored"
    )
    async def opt_out(self, interaction: Interaction) -> None:
        with request("privacy"):

            def opt_out(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
                return self._memory.opt_out(_guild_id(pressed), pressed.user.id, on_progress)

            await self._ask(interaction, OPTING_OUT, opt_out)

    @app_commands.command(
        name="opt-in", description="What you write, and what others tell about you, may be stored from now on"
    )
    async def opt_in(self, interaction: Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            words = Notice.OPTED_IN
            try:
                await self._memory.opt_in(_guild_id(interaction), interaction.user.id)
            except StoreError:
                words = Notice.NOT_DONE
            await answer(interaction, voice_of(interaction, self._bot_name).say(words))

    @app_commands.command(name="erase", description="Have everything erased that was stored of you here")
    async def erase(self, interaction: Interaction) -> None:
        with request("privacy"):

            def erase(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
                # Whatever has been said up to this click has a smaller id than the click itself.
                return self._memory.erase_member(_guild_id(pressed), pressed.user.id, pressed.id, on_progress)

            await self._ask(interaction, ERASING, erase)

    async def _ask(self, interaction: Interaction, words: "Words", erase: "Erase") -> None:
        voice = voice_of(interaction, self._bot_name)
        question = EraseQuestion(self._questions, voice, words, erase)
        await interaction.response.send_message(voice.say(words.ask), view=question, ephemeral=True)
        question.shown_by(interaction)


Erase = Callable[[Interaction, OnProgress], Awaitable[ErasureReport]]


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

    def __init__(self, questions: Questions, voice: Voice, words: Words, erase: Erase) -> None:
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
