"""One step of the setup: what it says, and what can be pressed. Pages change the draft, and never the settings."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, TypeAlias, TypeVar

import discord

from bot.replies.interactions import Interaction, Question
from bot.words.keys import Notice
from bot.words.voice import Voice
from memory.core.log_values import LogSettings
from memory.manager import MemoryManager
from memory.places.view import Audience
from memory.policy.authority import FactRules
from memory.policy.settings import GuildSettings
from memory.tasks import request

# The settings as a manager would like them, beside those they were when the setup began.


Value = TypeVar("Value")


@dataclass(slots=True)
class SettingsDraft:
    stored: GuildSettings
    """As the database has them, as far as we know."""
    wanted: GuildSettings

    @property
    def changes_the_log(self) -> bool:
        return self.wanted.log != self.stored.log

    def overtaken_by(self, now: GuildSettings) -> None:
        """Somebody else changed settings meanwhile: what this draft left alone is taken from theirs."""
        stored, wanted = self.stored, self.wanted
        self.wanted = GuildSettings(
            time_zone=_settled(stored.time_zone, wanted.time_zone, now.time_zone),
            hall_role_id=_settled(stored.hall_role_id, wanted.hall_role_id, now.hall_role_id),
            speaks_in=_joined(stored.speaks_in, wanted.speaks_in, now.speaks_in),
            set_up_at=now.set_up_at,
            log=_settled_log(stored.log, wanted.log, now.log),
            facts=FactRules(
                about_others=_settled(stored.facts.about_others, wanted.facts.about_others, now.facts.about_others),
                moderators_may=_settled(
                    stored.facts.moderators_may, wanted.facts.moderators_may, now.facts.moderators_may
                ),
            ),
            second_look=_settled(stored.second_look, wanted.second_look, now.second_look),
            summaries=_settled(stored.summaries, wanted.summaries, now.summaries),
            answers=_settled(stored.answers, wanted.answers, now.answers),
            digest=_settled(stored.digest, wanted.digest, now.digest),
        )
        self.stored = now


def _settled_log(stored: LogSettings, wanted: LogSettings, now: LogSettings) -> LogSettings:
    return LogSettings(
        consent=_settled(stored.consent, wanted.consent, now.consent),
        retention_days=_settled(stored.retention_days, wanted.retention_days, now.retention_days),
        excluded_channels=_joined(stored.excluded_channels, wanted.excluded_channels, now.excluded_channels),
        excluded_roles=_joined(stored.excluded_roles, wanted.excluded_roles, now.excluded_roles),
        summary_days=_settled(stored.summary_days, wanted.summary_days, now.summary_days),
        fact_days=_settled(stored.fact_days, wanted.fact_days, now.fact_days),
    )


def _settled(stored: Value, wanted: Value, now: Value) -> Value:
    return now if wanted == stored else wanted


def _joined(stored: frozenset[int], wanted: frozenset[int], now: frozenset[int]) -> frozenset[int]:
    return (now | (wanted - stored)) - (stored - wanted)


Item: TypeAlias = discord.ui.Item[Any]
Act: TypeAlias = Callable[[Interaction], Awaitable[None]]
Choose: TypeAlias = Callable[[Interaction, Sequence[str]], Awaitable[None]]


@dataclass
class Desk:
    """What all pages of one setup share."""

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
    draft: SettingsDraft
    redraw: Act

    def custom_id(self, name: str) -> str:
        return self.question.number + name


class Page(ABC):
    title: ClassVar[Notice]
    takes_time: ClassVar[bool] = False
    """Whether `prepare` may take longer than Discord waits for an answer."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def prepare(self) -> None:
        """Before it is shown because somebody turned to it."""
        return

    @abstractmethod
    def words(self) -> list[str]:
        """Paragraphs: what the step means for members, then what is chosen."""

    @abstractmethod
    def items(self) -> list[Item]:
        """Rows 0 to 3; the last row leads from page to page."""

    def leave_as_is(self) -> None:
        """What was decided here is taken back: as it is stored."""
        return

    def say(self, notice: Notice, **values: object) -> str:
        return self.desk.voice.say(notice, **values)


# Buttons and menus of the setup. Each hands on what was pressed or chosen.


MOST_CHOSEN = 25
"""As many as Discord lets a menu hold."""
LONGEST_LABEL = 80

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


class PressButton(discord.ui.Button[discord.ui.View]):
    def __init__(
        self,
        custom_id: str,
        label: str,
        act: Act,
        *,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        row: int,
        disabled: bool = False,
    ) -> None:
        super().__init__(custom_id=custom_id, label=label[:LONGEST_LABEL], style=style, row=row, disabled=disabled)
        self._act = act

    async def callback(self, interaction: Interaction) -> None:
        with request("setup"):
            await self._act(interaction)


class TextMenu(discord.ui.Select[discord.ui.View]):
    def __init__(
        self, custom_id: str, placeholder: str, options: list[discord.SelectOption], choose: Choose, *, row: int
    ) -> None:
        super().__init__(custom_id=custom_id, placeholder=placeholder, options=options, row=row)
        self._choose = choose

    async def callback(self, interaction: Interaction) -> None:
        with request("setup"):
            await self._choose(interaction, self.values)


class ChannelMenu(discord.ui.ChannelSelect[discord.ui.View]):
    def __init__(
        self,
        custom_id: str,
        placeholder: str,
        types: list[discord.ChannelType],
        chosen: Iterable[int],
        choose: Choose,
        *,
        row: int,
        most: int = MOST_CHOSEN,
    ) -> None:
        super().__init__(
            custom_id=custom_id,
            placeholder=placeholder,
            channel_types=types,
            min_values=0,
            max_values=most,
            default_values=_defaults(chosen, discord.SelectDefaultValueType.channel),
            row=row,
        )
        self._choose = choose

    async def callback(self, interaction: Interaction) -> None:
        with request("setup"):
            await self._choose(interaction, [str(channel.id) for channel in self.values])


class RoleMenu(discord.ui.RoleSelect[discord.ui.View]):
    def __init__(
        self,
        custom_id: str,
        placeholder: str,
        chosen: Iterable[int],
        choose: Choose,
        *,
        row: int,
        least: int = 0,
        most: int = MOST_CHOSEN,
    ) -> None:
        super().__init__(
            custom_id=custom_id,
            placeholder=placeholder,
            min_values=least,
            max_values=most,
            default_values=_defaults(chosen, discord.SelectDefaultValueType.role),
            row=row,
        )
        self._choose = choose

    async def callback(self, interaction: Interaction) -> None:
        with request("setup"):
            await self._choose(interaction, [str(role.id) for role in self.values])


def in_menu(here: Iterable[int]) -> frozenset[int]:
    """Those that a menu can show as chosen, of the ones that still exist: Discord refuses what does not."""
    return frozenset(sorted(here)[:MOST_CHOSEN])


def after_choice(ids: frozenset[int], shown: frozenset[int], chosen: Sequence[str]) -> frozenset[int]:
    """What the menu could not show is neither chosen nor unchosen by it."""
    return (ids - shown) | frozenset(map(int, chosen))


def _defaults(ids: Iterable[int], kind: discord.SelectDefaultValueType) -> list[discord.SelectDefaultValue]:
    return [discord.SelectDefaultValue(id=one, type=kind) for one in sorted(ids)]
