"""`/channel-memory reminders`: those who manage a server see what will be posted in a channel, and end it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.privacy.channel import ChannelMemoryCommands
from bot.reminders.pages import ON_A_PAGE, coming_in
from bot.replies.draft import sole_reader
from bot.replies.interactions import SILENT, Interaction, ManagersQuestion, Questions, answer
from bot.settings_ui.commands import Channel
from bot.words.commands import described
from bot.words.keys import Notice, Remind, Slash
from bot.words.voice import Voice
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.reminders.values import Reminder
from memory.tasks import request


def channel_reminders_command(
    group: ChannelMemoryCommands, memory: MemoryManager, questions: Questions
) -> app_commands.Command[Any, ..., None]:
    @app_commands.command(name="reminders", description=described(Slash.CHANNEL_MEMORY_REMINDERS))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_REMINDERS_CHANNEL))
    async def reminders(interaction: Interaction, channel: Channel) -> None:
        if not await group.manages(interaction):
            return
        await interaction.response.defer(ephemeral=True, thinking=True)
        voice, reader = group.replies.voice(interaction), group.replies.reader(interaction)
        if closed := group.closed(interaction, channel, reader):
            await answer(interaction, closed)
            return
        try:
            coming = await memory.reminders.in_channel(reader, interaction.user.id, channel.id)
        except StoreError:
            await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
            return
        if not coming:
            await answer(interaction, voice.say(Remind.NONE_COMING, channel=channel.mention))
            return
        question = EndReminderQuestion(memory, coming[:ON_A_PAGE], questions, voice)
        words = coming_in(channel.mention, coming[:ON_A_PAGE], voice, reader.sources)
        await interaction.followup.send(words, view=question, ephemeral=True, allowed_mentions=SILENT)
        question.shown_by(interaction)

    return reminders


class EndReminderQuestion(ManagersQuestion):
    """Which of the reminders that are to come in a channel shall not come. Unanswered, all of them do."""

    def __init__(self, memory: MemoryManager, coming: Sequence[Reminder], questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, ran_out=None)
        self._memory = memory
        for number, one in enumerate(coming, start=1):
            label = voice.say(Remind.END, number=number)
            button = discord.ui.Button[EndReminderQuestion](label=label, custom_id=f"{self.number}{number}")
            button.callback = partial(self._end, one)  # type: ignore[method-assign] # as discord.py has it done
            self.add_item(button)

    async def _end(self, one: Reminder, interaction: Interaction) -> None:
        with request("channel memory"):
            await interaction.response.defer()
            try:
                reader = sole_reader(self._memory, interaction)
                ended = await self._memory.reminders.end(reader, interaction.user.id, one.reminder_id)
            except StoreError:
                await answer(interaction, self._voice.say(Notice.NOT_DONE))
                return
            words = Remind.ENDED if ended else Remind.GONE
            await self.conclude(interaction, self._voice.say(words, owner=f"<@{one.owner_id}>"))
