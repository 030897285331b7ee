"""The setup's last step: everything at a glance, what saving would remove, and the notice that would be posted."""

from collections.abc import Awaitable, Callable, Sequence

import discord

from bot.commands.describing import CHANNEL, counted, describe_settings
from bot.commands.questions import Interaction
from bot.commands.setup.house_notice import house_notice, may_post, usual_place
from bot.commands.setup.menus import POSTABLE, ChannelMenu, PressButton
from bot.commands.setup.page import Desk, Item, Page
from bot.notices.notice import Notice
from bot.phrases import Voice
from memory.core.log_values import Removal
from memory.db.errors import StoreError
from memory.policy.settings import GuildSettings

MOST_LISTED = 3
"""Of each kind, so that everything fits into one message."""

Save = Callable[[Interaction, int | None], Awaitable[None]]


class SummaryPage(Page):
    title = Notice.SUMMARY_TITLE
    takes_time = True

    def __init__(self, desk: Desk, save: Save, here_id: int | None) -> None:
        super().__init__(desk)
        self.remark: str | None = None
        """Why it is shown again."""
        self._save = save
        self._post_in = usual_place(desk.guild, here_id)
        self._doomed: Removal | None = Removal()

    async def prepare(self) -> None:
        self.remark = None
        await self.count()

    async def count(self) -> None:
        """How much saving would remove; None if that cannot be said just now."""
        draft = self.desk.draft
        self._doomed = Removal()
        if draft.changes_the_log:
            try:
                self._doomed = await self.desk.memory.would_remove(self.desk.guild.id, draft.wanted.log)
            except StoreError:
                self._doomed = None

    def words(self) -> list[str]:
        desk = self.desk
        said = [] if self.remark is None else [self.remark]
        said += summary(desk.draft.wanted, desk.guild.id, self._doomed, desk.voice)
        notice = house_notice(desk.draft.wanted.log, desk.house_voice)
        return [*said, announced(notice, self._post_in, desk.voice, may_post=self._may_post())]

    def items(self) -> list[Item]:
        desk = self.desk
        chosen = [] if self._post_in is None else [self._post_in]
        menu = ChannelMenu(
            desk.custom_id("notice"), self.say(Notice.NOTICE_MENU), POSTABLE, chosen, self._choose, row=0, most=1
        )
        post = PressButton(
            desk.custom_id("save-and-post"),
            self.say(Notice.SAVE_AND_POST),
            self._save_and_post,
            style=discord.ButtonStyle.success,
            row=1,
            disabled=not self._may_post(),
        )
        save = PressButton(desk.custom_id("save"), self.say(Notice.SAVE_ONLY), self._save_only, row=1)
        return [menu, post, save]

    def _may_post(self) -> bool:
        return self._post_in is not None and may_post(self.desk.guild, self._post_in)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._post_in = int(chosen[0]) if chosen else None
        await self.desk.redraw(interaction)

    async def _save_and_post(self, interaction: Interaction) -> None:
        await self._save(interaction, self._post_in)

    async def _save_only(self, interaction: Interaction) -> None:
        await self._save(interaction, None)


def summary(wanted: GuildSettings, guild_id: int, doomed: Removal | None, voice: Voice) -> list[str]:
    said = [describe_settings(wanted, guild_id, voice, at_most=MOST_LISTED)]
    if doomed is None:
        said.append(voice.say(Notice.WILL_REMOVE_SOME))
    elif doomed:
        said.append(voice.say(Notice.WILL_REMOVE, what=counted(doomed, voice)))
    return said


def announced(notice: str, post_in: int | None, voice: Voice, *, may_post: bool) -> str:
    """The notice as members would read it, under a line that says where."""
    quoted = "\n".join(f"> {line}" for line in notice.split("\n"))
    if post_in is None:
        return f"{voice.say(Notice.NOTICE_NOWHERE)}\n{quoted}"
    where = Notice.NOTICE_WHERE if may_post else Notice.NOTICE_MAY_NOT
    return f"{voice.say(where, channel=CHANNEL.format(post_in))}\n{quoted}"
