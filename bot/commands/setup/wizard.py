"""`/innkeeper setup`: one message that only its manager sees, changed from step to step.

Nothing is stored before the last step. Some choices remove messages for good, so a manager must be able to look around
and leave; and whatever ends a setup early (a restart, a timeout, a lost right) then leaves nothing half done.
"""

import logging
from dataclasses import asdict, replace
from functools import partial

import discord

from bot.commands.describing import CHANNEL, describe_removal, describe_settings
from bot.commands.questions import PATIENCE_SECONDS, SILENT, Interaction, ManagersQuestion, Questions
from bot.commands.setup.draft import Draft
from bot.commands.setup.hall_page import HallPage
from bot.commands.setup.house_notice import house_notice, post
from bot.commands.setup.log_pages import ConsentPage, ExceptPage, SpeakPage
from bot.commands.setup.menus import PressButton
from bot.commands.setup.page import Act, Desk, Item, Page
from bot.commands.setup.summary_page import SummaryPage
from bot.commands.setup.zone_page import ZonePage
from bot.notices.notice import Notice
from bot.phrases import Voice, language_of_locale
from memory.db.errors import StoreError
from memory.manager import MemoryManager
from memory.policy.settings import GuildSettings, SettingsChange

logger = logging.getLogger(__name__)

LAST_ROW = 4


class Wizard(ManagersQuestion):
    def __init__(
        self,
        memory: MemoryManager,
        questions: Questions,
        guild: discord.Guild,
        settings: GuildSettings,
        interaction: Interaction,
        voice: Voice,
    ) -> None:
        super().__init__(questions, voice)
        self._memory = memory
        self._is_saving = False
        house_voice = Voice(language_of_locale(str(guild.preferred_locale)), voice.bot_name)
        draft = Draft(settings, settings)
        now = interaction.created_at
        self._desk = Desk(memory, self, guild, now, voice, house_voice, draft, self.draw)
        self._summary = SummaryPage(self._desk, self._save, interaction.channel_id)
        steps = (ZonePage, HallPage, ExceptPage, SpeakPage, ConsentPage)
        self._pages: list[Page] = [*(step(self._desk) for step in steps), self._summary]
        self._at = 0

    async def begin(self, interaction: Interaction) -> None:
        """The interaction has been deferred."""
        for page in self._pages[:-1]:
            await page.prepare()
        await self.draw(interaction)

    async def draw(self, interaction: Interaction) -> None:
        """Show the page as it is now, in the message that the interaction came from or promised."""
        self._desk.now = interaction.created_at
        self._desk.guild = interaction.guild or self._desk.guild
        page = self._pages[self._at]
        self.clear_items()
        for item in (*page.items(), *self._ways_on()):
            self.add_item(item)
        words = self._words(page)
        if interaction.response.is_done():
            await interaction.edit_original_response(content=words, view=self, allowed_mentions=SILENT)
        else:
            await interaction.response.edit_message(content=words, view=self, allowed_mentions=SILENT)
        self.shown_by(interaction)

    def _words(self, page: Page) -> str:
        step = self._voice.say(Notice.SETUP_STEP, number=self._at + 1, count=len(self._pages))
        return f"### {self._voice.say(page.title)}\n{step}\n" + "\n\n".join(page.words())

    def _ways_on(self) -> list[Item]:
        """Each leads to a certain page, so that pressing it twice leads no further."""
        at, is_last = self._at, self._at == len(self._pages) - 1
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
        return PressButton(self._desk.custom_id(name), self._voice.say(label), act, style=style, row=LAST_ROW)

    async def _turn_to(self, number: int, interaction: Interaction) -> None:
        self._at = number
        page = self._pages[number]
        if page.takes_time:
            await interaction.response.defer()
            await page.prepare()
        await self.draw(interaction)

    async def _skip(self, number: int, interaction: Interaction) -> None:
        self._pages[number].leave_as_is()
        await self._turn_to(number + 1, interaction)

    async def _cancel(self, interaction: Interaction) -> None:
        await self.conclude(interaction, self._voice.say(Notice.SETUP_CANCELLED))

    async def _save(self, interaction: Interaction, post_in: int | None) -> None:
        await interaction.response.defer()
        if self._is_saving:
            return  # pressed twice: the first one is being carried out
        self._is_saving = True
        self.timeout = None  # it must not run out, and say that nothing was changed, while it is being changed
        try:
            await self._carry_out(interaction, post_in)
        finally:
            self._is_saving = False
            self.timeout = PATIENCE_SECONDS

    async def _carry_out(self, interaction: Interaction, post_in: int | None) -> None:
        try:
            done = await self._store(interaction)
        except StoreError as error:
            logger.warning("a setup could not be saved", extra={"reason": type(error).__name__})
            await self._show_again(interaction, Notice.NOT_DONE)
            return
        if done is None:
            await self._show_again(interaction, Notice.OVERTAKEN)
            return
        logger.info("a server was set up", extra={"guild_id": self._desk.guild.id, **asdict(done.removed)})
        await self.conclude(interaction, await self._last_words(done, post_in))

    async def _store(self, interaction: Interaction) -> SettingsChange | None:
        """None: somebody was quicker, and nothing was stored."""
        draft = self._desk.draft
        stored, wanted = draft.stored, replace(draft.wanted, set_up_at=interaction.created_at)
        done = await self._memory.change_settings(
            self._desk.guild.id, lambda now: wanted if now == stored else now, interaction.user.id
        )
        if done.before == stored:
            return done
        draft.overtaken_by(done.before)
        return None

    async def _show_again(self, interaction: Interaction, why: Notice) -> None:
        self.timeout = PATIENCE_SECONDS  # before it is drawn: then its time begins anew
        await self._summary.count()
        self._summary.remark = self._voice.say(why)
        await self.draw(interaction)

    async def _last_words(self, done: SettingsChange, post_in: int | None) -> str:
        guild, voice = self._desk.guild, self._voice
        said = [voice.say(Notice.SAVED)]
        if post_in is not None:
            words = house_notice(done.after.log, self._desk.house_voice)
            outcome = Notice.NOTICE_POSTED if await post(guild, post_in, words) else Notice.NOTICE_NOT_POSTED
            said.append(voice.say(outcome, channel=CHANNEL.format(post_in)))
        return "\n".join([*said, *describe_removal(done, voice), describe_settings(done.after, guild.id, voice)])
