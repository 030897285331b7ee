"""The queue before the log: bounded batches, bounded waiting room, nothing lost."""

import asyncio
import logging

import pytest

from memory.core.clock import SystemClock
from memory.health import Health, PartState
from memory.log.batch_queue import MOST_ROWS, WRITERS, BatchQueue


class Ledger:
    """Takes batches as a database would; closed, it keeps whoever writes waiting."""

    def __init__(self) -> None:
        self.batches: list[list[int]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.asked = asyncio.Event()

    async def commit(self, batch: list[int]) -> None:
        self.asked.set()
        await self.open.wait()
        self.batches.append(batch)

    @property
    def written(self) -> list[int]:
        return [item for batch in self.batches for item in batch]


async def test_everything_is_written_once_and_in_order_in_bounded_batches() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    for number in range(3 * MOST_ROWS + 7):
        await writer.put(number)
    await writer.settled()
    assert ledger.written == list(range(3 * MOST_ROWS + 7))
    assert max(map(len, ledger.batches)) <= MOST_ROWS
    assert len(ledger.batches) < 20


async def test_a_full_queue_makes_whoever_brings_more_wait() -> None:
    ledger = Ledger()
    ledger.open.clear()
    writer = BatchQueue(ledger.commit, room=5)
    bringing = [asyncio.create_task(writer.put(number)) for number in range(600)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert writer.waiting <= 5
    assert sum(task.done() for task in bringing) < 600
    ledger.open.set()
    await asyncio.gather(*bringing)
    await writer.settled()
    assert ledger.written == list(range(600)), "first come, first served"


async def test_what_comes_from_whoever_cannot_wait_is_written_in_its_turn() -> None:
    ledger = Ledger()
    ledger.open.clear()
    writer = BatchQueue(ledger.commit, room=5)
    for number in range(0, 20, 2):
        writer.take(number)
        bringing = asyncio.create_task(writer.put(number + 1))
        await asyncio.sleep(0)
    assert writer.waiting <= 5
    ledger.open.set()
    await bringing
    await writer.settled()
    assert ledger.written == list(range(20))


async def test_whoever_can_stop_reading_is_told_to_and_goes_on_when_a_batch_was_taken() -> None:
    ledger = Ledger()
    ledger.open.clear()
    writer = BatchQueue(ledger.commit)
    await writer.put(0)
    await ledger.asked.wait()
    await writer.room()
    for number in range(MOST_ROWS):
        await writer.put(number)
    reading = asyncio.create_task(writer.room())
    await asyncio.sleep(0)
    assert not reading.done()
    ledger.open.set()
    await reading
    assert not writer.waiting
    await writer.settled()


async def test_a_lane_that_is_stuck_stops_no_other_and_nobody_from_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.log.batch_queue.STUCK_SECONDS", 0.01)
    stuck, ledger = Ledger(), Ledger()
    stuck.open.clear()

    async def commit(batch: list[int]) -> None:
        await (stuck if batch[0] % 2 else ledger).commit(batch)

    writer = BatchQueue(commit, lane_of=lambda number: number % 2, room=2 * MOST_ROWS)
    writer.take(1)
    await stuck.asked.wait()
    for _ in range(MOST_ROWS + 1):
        writer.take(1)
    await asyncio.wait_for(writer.room(), 60)
    writer.take(2)
    await asyncio.wait_for(writer.settled(0), 60)
    assert ledger.written == [2]
    for _ in range(MOST_ROWS):
        writer.take(1)
    assert not writer.has_room, "it is bounded all the same"
    stuck.open.set()
    await asyncio.wait_for(writer.room(), 60)
    await writer.settled()
    assert len(stuck.written) == 2 * MOST_ROWS + 2


async def test_what_comes_while_a_lane_stands_in_line_goes_into_its_batch() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit, lane_of=lambda number: number % 100)
    ledger.open.clear()
    for number in range(100):
        writer.take(number)
    while writer.waiting > 100 - WRITERS:  # noqa: ASYNC110 - as many are taken up as may be at a time
        await asyncio.sleep(0)
    for number in range(100, 300):
        writer.take(number)
    ledger.open.set()
    await writer.settled()
    assert sorted(ledger.written) == list(range(300))
    assert len(ledger.batches) <= 100 + WRITERS


async def test_settled_waits_for_what_was_put_before_and_for_no_more() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    await writer.put(1)
    ledger.open.clear()
    settled = asyncio.create_task(writer.settled())
    await ledger.asked.wait()
    await writer.put(2)
    assert not settled.done()
    ledger.open.set()
    await settled
    assert ledger.written[0] == 1
    await writer.settled()
    assert ledger.written == [1, 2]
    await writer.settled()


async def test_nothing_is_lost_on_closing() -> None:
    ledger = Ledger()
    writer = BatchQueue(ledger.commit)
    for number in range(1200):
        await writer.put(number)
    await writer.close()
    assert ledger.written == list(range(1200))


def test_an_idle_writer_leaves_no_task_behind() -> None:
    """In a loop of its own: in that of the other tests a house may go on that they share."""

    async def story() -> None:
        before, ledger = asyncio.all_tasks(), Ledger()
        writer = BatchQueue(ledger.commit)
        await writer.put(1)
        await asyncio.wait([task for task in asyncio.all_tasks() if task.get_name() == "log writer"], timeout=30)
        assert ledger.written == [1]
        assert asyncio.all_tasks() == before
        await writer.put(2)
        await writer.settled()
        assert ledger.written == [1, 2]

    with asyncio.Runner() as runner:
        runner.run(story())


async def test_an_error_nobody_thought_of_costs_its_batch_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    ledger = Ledger()

    async def commit(batch: list[int]) -> None:
        if 1 in batch:
            raise KeyError
        await ledger.commit(batch)

    part = Health("bot", SystemClock()).part("log")
    writer = BatchQueue(commit, fails=part.failing)
    await writer.put(1)
    await writer.settled()
    await writer.put(2)
    await writer.settled()
    assert ledger.written == [2]
    assert [record.message for record in caplog.records] == ["a batch was lost to an error"]
    assert part.snapshot().state is PartState.FAILING
