"""`/privacy`: a member decides whether they are stored, and has what was stored erased."""

import logging

import discord
from discord import app_commands

from bot.commands.questions import Interaction, Question, Questions
from bot.commands.saying import answer, voice_of
from bot.notices import Notice
from bot.phrases import Voice
from memory.errors import StoreError
from memory.manager import MemoryManager
from memory.tracing import request

logger = logging.getLogger(__name__)

CONFIRM_SECONDS = 180.0
"""How long the question before an erasure waits for its answer."""


class PrivacyCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(name="privacy", description="What Innkeeper may keep of you on this server", guild_only=True)
        self._memory = memory
        self._questions = questions
        self._bot_name = bot_name

    @app_commands.command(name="opt-out", description="Store nothing you write, and remove what was stored")
    async def opt_out(self, interaction: Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = voice_of(interaction, self._bot_name)
            try:
                removed = await self._memory.opt_out(_guild_id(interaction), interaction.user.id)
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))
                return
            await answer(interaction, voice.say(Notice.OPTED_OUT, messages=removed.messages))

    @app_commands.command(name="opt-in", description="What you write from now on may be stored")
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
            voice = voice_of(interaction, self._bot_name)
            question = EraseQuestion(self._memory, self._questions, voice)
            await interaction.response.send_message(voice.say(Notice.ERASE_ASK), view=question, ephemeral=True)
            question.shown_by(interaction)


class EraseQuestion(Question):
    """Unanswered, it means no."""

    def __init__(self, memory: MemoryManager, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, patience=CONFIRM_SECONDS, ran_out=Notice.NOT_ERASED)
        self._memory = memory
        for button, name, label in ((self.yes, "yes", Notice.ERASE_YES), (self.no, "no", Notice.ERASE_NO)):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        with request("erase"):
            self.stop()
            # Whatever has been said up to this click has a smaller id than the click itself.
            through = interaction.id
            await interaction.response.edit_message(view=None)
            try:
                receipt = await self._memory.erase_member(_guild_id(interaction), interaction.user.id, through)
            except StoreError as error:
                logger.warning("an erasure was not possible", extra={"reason": type(error).__name__})
                said = self._voice.say(Notice.NOT_DONE)
            else:
                logger.info("a member was erased", extra={"messages": receipt.messages})
                said = self._voice.say(
                    Notice.ERASED,
                    messages=receipt.messages,
                    replies=receipt.replies,
                    facts_told=receipt.facts_told,
                    facts_about=receipt.facts_about,
                )
            await self.conclude(interaction, said)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOT_ERASED))


def _guild_id(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
