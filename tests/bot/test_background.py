"""Background work: few at a time, each piece once, again after a failure, and none in another's way."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from bot import background as module
from bot.background import Key, KeyedTaskQueue

HERE, THERE, ELSEWHERE = Key(1, 10), Key(1, 11), Key(2, 20)


@contextlib.asynccontextmanager
async def running(errands: KeyedTaskQueue) -> AsyncIterator[None]:
    task = asyncio.create_task(errands.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def noting(done: list[str], name: str) -> Callable[[], Awaitable[bool]]:
    async def work() -> bool:
        done.append(name)
        return True

    return work


async def test_a_piece_that_is_asked_for_twice_is_done_once() -> None:
    errands, done = KeyedTaskQueue("test", 2), list[str]()
    errands.ask(HERE, noting(done, "old"))
    errands.ask(HERE, noting(done, "new"))
    async with running(errands):
        await errands.idle()
    assert done == ["new"]


async def test_a_piece_that_is_asked_for_while_it_is_under_way_is_done_once_more() -> None:
    errands, done = KeyedTaskQueue("test", 2), list[str]()
    begun, gate = asyncio.Event(), asyncio.Event()

    async def first() -> bool:
        begun.set()
        await gate.wait()
        done.append("first")
        return True

    errands.ask(HERE, first)
    async with running(errands):
        await begun.wait()
        errands.ask(HERE, noting(done, "second"))
        errands.ask(THERE, noting(done, "another"))
        while not done:  # noqa: ASYNC110 - another piece's doing
            await asyncio.sleep(0)
        assert done == ["another"]
        gate.set()
        await errands.idle()
    assert done == ["another", "first", "second"]


@pytest.mark.parametrize("breaks", [False, True])
async def test_a_failure_is_tried_again_and_holds_up_nobody(breaks: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_SECONDS", 0.001)
    errands, done, tries = KeyedTaskQueue("test", 1), list[str](), 0

    async def stubborn() -> bool:
        nonlocal tries
        tries += 1
        if tries < 4 and breaks:
            raise RuntimeError("a bug")
        return tries >= 4

    errands.ask(HERE, stubborn)
    errands.ask(ELSEWHERE, noting(done, "another"))
    async with running(errands):
        while errands.pending():  # noqa: ASYNC110 - its own timers
            await asyncio.sleep(0.001)
    assert tries == 4
    assert done == ["another"]


async def test_what_concerns_a_guild_that_is_gone_is_forgotten() -> None:
    errands, done = KeyedTaskQueue("test", 1), list[str]()
    errands.ask(HERE, noting(done, "here"))
    errands.ask(ELSEWHERE, noting(done, "elsewhere"))
    errands.forget_guild(1)
    async with running(errands):
        await errands.idle()
    assert done == ["elsewhere"]
    assert errands.pending() == 0


async def test_a_piece_for_later_waits_unless_it_is_asked_for_before() -> None:
    errands, done = KeyedTaskQueue("test", 2), list[str]()
    errands.ask_later(HERE, noting(done, "in an hour"), 3600)
    errands.ask_later(THERE, noting(done, "in an hour"), 3600)
    errands.ask_later(ELSEWHERE, noting(done, "at once"), 0)
    assert errands.pending() == 3
    async with running(errands):
        errands.ask(HERE, noting(done, "now"))
        while len(done) < 2:  # noqa: ASYNC110 - another piece's doing
            await asyncio.sleep(0)
        await errands.idle()
        assert sorted(done) == ["at once", "now"]
        errands.forget_guild(THERE.guild_id)
        assert errands.pending() == 0
