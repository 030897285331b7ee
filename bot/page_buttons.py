"""The buttons under what was found, one for each page and two for the next ones.

Each page's button holds in its id which messages stand on that page, and nothing of what they say. So pages can be
turned after any restart; what they show is read anew, for the one who turns them.
"""

import base64
import re
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self, runtime_checkable

import discord

from memory.recall.results import Bookmark

Interaction = discord.Interaction[discord.Client]
Button = discord.ui.Button[discord.ui.View]

MOST_PAGES = 5
_IN_ONE_ROW = 3
"""So many pages have room between the two arrows."""
_BOOKMARK = struct.Struct(">qB")
_ID = re.compile(r"page:(?P<kind>[nbo]):(?P<number>[0-4]):(?P<marks>(?:[A-Za-z0-9_-]{12}){0,5})")
"""Nine bytes of a mark are twelve of these signs."""
_NUMBER, _BACK, _ON = "n", "b", "o"
_LABELS = {_BACK: "◀", _ON: "▶"}

Pages = Sequence[Sequence[Bookmark]]


class Turning(Protocol):
    async def turn_to(self, interaction: Interaction, number: int) -> None: ...


@runtime_checkable
class HasTurning(Protocol):
    @property
    def turning(self) -> Turning: ...


class PageButton(discord.ui.DynamicItem[Button], template=_ID):
    def __init__(
        self, kind: str, number: int, marks: str = "", *, is_open: bool = False, row: int | None = None
    ) -> None:
        """`number` is the page it leads to, from 0 on; the one that is open leads nowhere."""
        super().__init__(
            discord.ui.Button(
                style=discord.ButtonStyle.primary if is_open else discord.ButtonStyle.secondary,
                label=_LABELS.get(kind, str(number + 1)),
                custom_id=f"page:{kind}:{number}:{marks}",
                disabled=is_open,
            ),
            row=row,
        )
        self._number = number

    @classmethod
    async def from_custom_id(
        cls, _interaction: Interaction, _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(match["kind"], int(match["number"]), match["marks"])

    async def callback(self, interaction: Interaction) -> None:
        if not isinstance(interaction.client, HasTurning):
            raise TypeError("this client has no pages")
        await interaction.client.turning.turn_to(interaction, self._number)


def page_buttons(pages: Pages, number: int) -> discord.ui.View:
    """For the page `number`, which is open; none for a single page."""
    view = discord.ui.View(timeout=None)
    if len(pages) < 2:
        return view
    arrows, numbers = (0, 0) if len(pages) <= _IN_ONE_ROW else (1, 0)
    back = PageButton(_BACK, max(number - 1, 0), is_open=number == 0, row=arrows)
    on = PageButton(_ON, min(number + 1, len(pages) - 1), is_open=number == len(pages) - 1, row=arrows)
    leaves = [
        PageButton(_NUMBER, place, _written(marks), is_open=place == number, row=numbers)
        for place, marks in enumerate(pages)
    ]
    for button in (back, *leaves, on):
        view.add_item(button)
    return view


def pages_under(message: discord.Message) -> list[list[Bookmark]]:
    """Which messages stand on which page; nothing, where the buttons are not ours."""
    pages: list[list[Bookmark]] = []
    for button in _buttons(message):
        found = _ID.fullmatch(button.custom_id or "")
        if found is not None and found["kind"] == _NUMBER:
            pages.append(_read(found["marks"]))
    return pages


def _buttons(message: discord.Message) -> Iterable[discord.Button]:
    for row in message.components:
        if isinstance(row, discord.ActionRow):
            yield from (one for one in row.children if isinstance(one, discord.Button))


def _written(marks: Sequence[Bookmark]) -> str:
    packed = b"".join(_BOOKMARK.pack(mark.message_id, mark.with_before + 2 * mark.with_after) for mark in marks)
    return base64.urlsafe_b64encode(packed).decode()


def _read(written: str) -> list[Bookmark]:
    marks = _BOOKMARK.iter_unpack(base64.urlsafe_b64decode(written))
    return [Bookmark(message_id, bool(beside & 1), bool(beside & 2)) for message_id, beside in marks]
