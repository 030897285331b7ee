"""The setup's step about the time zone: a menu of common ones, and a form for all others."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import discord

from bot.commands.questions import Interaction
from bot.commands.setup.menus import PressButton, TextMenu
from bot.commands.setup.page import Desk, Item, Page
from bot.commands.zone_words import zone_objection
from bot.notices.notice import Notice
from memory.language.time_zones import (
    LONGEST_INPUT,
    MOST_SUGGESTED,
    is_zone,
    offset_of,
    time_in,
    zone_meant,
    zones_like,
)
from memory.tasks import request


class ZonePage(Page):
    title = Notice.ZONE_TITLE

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._objection: str | None = None
        self._offered: Sequence[str] = ()

    async def prepare(self) -> None:
        self._objection = None
        # Reads the database of zones, so that it is at hand when the page is drawn.
        self._offered = await asyncio.to_thread(_offered_at_first, self.desk.draft.wanted.time_zone)

    def words(self) -> list[str]:
        zone, now = self.desk.draft.wanted.time_zone, self.desk.now
        chosen = f"**{zone}**"
        if is_zone(zone):
            time = time_in(zone, now).strftime("%H:%M")
            chosen = self.say(Notice.ZONE_CHOSEN, zone=zone, offset=offset_of(zone, now), time=time)
        said = [self.say(Notice.ZONE_WORDS), chosen]
        return said if self._objection is None else [*said, f"⚠️ {self._objection}"]

    def items(self) -> list[Item]:
        wanted, now = self.desk.draft.wanted.time_zone, self.desk.now
        options = [
            discord.SelectOption(label=zone, value=zone, description=offset_of(zone, now), default=zone == wanted)
            for zone in self._offered
        ]
        return [
            TextMenu(self.desk.custom_id("zone"), self.say(Notice.ZONE_MENU), options, self._choose, row=0),
            PressButton(self.desk.custom_id("type"), self.say(Notice.ZONE_TYPE), self._ask, row=1),
        ]

    def leave_as_is(self) -> None:
        self._want(self.desk.draft.stored.time_zone)

    async def typed(self, interaction: Interaction, text: str) -> None:
        zone, near = await asyncio.to_thread(lambda: (zone_meant(text), zones_like(text, self.desk.now)))
        if zone is None:
            self._objection = zone_objection(text, near, self.desk.voice)
            self._offered = near or self._offered
        else:
            self._want(zone)
        await self.desk.redraw(interaction)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._want(chosen[0])
        await self.desk.redraw(interaction)

    async def _ask(self, interaction: Interaction) -> None:
        await interaction.response.send_modal(ZoneForm(self))

    def _want(self, zone: str) -> None:
        self._objection = None
        if zone not in self._offered and is_zone(zone):
            self._offered = [zone, *self._offered][:MOST_SUGGESTED]
        self.desk.draft.wanted = replace(self.desk.draft.wanted, time_zone=zone)


class ZoneForm(discord.ui.Modal):
    def __init__(self, page: ZonePage) -> None:
        super().__init__(title=page.say(Notice.ZONE_TITLE), custom_id=page.desk.custom_id("zone-form"))
        self._page = page
        self._field: discord.ui.TextInput[ZoneForm] = discord.ui.TextInput(max_length=LONGEST_INPUT)
        self.add_item(discord.ui.Label(text=page.say(Notice.ZONE_FIELD), component=self._field))

    async def on_submit(self, interaction: Interaction, /) -> None:
        question = self._page.desk.question
        if question.is_finished():
            return  # it is answered as one that ran out
        with request("setup"):
            if await question.interaction_check(interaction):
                await self._page.typed(interaction, self._field.value)

    async def on_error(  # type: ignore[override] # a modal has no item to blame; discord.py overrides it likewise
        self, interaction: Interaction, error: Exception, /
    ) -> None:
        await self._page.desk.question.tell_error(interaction, error)


def _offered_at_first(wanted: str) -> list[str]:
    common = [zone for zone in zones_like("", discord.utils.utcnow()) if zone != wanted]
    return ([wanted, *common] if is_zone(wanted) else common)[:MOST_SUGGESTED]
