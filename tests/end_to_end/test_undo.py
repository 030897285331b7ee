"""Undo in place: after every write into memory one line says what changed, and what can be done about it."""

import pytest

from tests.end_to_end.asking import at_home, labels_of, say_and_hear
from tests.end_to_end.choosing import becomes, facts_of, heard, press
from tests.end_to_end.house import Inn

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_what_was_told_is_undone_by_its_teller(inn: Inn) -> None:
    await at_home(inn)
    aylin = inn.person("aylin")
    told = await say_and_hear(aylin, "Bot remember that I grow quinces")
    assert labels_of(told) == ["Undo", "Edit"]
    await press(aylin, told, "Undo")
    now = await becomes(aylin, told, "Undone")
    assert "quinces" not in now["content"]
    assert labels_of(now) == []
    assert await facts_of(inn) == []
