"""`/privacy`: a member sees what is held on them, takes it along, has it erased, decides whether they are stored."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from discord import app_commands

from bot.connection import TROUBLE
from bot.privacy.export import Progress, hand_over
from bot.privacy.holdings import describe_gone_of_me, describe_mine, describe_opted_out, grouped
from bot.replies.draft import Draft, knows_who_reads
from bot.replies.interactions import Confirmation, Interaction, Questions, answer
from bot.replies.private import PrivateReplies
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


EraseFor = Callable[[Interaction, OnProgress], Awaitable[ErasureReport]]
Receipt = Callable[[ErasureReport], str]


@dataclass(frozen=True, slots=True)
class Words:
    """Holds what is said before something is erased, and on the buttons."""

    ask: str
    yes: str
    no: str
    unchanged: Notice


async def ask_to_erase(
    interaction: Interaction,
    questions: Questions,
    voice: Voice,
    words: Words,
    erase: EraseFor,
    receipt: Receipt,
    *,
    then: Callable[[Interaction], Awaitable[None]] | None = None,
    for_managers: bool = False,
) -> None:
    """Ask before something is erased; unanswered, that means no. `then` is done where it was erased to the end. A
    manager may have lost the right since they were asked."""

    async def act(question: Confirmation, pressed: Interaction) -> None:
        if await erase_and_tell(question, pressed, voice, erase, receipt) and then is not None:
            await then(pressed)

    question = Confirmation(
        questions,
        voice,
        act,
        words.yes,
        words.no,
        words.unchanged,
        patience=CONFIRM_SECONDS,
        ran_out=words.unchanged,
        for_managers=for_managers,
    )
    await question.ask(interaction, words.ask)


async def erase_and_tell(
    question: Confirmation, interaction: Interaction, voice: Voice, erase: EraseFor, receipt: Receipt
) -> bool:
    """Erase, and say whether that is done to the end: the decision holds, and the purge finishes what broke off."""

    def words(done: int, of: int) -> str:
        return voice.say(Notice.ERASING, done=grouped(done), total=grouped(of))

    async def note(come: ErasureProgress) -> None:
        await progress.note(come.messages, come.in_all)

    progress = Progress(interaction, words, voice.say(Notice.ERASING_GOES_ON))
    gone: ErasureReport | None = None
    try:
        gone = await erase(interaction, note)
        said = receipt(gone)
        logger.info("erased", extra={"messages": gone.messages})
    except StoreError as error:
        logger.warning("erasure failed", extra={"reason": type(error).__name__})
        # The first part decides: before it came about, nothing is changed.
        done, of = map(grouped, progress.reached or (0, 0))
        broke_off = voice.say(Notice.ERASE_BROKE_OFF, done=done, total=of)
        said = voice.say(Notice.NOT_DONE) if progress.reached is None else broke_off
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
        await ask_to_erase(interaction, self._questions, voice, said, erase, lambda gone: receipt(gone, voice))


ERASING = (Notice.ERASE_ASK, Notice.ERASE_YES)
OPTING_OUT = (Notice.OPT_OUT_ASK, Notice.OPT_OUT_YES)


def _guild_id(interaction: Interaction) -> int:
    if interaction.guild_id is None:
        raise app_commands.NoPrivateMessage
    return interaction.guild_id
