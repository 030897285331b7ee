"""The log while its database is away, full or read-only: loud, without loss of what is told only once, and back by
itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import pytest

from memory.core.values import AuthorKind, Message
from memory.db.database import Database, ExternalPostgres
from memory.health import PartState
from tests.memory.db.triggers import triggered
from tests.memory.log.logbook import rows_of
from tests.memory.models.metered import until
from tests.memory.world import ALICE, BOB, GUILD, HALL, NOON, World

PATIENCE_SECONDS = 60.0
OTHER = GUILD + 1
"""Another guild, which shares nothing with the first but the database."""


@asynccontextmanager
async def world_at(url: str) -> AsyncIterator[World]:
    database = await Database.open(ExternalPostgres(url))
    world = await World(database).settle()
    try:
        yield world
    finally:
        await world.memory.close()


def state_of_log(world: World) -> PartState:
    return world.health.part("log").snapshot().state


async def stored_of(database_url: str, guild_id: int) -> dict[object, object]:
    database = await Database.open(ExternalPostgres(database_url))
    try:
        return {row["message_id"]: row["text"] for row in await rows_of(database, "chat_history", guild_id)}
    finally:
        await database.close()


REFUSALS = {"53100": ("DatabaseFull", "disk of the database is full"), "25006": ("DatabaseReadOnly", "takes no writes")}


@pytest.mark.parametrize("code", REFUSALS)
async def test_a_full_or_read_only_database_is_said_loudly_and_keeps_what_it_has(
    database_url: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    name, words = REFUSALS[code]
    returned = asyncio.Event()
    async with world_at(database_url) as world:
        world.memory.log.report_to(lambda _guild_id: returned.set())
        before = await world.say(ALICE, "before")
        refusing = f"RAISE EXCEPTION 'refused' USING ERRCODE = '{code}';"
        async with triggered(world.database, "BEFORE INSERT", refusing, each="STATEMENT"):
            during = [await world.say(ALICE, f"during {number}") for number in range(3)]
            assert state_of_log(world) is PartState.FAILING
            assert words in world.health.part("log").snapshot().issues[0]
            assert await stored_of(database_url, GUILD) == {before.message_id: "before"}
        await asyncio.wait_for(returned.wait(), PATIENCE_SECONDS)
        await world.memory.log.store_page(GUILD, HALL, during)
        await world.say(ALICE, "after")
        texts = await stored_of(database_url, GUILD)
        assert sorted(texts.values(), key=str) == ["after", "before", "during 0", "during 1", "during 2"]
    assert f"cannot write the message log: {name}" in [record.getMessage() for record in caplog.records]


def said_elsewhere(number: int, text: str = "hello", guild_id: int = OTHER) -> Message:
    return Message(guild_id, HALL, number, ALICE.user_id, AuthorKind.PERSON, text, NOON)


async def test_a_batch_that_fails_alone_is_set_aside_and_stops_nobody(database_url: str) -> None:
    returned: list[int] = []
    poisoned = "IF NEW.text = 'poison' THEN RAISE EXCEPTION 'refused'; END IF; RETURN NEW;"
    async with world_at(database_url) as world, triggered(world.database, "BEFORE INSERT", poisoned):
        part = world.health.part("log")
        world.memory.log.report_to(returned.append)
        world.memory.log.live.begin(GUILD, HALL)
        before = await world.say(ALICE, "before it")
        await world.say(ALICE, "poison")
        assert part.snapshot().state is PartState.FAILING
        assert GUILD in part.snapshot().guild_issues
        await world.memory.ingest_message(said_elsewhere(1))
        await world.memory.log.settled(OTHER)
        assert (await stored_of(database_url, OTHER)).keys() == {1}
        assert not returned, "it was stored while the other guild's batch was failing"
        after = await world.say(BOB, "after it")
        await until(lambda: returned == [GUILD])
        assert (await stored_of(database_url, GUILD)).keys() == {before.message_id, after.message_id}
        told = part.snapshot()
        assert (told.state, told.counts["set aside"]) == (PartState.ACTIVE, 1)
        assert told.guild_issues == {GUILD: "Messages and edits I could not store and left out: 1. My log says why."}
        assert (await world.memory.log.progress(GUILD))[HALL].contiguous_through == before.message_id
        assert not world.memory.log.live.begin(GUILD, HALL), "what was missed is read by catch-up"


async def test_many_who_wait_for_one_guilds_log_keep_no_other_guild_waiting(database_url: str) -> None:
    administrator = await asyncpg.connect(database_url)
    database = await Database.open(ExternalPostgres(database_url), max_size=4, patience=2.0)
    world = await World(database).settle()
    try:
        async with administrator.transaction():
            await administrator.execute("SELECT pg_advisory_xact_lock(hashtextextended('log', $1))", GUILD)
            waiting = [asyncio.create_task(world.memory.privacy.opt_in(GUILD, user_id)) for user_id in range(20, 40)]
            await world.memory.ingest_message(said_elsewhere(1, guild_id=GUILD))
            async with asyncio.timeout(PATIENCE_SECONDS):
                while not await administrator.fetchval(_WAITING):  # noqa: ASYNC110 - another program's state
                    await asyncio.sleep(0.02)
            for number in range(3):
                await world.memory.ingest_message(said_elsewhere(number))
                await asyncio.wait_for(world.memory.log.settled(OTHER), PATIENCE_SECONDS)
                await world.memory.privacy.opt_out(OTHER, BOB.user_id)
            assert (await stored_of(database_url, OTHER)).keys() == {0, 1, 2}
            assert not any(task.done() for task in waiting)
            assert await administrator.fetchval(_WAITING) == 1, "all others wait without a connection"
            assert database.state().active
        await asyncio.gather(*waiting)
        await world.memory.log.settled()
        assert (await stored_of(database_url, GUILD)).keys() == {1}
        assert state_of_log(world) is PartState.ACTIVE
    finally:
        await world.memory.close()
        await administrator.close()


_WAITING = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
"""
