"""The setup's step about the hall: which role makes it, and which channels it opens."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import discord

from bot.replies.interactions import Interaction
from bot.settings_ui.describe import CHANNEL, listed, role_named, zone_objection
from bot.settings_ui.wizard_base import (
    MOST_CHOSEN,
    SPEAKABLE,
    STORABLE,
    ChannelMenu,
    Desk,
    Item,
    Page,
    PressButton,
    RoleMenu,
    TextMenu,
    after_choice,
    in_menu,
)
from bot.words.keys import Notice
from memory.core.log_values import Consent, LogSettings
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
        return self.desk.memory.places.proposed_hall(self.desk.guild.id).role_id

    def _chosen(self) -> str:
        guild_id = self.desk.guild.id
        role = role_named(self._wanted, guild_id)
        hall = self.desk.memory.places.hall_with(guild_id, self._wanted)
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


# The setup's steps about what is stored, of whom, and where the bot may speak.


class _LogPage(Page):
    @property
    def log(self) -> LogSettings:
        return self.desk.draft.wanted.log

    @log.setter
    def log(self, log: LogSettings) -> None:
        self.desk.draft.wanted = replace(self.desk.draft.wanted, log=log)


class ExceptPage(_LogPage):
    """Channels and roles that are left out."""

    title = Notice.EXCEPT_TITLE

    def words(self) -> list[str]:
        said = [self.say(Notice.EXCEPT_WORDS)]
        if max(len(self._channels_here()), len(self._roles_here())) > MOST_CHOSEN:
            said.append(self.say(Notice.MENU_IS_FULL, shown=MOST_CHOSEN))
        return said

    def items(self) -> list[Item]:
        desk = self.desk
        return [
            ChannelMenu(
                desk.custom_id("no-channels"),
                self.say(Notice.EXCEPT_CHANNELS),
                STORABLE,
                in_menu(self._channels_here()),
                self._choose_channels,
                row=0,
            ),
            RoleMenu(
                desk.custom_id("no-roles"),
                self.say(Notice.EXCEPT_ROLES),
                in_menu(self._roles_here()),
                self._choose_roles,
                row=1,
            ),
        ]

    def leave_as_is(self) -> None:
        stored = self.desk.draft.stored.log
        self.log = replace(self.log, excluded_channels=stored.excluded_channels, excluded_roles=stored.excluded_roles)

    async def _choose_channels(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        wanted = after_choice(self.log.excluded_channels, in_menu(self._channels_here()), chosen)
        self.log = replace(self.log, excluded_channels=wanted)
        await self.desk.redraw(interaction)

    async def _choose_roles(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        wanted = after_choice(self.log.excluded_roles, in_menu(self._roles_here()), chosen)
        self.log = replace(self.log, excluded_roles=wanted)
        await self.desk.redraw(interaction)

    def _channels_here(self) -> list[int]:
        guild = self.desk.guild
        return [one for one in self.log.excluded_channels if guild.get_channel_or_thread(one) is not None]

    def _roles_here(self) -> list[int]:
        return [one for one in self.log.excluded_roles if self.desk.guild.get_role(one) is not None]


class SpeakPage(Page):
    """The channels the bot may write in."""

    title = Notice.SPEAK_TITLE

    def words(self) -> list[str]:
        said = [self.say(Notice.SPEAK_WORDS)]
        if len(self._here()) > MOST_CHOSEN:
            said.append(self.say(Notice.MENU_IS_FULL, shown=MOST_CHOSEN))
        return said

    def items(self) -> list[Item]:
        chosen = in_menu(self._here())
        placeholder = self.say(Notice.SPEAK_MENU)
        return [ChannelMenu(self.desk.custom_id("speak"), placeholder, SPEAKABLE, chosen, self._choose, row=0)]

    def leave_as_is(self) -> None:
        self._want(self.desk.draft.stored.speaks_in)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._want(after_choice(self.desk.draft.wanted.speaks_in, in_menu(self._here()), chosen))
        await self.desk.redraw(interaction)

    def _here(self) -> list[int]:
        guild = self.desk.guild
        return [one for one in self.desk.draft.wanted.speaks_in if guild.get_channel(one) is not None]

    def _want(self, channels: frozenset[int]) -> None:
        self.desk.draft.wanted = replace(self.desk.draft.wanted, speaks_in=channels)


class ConsentPage(_LogPage):
    title = Notice.CONSENT_TITLE

    def words(self) -> list[str]:
        return [self.say(Notice.CONSENT_WORDS)]

    def items(self) -> list[Item]:
        choices = {
            Consent.OPT_OUT: (Notice.CONSENT_OUT, Notice.CONSENT_OUT_HINT),
            Consent.OPT_IN: (Notice.CONSENT_IN, Notice.CONSENT_IN_HINT),
        }
        options = [
            discord.SelectOption(
                label=self.say(label),
                value=consent.value,
                description=self.say(hint),
                default=consent is self.log.consent,
            )
            for consent, (label, hint) in choices.items()
        ]
        menu = TextMenu(self.desk.custom_id("consent"), self.say(Notice.CONSENT_MENU), options, self._choose, row=0)
        return [menu]

    def leave_as_is(self) -> None:
        self.log = replace(self.log, consent=self.desk.draft.stored.log.consent)

    async def _choose(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self.log = replace(self.log, consent=Consent(chosen[0]))
        await self.desk.redraw(interaction)


# The setup's step about the time zone: a menu of common ones, and a form for all others.


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
