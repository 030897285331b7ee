"""A reply in parts, which ends where its readers change; and one that comes late, in the place of no answer."""

import logging
from typing import cast

import discord
import pytest

from bot.replies.buttons import AnswerOnlyToMe
from bot.replies.draft import Draft, Sent
from bot.replies.send import ReadersChanged, Shown, Still, in_parts, replying_late_to, send, typing_while
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


class Sheet:
    """A message of ours in Discord, which may take no edits."""

    def __init__(self, content: str, *, takes_edits: bool = True) -> None:
        self.content = content
        self._takes_edits = takes_edits
        self.is_gone = False

    async def edit(self, *, content: str, **_: object) -> "Sheet":
        if not self._takes_edits:
            raise OSError("the line is dead")
        self.content = content
        return self

    async def delete(self) -> None:
        self.is_gone = True


class Asked:
    """A question to us and its channel, where a nonce that was there before brings back what it stands for."""

    def __init__(self, **posted: Sheet) -> None:
        self.id = 7
        self.channel = self
        self.posted = posted

    def to_reference(self, **_: object) -> None:
        return None

    async def send(self, content: str, *, nonce: str, **_: object) -> Sheet:
        return self.posted.setdefault(nonce, Sheet(content))

    async def answer_late(self, reply: Sheet | None, still: Still = lambda: True) -> Sent:
        post = replying_late_to(cast(discord.Message, self), cast(discord.PartialMessage | None, reply))
        return await send(Draft("At eight."), post, ending="(cut)", still=still)

    @property
    def said(self) -> list[str]:
        return [sheet.content for sheet in self.posted.values() if not sheet.is_gone]


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("takes_edits", [True, False])
async def test_a_reply_that_is_no_answer_becomes_one(is_known: bool, takes_edits: bool) -> None:
    reply = Sheet("I cannot look just now.", takes_edits=takes_edits)
    asked = Asked(**{"7-0": reply})
    assert await asked.answer_late(reply if is_known else None) is Sent.DELIVERED
    assert asked.said == ["At eight."]
    assert reply.is_gone is not takes_edits


async def test_a_late_answer_is_posted_where_nothing_stands() -> None:
    asked = Asked()
    assert await asked.answer_late(None) is Sent.DELIVERED
    assert asked.said == ["At eight."]


async def test_a_reply_is_left_as_it_is_if_readers_changed() -> None:
    reply = Sheet("I cannot look just now.")
    asked = Asked(**{"7-0": reply})
    assert await asked.answer_late(reply, lambda: False) is Sent.CHANGED
    assert asked.said == ["I cannot look just now."]


class Mute:
    """A channel whose notice fails as nobody thought of."""

    async def typing(self) -> None:
        raise KeyError


async def test_a_typing_notice_that_fails_is_logged_once_and_costs_no_reply(caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> str:
        return "made"

    assert await typing_while(work(), cast(discord.abc.Messageable, Mute())) == "made"
    [line] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert line.getMessage() == "typing indicator failed"
    assert line.exc_info is not None
