"""Buttons and menus of the setup. Each hands on what was pressed or chosen."""

from collections.abc import Iterable, Sequence

import discord

from bot.commands.questions import Interaction
from bot.commands.setup.page import Act, Choose
from memory.tasks import request

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
