"""`/privacy`: a member decides whether they are stored, and has what was stored erased."""

import logging

import aiohttp
import discord
from discord import app_commands

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
    def __init__(self, memory: MemoryManager, bot_name: str) -> None:
        super().__init__(name="privacy", description="What Innkeeper may keep of you on this server", guild_only=True)
        self._memory = memory
        self._bot_name = bot_name

    @app_commands.command(name="opt-out", description="Store nothing you write, and remove what was stored")
    async def opt_out(self, interaction: discord.Interaction) -> None:
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
    async def opt_in(self, interaction: discord.Interaction) -> None:
        with request("privacy"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            words = Notice.OPTED_IN
            try:
                await self._memory.opt_in(_guild_id(interaction), interaction.user.id)
            except StoreError:
                words = Notice.NOT_DONE
            await answer(interaction, voice_of(interaction, self._bot_name).say(words))

    @app_commands.command(name="erase", description="Have everything erased that was stored of you here")
    async def erase(self, interaction: discord.Interaction) -> None:
        with request("privacy"):
            voice = voice_of(interaction, self._bot_name)
            question = EraseQuestion(self._memory, interaction, voice)
            await interaction.response.send_message(voice.say(Notice.ERASE_ASK), view=question, ephemeral=True)


class EraseQuestion(discord.ui.View):
    """Asked of one member, who alone can see it. Unanswered, it means no."""

    def __init__(self, memory: MemoryManager, asked: discord.Interaction, voice: Voice) -> None:
        super().__init__(timeout=CONFIRM_SECONDS)
        self._memory = memory
        self._asked = asked
        self._voice = voice
        self.yes.label = voice.say(Notice.ERASE_YES)
        self.no.label = voice.say(Notice.ERASE_NO)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: discord.Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
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
            await interaction.edit_original_response(content=said)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: discord.Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        self.stop()
        await interaction.response.edit_message(content=self._voice.say(Notice.NOT_ERASED), view=None)

    async def on_timeout(self) -> None:
        try:
            await self._asked.edit_original_response(content=self._voice.say(Notice.NOT_ERASED), view=None)
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            logger.debug("the question was gone already")

    async def on_error(
        self, interaction: discord.Interaction, error: Exception, _item: discord.ui.Item["EraseQuestion"], /
    ) -> None:
        logger.error("an erasure failed", exc_info=error)
        await answer(interaction, self._voice.say(Notice.NOT_DONE))


def _guild_id(interaction: discord.Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
