"""Whoever ends a task and is cancelled meanwhile is cancelled."""

import asyncio
from datetime import datetime, timedelta

import pytest

from memory import background
from memory.health import PartState
from memory.leases import Leases, LeaseStore
from memory.tasks import end
from tests.memory.models.metered import until
from tests.memory.world import GUILD, World


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
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
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
