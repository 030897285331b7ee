"""The setup's step about the hall: which role makes it, and which channels it opens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from bot.commands.describing import CHANNEL, listed, role_named
from bot.commands.questions import Interaction
from bot.commands.setup.menus import PressButton, RoleMenu
from bot.commands.setup.page import Item, Page
from bot.notices.notice import Notice

MOST_CHANNELS = 15


class HallPage(Page):
    title = Notice.HALL_TITLE

    async def prepare(self) -> None:
        """Where nobody has ever chosen, the proposal is chosen to begin with."""
        draft = self.desk.draft
        if draft.wanted.hall_role_id is None and draft.stored.hall_role_id is None:
            self._want(self._proposed)

    def words(self) -> list[str]:
        return [self.say(Notice.HALL_WORDS), self._chosen()]

    def items(self) -> list[Item]:
        desk = self.desk
        everyone, wanted = desk.guild.id, self._wanted
        marked = [wanted] if wanted != everyone and desk.guild.get_role(wanted) else []
        items: list[Item] = [
            RoleMenu(desk.custom_id("hall"), self.say(Notice.HALL_MENU), marked, self._choose, row=0, least=1, most=1)
        ]
        proposed = self._proposed
        if proposed is not None and proposed != wanted:
            label = self.say(Notice.HALL_PROPOSED, role=self._name(proposed))
            items.append(PressButton(desk.custom_id("proposal"), label, partial(self._take, proposed), row=1))
        if everyone not in (wanted, proposed):
            items.append(PressButton(desk.custom_id("everyone"), "@everyone", partial(self._take, everyone), row=1))
        return items

    def leave_as_is(self) -> None:
        self._want(self.desk.draft.stored.hall_role_id)

    @property
    def _wanted(self) -> int:
        return self.desk.draft.wanted.hall_role_id or self.desk.guild.id

    @property
    def _proposed(self) -> int | None:
        return self.desk.memory.proposed_hall(self.desk.guild.id).role_id

    def _chosen(self) -> str:
        guild_id = self.desk.guild.id
        role = role_named(self._wanted, guild_id)
        hall = self.desk.memory.hall_with(guild_id, self._wanted)
        if hall.role_id is None:
            return self.say(Notice.HALL_UNKNOWN, role=role)
        if not hall.channels:
            return self.say(Notice.HALL_OPENS_NOTHING, role=role, people=hall.people)
        channels = listed(CHANNEL, hall.channels, self.desk.voice, MOST_CHANNELS)
        return self.say(Notice.HALL_OPENS, role=role, people=hall.people, count=len(hall.channels), channels=channels)

    def _name(self, role_id: int) -> str:
        role = self.desk.guild.get_role(role_id)
        return "@everyone" if role is None or role.is_default() else f"@{role.name}"

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._want(int(chosen[0]))
        await self.desk.redraw(interaction)

    async def _take(self, role_id: int, interaction: Interaction) -> None:
        self._want(role_id)
        await self.desk.redraw(interaction)

    def _want(self, role_id: int | None) -> None:
        self.desk.draft.wanted = replace(self.desk.draft.wanted, hall_role_id=role_id)
