"""A growing reply where Discord is slow, loses a message, or takes one without saying so."""

import asyncio
from collections.abc import Iterator
from typing import cast

import discord
import pytest

import bot.streaming
from bot.drafts import Draft, Sent
from bot.sending import Post, ReadersChanged, Still, send
from bot.streaming import Growing
from tests.memory.metered import until


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.streaming, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(bot.streaming, "EVERY_SECONDS", 0.01)
    monkeypatch.setattr(bot.streaming, "LAST_CALL_SECONDS", 0.05)


class Sheet:
    """A message in a channel."""

    def __init__(self, wall: "Wall", content: str) -> None:
        self._wall = wall
        self.content = content
        self.is_gone = False

    async def edit(self, *, content: str, **_: object) -> "Sheet":
        await self._wall.passed()
        if self._wall.takes_no_edits:
            raise OSError("the line is dead")
        self.content = content
        return self

    async def delete(self) -> None:
        self.is_gone = True


class Wall:
    """A channel, with a nonce for every part as Discord has it."""

    def __init__(self) -> None:
        self.sheets: dict[str, Sheet] = {}
        self.way = asyncio.Event()
        self.way.set()
        self.waiting = 0
        self.takes_no_edits = False

    @property
    def text(self) -> list[str]:
        return [sheet.content for sheet in self.sheets.values() if not sheet.is_gone]

    async def passed(self) -> None:
        self.waiting += 1
        await self.way.wait()
        self.waiting -= 1

    async def post(
        self, number: int, part: str, view: discord.ui.View, still: Still, *, again: bool = False
    ) -> discord.Message:
        if not still():
            raise ReadersChanged
        sheet = self.sheets.setdefault(f"{number}{again}", Sheet(self, part))
        await self.passed()
        return cast(discord.Message, sheet)


@pytest.fixture
def wall() -> Iterator[Wall]:
    wall = Wall()
    yield wall
    wall.way.set()


async def finish(growing: Growing, words: str, still: Still = lambda: True) -> Sent:
    return await send(Draft(words), growing.finish, ending="(cut)", still=still)


def grow(wall: Wall) -> Growing:
    post: Post = wall.post
    return Growing(post)


async def test_it_grows_and_is_finished_in_place(wall: Wall) -> None:
    growing = grow(wall)
    shown: list[str] = []
    async with growing.while_made(lambda: True, lambda: shown.append(wall.text[0])) as hear:
        hear("One")
        await until(lambda: wall.text == ["One …"])
        hear("One two")
        await until(lambda: wall.text == ["One two …"])
    assert await finish(growing, "One two three.") is Sent.DELIVERED
    assert wall.text == ["One two three."]
    assert shown == ["One …"]


async def test_what_was_not_shown_is_posted(wall: Wall) -> None:
    growing = grow(wall)
    async with growing.while_made(lambda: True):
        pass
    assert await finish(growing, "Done.") is Sent.DELIVERED
    assert wall.text == ["Done."]


async def test_nothing_more_is_shown_to_readers_who_may_not_read_it(wall: Wall) -> None:
    growing, may_read = grow(wall), [True]
    async with growing.while_made(lambda: may_read[0]) as hear:
        hear("One")
        await until(lambda: wall.text == ["One …"])
        may_read[0] = False
        hear("One secret")
        await asyncio.sleep(0.1)
        assert wall.text == ["One …"]
    assert await finish(growing, "One secret.", lambda: False) is Sent.CHANGED
    assert wall.text == ["One …"]
    async with growing.while_made(lambda: True) as hear:
        hear("Another")
        await until(lambda: wall.text == ["Another …"])
    assert await finish(growing, "Another one.") is Sent.DELIVERED
    assert wall.text == ["Another one."]


async def test_what_may_not_be_said_at_all_is_taken_back(wall: Wall) -> None:
    growing = grow(wall)
    async with growing.while_made(lambda: True) as hear:
        hear("One")
        await until(lambda: wall.text == ["One …"])
    await growing.withdraw()
    assert wall.text == []


async def test_a_post_that_was_given_up_is_found_again(wall: Wall) -> None:
    growing = grow(wall)
    wall.way.clear()
    async with growing.while_made(lambda: True) as hear:
        hear("One")
        await until(lambda: wall.waiting)
    wall.way.set()
    assert await finish(growing, "One two.") is Sent.DELIVERED
    assert wall.text == ["One two."]


async def test_a_dead_line_for_edits_costs_no_answer(wall: Wall) -> None:
    growing = grow(wall)
    async with growing.while_made(lambda: True) as hear:
        hear("One")
        await until(lambda: wall.text == ["One …"])
        wall.takes_no_edits = True
        hear("One two")
    assert await finish(growing, "One two.") is Sent.DELIVERED
    assert wall.text == ["One two."]


async def test_the_last_edit_waits_for_the_one_before(wall: Wall) -> None:
    growing = grow(wall)
    async with growing.while_made(lambda: True) as hear:
        hear("One")
        await until(lambda: wall.text == ["One …"])
        wall.way.clear()
        hear("One two")
        await until(lambda: wall.waiting)
        asyncio.get_running_loop().call_later(0.01, wall.way.set)
    assert await finish(growing, "One two three.") is Sent.DELIVERED
    assert wall.text == ["One two three."]


async def test_work_that_is_given_up_leaves_nothing_running(wall: Wall) -> None:
    growing = grow(wall)

    async def work() -> None:
        async with growing.while_made(lambda: True) as hear:
            hear("One")
            await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await work()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "growing reply"]
    assert await finish(growing, "That took too long.") is Sent.DELIVERED
    assert wall.text == ["That took too long."]
