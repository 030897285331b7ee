"""`/privacy`: a member sees what is held on them, takes it along, has it erased, decides whether they are stored; and
`/channel-memory`: managers of a server see, take along or erase what is held of one channel and its threads."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.export import Progress, hand_over
from bot.privacy.holdings import (
    describe_channel,
    describe_gone_of_channel,
    describe_gone_of_me,
    describe_mine,
    describe_opted_out,
    grouped,
)
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, Mark, knows_who_reads
from bot.replies.interactions import Confirmation, Interaction, Questions, answer
from bot.settings_ui.commands import Channel
from bot.words import Notice, Slash, Voice, described
from memory.core.log_values import ErasureReport, OnProgress
from memory.core.values import LONGEST_SPEAKER
from memory.db.errors import StoreError
from memory.importing.importer import ImportedChannel
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.policy.setting_fields import NotASetting
from memory.tasks import request

logger = logging.getLogger(__name__)

CONFIRM_SECONDS = 180.0
"""How long the question before an erasure waits for its answer."""


EraseFor = Callable[[Interaction, OnProgress], Awaitable[ErasureReport]]
Receipt = Callable[[ErasureReport], str]


async def ask_to_erase(
    interaction: Interaction,
    questions: Questions,
    voice: Voice,
    words: tuple[str, str, str],
    erase: EraseFor,
    receipt: Receipt,
    unchanged: Notice = Notice.NOT_ERASED,
    *,
    then: Callable[[Interaction], Awaitable[None]] | None = None,
    for_managers: bool = False,
) -> None:
    """Ask before something is erased; unanswered, that means no. `words` are the question and what its buttons say;
    `then` is done where it was erased to the end. A manager may have lost the right since they were asked."""
    ask, yes, no = words

    async def act(question: Confirmation, pressed: Interaction) -> None:
        if await erase_and_tell(question, pressed, voice, erase, receipt) and then is not None:
            await then(pressed)

    question = Confirmation(
        questions, voice, act, yes, no, unchanged, CONFIRM_SECONDS, ran_out=unchanged, for_managers=for_managers
    )
    await question.ask(interaction, ask)


async def erase_and_tell(
    question: Confirmation, interaction: Interaction, voice: Voice, erase: EraseFor, receipt: Receipt
) -> bool:
    """Erase, and say whether that is done to the end: the decision holds, and the purge finishes what broke off."""

    def words(done: int, of: int) -> str:
        return voice.say(Notice.ERASING, done=grouped(done), total=grouped(of))

    progress = Progress(interaction, words, voice.say(Notice.ERASING_GOES_ON))
    gone: ErasureReport | None = None
    try:
        gone = await erase(interaction, progress.note)
        said = receipt(gone)
        logger.info("erased", extra={"messages": gone.messages})
    except StoreError as error:
        logger.warning("erasure failed", extra={"reason": type(error).__name__})
        # The first part decides: before it came about, nothing is changed.
        done, of = map(grouped, progress.reached or (0, 0))
        broke_off = voice.say(Notice.ERASE_BROKE_OFF, done=done, total=of)
        said = voice.say(Notice.NOT_DONE) if progress.reached is None else broke_off
    await progress.shown()
    try:
        await question.conclude(interaction, said)
    except TROUBLE as error:
        # It is done, whether or not that can still be said: Discord lets us answer for fifteen minutes.
        logger.warning("could not report an erasure", extra={"reason": type(error).__name__})
    return gone is not None


class PrivacyCommands(app_commands.Group):
    def __init__(self, memory: MemoryManager, replies: PrivateReplies, questions: Questions) -> None:
        super().__init__(name="privacy", description=described(Slash.PRIVACY), guild_only=True)
        self._memory = memory
        self._replies = replies
        self._questions = questions

    @app_commands.command(name="show", description=described(Slash.PRIVACY_SHOW))
    async def show(self, interaction: Interaction) -> None:
        async def work(reader: Audience) -> Draft:
            await self._memory.log.settled(reader.guild_id)
            mine = await self._memory.exports.held_on(reader)
            log = (await self._memory.privacy.settings(reader.guild_id)).log
            return Draft(describe_mine(mine, log, self._replies.voice(interaction)))

        await self._replies.answer(interaction, work, needs_view=True)

    @app_commands.command(name="export", description=described(Slash.PRIVACY_EXPORT))
    async def export(self, interaction: Interaction) -> None:
        with request("export"):
            await interaction.response.defer(ephemeral=True, thinking=True)
            voice = self._replies.voice(interaction)
            if not knows_who_reads(self._replies.reader(interaction)):
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
        def opt_out(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
            return self._memory.privacy.opt_out(_guild_id(pressed), pressed.user.id, on_progress)

        voice = self._replies.voice(interaction)
        words = (voice.say(Notice.OPT_OUT_ASK), voice.say(Notice.OPT_OUT_YES), voice.say(Notice.ERASE_NO))
        receipt, unchanged = partial(describe_opted_out, voice=voice), Notice.NOT_OPTED_OUT
        await ask_to_erase(interaction, self._questions, voice, words, opt_out, receipt, unchanged)

    @app_commands.command(name="opt-in", description=described(Slash.PRIVACY_OPT_IN))
    async def opt_in(self, interaction: Interaction) -> None:
        async def work(reader: Audience) -> Draft:
            await self._memory.privacy.opt_in(reader.guild_id, interaction.user.id)
            return Draft(self._replies.voice(interaction).say(Notice.OPTED_IN))

        await self._replies.answer(interaction, work, reading=False)

    @app_commands.command(name="erase", description=described(Slash.PRIVACY_ERASE))
    async def erase(self, interaction: Interaction) -> None:
        def erase(pressed: Interaction, on_progress: OnProgress) -> Awaitable[ErasureReport]:
            # Whatever has been said up to this click has a smaller id than the click itself.
            return self._memory.privacy.erase_member(_guild_id(pressed), pressed.user.id, pressed.id, on_progress)

        voice = self._replies.voice(interaction)
        words = (voice.say(Notice.ERASE_ASK), voice.say(Notice.ERASE_YES), voice.say(Notice.ERASE_NO))
        receipt = partial(describe_gone_of_me, voice=voice)
        await ask_to_erase(interaction, self._questions, voice, words, erase, receipt)

    @app_commands.command(name="leave-out", description=described(Slash.PRIVACY_LEAVE_OUT))
    @app_commands.describe(name=described(Slash.PRIVACY_LEAVE_OUT_NAME))
    async def leave_out(self, interaction: Interaction, name: app_commands.Range[str, 1, LONGEST_SPEAKER]) -> None:
        """Leave a name out, for a member who opted out and speaks through a bridge as well."""
        voice = self._replies.voice(interaction)

        async def work(reader: Audience) -> Draft:
            try:
                done = await self._memory.privacy.leave_name_out(reader.guild_id, interaction.user.id, name)
            except NotASetting:
                return Draft(voice.say(Notice.NAMES_ARE_FULL))
            said = Notice.NAME_LEFT_OUT if done else Notice.NAME_NOT_LEFT_OUT
            return Draft(voice.say(said, name=one_line(name, LONGEST_SPEAKER)))

        await self._replies.answer(interaction, work, reading=False)


def _guild_id(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id


MOST_OFFERED = 25
LONGEST_NAME = 100


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

            await hand_over(
                interaction,
                self._memory,
                voice,
                partial(self._memory.exports.of_channel, channel_id=channel.id),
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

        ask = voice.say(Notice.CHANNEL_ERASE_ASK, channel=channel.mention)
        words = (ask, voice.say(Notice.ERASE_YES), voice.say(Notice.ERASE_NO))
        receipt = partial(describe_gone_of_channel, channel=channel.mention, voice=voice)
        await ask_to_erase(interaction, self._questions, voice, words, erase, receipt, for_managers=True)

    @app_commands.command(name="open-import", description=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT))
    @app_commands.describe(
        imported=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_IMPORTED),
        readers=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_READERS),
        name=described(Slash.CHANNEL_MEMORY_OPEN_IMPORT_NAME),
    )
    async def open_import(
        self,
        interaction: Interaction,
        imported: str,
        readers: Channel,
        name: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    ) -> None:
        await self._change_import(interaction, imported, readers, name or f"imported-{imported}"[:LONGEST_NAME])

    @app_commands.command(name="close-import", description=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT))
    @app_commands.describe(imported=described(Slash.CHANNEL_MEMORY_CLOSE_IMPORT_IMPORTED))
    async def close_import(self, interaction: Interaction, imported: str) -> None:
        await self._change_import(interaction, imported, None, "")

    @open_import.autocomplete("imported")
    @close_import.autocomplete("imported")
    async def offer_imports(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        if interaction.guild_id is None or not interaction.permissions.manage_guild:
            return []
        try:
            known = await self._memory.imported_channels.all(interaction.guild_id)
        except StoreError:
            return []
        labels = [(_label(one), str(one.channel_id)) for one in known]
        choices = [app_commands.Choice(name=label, value=number) for label, number in labels if typed in label]
        return choices[:MOST_OFFERED]

    async def _change_import(self, interaction: Interaction, imported: str, readers: Channel | None, name: str) -> None:
        guild, channels = interaction.guild, self._memory.imported_channels
        if guild is None or not await self.manages(interaction):
            return
        channel_id = int(imported) if imported.isdecimal() and len(imported) <= 20 else 0

        async def work(_: Audience) -> Draft:
            voice, by, done = self.replies.voice(interaction), interaction.user.id, None
            if readers is None:
                done = await channels.close(guild.id, channel_id, by)
            elif await _is_gone(guild, channel_id):
                done = await channels.open(guild.id, channel_id, readers.id, name, by)
            if done is None:
                return Draft(voice.say(Notice.IMPORT_UNKNOWN))
            if readers is None:
                return Draft(voice.say(Notice.IMPORT_CLOSED, count=done.messages))
            return Draft(voice.say(Notice.IMPORT_OPENED, channel=readers.mention, count=done.messages))

        await self.replies.answer(interaction, work, reading=False)

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
