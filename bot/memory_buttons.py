"""The buttons under what is held about a member. They hold numbers alone, so that they work after any restart.

A fact is named by the message that told it. What stands on a page, what a fact says and what may be done about it is
asked of memory whenever one of them is pressed.
"""

import re
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, runtime_checkable

import discord

from bot.buttons import Button, Interaction
from bot.unfinished import ID
from memory.policy.authority import Action

_PAGE = r"(?P<page>[0-9]{1,6})"
_SHEET = rf"(?P<subject>{ID}):{_PAGE}"
NOBODY = 0
"""In the place of a member: all of them."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of what is held about a member, from 0 on."""

    subject_id: int
    page: int = 0

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        return cls(int(match["subject"], 16), int(match["page"]))

    @property
    def number(self) -> str:
        return f"{self.subject_id:x}:{self.page}"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A fact on such a page."""

    sheet: Sheet
    message_id: int

    @classmethod
    def read(cls, match: re.Match[str]) -> Self:
        return cls(Sheet.read(match), int(match["message"], 16))

    @property
    def number(self) -> str:
        return f"{self.sheet.number}:{self.message_id:x}"


CHOSEN = rf"{_SHEET}:(?P<message>{ID})"


class Looking(Protocol):
    """What is done when one of them is pressed."""

    async def turn_to(self, interaction: Interaction, sheet: Sheet) -> None: ...

    async def choose(self, interaction: Interaction, chosen: Chosen) -> None: ...

    async def act(self, interaction: Interaction, chosen: Chosen, action: Action) -> None: ...

    async def turn_audit_to(self, interaction: Interaction, sheet: Sheet) -> None: ...


@runtime_checkable
class HasLooking(Protocol):
    @property
    def looking(self) -> Looking: ...


class Turn(discord.ui.DynamicItem[Button], template=rf"turn:(?P<way>[bon]):{_SHEET}"):
    """To another page: back, on, or the one that a fact was chosen from."""

    name = "turn"

    def __init__(self, way: str, sheet: Sheet, label: str, *, is_there: bool = True, row: int | None = None) -> None:
        super().__init__(_button(f"{self.name}:{way}:{sheet.number}", label, disabled=not is_there), row=row)
        self._sheet = sheet

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["way"], Sheet.read(match), "…")

    @classmethod
    def both(cls, sheet: Sheet, pages: int) -> tuple[Self, ...]:
        """Back and on; none under a single page."""
        if pages < 2:
            return ()
        before, after = replace(sheet, page=max(sheet.page - 1, 0)), replace(sheet, page=min(sheet.page + 1, pages - 1))
        return (
            cls("b", before, "◀", is_there=sheet.page > 0, row=1),
            cls("o", after, "▶", is_there=sheet.page < pages - 1, row=1),
        )


class TurnMemory(Turn, template=rf"memory:(?P<way>[bon]):{_SHEET}"):
    name = "memory"

    async def callback(self, interaction: Interaction) -> None:
        await looking_of(interaction).turn_to(interaction, self._sheet)


class TurnAudit(Turn, template=rf"audit:(?P<way>[bon]):{_SHEET}"):
    name = "audit"

    async def callback(self, interaction: Interaction) -> None:
        await looking_of(interaction).turn_audit_to(interaction, self._sheet)


class ChooseFact(discord.ui.DynamicItem[Button], template=rf"held:{CHOSEN}"):
    """Under a page, once for each fact about which something can be done."""

    def __init__(self, chosen: Chosen, label: str) -> None:
        super().__init__(_button(f"held:{chosen.number}", label), row=0)
        self._chosen = chosen

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Chosen.read(match), "…")

    async def callback(self, interaction: Interaction) -> None:
        await looking_of(interaction).choose(interaction, self._chosen)


class Act(discord.ui.DynamicItem[Button], template=rf"act:(?P<action>[a-z_]{{1,20}}):{CHOSEN}"):
    """Under a fact, once for each thing that can be done about it."""

    def __init__(self, action: Action, chosen: Chosen, label: str) -> None:
        dangerous = action in (Action.VETO, Action.FORGET)
        style = discord.ButtonStyle.danger if dangerous else discord.ButtonStyle.secondary
        super().__init__(_button(f"act:{action}:{chosen.number}", label, style=style))
        self._action = action
        self._chosen = chosen

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(Action(match["action"]), Chosen.read(match), "…")

    async def callback(self, interaction: Interaction) -> None:
        await looking_of(interaction).act(interaction, self._chosen, self._action)


MEMORY_BUTTONS = (TurnMemory, TurnAudit, ChooseFact, Act)


def _button(
    custom_id: str,
    label: str,
    *,
    disabled: bool = False,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> Button:
    return discord.ui.Button(style=style, label=label, custom_id=custom_id, disabled=disabled)


def looking_of(interaction: Interaction) -> Looking:
    if not isinstance(interaction.client, HasLooking):
        raise TypeError("this client shows nothing of what it holds")
    return interaction.client.looking
