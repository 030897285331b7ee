"""A reply in parts, which ends where its readers change."""

import logging
from typing import cast

import discord
import pytest

from bot.replies.buttons import AnswerOnlyToMe
from bot.replies.draft import Draft, Sent
from bot.replies.send import ReadersChanged, Shown, Still, in_parts, typing_while
from bot.replies.split import LIMIT

LONG = " ".join(["word"] * LIMIT)


class Channel:
    """Takes parts while its readers stay the same: for so many looks."""

    def __init__(self, steady_for: int) -> None:
        self._steady_for = steady_for
        self.parts: list[tuple[str, int]] = []

    def still(self) -> bool:
        self._steady_for -= 1
        return self._steady_for >= 0

    async def post(self, _number: int, part: str, view: Shown, still: Still) -> None:
        if not still():
            raise ReadersChanged
        self.parts.append((part, len(view.children)))

    async def take(self, words: str) -> Sent:
        draft = Draft(words, buttons=(AnswerOnlyToMe(1, 2, label="Answer only to me"),))
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


class Mute:
    """A channel whose notice fails as nobody thought of."""

    def typing(self) -> None:
        raise KeyError


async def test_a_typing_notice_that_fails_is_logged_once_and_costs_no_reply(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> str:
        return "made"

    assert await typing_while(work(), cast(discord.abc.Messageable, Mute())) == "made"
    [line] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert line.getMessage() == "typing indicator failed"
    assert line.exc_info is not None
