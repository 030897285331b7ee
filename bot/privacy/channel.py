"""`/channel-memory`: managers of a server see, take along or erase what is held of one channel and its threads; and
`/innkeeper leave`, by which everything of a server is erased at once, and the bot is gone from it."""

import logging
from collections.abc import Awaitable
from functools import partial
from io import BufferedIOBase

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.commands import EraseQuestion, Words
from bot.privacy.export import hand_over
from bot.privacy.holdings import describe_channel, describe_gone_of_channel, describe_gone_of_guild
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, Mark, knows_who_reads
from bot.replies.interactions import Interaction, Questions, answer
from bot.settings_ui.commands import Channel
from bot.words import Notice, Slash, Voice, described
from memory.core.log_values import ErasureReport, OnProgress
from memory.db.errors import StoreError
from memory.importing.importer import ImportedChannel
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.privacy.export_queries import Exported, OnRows, Signposts
from memory.tasks import request

logger = logging.getLogger(__name__)


class ChannelMemoryCommands(app_commands.Group):
    """Answers `/channel-memory`. Discord hides it from others; who gets at it all the same is refused when it runs."""

    def __init__(self, memory: MemoryManager, replies: PrivateReplies, questions: Questions) -> None:
        super().__init__(
            name="channel-memory",
            description=described(Slash.CHANNEL_MEMORY),
            guild_only=True,
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._memory = memory
        self._questions = questions
        self.replies = replies

    @app_commands.command(name="show", description=described(Slash.CHANNEL_MEMORY_SHOW))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_SHOW_CHANNEL))
    async def show(self, interaction: Interaction, channel: Channel) -> None:
        if not await self.manages(interaction):
            return

        async def work(reader: Audience) -> Draft:
            if closed := self.closed(interaction, channel, reader):
                return Draft(closed, mark=Mark.FAILED)
            await self._memory.log.settled(reader.guild_id)
            held = await self._memory.exports.held_of_channel(reader, channel.id)
            log = (await self._memory.privacy.settings(reader.guild_id)).log
            words = describe_channel(held, channel.mention, log, self.replies.voice(interaction))
            return Draft(words, frozenset((channel.id,)))

        await self.replies.answer(interaction, work)

    @app_commands.command(name="export", description=described(Slash.CHANNEL_MEMORY_EXPORT))
    @app_commands.describe(channel=described(Slash.CHANNEL_MEMORY_EXPORT_CHANNEL))
    async def export(self, interaction: Interaction, channel: Channel) -> None:
        with request("export"):
            if not await self.manages(interaction):
                return
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = self.replies.voice(interaction)
            if closed := self.closed(interaction, channel, self.replies.reader(interaction)):
                await answer(interaction, closed)
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
        if not await self.manages(interaction):
            return
        voice = self.replies.voice(interaction)

        def erase(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
            # Whatever has been said up to this click has a smaller id than the click itself.
            return self._memory.privacy.erase_channel(
                channel.guild.id, channel.id, pressed.id, pressed.user.id, on_progress
            )

        words = Words(
            voice.say(Notice.CHANNEL_ERASE_ASK, channel=channel.mention),
            voice.say(Notice.ERASE_YES),
            voice.say(Notice.ERASE_NO),
            Notice.NOT_ERASED,
        )
        receipt = partial(describe_gone_of_channel, channel=channel.mention, voice=voice)
        await EraseQuestion(self._questions, voice, words, erase, receipt, for_managers=True).ask(interaction)

    async def manages(self, interaction: Interaction) -> bool:
        if not interaction.permissions.manage_guild:
            await answer(interaction, self.replies.voice(interaction).say(Notice.USAGE_ONLY_MANAGERS))
        return interaction.permissions.manage_guild

    def closed(self, interaction: Interaction, channel: Channel, reader: Audience) -> str:
        """Say why somebody is shown nothing of a channel: it is only what they can read themselves."""
        voice = self.replies.voice(interaction)
        if not knows_who_reads(reader):
            return voice.say(Notice.NOT_KNOWN_YET)
        if channel.id not in reader.sources or not _reads_back(interaction.user, channel):
            return voice.say(Notice.CHANNEL_CLOSED, channel=channel.mention)
        return ""


def _reads_back(user: discord.User | discord.Member, channel: Channel) -> bool:
    """Say whether somebody may read a channel back: a file of all that was said asks for more than a reply."""
    return isinstance(user, discord.Member) and channel.permissions_for(user).read_message_history


async def ask_to_leave(
    memory: MemoryManager, questions: Questions, interaction: Interaction, guild: discord.Guild, voice: Voice
) -> None:
    """Ask whether to erase everything of a server and leave it; the question names it."""
    server = discord.utils.escape_markdown(discord.utils.escape_mentions(guild.name))

    async def erase(_: Interaction, on_progress: OnProgress) -> ErasureReport:
        return await memory.privacy.erase_guild(guild.id, on_progress)

    def farewell(gone: ErasureReport) -> str:
        """Say goodbye before leaving: nobody hears it afterwards."""
        return f"{describe_gone_of_guild(gone, server, voice)}\n{voice.say(Notice.LEAVE_GOODBYE)}"

    async def leave(pressed: Interaction) -> None:
        try:
            await guild.leave()
        except TROUBLE as error:
            logger.warning("could not leave a guild", extra={"reason": type(error).__name__})
            await answer(pressed, voice.say(Notice.LEAVE_NOT_LET))
            return
        try:
            # Whatever was said or noted between the erasure and the door.
            await memory.privacy.erase_guild(guild.id)
        except StoreError as error:
            logger.warning("the next purge removes the rest of a guild", extra={"reason": type(error).__name__})

    words = Words(
        voice.say(Notice.LEAVE_ASK, server=server),
        voice.say(Notice.LEAVE_YES, server=guild.name),
        voice.say(Notice.LEAVE_NO),
        Notice.LEAVE_STAYS,
    )
    question = EraseQuestion(questions, voice, words, erase, farewell, then=leave, for_managers=True)
    await question.ask(interaction)


MOST_OFFERED = 25
LONGEST_NAME = 100


def add_import_commands(group: ChannelMemoryCommands, memory: MemoryManager) -> None:
    @group.command(name="open-import", description=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT))
    @app_commands.describe(
        imported=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_IMPORTED),
        readers=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_READERS),
        name=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_NAME),
    )
    async def open_import(
        interaction: Interaction,
        imported: str,
        readers: Channel,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    ) -> None:
        called = name or f"imported-{imported}"[:LONGEST_NAME]
        await change(interaction, imported, readers, called)

    @group.command(name="close-import", description=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT))
    @app_commands.describe(imported=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT_IMPORTED))
    async def close_import(interaction: Interaction, imported: str) -> None:
        await change(interaction, imported, None, "")

    async def change(interaction: Interaction, imported: str, readers: Channel | None, name: str) -> None:
        guild, channels = interaction.guild, memory.imported_channels
        if guild is None or not await group.manages(interaction):
            return
        channel_id = int(imported) if imported.isdecimal() and len(imported) <= 20 else 0

        async def work(_: Audience) -> Draft:
            voice, by, done = group.replies.voice(interaction), interaction.user.id, None
            if readers is None:
                done = await channels.close(guild.id, channel_id, by)
            elif await _is_gone(guild, channel_id):
                done = await channels.open(guild.id, channel_id, readers.id, name, by)
            if done is None:
                return Draft(voice.say(Notice.IMPORT_UNKNOWN))
            if readers is None:
                return Draft(voice.say(Notice.IMPORT_CLOSED, count=done.messages))
            return Draft(voice.say(Notice.IMPORT_OPENED, channel=readers.mention, count=done.messages))

        await group.replies.answer(interaction, work, reading=False)

    async def offer(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        try:
            known = await memory.imported_channels.all(interaction.guild_id)
        except StoreError:
            return []
        labels = [(_label(one), str(one.channel_id)) for one in known]
        choices = [app_commands.Choice(name=label, value=number) for label, number in labels if typed in label]
        return choices[:MOST_OFFERED]

    open_import.autocomplete("imported")(offer)
    close_import.autocomplete("imported")(offer)


async def _is_gone(guild: discord.Guild, channel_id: int) -> bool:
    """Say whether Discord says that a channel is gone. What is only out of our view has readers of its own."""
    try:
        await guild.fetch_channel(channel_id)
    except discord.NotFound:
        return True
    except (discord.HTTPException, discord.InvalidData):
        return False
    return False


def _label(one: ImportedChannel) -> str:
    """Label an import: days, how many messages, what managers called it, and the id in the exported file's name."""
    name = f" · #{one.name}" if one.readers_of is not None else ""
    days = f"{one.first_at:%Y-%m-%d} – {one.last_at:%Y-%m-%d}"
    return f"{days} · ✉ {one.messages:,}{name[:40]} · {one.channel_id}"
