"""What each process says of itself, and how one sees the other."""

from datetime import timedelta

import pytest

from memory.core.clock import SetClock
from memory.db.database import Database
from memory.health import Health, HealthStore, PartState
from tests.memory.world import NOON, World


def test_a_part_starts_out_and_knows_since_when_it_is_how_it_is() -> None:
    clock = SetClock(NOON)
    health = Health("bot", clock)
    part = health.part("gateway")
    assert part.snapshot().state is PartState.INITIALIZING
    clock.move(timedelta(minutes=1))
    part.active(guilds=3)
    clock.move(timedelta(minutes=1))
    part.count("messages", 2)
    part.count("messages")
    part.active()
    seen = part.snapshot()
    assert (seen.state, seen.since) == (PartState.ACTIVE, NOON + timedelta(minutes=1))
    assert (seen.counts, seen.updated_at) == ({"guilds": 3, "messages": 3}, NOON + timedelta(minutes=2))
    clock.move(timedelta(minutes=1))
    part.failing("It is gone.")
    assert part.snapshot().since == part.snapshot().checked_at == NOON + timedelta(minutes=3)
    assert health.snapshot().state is PartState.FAILING
    assert health.part("gateway") is part
    part.active()
    assert part.snapshot().issues == ()


def test_what_is_wrong_is_in_the_log_when_it_begins(caplog: pytest.LogCaptureFixture) -> None:
    part = Health("bot", SetClock(NOON)).part("models")
    for seconds in (9, 8, 7):
        part.limited(f"It is left alone for {seconds} s.")
    part.failing("None answers.")
    part.active()
    part.limited(in_guilds={100: "It may not write there."})
    logged = [vars(record)["issues"] for record in caplog.records]
    assert logged == [("It is left alone for 9 s.",), ("None answers.",), ("It may not write there.",)]
    part.active()
    assert part.snapshot().guild_issues == {}


async def test_processes_see_each_other_and_miss_each_other(database: Database, world: World) -> None:
    web = Health("web", world.clock)
    web.part("panel").failing("It cannot be drawn.")
    web.part("replies").limited(in_guilds={100: "It may not write there."})
    await HealthStore(database).beat(web.snapshot())
    report = await world.memory.heartbeat.report()
    assert [process.process for process in report.processes] == ["bot", "web"]
    assert report.processes[1].parts == web.snapshot().parts
    assert report.processes[1].issues == ()
    world.clock.move(timedelta(minutes=1))
    late = (await world.memory.heartbeat.report()).processes[1]
    assert late.state is PartState.FAILING
    assert late.issues == ("no word from it since 2026-03-01 12:00:00 UTC",)
