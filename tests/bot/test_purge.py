"""What is past its time goes by itself; where it cannot, that is said."""

import asyncio
from datetime import timedelta

import pytest

from bot import background
from memory.db.database import Database
from memory.health import PartState
from memory.policy.settings import LogSettings
from tests.memory.log.logbook import decide_log
from tests.memory.world import ALICE, GUILD, World


async def test_a_guild_that_cannot_be_purged_shows_in_health_until_it_can(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "AFTER_START", timedelta(0))
    monkeypatch.setattr(background, "EVERY", timedelta(seconds=0.05))
    world = await World(database).settle()
    await world.say(ALICE, "hello")
    await decide_log(world.memory, GUILD, LogSettings(retention_days=2))
    world.clock.move(timedelta(days=3))
    async with database.connection("test") as connection:
        await connection.execute(_REFUSING)
    part = world.health.part("housekeeping")
    running = asyncio.create_task(background.Purge(world.memory, lambda: asyncio.sleep(0), world.clock, part).run())
    async with asyncio.timeout(60):
        while part.snapshot().state is not PartState.FAILING:  # noqa: ASYNC110 - another's state is waited for
            await asyncio.sleep(0.01)
        assert "could not be removed: 1;" in part.snapshot().issues[0]
        async with database.connection("test") as connection:
            await connection.execute("DROP TRIGGER refusing ON chat_history")
        while part.snapshot().state is not PartState.ACTIVE:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
    assert part.snapshot().counts["messages"] == 1
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


_REFUSING = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
CREATE TRIGGER refusing BEFORE DELETE ON chat_history FOR EACH STATEMENT EXECUTE FUNCTION refuse();
"""
