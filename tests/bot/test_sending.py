"""A reply in parts: the button under the last, and no further part once its readers have changed."""

import discord

from bot.buttons import AnswerOnlyToMe
from bot.drafts import Draft, Sent
from bot.reply import LIMIT
from bot.sending import ReadersChanged, Still, in_parts

LONG = " ".join(["word"] * LIMIT)


class Channel:
    """Takes parts while its readers stay the same: for so many looks."""

    def __init__(self, steady_for: int) -> None:
        self._steady_for = steady_for
        self.parts: list[tuple[str, int]] = []

    def still(self) -> bool:
        self._steady_for -= 1
        return self._steady_for >= 0

    async def post(self, _number: int, part: str, view: discord.ui.View, still: Still) -> None:
        if not still():
            raise ReadersChanged
        self.parts.append((part, len(view.children)))

    async def take(self, words: str) -> Sent:
        draft = Draft(words, button=AnswerOnlyToMe(1, 2, "Answer only to me"))
        return await in_parts(draft, "(cut)", self.still, self.post)


async def test_the_button_stands_under_the_last_part() -> None:
    channel = Channel(100)
    assert await channel.take(LONG) is Sent.DELIVERED
    assert len(channel.parts) > 1
    assert [buttons for _, buttons in channel.parts] == [0] * (len(channel.parts) - 1) + [1]


async def test_nothing_is_said_if_readers_changed_before_the_first() -> None:
    channel = Channel(0)
    assert await channel.take(LONG) is Sent.CHANGED
    assert channel.parts == []


async def test_the_rest_is_left_out_if_readers_change_in_between() -> None:
    channel = Channel(2)
    assert await channel.take(LONG) is Sent.DELIVERED
    assert [part == "(cut)" for part, _ in channel.parts] == [False, False, True]
    assert channel.parts[-1][1] == 1


async def test_no_words_are_no_message() -> None:
    assert await Channel(1).take("  ") is Sent.NOTHING
