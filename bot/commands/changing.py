"""How `/settings` changes something: only for managers, and never taking anything away unasked."""

import logging
from collections.abc import Callable
from dataclasses import asdict

import discord

from bot.commands.describing import counted, describe_removal, describe_settings
from bot.commands.questions import SILENT, Interaction, ManagersQuestion, Questions
from bot.commands.saying import answer, voice_of
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.core.log_values import Removal
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.policy.settings import GuildSettings
from memory.tasks import request

logger = logging.getLogger(__name__)

Change = Callable[[GuildSettings], GuildSettings]


class Changing:
    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        self._memory = memory
        self._bot_name = bot_name
        self._questions = questions

    async def change(self, interaction: Interaction, change: Change) -> None:
        """Applies it, and shows the settings as they are then."""
        with request("settings"):
            voice = voice_of(interaction, self._bot_name)
            if interaction.guild_id is None or not interaction.permissions.manage_guild:
                await answer(interaction, voice.say(Notice.ONLY_MANAGERS))
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            try:
                before = await self._memory.settings(interaction.guild_id)
                log = change(before).log
                doomed = None if log == before.log else await self._memory.would_remove(interaction.guild_id, log)
                if doomed:
                    await self._ask(interaction, change, doomed, voice)
                else:
                    await answer(interaction, await self.carry_out(interaction, interaction.guild_id, change, voice))
            except StoreError:
                await answer(interaction, voice.say(Notice.NOT_DONE))

    async def show(self, interaction: Interaction) -> None:
        await self.change(interaction, lambda settings: settings)

    async def carry_out(self, interaction: Interaction, guild_id: int, change: Change, voice: Voice) -> str:
        done = await self._memory.change_settings(guild_id, change, interaction.user.id)
        if done.after != done.before:
            logger.info("settings were changed", extra={"guild_id": guild_id, **asdict(done.removed)})
        said = [describe_settings(done.after, guild_id, voice), *describe_removal(done, voice)]
        if done.after.set_up_at is None:
            said.append(voice.say(Notice.SETUP_SUGGESTED))
        else:
            said.append(voice.say(Notice.SET_UP_ON, when=discord.utils.format_dt(done.after.set_up_at, "R")))
        return "\n".join(said)

    async def _ask(self, interaction: Interaction, change: Change, doomed: Removal, voice: Voice) -> None:
        question = RemovalQuestion(self, change, self._questions, voice)
        question.shown_by(interaction)
        words = voice.say(Notice.REMOVAL_ASK, what=counted(doomed, voice))
        await interaction.followup.send(words, view=question, ephemeral=True, allowed_mentions=SILENT)


class RemovalQuestion(ManagersQuestion):
    """Before messages or facts go for good. The answer is carried out on what holds by then."""

    def __init__(self, changing: Changing, change: Change, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice)
        self._changing = changing
        self._change = change
        for button, name, label in ((self.yes, "yes", Notice.REMOVAL_YES), (self.no, "no", Notice.REMOVAL_NO)):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["RemovalQuestion"]) -> None:
        if interaction.guild_id is None:
            return
        with request("settings"):
            # A second press while the first is being carried out would find nothing left to remove, and say so.
            self.stop()
            await interaction.response.edit_message(view=None)
            try:
                said = await self._changing.carry_out(interaction, interaction.guild_id, self._change, self._voice)
            except StoreError as error:
                logger.warning("settings could not be changed", extra={"reason": type(error).__name__})
                said = self._voice.say(Notice.NOT_DONE)
            await self.conclude(interaction, said)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["RemovalQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOTHING_CHANGED))
