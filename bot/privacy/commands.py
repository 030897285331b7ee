"""`/privacy`: a member sees what is held on them, takes it along, has it erased, decides whether they are stored."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.export import Progress, hand_over
from bot.privacy.holdings import describe_gone_of_me, describe_mine, describe_opted_out, grouped
from bot.replies.compose import PrivateReplies
from bot.replies.draft import Draft, knows_who_reads
from bot.replies.interactions import SILENT, Interaction, Question, Questions, answer
from bot.words import Notice, Slash, Voice, described
from memory.core.log_values import ErasureProgress, ErasureReport, OnProgress
from memory.core.values import LONGEST_SPEAKER
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.models.prompt_data import one_line
from memory.places.view import Audience
from memory.policy.setting_fields import NotASetting
from memory.tasks import request

logger = logging.getLogger(__name__)

CONFIRM_SECONDS = 180.0
"""How long the question before an erasure waits for its answer."""


@dataclass(frozen=True, slots=True)
class Words:
    """Holds what is said before something is erased, and on the buttons."""

    ask: str
    yes: str
    no: str
    unchanged: Notice


class EraseQuestion(Question):
    """Asks before something is erased. Unanswered, it means no."""

    def __init__(
        self,
        questions: Questions,
        voice: Voice,
        words: Words,
        erase: "EraseFor",
        receipt: Callable[[ErasureReport], str],
        *,
        then: "Then | None" = None,
        for_managers: bool = False,
    ) -> None:
        """`then` is done where it was erased to the end. A manager may have lost the right since they were asked."""
        super().__init__(questions, voice, patience=CONFIRM_SECONDS, ran_out=words.unchanged, for_managers=for_managers)
        self._words, self._erase, self._receipt, self._then = words, erase, receipt, then
        for button, name, label in ((self.yes, "yes", words.yes), (self.no, "no", words.no)):
            button.custom_id = self.number + name
            button.label = label[:LONGEST_LABEL]

    async def ask(self, interaction: Interaction) -> None:
        await interaction.response.send_message(self._words.ask, view=self, ephemeral=True, allowed_mentions=SILENT)
        self.shown_by(interaction)

    @discord.ui.button(style=discord.ButtonStyle.danger)
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        with request("erase"):
            self.stop()
            await interaction.response.edit_message(view=None)
            if await self.erase_and_tell(interaction) and self._then is not None:
                await self._then(interaction)

    async def erase_and_tell(self, interaction: Interaction) -> bool:
        """Erase, and say whether that is done to the end: the decision holds, and the purge finishes what broke off."""
        voice = self._voice

        def words(done: int, of: int) -> str:
            return voice.say(Notice.ERASING, done=grouped(done), total=grouped(of))

        async def note(come: ErasureProgress) -> None:
            await progress.note(come.messages, come.in_all)

        progress = Progress(interaction, words, voice.say(Notice.ERASING_GOES_ON))
        gone: ErasureReport | None = None
        try:
            async with progress:
                gone = await self._erase(interaction, note)
            said = self._receipt(gone)
            logger.info("erased", extra={"messages": gone.messages})
        except StoreError as error:
            logger.warning("erasure failed", extra={"reason": type(error).__name__})
            # The first part decides: before it came about, nothing is changed.
            done, of = map(grouped, progress.reached or (0, 0))
            broke_off = voice.say(Notice.ERASE_BROKE_OFF, done=done, total=of)
            said = voice.say(Notice.NOT_DONE) if progress.reached is None else broke_off
        try:
            await self.conclude(interaction, said)
        except TROUBLE as error:
            # It is done, whether or not that can still be said: Discord lets us answer for fifteen minutes.
            logger.warning("could not report an erasure", extra={"reason": type(error).__name__})
        return gone is not None

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["EraseQuestion"]) -> None:
        await self.conclude(interaction, self._voice.say(self._words.unchanged))


EraseFor = Callable[[Interaction, OnProgress], Awaitable[ErasureReport]]
Then = Callable[[Interaction], Awaitable[None]]
LONGEST_LABEL = 80
"""Of what Discord takes on a button."""


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

        await self._ask(interaction, OPTING_OUT, Notice.NOT_OPTED_OUT, opt_out, describe_opted_out)

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

        await self._ask(interaction, ERASING, Notice.NOT_ERASED, erase, describe_gone_of_me)

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

    async def _ask(
        self,
        interaction: Interaction,
        words: tuple[Notice, Notice],
        unchanged: Notice,
        erase: EraseFor,
        receipt: Callable[[ErasureReport, Voice], str],
    ) -> None:
        voice = self._replies.voice(interaction)
        ask, yes = map(voice.say, words)
        said = Words(ask, yes, voice.say(Notice.ERASE_NO), unchanged)
        question = EraseQuestion(self._questions, voice, said, erase, lambda gone: receipt(gone, voice))
        await question.ask(interaction)


ERASING = (Notice.ERASE_ASK, Notice.ERASE_YES)
OPTING_OUT = (Notice.OPT_OUT_ASK, Notice.OPT_OUT_YES)


def _guild_id(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
