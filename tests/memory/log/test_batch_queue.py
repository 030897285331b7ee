"""The queue before the log: bounded batches, bounded waiting room; what was taken is written."""

import asyncio
import logging

import pytest

from memory.core.clock import SystemClock
from memory.health import Health, PartState
from memory.log.batch_queue import MOST_ROWS, WRITERS, BatchQueue, Deletion, Event


def event(number: int, guild_id: int = 1) -> Deletion:
    return Deletion(guild_id, 10, frozenset({number}))


class Ledger:
    """Takes batches as a database would; closed, it keeps whoever writes waiting."""

    def __init__(self) -> None:
        self.batches: list[list[Event]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.asked = asyncio.Event()

    async def commit(self, batch: list[Event]) -> None:
        self.asked.set()
        await self.open.wait()
        self.batches.append(batch)

    @property
    def written(self) -> list[int]:
        return [min(one.message_ids) for batch in self.batches for one in batch if isinstance(one, Deletion)]


async def test_everything_is_written_once_and_in_order_in_bounded_batches() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    for number in range(3 * MOST_ROWS + 7):
        writer.put(event(number))
    await writer.settled()
    assert ledger.written == list(range(3 * MOST_ROWS + 7))
    assert max(map(len, ledger.batches)) <= MOST_ROWS
    assert len(ledger.batches) < 20


async def test_a_full_queue_leaves_out_what_comes_and_takes_what_always_fits() -> None:
    ledger = Ledger()
    ledger.open.clear()
    writer = BatchQueue(ledger.commit)
    writer.limit = 5
    assert writer.put(event(0))
    await ledger.asked.wait()
    assert [writer.put(event(number)) for number in range(1, 9)] == [True] * 5 + [False] * 3
    assert [writer.put(event(number), always=True) for number in (9, 10)] == [True] * 2
    assert writer.waiting == 7
    ledger.open.set()
    await writer.settled()
    assert ledger.written == [0, 1, 2, 3, 4, 5, 9, 10]
    assert writer.put(event(11)), "there is room again"
    await writer.close()
    assert ledger.written[-1] == 11, "nothing is lost on closing"


async def test_a_guild_that_is_stuck_stops_no_other() -> None:
    stuck, ledger = Ledger(), Ledger()
    stuck.open.clear()

    async def commit(batch: list[Event]) -> None:
        await (stuck if batch[0].guild_id == 1 else ledger).commit(batch)

    writer = BatchQueue(commit)
    for number in range(2 * MOST_ROWS):
        writer.put(event(number))
    await stuck.asked.wait()
    writer.put(event(2, guild_id=2))
    await asyncio.wait_for(writer.settled(2), 60)
    assert ledger.written == [2]
    stuck.open.set()
    await writer.settled()
    assert len(stuck.written) == 2 * MOST_ROWS


async def test_what_comes_while_a_guild_stands_in_line_goes_into_its_batch() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    ledger.open.clear()
    for number in range(300):
        if number == 100:
            while writer.waiting > 100 - WRITERS:  # noqa: ASYNC110 - as many are taken up as may be at a time
                await asyncio.sleep(0)
        writer.put(event(number, guild_id=number % 100))
    ledger.open.set()
    await writer.settled()
    assert sorted(ledger.written) == list(range(300))
    assert len(ledger.batches) <= 100 + WRITERS


async def test_settled_waits_for_what_was_put_before_and_for_no_more() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    writer.put(event(1))
    ledger.open.clear()
    settled = asyncio.create_task(writer.settled())
    await ledger.asked.wait()
    writer.put(event(2))
    assert not settled.done()
    ledger.open.set()
    await settled
    assert ledger.written[0] == 1
    await writer.settled()
    assert ledger.written == [1, 2]
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "log writer"], "an idle one leaves no task"


async def test_an_error_nobody_thought_of_costs_its_batch_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    ledger = Ledger()

    async def commit(batch: list[Event]) -> None:
        if event(1) in batch:
            raise KeyError
        await ledger.commit(batch)

    part = Health("bot", SystemClock()).part("log")
    writer = BatchQueue(commit, part.failing)
    for number in (1, 2):
        writer.put(event(number))
        await writer.settled()
    assert ledger.written == [2]
    assert [record.message for record in caplog.records] == ["batch of messages lost to an unexpected error"]
    assert part.snapshot().state is PartState.FAILING
