"""Makes the steps of the setup: what each says, and what can be pressed. Steps change the draft, never the settings.

A step is drawn from what is declared of its settings; the time zone and the hall need more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.replies.interactions import LONGEST_LABEL, Interaction, Question
from bot.settings_ui.describe import CHANNEL, listed, role_named, zone_objection
from bot.words import Notice, Voice
from memory.language.time_zones import (
    LONGEST_INPUT,
    MOST_SUGGESTED,
    is_zone,
    offset_of,
    time_in,
    zone_meant,
    zones_like,
)
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.policy.setting_fields import FieldKind, Setting, SettingField
from memory.policy.settings import FIELDS, GuildSettings
from memory.tasks import request

MOST_CHOSEN = 25
"""As many as Discord lets a menu hold."""
MOST_CHANNELS = 15

SPEAKABLE = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
]
STORABLE = [
    *SPEAKABLE,
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
]
POSTABLE = [discord.ChannelType.text, discord.ChannelType.news]

Item: TypeAlias = discord.ui.Item[Any]
Act: TypeAlias = Callable[[Interaction], Awaitable[None]]
Choose: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]


def carried_over(stored: GuildSettings, wanted: GuildSettings, now: GuildSettings) -> GuildSettings:
    """Put what is wanted otherwise than it was stored on what holds `now`: others may have changed the rest."""
    for one in FIELDS.values():
        before, chosen, held = (one.held(settings) for settings in (stored, wanted, now))
        if isinstance(chosen, frozenset):
            now = one.put(now, (held | (chosen - before)) - (before - chosen))
        elif chosen != before:
            now = one.put(now, chosen)
    return now


@dataclass
class Desk:
    """Holds what all steps of one setup share."""

    memory: MemoryManager
    question: Question
    guild: discord.Guild
    reader: Audience
    """What the manager can read."""
    now: datetime
    """When the last button was pressed."""
    voice: Voice
    """In the language of the manager."""
    house_voice: Voice
    """In the language of the guild."""
    stored: GuildSettings
    """As they were when the setup began."""
    wanted: GuildSettings
    redraw: Act

    def custom_id(self, name: str) -> str:
        return self.question.number + name

    def held(self, path: str) -> Any:  # noqa: ANN401 - of any kind
        return FIELDS[path].held(self.wanted)

    def want(self, path: str, value: object) -> None:
        self.wanted = FIELDS[path].put(self.wanted, value)


# Buttons and menus. Each hands on what was pressed or chosen.


def acting(item: Item, act: Choose) -> Item:
    """Make the item call `act` with what was chosen in it."""

    async def callback(interaction: Interaction) -> None:
        chosen = [str(getattr(one, "id", one)) for one in getattr(item, "values", ())]
        with request("setup"):
            await act(interaction, chosen)

    item.callback = callback  # type: ignore[method-assign] # as discord.py has it done
    return item


def press_button(
    custom_id: str,
    label: str,
    act: Act,
    row: int,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    disabled: bool = False,
) -> Item:
    button: Item = discord.ui.Button(
        custom_id=custom_id, label=label[:LONGEST_LABEL], style=style, row=row, disabled=disabled
    )
    return acting(button, lambda interaction, _chosen: act(interaction))


def text_menu(custom_id: str, label: str, options: list[discord.SelectOption], act: Choose) -> Item:
    return acting(discord.ui.Select(custom_id=custom_id, placeholder=label, options=options), act)


def id_menu(
    custom_id: str,
    label: str,
    types: list[discord.ChannelType] | None,
    chosen: Iterable[int],
    act: Choose,
    row: int,
    least: int = 0,
    most: int = MOST_CHOSEN,
) -> Item:
    """Make a menu of channels of some types or, without types, of roles."""
    kind = discord.SelectDefaultValueType.role if types is None else discord.SelectDefaultValueType.channel
    given: dict[str, Any] = {
        "custom_id": custom_id,
        "placeholder": label,
        "min_values": least,
        "max_values": most,
        "default_values": [discord.SelectDefaultValue(id=one, type=kind) for one in sorted(chosen)],
        "row": row,
    }
    if types is None:
        return acting(discord.ui.RoleSelect(**given), act)
    return acting(discord.ui.ChannelSelect(channel_types=types, **given), act)


def in_menu(here: Iterable[int]) -> frozenset[int]:
    """Find what a menu can show as chosen, among what still exists: Discord refuses what does not."""
    return frozenset(sorted(here)[:MOST_CHOSEN])


def after_choice(ids: frozenset[int], shown: frozenset[int], chosen: Sequence[str]) -> frozenset[int]:
    """Apply a choice: what the menu could not show is neither chosen nor unchosen by it."""
    return (ids - shown) | frozenset(map(int, chosen))


class Step:
    """Shows one step: its title, what its settings mean, and a menu for each of them."""

    def __init__(self, desk: Desk, title: Notice | Setting, about: Notice, *paths: str) -> None:
        self.desk = desk
        self.title = title
        self._about = about
        self._fields = [FIELDS[path] for path in paths]

    async def prepare(self) -> None:
        """Prepare a step before it is shown for the first time."""

    def words(self) -> list[str]:
        """Write paragraphs: what the step means for members, then what is chosen."""
        said = [self.say(self._about)]
        if any(len(self._here(one)) > MOST_CHOSEN for one in self._lists()):
            said.append(self.say(Notice.MENU_IS_FULL, shown=MOST_CHOSEN))
        return said

    def items(self) -> list[Item]:
        """Make the menus in rows 0 to 3; the last row leads from step to step."""
        return [self._menu(one, row) for row, one in enumerate(self._fields)]

    def leave_as_is(self) -> None:
        """Take back what was decided here: as it is stored."""
        for one in self._fields:
            self.desk.want(one.path, one.held(self.desk.stored))

    def say(self, notice: Notice | Setting, **values: object) -> str:
        return self.desk.voice.say(notice, **values)

    def _menu(self, one: SettingField, row: int) -> Item:
        desk, label = self.desk, one.label(self.desk.voice.language)
        custom_id = desk.custom_id(one.path)
        if one.kind is FieldKind.CHOICE:
            said = one.said_choices(desk.voice.language).items()
            held = desk.held(one.path)
            options = [discord.SelectOption(label=words, value=value, default=value == held) for value, words in said]
            return text_menu(custom_id, label, options, partial(self._choose, one))
        channels = STORABLE if one.has_threads else SPEAKABLE
        types = None if one.kind is FieldKind.ROLES else channels
        return id_menu(custom_id, label, types, in_menu(self._here(one)), partial(self._choose_several, one), row)

    async def _choose(self, one: SettingField, interaction: Interaction, chosen: Sequence[str]) -> None:
        self.desk.want(one.path, one.read(chosen[0], self.desk.held(one.path), ()))
        await self.desk.redraw(interaction)

    async def _choose_several(self, one: SettingField, interaction: Interaction, chosen: Sequence[str]) -> None:
        self.desk.want(one.path, after_choice(self.desk.held(one.path), in_menu(self._here(one)), chosen))
        await self.desk.redraw(interaction)

    def _lists(self) -> list[SettingField]:
        return [one for one in self._fields if one.kind in (FieldKind.CHANNELS, FieldKind.ROLES)]

    def _here(self, one: SettingField) -> Collection[int]:
        guild = self.desk.guild
        known = guild.get_role if one.kind is FieldKind.ROLES else guild.get_channel_or_thread
        return [number for number in self.desk.held(one.path) if known(number) is not None]


class HallStep(Step):
    """Asks which role makes the hall, and shows which channels it opens."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, Notice.HALL_TITLE, Notice.HALL_WORDS, "hall_role_id")

    async def prepare(self) -> None:
        """Choose the proposed hall to begin with, where nobody has ever chosen."""
        if self.desk.wanted.hall_role_id is None and self.desk.stored.hall_role_id is None:
            self.desk.want("hall_role_id", self._proposed)

    def words(self) -> list[str]:
        return [*super().words(), self._opened()]

    def items(self) -> list[Item]:
        desk = self.desk
        everyone, wanted, proposed = desk.guild.id, self._wanted, self._proposed
        marked = [wanted] if wanted != everyone and desk.guild.get_role(wanted) else []
        label = FIELDS["hall_role_id"].label(desk.voice.language)
        items: list[Item] = [id_menu(desk.custom_id("hall"), label, None, marked, self._take_first, 0, 1, 1)]
        if proposed is not None and proposed != wanted:
            label = self.say(Notice.HALL_PROPOSED, role=self._name(proposed))
            items.append(press_button(desk.custom_id("proposal"), label, partial(self._take, proposed), 1))
        if everyone not in (wanted, proposed):
            items.append(press_button(desk.custom_id("everyone"), "@everyone", partial(self._take, everyone), 1))
        return items

    @property
    def _wanted(self) -> int:
        return self.desk.wanted.hall_role_id or self.desk.guild.id

    @property
    def _proposed(self) -> int | None:
        return self.desk.memory.places.proposed_hall(self.desk.guild.id).role_id

    def _opened(self) -> str:
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

    async def _take_first(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        await self._take(int(chosen[0]), interaction)

    async def _take(self, role_id: int, interaction: Interaction) -> None:
        self.desk.want("hall_role_id", role_id)
        await self.desk.redraw(interaction)


class ZoneStep(Step):
    """Asks for the time zone: a menu of common ones, and a form for all others."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk, Setting.TIME_ZONE, Notice.ZONE_WORDS, "time_zone")
        self._objection: str | None = None
        self._offered: Sequence[str] = ()

    async def prepare(self) -> None:
        self._objection = None
        # Reads the database of zones, so that it is at hand when the step is drawn.
        self._offered = await asyncio.to_thread(_offered_at_first, self.desk.wanted.time_zone)

    def words(self) -> list[str]:
        zone, now = self.desk.wanted.time_zone, self.desk.now
        chosen = f"**{zone}**"
        if is_zone(zone):
            time = time_in(zone, now).strftime("%H:%M")
            chosen = self.say(Notice.ZONE_CHOSEN, zone=zone, offset=offset_of(zone, now), time=time)
        return [*super().words(), chosen, *([] if self._objection is None else [f"⚠️ {self._objection}"])]

    def items(self) -> list[Item]:
        wanted, now = self.desk.wanted.time_zone, self.desk.now
        options = [
            discord.SelectOption(label=zone, value=zone, description=offset_of(zone, now), default=zone == wanted)
            for zone in self._offered
        ]
        label = self.say(Setting.TIME_ZONE)
        return [
            text_menu(self.desk.custom_id("zone"), label, options, self._choose_zone),
            press_button(self.desk.custom_id("type"), self.say(Notice.ZONE_TYPE), self._ask, 1),
        ]

    async def typed(self, interaction: Interaction, text: str) -> None:
        zone, near = await asyncio.to_thread(lambda: (zone_meant(text), zones_like(text, self.desk.now)))
        if zone is None:
            self._objection = zone_objection(text, near, self.desk.voice)
            self._offered = near or self._offered
        else:
            self._want(zone)
        await self.desk.redraw(interaction)

    async def _choose_zone(self, interaction: Interaction, chosen: Sequence[str]) -> None:
        self._want(chosen[0])
        await self.desk.redraw(interaction)

    async def _ask(self, interaction: Interaction) -> None:
        await interaction.response.send_modal(ZoneForm(self))

    def _want(self, zone: str) -> None:
        self._objection = None
        if zone not in self._offered and is_zone(zone):
            self._offered = [zone, *self._offered][:MOST_SUGGESTED]
        self.desk.want("time_zone", zone)


class ZoneForm(discord.ui.Modal):
    def __init__(self, step: ZoneStep) -> None:
        super().__init__(title=step.say(step.title), custom_id=step.desk.custom_id("zone-form"))
        self._step = step
        self._field: discord.ui.TextInput[ZoneForm] = discord.ui.TextInput(max_length=LONGEST_INPUT)
        self.add_item(discord.ui.Label(text=step.say(Notice.ZONE_FIELD), component=self._field))

    async def on_submit(self, interaction: Interaction, /) -> None:
        question = self._step.desk.question
        if question.is_finished():
            return  # it is answered as one that ran out
        with request("setup"):
            if await question.interaction_check(interaction):
                await self._step.typed(interaction, self._field.value)

    async def on_error(  # type: ignore[override] # a modal has no item to blame; discord.py overrides it likewise
        self, interaction: Interaction, error: Exception, /
    ) -> None:
        await self._step.desk.question.tell_error(interaction, error)


def _offered_at_first(wanted: str) -> list[str]:
    common = [zone for zone in zones_like("", discord.utils.utcnow()) if zone != wanted]
    return ([wanted, *common] if is_zone(wanted) else common)[:MOST_SUGGESTED]
