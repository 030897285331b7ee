"""A reply as one card that reads well on a phone: blocks of text with lines between them, some with a button beside
them. Discord calls it a layout (Components V2); it takes the place of plain text and embeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.replies.buttons import ReplyButton

MOST_CHARACTERS = 4_000
"""Of all blocks together."""


@dataclass(frozen=True, slots=True)
class Block:
    text: str
    button: ReplyButton | None = None
    """Stands beside the first line, which is a heading then."""


def layout_of(blocks: Sequence[Block], buttons: Sequence[ReplyButton] = ()) -> discord.ui.LayoutView:
    """The buttons that belong to no block stand last."""
    items: list[discord.ui.Item[Any]] = []
    for block in blocks:
        items += [discord.ui.Separator()] if items else []
        heading, _, lines = block.text.partition("\n")
        if block.button is None:
            items.append(discord.ui.TextDisplay(block.text))
        else:
            # Beside the heading alone: on a phone the lines need all the room there is.
            items += [discord.ui.Section(heading, accessory=block.button), discord.ui.TextDisplay(lines)]
    if buttons:
        items.append(discord.ui.ActionRow(*buttons))
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.Container(*items))
    return view


def fits(blocks: Sequence[Block]) -> bool:
    return sum(len(block.text) for block in blocks) <= MOST_CHARACTERS
