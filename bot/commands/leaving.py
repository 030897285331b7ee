"""`/innkeeper leave`: everything of a server is erased at once, and then the bot is gone from it."""

import logging

import aiohttp
import discord

from bot.commands.erasing import erase_if_asked
from bot.commands.holdings import describe_gone_of_guild
from bot.commands.privacy import CONFIRM_SECONDS
from bot.commands.questions import Interaction, ManagersQuestion, Questions
from bot.commands.saying import answer
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.core.log_values import ErasureReport, OnProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.tasks import request

logger = logging.getLogger(__name__)

LONGEST_LABEL = 80
"""Of what Discord takes on a button."""


class LeaveQuestion(ManagersQuestion):
    """It names the server, and means no where it is not answered."""

    def __init__(self, memory: MemoryManager, guild: discord.Guild, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, patience=CONFIRM_SECONDS, ran_out=Notice.LEAVE_STAYS)
        self._memory = memory
        self._guild = guild
        self._server = discord.utils.escape_markdown(discord.utils.escape_mentions(guild.name))
        self.yes.custom_id, self.no.custom_id = self.number + "yes", self.number + "no"
        self.yes.label = voice.say(Notice.LEAVE_YES, server=guild.name)[:LONGEST_LABEL]
        self.no.label = voice.say(Notice.LEAVE_NO)

    @property
    def words(self) -> str:
        return self._voice.say(Notice.LEAVE_ASK, server=self._server)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["LeaveQuestion"]) -> None:
        with request("leave"):
            if await erase_if_asked(self, interaction, self._voice, self._erase, self._farewell):
                await self._leave(interaction)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["LeaveQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.LEAVE_STAYS))

    async def _erase(self, on_progress: OnProgress) -> ErasureReport:
        return await self._memory.erase_guild(self._guild.id, on_progress)

    def _farewell(self, gone: ErasureReport) -> str:
        """Said before leaving: nobody hears it afterwards."""
        return f"{describe_gone_of_guild(gone, self._server, self._voice)}\n{self._voice.say(Notice.LEAVE_GOODBYE)}"

    async def _leave(self, interaction: Interaction) -> None:
        try:
            await self._guild.leave()
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            logger.warning("a guild could not be left", extra={"reason": type(error).__name__})
            await answer(interaction, self._voice.say(Notice.LEAVE_NOT_LET))
            return
        try:
            # Whatever was said or noted between the erasure and the door.
            await self._memory.erase_guild(self._guild.id)
        except StoreError as error:
            logger.warning("what is left of a guild goes with the next purge", extra={"reason": type(error).__name__})
