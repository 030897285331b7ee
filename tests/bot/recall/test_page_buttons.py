"""The buttons of pages carry which messages stand on them, within what Discord allows."""

from typing import TYPE_CHECKING

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.recall import MOST_PAGES, page_buttons, pages_under
from bot.replies.draft import Draft
from bot.replies.send import view_of
from memory.recall.results import Bookmark

if TYPE_CHECKING:
    from discord.types.components import ActionRow


MARKS = st.builds(Bookmark, st.integers(1, 2**63 - 1), st.booleans(), st.booleans())
PAGES = st.lists(st.lists(MARKS, min_size=1, max_size=5), min_size=2, max_size=MOST_PAGES)


class Shown:
    """As much of a message as holds its components."""

    def __init__(self, view: discord.ui.View) -> None:
        rows: list[ActionRow] = view.to_components()  # type: ignore[assignment] # what Discord gives back is the same
        self.components = [discord.components._component_factory(row) for row in rows]


@pytest.mark.asyncio
@given(PAGES, st.data())
async def test_what_is_written_is_read_again(pages: list[list[Bookmark]], data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(pages) - 1))
    view = view_of(Draft("", buttons=page_buttons(pages, number)))
    rows = view.to_components()
    buttons = [button for row in rows for button in row["components"]]
    assert all(len(button["custom_id"]) <= 100 for button in buttons)
    assert len({button["custom_id"] for button in buttons}) == len(buttons) == len(pages) + 2
    assert all(len(row["components"]) <= 5 for row in rows)
    assert pages_under(Shown(view)) == pages  # type: ignore[arg-type] # the components are all that is looked at


@pytest.mark.asyncio
async def test_the_open_page_and_the_ends_lead_nowhere() -> None:
    pages = [[Bookmark(number)] for number in range(1, 4)]
    for number, closed in ((0, ["◀", "1"]), (1, ["2"]), (2, ["3", "▶"])):
        buttons = [button.item for button in page_buttons(pages, number)]
        assert [button.label for button in buttons] == ["◀", "1", "2", "3", "▶"]
        assert [button.label for button in buttons if button.disabled] == closed
