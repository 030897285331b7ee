"""Jobs in the background go on after errors that nobody thought of, one guild's stop no other's work, and whoever ends
a task and is cancelled meanwhile is cancelled."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta

import pytest

from memory import background
from memory.background import keep_alive
from memory.db.database import Database
from memory.health import PartState
from memory.leases import Leases, LeaseStore
from memory.tasks import end
from tests.memory.db.triggers import triggered
from tests.memory.models.metered import until
from tests.memory.recall.index_world import GUILD, HALL, OTHER_GUILD, IndexWorld, heard
from tests.virtual_time import in_virtual_time, now


class UnthoughtOf(Exception):
    pass


def test_a_job_that_fails_is_begun_again_after_growing_pauses_and_health_is_told() -> None:
    async def story() -> None:
        begun: list[float] = []
        told: list[str] = []

        async def work() -> None:
            begun.append(now())
            if len(begun) < 4:
                raise UnthoughtOf("the words of a member")

        await keep_alive("tidying", work, told.append)
        assert begun == [0, 5, 15, 35]
        assert len(told) == 3
        assert "tidying" in told[0]
        assert "words of a member" not in "".join(told)
        begun.clear()
        await keep_alive("tidying", work, told.append, again=False)
        assert len(begun) == 1
        assert len(told) == 4

    in_virtual_time(story())


@pytest.fixture
async def world(database: Database, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[IndexWorld]:
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(background, "LONGEST_PAUSE_SECONDS", 0.05)
    world = await IndexWorld(database).settle(GUILD, OTHER_GUILD)
    yield world
    await world.indexer.stop()
    await world.memory.log.settled()


async def until_found(world: IndexWorld, guild: int) -> None:
    async with asyncio.timeout(60):
        while not await world.by_words("quinces", heard(HALL, guild=guild)):  # noqa: ASYNC110 - another task writes it
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(("guild", "other"), [(GUILD, OTHER_GUILD), (OTHER_GUILD, GUILD)])
async def test_one_guild_that_cannot_be_indexed_holds_up_no_other_and_comes_back(
    world: IndexWorld, guild: int, other: int
) -> None:
    part = world.health.part("index")
    for one in (guild, other):
        await world.say("quinces", guild=one)
    no = f"IF NEW.guild_id = {guild} THEN RAISE EXCEPTION 'no'; END IF; RETURN NEW;"
    async with triggered(world.database, "BEFORE INSERT OR UPDATE", no, table="message_index"):
        world.indexer.start()
        await until_found(world, other)
        await until(lambda: part.snapshot().state is PartState.FAILING)
    await until_found(world, guild)
    await until(lambda: part.snapshot().state is PartState.ACTIVE)


async def sleep_on(slept: asyncio.Event, *, for_seconds: float = 0.0) -> None:
    """Ends some time after it was told to."""
    try:
        slept.set()
        await asyncio.sleep(3_600)
    finally:
        await asyncio.sleep(for_seconds)


async def test_a_cancellation_while_it_ends_is_ones_own() -> None:
    slept, goes_on = asyncio.Event(), []
    task = asyncio.create_task(sleep_on(slept, for_seconds=0.05))
    await slept.wait()

    async def stop_it() -> None:
        await end(task)
        goes_on.append("as if nothing had happened")

    stopping = asyncio.create_task(stop_it())
    await asyncio.sleep(0)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert goes_on == []
    await asyncio.wait({task})


class BrokenClock:
    """Fails after the first look, as nothing that we know of does, until it is mended."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._looks = 0
        self.is_mended = False

    def now(self) -> datetime:
        self._looks += 1
        if self._looks > 1 and not self.is_mended:
            raise OverflowError
        return self._now


async def test_a_renewal_that_dies_is_said_in_health_until_one_succeeds(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 0.01)
    clock = BrokenClock(world.clock.now())
    claims = Leases(LeaseStore(world.database), clock, world.health, lease=timedelta(seconds=0.03))
    part = world.health.part("leases")
    assert part.snapshot().state is PartState.ACTIVE
    async with claims.held(GUILD, "work"):
        await until(lambda: part.snapshot().state is PartState.FAILING)
        clock.is_mended = True
        await until(lambda: part.snapshot().state is PartState.ACTIVE)
    assert "claim work failed; starting it again" in caplog.messages
