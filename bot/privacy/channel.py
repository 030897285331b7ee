"""`/channel-memory`: those who manage a server see, take along or erase what is held of one channel and its threads."""

import logging
from collections.abc import Awaitable
from functools import partial
from io import BufferedIOBase

import aiohttp
import discord
from discord import app_commands

from bot.privacy.commands import CONFIRM_SECONDS, erase_if_asked
from bot.privacy.export import hand_over
from bot.privacy.holdings import describe_channel, describe_gone_of_channel, describe_gone_of_guild
from bot.replies.draft import knows_who_reads, sole_reader
from bot.replies.interactions import Interaction, ManagersQuestion, Questions, answer, voice_of
from bot.settings_ui.commands import Channel
from bot.words.commands import described
from bot.words.keys import Notice, Slash
from bot.words.voice import Voice
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
            description=described(Slash.CHANNEL_MEMORY),
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._memory = memory
        self._questions = questions
        self._bot_name = bot_name

    @app_commands.command(name="show", description=described(Slash.CHANNEL_MEMORY_SHOW))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_SHOW_CHANNEL))
    async def show(self, interaction: Interaction, channel: Channel) -> None:
        with request("channel memory"):
            voice = self.voice_of(interaction)
            if not await self.manages(interaction, voice):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            reader = await self.reader(interaction, channel, voice)
            if reader is None:
                return
            try:
                await self._memory.log.settled(reader.guild_id)
                held = await self._memory.exports.held_of_channel(reader, channel.id)
                log = (await self._memory.privacy.settings(reader.guild_id)).log
            except StoreError:
                await answer(interaction, voice.say(Notice.USAGE_UNKNOWN))
                return
            await answer(interaction, describe_channel(held, channel.mention, log, voice))

    @app_commands.command(name="export", description=described(Slash.CHANNEL_MEMORY_EXPORT))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_EXPORT_CHANNEL))
    async def export(self, interaction: Interaction, channel: Channel) -> None:
        with request("export"):
            voice = self.voice_of(interaction)
            if not await self.manages(interaction, voice):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            if await self.reader(interaction, channel, voice) is None:
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

    @app_commands.command(name="erase", description=described(Slash.CHANNEL_MEMORY_ERASE))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_ERASE_CHANNEL))
    async def erase(self, interaction: Interaction, channel: Channel) -> None:
        with request("channel memory"):
            voice = self.voice_of(interaction)
            if not await self.manages(interaction, voice):
                return
            question = ChannelEraseQuestion(self._memory, channel, self._questions, voice)
            words = voice.say(Notice.CHANNEL_ERASE_ASK, channel=channel.mention)
            await interaction.response.send_message(words, view=question, ephemeral=True)
            question.shown_by(interaction)

    def voice_of(self, interaction: Interaction) -> Voice:
        return voice_of(interaction, self._bot_name)

    async def manages(self, interaction: Interaction, voice: Voice) -> bool:
        if interaction.permissions.manage_guild:
            return True
        await answer(interaction, voice.say(Notice.USAGE_ONLY_MANAGERS))
        return False

    async def reader(self, interaction: Interaction, channel: Channel, voice: Voice) -> Audience | None:
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
                return self._memory.privacy.erase_channel(guild_id, channel_id, through, by, on_progress)

            receipt = partial(describe_gone_of_channel, channel=self._channel.mention, voice=self._voice)
            await erase_if_asked(self, interaction, self._voice, erase, receipt)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["ChannelEraseQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(Notice.NOT_ERASED))


def _reads_back(user: discord.User | discord.Member, channel: Channel) -> bool:
    """A reply may draw upon the place it stands in; a file of all that was said there asks for more."""
    return isinstance(user, discord.Member) and channel.permissions_for(user).read_message_history


# `/innkeeper leave`: everything of a server is erased at once, and then the bot is gone from it.


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
        return await self._memory.privacy.erase_guild(self._guild.id, on_progress)

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
            await self._memory.privacy.erase_guild(self._guild.id)
        except StoreError as error:
            logger.warning("what is left of a guild goes with the next purge", extra={"reason": type(error).__name__})
