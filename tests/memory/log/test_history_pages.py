"""Pages of history that wait for each other are written together, and none depends on another's fate."""

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from memory.core.log_values import ChannelProgress, HistoryPage
from memory.core.values import AuthorKind, Message
from memory.db.errors import DatabaseAway
from memory.log import batch_queue
from memory.log.batch_queue import HistoryPages
from tests.memory.log.logbook import rows_of
from tests.memory.world import CELLAR, GUILD, HALL, LOUNGE, NOON, World


def page(channel_id: int, *message_ids: int, guild_id: int = GUILD) -> HistoryPage:
    messages = [
        Message(guild_id, channel_id, message_id, 1, AuthorKind.PERSON, "hello", NOON) for message_id in message_ids
    ]
    return HistoryPage(guild_id, channel_id, messages, through=max(message_ids))


class Desk:
    """Writes when it is told to, and notes what was written together."""

    def __init__(self) -> None:
        self.written: list[list[int]] = []
        self.may_write = asyncio.Event()
        self.fails_on: int | None = None
        self.pages = HistoryPages(self.write)

    async def write(self, pages: Sequence[HistoryPage]) -> Mapping[int, int]:
        channels = [page.channel_id for page in pages]
        await self.may_write.wait()
        if self.fails_on in channels:
            raise DatabaseAway("The database is away.")
        self.written.append(channels)
        return {page.channel_id: len(page.messages) for page in pages}

    def store(self, page: HistoryPage) -> "asyncio.Task[int]":
        return asyncio.create_task(self.pages.store(page))


async def at_work() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_pages_that_arrive_meanwhile_are_written_together() -> None:
    desk = Desk()
    stored = [desk.store(page(1, 10)), desk.store(page(2, 20, 21)), desk.store(page(3, 30))]
    await at_work()
    stored += [desk.store(page(2, 22)), desk.store(page(2, 23, 24)), desk.store(page(9, 90, guild_id=2))]
    await at_work()
    desk.may_write.set()
    assert await asyncio.gather(*stored) == [1, 2, 1, 1, 2, 1]
    # Two of one channel are kept apart, so that each is told its own count.
    assert sorted(desk.written) == [[1], [2], [2], [2, 3], [9]]


async def test_a_transaction_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_queue, "ROWS_AT_ONCE", 3)
    desk = Desk()
    stored = [desk.store(page(channel, channel, channel + 100)) for channel in range(1, 5)]
    stored.append(desk.store(page(5, 5, 6, 7, 8)))
    await at_work()
    desk.may_write.set()
    assert await asyncio.gather(*stored) == [2, 2, 2, 2, 4]
    assert desk.written == [[1], [2], [3], [4], [5]]


async def test_a_failure_is_told_to_all_whose_pages_were_in_it() -> None:
    desk = Desk()
    desk.fails_on = 3
    stored = [desk.store(page(channel, channel)) for channel in (1, 2, 3)]
    await at_work()
    desk.may_write.set()
    outcomes = await asyncio.gather(*stored, return_exceptions=True)
    assert outcomes[0] == 1
    assert all(isinstance(outcome, DatabaseAway) for outcome in outcomes[1:])
    desk.fails_on = None
    assert await desk.store(page(3, 3)) == 1


@pytest.mark.parametrize("given_up", [0, 1, 2])
async def test_who_gives_up_takes_nobody_along(given_up: int) -> None:
    desk = Desk()
    stored = [desk.store(page(channel, channel)) for channel in (1, 2, 3)]
    await at_work()
    stored[given_up].cancel()
    await at_work()
    desk.may_write.set()
    outcomes = await asyncio.gather(*stored, return_exceptions=True)
    assert isinstance(outcomes.pop(given_up), asyncio.CancelledError)
    assert outcomes == [1, 1]


async def test_pages_side_by_side_are_stored_with_the_progress_of_each(world: World) -> None:
    pages = [page(channel, *range(start, start + 50)) for start, channel in ((100, HALL), (200, LOUNGE), (300, CELLAR))]
    misfit = HistoryPage(GUILD, CELLAR, [*page(CELLAR, 2**70).messages, *page(CELLAR, 350).messages], through=350)
    stored = await asyncio.gather(
        *(world.memory.log.store_page(GUILD, each.channel_id, each.messages, through=each.through) for each in pages),
        world.memory.log.store_page(GUILD, CELLAR, misfit.messages, through=misfit.through),
    )
    assert stored == [50, 50, 50, 1]
    assert len(await rows_of(world.database, "chat_history", GUILD)) == 151
    assert await world.memory.log.progress(GUILD) == {
        HALL: ChannelProgress(HALL, contiguous_through=149),
        LOUNGE: ChannelProgress(LOUNGE, contiguous_through=249),
        CELLAR: ChannelProgress(CELLAR, contiguous_through=350),
    }
