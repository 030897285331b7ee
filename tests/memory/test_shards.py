"""Shards are held by one process each, whatever stops or dies, and by nobody's clock."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from uuid import uuid4

import pytest

from memory.core.clock import SetClock
from memory.db.database import Database, ExternalPostgres
from memory.health import Health
from memory.shards import (
    ALL,
    LeaseTimes,
    ShardLease,
    ShardLeases,
    ShardLeaseStore,
    Shards,
    _now,
    has_died,
    mark_of,
    shard_ranges,
    shards_without_process,
)
from tests.end_to_end.cable import cable_to
from tests.end_to_end.house import until
from tests.memory.world import NOON, World

FOREVER = LeaseTimes(renew=0.05, hold=3600.0, take=3600.0, look=0.02)
AT_ONCE = LeaseTimes(renew=0.05, hold=3600.0, take=0.0, look=0.02)
LOW, HIGH, OTHERWISE = Shards((0, 1), 4), Shards((2, 3), 4), Shards((0,), 2)


class Bot:
    """One process's side of it."""

    def __init__(self, database: Database) -> None:
        self.health = Health("bot", SetClock(NOON))
        self.store = ShardLeaseStore(database)
        self.beats = 0
        self.leases = ShardLeases(self.store, self.health, self._beat)
        self.stop = asyncio.Event()
        self.waits: list[str] = []
        self.lease: ShardLease | None = None
        self._done = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self, shards: Shards, times: LeaseTimes = FOREVER) -> None:
        self._task = asyncio.create_task(self._hold(shards, times))

    async def has_begun(self, shards: Shards, times: LeaseTimes = FOREVER) -> "Bot":
        self.begin(shards, times)
        await until(lambda: self.lease)
        return self

    async def end(self) -> None:
        self.stop.set()
        self._done.set()
        if self._task is not None:
            await self._task

    def _beat(self) -> None:
        self.beats += 1

    async def _hold(self, shards: Shards, times: LeaseTimes) -> None:
        async with self.leases.held(shards, self.stop, self.waits.append, times) as lease:
            self.lease = lease
            if lease is not None:
                await self._done.wait()


@asynccontextmanager
async def bots(world: World, count: int) -> AsyncIterator[list[Bot]]:
    async with AsyncExitStack() as stack:
        made = [Bot(world.database) for _ in range(count)]
        for one in made:
            stack.push_async_callback(one.end)
        yield made


@pytest.mark.parametrize(
    ("text", "of", "ids", "process"),
    [
        ("0-3", 8, (0, 1, 2, 3), "bot 0-3/8"),
        ("5, 0,2", 8, (0, 2, 5), "bot 0,2,5/8"),
        ("0-1,1,7", 8, (0, 1, 7), "bot 0-1,7/8"),
    ],
)
def test_shards_are_given_as_ranges_and_lists(text: str, of: int, ids: tuple[int, ...], process: str) -> None:
    shards = Shards.parse(text, of)
    assert (shards.ids, shards.process) == (ids, process)
    assert Shards.named(process) == shards


@pytest.mark.parametrize(
    ("text", "of"), [("0-8", 8), ("3-1", 8), ("", 8), ("a", 8), ("-1", 8), ("0", 0), ("0", None), (None, 8)]
)
def test_what_makes_no_sense_is_said(text: str | None, of: int | None) -> None:
    with pytest.raises(ValueError, match=r"--shards|--of"):
        Shards.parse(text, of)


@pytest.mark.parametrize(
    ("processes", "missing"),
    [
        (["web"], "has not reported yet"),
        (["bot", "web"], None),
        (["bot 0-3/8", "web"], "no process has reported for shards 4-7 of 8"),
        (["bot 0-3/8", "bot 4-7/8"], None),
    ],
)
def test_every_shard_needs_a_process(processes: Iterable[str], missing: str | None) -> None:
    assert shards_without_process(processes) == missing
    assert shard_ranges([]) == ""


async def test_all_of_them_are_taken_or_none(world: World) -> None:
    async with bots(world, 5) as (low, high, across, otherwise, everything):
        await asyncio.gather(low.has_begun(LOW), high.has_begun(HIGH))
        for one, shards in ((across, Shards((1, 2), 4)), (otherwise, OTHERWISE), (everything, ALL)):
            one.begin(shards)
            await until(lambda one=one: one.waits)  # type: ignore[misc]
        assert f"bot 0-1/4 on {os.uname().nodename}, process {os.getpid()}" in across.waits[0]
        assert [one.beats for one in (low, high, across)] == [1, 1, 0]
        holders = [holder.partition(" on ")[0] for holder in await low.store.holders()]
        assert holders == ["bot 0-1/4", "bot 2-3/4"]
        await low.end()
        await until(lambda: "bot 2-3/4" in across.waits[-1])
        assert (across.lease, otherwise.lease, everything.lease) == (None, None, None)
        await high.end()
        await until(lambda: across.lease or otherwise.lease or everything.lease)
        # Those who want another number of shards wait for whoever came first.
        assert sum(one.lease is not None for one in (across, otherwise, everything)) == 1


async def test_without_a_database_who_has_all_shards_stays_and_who_has_some_leaves(database_url: str) -> None:
    times = LeaseTimes(renew=0.05, hold=8.0, take=3600.0, look=0.02)
    async with cable_to(database_url) as cable:
        database = await Database.open(ExternalPostgres(cable.url))
        try:
            store = ShardLeaseStore(database)
            alone, one_of_two = (
                ShardLease(store, shards, uuid4(), began=_now(), times=times) for shards in (ALL, OTHERWISE)
            )
            await cable.cut(database)
            began = _now()
            keeping = asyncio.create_task(alone.keep())
            await one_of_two.keep()
            assert one_of_two.lost.is_set()
            await until(lambda: _now() > began + 1.2 * times.hold)
            assert alone.is_ours()
            keeping.cancel()
        finally:
            await database.close()


async def test_one_that_was_killed_here_is_known_to_be_dead(world: World) -> None:
    sleeper = await asyncio.create_subprocess_exec(sys.executable, "-c", "import time; time.sleep(600)")
    mark = mark_of(sleeper.pid)
    os.kill(sleeper.pid, signal.SIGSTOP)
    assert not has_died(mark)
    assert not has_died("")
    assert not has_died(f"another-boot {mark.partition(' ')[2]}")
    async with bots(world, 2) as (dead, heir):
        assert await dead.store.take(["shard 0/0"], dead.health.run, 0, "dead") == {}
        await world.execute("UPDATE claims SET mark = $1", mark)
        heir.begin(ALL)
        await until(lambda: heir.waits)
        assert heir.lease is None
        sleeper.kill()
        await sleeper.wait()
        assert has_died(mark)
        await until(lambda: heir.lease)


async def test_turns_to_identify_are_apart_in_a_bucket_whoever_takes_them(world: World) -> None:
    apart = 0.3
    begun: list[float] = []

    async def identify(bot: Bot, bucket: int) -> None:
        await bot.leases.turn(bucket, apart)
        begun.append(asyncio.get_running_loop().time())

    async with bots(world, 3) as (first, second, third):
        await asyncio.gather(identify(first, 0), identify(first, 0), identify(second, 0))
        assert all(later - earlier > apart - 0.01 for earlier, later in pairwise(begun))
        await third.leases.turn(1, 3600.0)  # another bucket is nobody's business
