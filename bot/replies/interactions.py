"""Asks questions with buttons, and answers for those that were left standing.

A question lives in the process that asked it. Discord keeps its buttons all the same, over a restart too: whoever
presses one then is told that it has run out, instead of being left with "This interaction failed".
"""

import logging
import secrets
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.connection import TROUBLE
from bot.replies.split import split
from bot.words import Notice, Phrase, Voice, language_of_locale
from memory.db.errors import StoreError
from memory.tasks import request

# How a slash command answers: to the one who used it alone, in their language, pinging nobody.


def voice_of(interaction: discord.Interaction, bot_name: str) -> Voice:
    return Voice(language_of_locale(str(interaction.locale)), bot_name)


async def answer(interaction: discord.Interaction, words: str) -> None:
    """Say something to whoever used a command, a button or a form, beside what stands there."""
    for part in split(words):
        if interaction.response.is_done():
            await interaction.followup.send(part, ephemeral=True, allowed_mentions=SILENT)
        else:
            await interaction.response.send_message(part, ephemeral=True, allowed_mentions=SILENT)


async def answer_manager(
    interaction: "Interaction",
    voice: Voice,
    work: Callable[[int], Awaitable[str]],
    *,
    refused: Notice = Notice.ONLY_MANAGERS,
    away: Notice = Notice.NOT_DONE,
) -> None:
    """Answer somebody who manages the server with what comes of the work, which is given its id; nothing, where the
    work has answered. All others are refused."""
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        await answer(interaction, voice.say(refused))
        return
    await interaction.response.defer(ephemeral=True, thinking=True)
    try:
        words = await work(interaction.guild_id)
    except StoreError:
        words = voice.say(away)
    if words:
        await answer(interaction, words)


async def report_failure(interaction: discord.Interaction, voice: Voice, error: Exception, kind: str) -> None:
    """Tell somebody that their command, or our question to them, failed; why stands in the log."""
    command = interaction.command.qualified_name if interaction.command else None
    with request(kind) as request_id:
        logger.error("%s failed", kind, exc_info=error, extra={"command": command})
        try:
            await answer(interaction, voice.say(Phrase.UNEXPECTED, request=request_id))
        except TROUBLE:
            logger.warning("could not report the failure either", extra={"command": command})


class InnkeeperTree(app_commands.CommandTree[discord.AutoShardedClient]):
    """Holds all slash commands, and tells whoever used one that breaks."""

    def __init__(self, client: discord.AutoShardedClient, bot_name: str) -> None:
        super().__init__(client)
        self._bot_name = bot_name

    async def on_error(
        self, interaction: discord.Interaction[discord.AutoShardedClient], error: app_commands.AppCommandError, /
    ) -> None:
        await report_failure(interaction, voice_of(interaction, self._bot_name), error, "command")


logger = logging.getLogger(__name__)

PREFIX = "question:"
NUMBER_LENGTH = len(PREFIX) + 17
PATIENCE_SECONDS = 14 * 60.0
"""Discord lets us change a message for 15 minutes after it was last pressed; a minute earlier we can still say so."""
LONGEST_LABEL = 80
"""Of what Discord takes on a button."""
SILENT = discord.AllowedMentions.none()

Interaction = discord.Interaction[discord.Client]


class Questions:
    """Holds the questions this process has asked and can still hear the answer to."""

    def __init__(self, bot_name: str) -> None:
        self._bot_name = bot_name
        # Weak: one that could not be shown is held by nobody.
        self._open: WeakValueDictionary[str, Question] = WeakValueDictionary()

    def begin(self, question: "Question") -> str:
        """Number a new question; every `custom_id` in it begins with that."""
        number = f"{PREFIX}{secrets.token_hex(8)}:"
        self._open[number] = question
        return number

    def end(self, number: str) -> None:
        self._open.pop(number, None)

    def close(self) -> None:
        """Close all questions at an orderly stop: nobody can be told any more that one has run out."""
        for question in list(self._open.values()):
            question.stop()

    async def answer_if_left_over(self, interaction: Interaction) -> None:
        """Answer for a question left over: Discord tells of every button; those of open ones find their own way."""
        custom_id = str(interaction.data.get("custom_id", "")) if interaction.data else ""
        if not custom_id.startswith(PREFIX) or custom_id[:NUMBER_LENGTH] in self._open:
            return
        with request("question"):
            words = voice_of(interaction, self._bot_name).say(Notice.RAN_OUT)
            try:
                await interaction.response.edit_message(content=words, view=None, allowed_mentions=SILENT)
            except TROUBLE as error:
                logger.info("could not mark a question as expired", extra={"reason": type(error).__name__})


class Question(discord.ui.View):
    """Asks one member, who alone can see it. Unanswered, it changes nothing."""

    def __init__(
        self,
        questions: Questions,
        voice: Voice,
        *,
        patience: float | None = None,
        ran_out: Notice | None = Notice.RAN_OUT,
        for_managers: bool = False,
    ) -> None:
        """`ran_out` is what stands in its place when nobody answered it in time; None: its words stay."""
        super().__init__(timeout=patience or PATIENCE_SECONDS)
        self._ran_out = ran_out
        self.number = questions.begin(self)
        self._questions = questions
        self._voice = voice
        self._last_shown: Interaction | None = None
        self._for_managers = for_managers

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Check the right of whoever presses: a manager may have lost it since the question was asked."""
        if interaction.permissions.manage_guild or not self._for_managers:
            return True
        await self.conclude(interaction, self._voice.say(Notice.ONLY_MANAGERS))
        return False

    async def ask(self, interaction: Interaction, words: str) -> None:
        """Show the question as the answer to an interaction."""
        if interaction.response.is_done():
            await interaction.followup.send(words, view=self, ephemeral=True, allowed_mentions=SILENT)
        else:
            await interaction.response.send_message(words, view=self, ephemeral=True, allowed_mentions=SILENT)
        self.shown_by(interaction)

    def shown_by(self, interaction: Interaction) -> None:
        """Note the interaction whose answer is the message that holds the question: that is changed through it."""
        self._last_shown = interaction

    async def conclude(self, interaction: Interaction, words: str) -> None:
        """Put the last words in the place of the question."""
        self.stop()
        first, *more = split(words)
        try:
            if interaction.response.is_done():
                await interaction.edit_original_response(content=first, view=None, allowed_mentions=SILENT)
            else:
                await interaction.response.edit_message(content=first, view=None, allowed_mentions=SILENT)
            for part in more:
                await interaction.followup.send(part, ephemeral=True, allowed_mentions=SILENT)
        finally:
            # Only now: until it is answered, the press that ended the question is not one of a question left over.
            self._questions.end(self.number)

    async def on_timeout(self) -> None:
        shown, self._last_shown = self._last_shown, None
        if shown is not None and not shown.client.is_closed():
            try:
                if self._ran_out is None:
                    await shown.edit_original_response(view=None)
                else:
                    words = self._voice.say(self._ran_out)
                    await shown.edit_original_response(content=words, view=None, allowed_mentions=SILENT)
            except TROUBLE:
                logger.debug("the question was gone already")
        self._questions.end(self.number)

    async def on_error(self, interaction: Interaction, error: Exception, _item: discord.ui.Item["Question"], /) -> None:
        await self.tell_error(interaction, error)

    async def tell_error(self, interaction: Interaction, error: Exception) -> None:
        await report_failure(interaction, self._voice, error, "question")


class Confirmation(Question):
    """Asks before something is done. `act` is given the press that said yes, and concludes the question."""

    def __init__(
        self,
        questions: Questions,
        voice: Voice,
        act: Callable[["Confirmation", Interaction], Awaitable[None]],
        yes: str,
        no: str,
        unchanged: Notice,
        patience: float | None = None,
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.danger,
        ran_out: Notice | None = Notice.RAN_OUT,
        for_managers: bool = False,
    ) -> None:
        """`unchanged` is said to a no."""
        super().__init__(questions, voice, patience=patience, ran_out=ran_out, for_managers=for_managers)
        self._act, self._unchanged = act, unchanged
        self.yes.style = style
        for button, name, label in ((self.yes, "yes", yes), (self.no, "no", no)):
            button.custom_id = self.number + name
            button.label = label[:LONGEST_LABEL]

    @discord.ui.button()
    async def yes(self, interaction: Interaction, _button: discord.ui.Button["Confirmation"]) -> None:
        with request("question"):
            # A second press while the first is being carried out would find nothing left to do, and say so.
            self.stop()
            await interaction.response.edit_message(view=None)
            await self._act(self, interaction)

    @discord.ui.button(style=discord.ButtonStyle.secondary)
    async def no(self, interaction: Interaction, _button: discord.ui.Button["Confirmation"]) -> None:
        await self.conclude(interaction, self._voice.say(self._unchanged))
