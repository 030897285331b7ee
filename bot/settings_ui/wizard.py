"""Answers `/innkeeper setup`: one message that only its manager sees, changed from step to step.

Nothing is stored before the last step. Some choices remove messages for good, so a manager must be able to look around
and leave; and whatever ends a setup early (a restart, a timeout, a lost right) then leaves nothing half done.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, replace
from functools import partial

import discord

from bot.connection import TROUBLE
from bot.replies.draft import sole_reader
from bot.replies.interactions import SILENT, Interaction, Question, Questions, answer
from bot.settings_ui.describe import CHANNEL, counted, describe_removal, describe_settings
from bot.settings_ui.wizard_steps import (
    POSTABLE,
    Act,
    Desk,
    HallStep,
    Item,
    Step,
    ZoneStep,
    carried_over,
    id_menu,
    press_button,
)
from bot.words import Notice, Voice, language_of_locale
from memory.core.log_values import Consent, Removal
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.policy.setting_fields import Setting
from memory.policy.settings import GuildSettings, SettingsChange, retention_words

# The public notice that tells members what is kept of them, and posting it.


logger = logging.getLogger(__name__)

_STORED = {Consent.OPT_OUT: Notice.HOUSE_STORES_ALL, Consent.OPT_IN: Notice.HOUSE_STORES_AGREED}


def house_notice(settings: GuildSettings, voice: Voice) -> str:
    kept = retention_words(settings.log, voice.language)
    stored = voice.say(_STORED[settings.log.consent], kept=kept["messages"])
    memories = voice.say(Notice.HOUSE_MEMORIES) if settings.answers.takes_memories else ""
    return voice.say(Notice.HOUSE_NOTICE, stored=stored, facts=kept["facts"], memories=memories)


def usual_place(guild: discord.Guild, here_id: int | None) -> int | None:
    """Find where Discord's announcements go, or else where the setup was called; None if we may write in neither."""
    system_id = None if guild.system_channel is None else guild.system_channel.id
    return next((one for one in (system_id, here_id) if may_post(guild, one)), None)


def may_post(guild: discord.Guild, channel_id: int | None) -> bool:
    channel = guild.get_channel(channel_id or 0)
    if not isinstance(channel, discord.TextChannel):
        return False
    allowed = channel.permissions_for(guild.me)
    return allowed.view_channel and allowed.send_messages


async def post(guild: discord.Guild, channel_id: int, words: str) -> bool:
    """Post the notice; say whether it could be posted."""
    channel = guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        return False
    try:
        await channel.send(words, allowed_mentions=discord.AllowedMentions.none())
    except TROUBLE as error:
        logger.warning("could not post the notice", extra={"guild_id": guild.id, "reason": type(error).__name__})
        return False
    return True


# The setup's last step: everything at a glance, what saving would remove, and the notice that would be posted.


MOST_LISTED = 3
"""Of each kind, so that everything fits into one message."""
DECIDED = ("server", "log", "facts")
"""The groups of settings that the setup shows; `/settings` has all."""

Save = Callable[[Interaction, int | None], Awaitable[None]]


class SummaryStep(Step):
    def __init__(self, desk: Desk, save: Save, here_id: int | None) -> None:
        super().__init__(desk, Notice.SUMMARY_TITLE, Notice.SUMMARY_TITLE)
        self._save = save
        self._post_in = usual_place(desk.guild, here_id)
        self._doomed: Removal | None = Removal()

    async def prepare(self) -> None:
        """Count how much saving would remove; None if that cannot be said just now."""
        desk = self.desk
        try:
            change = partial(carried_over, desk.stored, desk.wanted)
            self._doomed = await desk.memory.privacy.would_remove(desk.guild.id, change, desk.reader.sources)
        except StoreError:
            self._doomed = None

    def words(self) -> list[str]:
        desk = self.desk
        said = summary(desk.wanted, desk.guild.id, self._doomed, desk.voice)
        notice = house_notice(desk.wanted, desk.house_voice)
        return [*said, announced(notice, self._post_in, desk.voice, may_post=may_post(desk.guild, self._post_in))]

    def items(self) -> list[Item]:
        desk = self.desk
        chosen = [] if self._post_in is None else [self._post_in]
        label, style = self.say(Notice.NOTICE_MENU), discord.ButtonStyle.success
        menu = id_menu(desk.custom_id("notice"), label, POSTABLE, chosen, self._choose_place, 0, most=1)
        label, disabled = self.say(Notice.SAVE_AND_POST), not may_post(desk.guild, self._post_in)
        post = press_button(
            desk.custom_id("save-and-post"),
            label,
            lambda pressed: self._save(pressed, self._post_in),
            1,
            style,
            disabled=disabled,
        )
        label = self.say(Notice.SAVE_ONLY)
        return [menu, post, press_button(desk.custom_id("save"), label, lambda pressed: self._save(pressed, None), 1)]

    async def _choose_place(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._post_in = int(chosen[0]) if chosen else None
        await self.desk.redraw(interaction)


def summary(wanted: GuildSettings, guild_id: int, doomed: Removal | None, voice: Voice) -> list[str]:
    said = ["\n".join(describe_settings(wanted, guild_id, voice, DECIDED, at_most=MOST_LISTED))]
    if doomed is None:
        said.append(voice.say(Notice.WILL_REMOVE_SOME))
    elif doomed:
        said.append(voice.say(Notice.WILL_REMOVE, what=counted(doomed, voice)))
    return said


def announced(notice: str, post_in: int | None, voice: Voice, *, may_post: bool) -> str:
    """Show the notice as members would read it, under a line that says where."""
    quoted = "\n".join(f"> {line}" for line in notice.split("\n"))
    if post_in is None:
        return f"{voice.say(Notice.NOTICE_NOWHERE)}\n{quoted}"
    where = Notice.NOTICE_WHERE if may_post else Notice.NOTICE_MAY_NOT
    return f"{voice.say(where, channel=CHANNEL.format(post_in))}\n{quoted}"


LAST_ROW = 4


class Wizard(Question):
    def __init__(
        self,
        memory: MemoryManager,
        questions: Questions,
        guild: discord.Guild,
        settings: GuildSettings,
        interaction: Interaction,
        voice: Voice,
    ) -> None:
        super().__init__(questions, voice, for_managers=True)
        house_voice = Voice(language_of_locale(str(guild.preferred_locale)), voice.bot_name)
        reader, now = sole_reader(memory, interaction), interaction.created_at
        self._desk = desk = Desk(memory, self, guild, reader, now, voice, house_voice, settings, settings, self.draw)
        self._summary = SummaryStep(desk, self._save, interaction.channel_id)
        left_out = ("log.excluded_channels", "log.excluded_roles")
        self._steps: list[Step] = [
            ZoneStep(desk),
            HallStep(desk),
            Step(desk, Notice.EXCEPT_TITLE, Notice.EXCEPT_WORDS, *left_out),
            Step(desk, Setting.SPEAKS_IN, Notice.SPEAK_WORDS, "speaks_in"),
            Step(desk, Setting.LOG_CONSENT, Notice.CONSENT_WORDS, "log.consent"),
            self._summary,
        ]
        self._at = 0
        self._is_saving = False

    async def begin(self, interaction: Interaction) -> None:
        """Begin the setup in an interaction that has been deferred."""
        for step in self._steps[:-1]:
            await step.prepare()
        await self.draw(interaction)

    async def draw(self, interaction: Interaction) -> None:
        """Show the page of the setup as it is now, in the message that the interaction came from or promised."""
        self._desk.now = interaction.created_at
        self._desk.guild = interaction.guild or self._desk.guild
        step = self._steps[self._at]
        self.clear_items()
        for item in (*step.items(), *self._ways_on()):
            self.add_item(item)
        words = self._words(step)
        if interaction.response.is_done():
            await interaction.edit_original_response(content=words, view=self, allowed_mentions=SILENT)
        else:
            await interaction.response.edit_message(content=words, view=self, allowed_mentions=SILENT)
        self.shown_by(interaction)

    def _words(self, step: Step) -> str:
        number = self._voice.say(Notice.SETUP_STEP, number=self._at + 1, count=len(self._steps))
        return f"### {self._voice.say(step.title)}\n{number}\n" + "\n\n".join(step.words())

    def _ways_on(self) -> list[Item]:
        """Make the buttons between steps, each to a certain page, so that pressing it twice leads no further."""
        at, is_last = self._at, self._at == len(self._steps) - 1
        ways: list[Item] = []
        if at > 0:
            ways.append(self._button(f"back-{at}", Notice.SETUP_BACK, partial(self._turn_to, at - 1)))
        if not is_last:
            forward = partial(self._turn_to, at + 1)
            ways.append(self._button(f"next-{at}", Notice.SETUP_NEXT, forward, discord.ButtonStyle.primary))
            ways.append(self._button(f"skip-{at}", Notice.SETUP_SKIP, partial(self._skip, at)))
        ways.append(self._button("cancel", Notice.SETUP_CANCEL, self._cancel))
        return ways

    def _button(
        self, name: str, label: Notice, act: Act, style: discord.ButtonStyle = discord.ButtonStyle.secondary
    ) -> Item:
        return press_button(self._desk.custom_id(name), self._voice.say(label), act, LAST_ROW, style)

    async def _turn_to(self, number: int, interaction: Interaction) -> None:
        self._at = number
        step = self._steps[number]
        if step is self._summary:  # counting may take longer than Discord waits for an answer
            await interaction.response.defer()
            await step.prepare()
        await self.draw(interaction)

    async def _skip(self, number: int, interaction: Interaction) -> None:
        self._steps[number].leave_as_is()
        await self._turn_to(number + 1, interaction)

    async def _cancel(self, interaction: Interaction) -> None:
        await self.conclude(interaction, self._voice.say(Notice.SETUP_CANCELLED))

    async def _save(self, interaction: Interaction, post_in: int | None) -> None:
        await interaction.response.defer()
        if self._is_saving:
            return  # pressed twice: the first one is being carried out
        self._is_saving = True
        desk = self._desk

        def change(now: GuildSettings) -> GuildSettings:
            return replace(carried_over(desk.stored, desk.wanted, now), set_up_at=interaction.created_at)

        try:
            privacy = desk.memory.privacy
            done = await privacy.change_settings(desk.guild.id, change, interaction.user.id, desk.reader.sources)
        except StoreError as error:
            logger.warning("could not save a setup", extra={"reason": type(error).__name__})
            # The summary still stands there, and can be saved again.
            await answer(interaction, self._voice.say(Notice.NOT_DONE))
            return
        finally:
            self._is_saving = False
        self.stop()  # or another press while the notice is being posted would post it again
        logger.info("setup finished", extra={"guild_id": desk.guild.id, **asdict(done.removed)})
        await self.conclude(interaction, await self._last_words(done, post_in))

    async def _last_words(self, done: SettingsChange, post_in: int | None) -> str:
        guild, voice = self._desk.guild, self._voice
        said = [voice.say(Notice.SAVED)]
        if post_in is not None:
            words = house_notice(done.after, self._desk.house_voice)
            outcome = Notice.NOTICE_POSTED if await post(guild, post_in, words) else Notice.NOTICE_NOT_POSTED
            said.append(voice.say(outcome, channel=CHANNEL.format(post_in)))
        return "\n".join(
            [*said, *describe_removal(done, voice), *describe_settings(done.after, guild.id, voice, DECIDED)]
        )
