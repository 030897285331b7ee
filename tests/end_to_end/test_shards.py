"""Several bot processes on one memory: each guild has one of them, each message one reply, whoever stops or stalls."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from pydantic import SecretStr

from bot.connection import Endpoint, speaking_to
from bot.run import run_bot
from local_guild.gateway.sessions import StartRules
from memory.health import Health, PartHealth, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from memory.shards import Shards
from tests.end_to_end.house import UNHURRIED, House, Inn, eventually, open_house, until
from tests.end_to_end.test_backlog import replies

APART, WITH_ROOM = 1.0, 2.5
"""Seconds: what the guild insists on, and what the bots keep, so that a busy machine may take its time to send."""


@contextlib.asynccontextmanager
async def bot_of(house: House, folder: Path, shard: int) -> AsyncIterator[Health]:
    """With a memory of its own, as another process has."""
    shards, stop = Shards((shard,), 2), asyncio.Event()
    health = Health(shards.process, house.clock)
    given = {"data_dir": folder / "data", "database_url": SecretStr(house.database_url), "heartbeat_seconds": 0.5}
    memory = await MemoryManager.open(MemoryOptions.model_validate(given), clock=house.clock, health=health)
    try:
        with speaking_to(Endpoint.current()):
            options = house.options(identify_seconds=WITH_ROOM)
            running = asyncio.create_task(run_bot(options, memory, health, house.clock, stop, shards, UNHURRIED))
            try:
                yield health
            finally:
                stop.set()
                await running
    finally:
        await memory.close()


def gateway_of(bot: Health) -> PartHealth:
    return bot.part("gateway").snapshot()


async def test_two_processes_serve_the_guilds_of_their_shards(database_url: str, tmp_path: Path) -> None:
    async with open_house(tmp_path, database_url, guilds=2) as house:
        inns = {(guild.id >> 22) % 2: Inn(house, guild) for guild in house.server.world.guilds.values()}
        starts = house.server.gateway.starts
        await house.server.control.limit_starts(StartRules(shards=2, seconds=APART, total=3, reset_seconds=2.0))
        async with bot_of(house, tmp_path, 0) as low, bot_of(house, tmp_path, 1) as high:
            await until(lambda: gateway_of(low).state is gateway_of(high).state is PartState.ACTIVE)
            assert starts.refused == 0, "they identified one after the other"
            assert [gateway_of(bot).counts["guilds"] for bot in (low, high)] == [1, 1]
            for inn in inns.values():
                told = await inn.person("aylin").say("Bot remember that gruzilkin whistles")
                assert "whistles" in (await inn.person("aylin").hear_reply(told))["content"]
                assert len(await replies(inn, told)) == 1
            known = await house.rows("SELECT count(*) AS facts, count(DISTINCT guild_id) AS guilds FROM facts")
            assert known == [{"facts": 2, "guilds": 2}]
            assert not await house.rows("SELECT 1 FROM guilds WHERE left_at IS NOT NULL")
            reported = "SELECT process FROM process_health JOIN guilds ON run = places_run ORDER BY process"
            await eventually(lambda: house.rows(reported), lambda found: len(found) == 2)
            assert [row["process"] for row in await house.rows(reported)] == ["bot 0/2", "bot 1/2"]

            # No start is left: it waits until they are counted anew, and says so.
            await house.server.control.limit_starts(StartRules(shards=2, total=0, reset_seconds=1.0))
            await house.server.control.invalidate_sessions()
            await until(lambda: any("used up" in str(gateway_of(bot).issues) for bot in (low, high)))
            assert starts.refused == 0
            await house.server.control.limit_starts(StartRules(shards=2))
            await until(lambda: gateway_of(low).state is gateway_of(high).state is PartState.ACTIVE)
