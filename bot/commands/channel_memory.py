"""`/channel-memory`: those who manage a server see, take along or erase what is held of one channel and its threads."""

from collections.abc import Awaitable
from functools import partial
from io import BufferedIOBase

import discord
from discord import app_commands

from bot.commands.erasing import erase_if_asked
from bot.commands.exporting import hand_over
from bot.commands.holdings import describe_channel, describe_gone_of_channel
from bot.commands.privacy import CONFIRM_SECONDS
from bot.commands.questions import Interaction, ManagersQuestion, Questions
from bot.commands.saying import answer, voice_of
from bot.commands.settings_log import Channel
from bot.notices.notice import Notice
from bot.phrases import Voice
from bot.sole_reader import knows_who_reads, sole_reader
from memory.core.log_values import ErasureReport, OnProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.privacy.export_queries import Exported, OnRows, Signposts
from memory.tasks import request


class ChannelMemoryCommands(app_commands.Group):
    """Discord hides it from others; whoever gets at it all the same is refused when it runs."""

    def __init__(self, memory: MemoryManager, bot_name: str, questions: Questions) -> None:
        super().__init__(
            name="channel-memory",
            description="What Innkeeper holds of a channel",
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._memory = memory
        self._questions = questions
        self._bot_name = bot_name

    @app_commands.command(name="show", description="How much is held of a channel and its threads, and since when")
    @app_commands.describe(channel="The channel or thread")
    async def show(self, interaction: Interaction, channel: Channel) -> None:
        with request("channel memory"):
            voice = voice_of(interaction, self._bot_name)
            if not await self._manages(interaction, voice):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            reader = await self._reader(interaction, channel, voice)
            if reader is None:
                return
            try:
                await self._memory.settled(reader.guild_id)
                held = await self._memory.exports.held_of_channel(reader, channel.id)
                log = (await self._memory.settings(reader.guild_id)).log
            except StoreError:
                await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
                return
            await answer(interaction, describe_channel(held, channel.mention, log, voice))

    @app_commands.command(name="export", description="What is held of a channel and its threads, as a file for you")
    @app_commands.describe(channel="The channel or thread")
    async def export(self, interaction: Interaction, channel: Channel) -> None:
        with request("export"):
            voice = voice_of(interaction, self._bot_name)
            if not await self._manages(interaction, voice):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            if await self._reader(interaction, channel, voice) is None:
                return

            def write(
                reader: Audience, signposts: Signposts, file: BufferedIOBase, on_rows: OnRows
            ) -> Awaitable[Exported]:
                return self._memory.exports.of_channel(reader, channel.id, signposts, file, on_rows)

            await hand_over(
                interaction,
                self._memory,
                voice,
                write,
                of=str(channel.id),
                about=(Notice.EXPORT_ABOUT_CHANNEL, Notice.EXPORT_ABOUT_FORM),
                ready=voice.say(Notice.EXPORT_READY_CHANNEL, channel=channel.mention),
            )

    @app_commands.command(name="erase", description="Have everything erased that is held of a channel and its threads")
    @app_commands.describe(channel="The channel or thread")
    async def erase(self, interaction: Interaction, channel: Channel) -> None:
        with request("channel memory"):
            voice = voice_of(interaction, self._bot_name)
            if not await self._manages(interaction, voice):
                return
            question = ChannelEraseQuestion(self._memory, channel, self._questions, voice)
            words = voice.say(Notice.CHANNEL_ERASE_ASK, channel=channel.mention)
            await interaction.response.send_message(words, view=question, ephemeral=True)
            question.shown_by(interaction)

    async def _manages(self, interaction: Interaction, voice: Voice) -> bool:
        if interaction.permissions.manage_guild:
            return True
        await answer(interaction, voice.say(Notice.USAGE_ONLY_MANAGERS))
        return False

    async def _reader(self, interaction: Interaction, channel: Channel, voice: Voice) -> Audience | None:
        """What they can read themselves, which is all they are shown; None: they were told why it is nothing."""
        reader = sole_reader(self._memory, interaction)
        if not knows_who_reads(reader):
            await answer(interaction, voice.say(Notice.NOT_KNOWN_YET))
            return None
        if channel.id not in reader.sources or not _reads_back(interaction.user, channel):
            await answer(interaction, voice.say(Notice.CHANNEL_CLOSED, channel=channel.mention))
            return None
        return reader


class ChannelEraseQuestion(ManagersQuestion):
    """Unanswered, it means no."""

    def __init__(self, memory: MemoryManager, channel: Channel, questions: Questions, voice: Voice) -> None:
        super().__init__(questions, voice, patience=CONFIRM_SECONDS, ran_out=Notice.NOT_ERASED)
        self._memory = memory
        self._channel = channel
        for button, name, label in ((self.yes, "yes", Notice.ERASE_YES), (self.no, "no", Notice.ERASE_NO)):
            button.custom_id = self.number + name
            button.label = voice.say(label)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["ChannelEraseQuestion"]) -> None:
        guild_id = interaction.guild_id
        if guild_id is None:
            return
        with request("erase"):

            def erase(on_progress: OnProgress) -> Awaitable[ErasureReport]:
                # Whatever has been said up to this click has a smaller id than the click itself.
                channel_id, through, by = self._channel.id, interaction.id, interaction.user.id
                return self._memory.erase_channel(guild_id, channel_id, through, by, on_progress)

            receipt = partial(describe_gone_of_channel, channel=self._channel.mention, voice=self._voice)
            await erase_if_asked(self, interaction, self._voice, erase, receipt)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["ChannelEraseQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOT_ERASED))


def _reads_back(user: discord.User | discord.Member, channel: Channel) -> bool:
    """A reply may draw upon the place it stands in; a file of all that was said there asks for more."""
    return isinstance(user, discord.Member) and channel.permissions_for(user).read_message_history
