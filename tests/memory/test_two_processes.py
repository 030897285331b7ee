"""Background work of two processes on one database: every guild has its turn, and nothing is done or paid for twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from memory.background import FairScheduler
from memory.core.values import AuthorKind, Message
from memory.db.database import Database
from memory.health import Health
from memory.manager import MemoryManager
from memory.policy.settings import LogSettings
from memory.privacy import service
from memory.recall import indexer
from memory.settings import MemoryOptions
from tests.memory.log.logbook import decide_log
from tests.memory.recall.index_world import ALICE, GUILD, HALL, NOON, IndexWorld
from tests.memory.recall.test_embedder import ollama_server
from tests.virtual_time import in_virtual_time, now

SMALL = range(GUILD + 1, GUILD + 20)
EVERY_GUILD = (GUILD, *SMALL)


def test_a_busy_guild_and_a_broken_one_keep_no_other_waiting_for_longer_than_a_round() -> None:
    async def story() -> None:
        turns = FairScheduler("tidying", now=now)
        left = Counter({GUILD: 1_000, **dict.fromkeys(SMALL, 1)})
        ended: dict[int, float] = {}
        broken = SMALL[3]

        async def work(guild_id: int) -> None:
            await asyncio.sleep(1)
            if guild_id == broken:
                raise ValueError("nobody thought of it")
            left[guild_id] -= 1
            ended[guild_id] = now()

        for _ in range(3):
            await turns.round([one for one, count in left.items() if count], work)
        assert {one for one in SMALL if one not in ended} == {broken}
        assert all(ended[one] <= len(EVERY_GUILD) for one in SMALL if one != broken)
        assert turns.seconds_waited() == len(EVERY_GUILD) - 1
        await asyncio.sleep(100)
        assert turns.seconds_waited() == 101, "one that rests waits, too"
        await turns.round([GUILD], work)
        assert turns.failed == 0, "nothing is left to do for the other"

    in_virtual_time(story())


@pytest.fixture
async def world(database: Database) -> AsyncIterator[IndexWorld]:
    world = await IndexWorld(database).settle(*EVERY_GUILD)
    yield world
    await world.memory.log.settled()
    await world.memory.metering.close()


async def fill(world: IndexWorld, busy: int) -> int:
    """So many messages in one guild, and one in each other; how many in all."""
    said = [(GUILD, number) for number in range(busy)] + [(guild, 0) for guild in SMALL]
    for number, (guild, nth) in enumerate(said, start=1):
        text = f"the heron of pond {guild} was here {nth} times"
        await world.memory.ingest_message(
            Message(guild, HALL, number, ALICE, AuthorKind.PERSON, text, NOON + timedelta(hours=nth))
        )
    await world.memory.log.settled()
    return len(said)


def process(world: IndexWorld) -> MemoryManager:
    """Another one beside the world's own."""
    return MemoryManager(world.database, MemoryOptions(), world.clock, Health("bot", world.clock))


async def test_each_guild_is_indexed_in_its_turn_and_no_vector_is_paid_for_twice(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexer, "MOST_AT_ONCE", 20)
    in_all = await fill(world, busy=65)
    await world.indexer._round()
    assert [await world.count("message_index", guild) for guild in EVERY_GUILD] == [20, *(1 for _ in SMALL)]
    async with ollama_server() as (server, embedder):
        await asyncio.gather(*(world.new_indexer(embedder).catch_up() for _ in range(2)))
        texts = Counter(text for body in server.requests for text in body.get("input", ()))
    assert world.health.part("index").snapshot().counts["indexed"] == in_all
    assert len(texts) == in_all
    assert set(texts.values()) == {1}
    for guild in EVERY_GUILD:
        await world.check_counts(guild)


async def test_what_a_process_had_claimed_that_is_gone_is_indexed_by_another(world: IndexWorld) -> None:
    await world.say("the heron is back")
    async with world.database.connection("test") as connection:
        await connection.execute(
            "INSERT INTO claims VALUES ($1, 'index', gen_random_uuid(), $2)", GUILD, world.clock.now()
        )
    await world.indexer.catch_up()
    assert await world.count("message_index") == 1


async def test_two_purges_take_each_message_once_and_a_big_guild_gives_way(
    world: IndexWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CHUNKS_IN_A_TURN", 1)
    monkeypatch.setattr(service, "CHUNK", 5)
    in_all, last = await fill(world, busy=20), SMALL[-1]
    for guild in EVERY_GUILD:
        days = 2 if guild in (GUILD, last) else 4
        await decide_log(world.memory, guild, LogSettings(retention_days=days))
    async with world.database.connection("test") as connection:
        await connection.execute(_NOTING)
        world.clock.move(timedelta(days=3))
        assert (await world.memory.purge(world.clock.now())).messages == 21
        order = [row["guild_id"] for row in await connection.fetch("SELECT guild_id FROM gone ORDER BY number")]
        assert order == [GUILD] * 5 + [last] + [GUILD] * 15
        world.clock.move(timedelta(days=2))
        purged = await asyncio.gather(*(one.purge(world.clock.now()) for one in (world.memory, process(world))))
        assert sum((one.messages for one in purged), 21) == in_all
        assert sum(one.failed for one in purged) == 0
        assert await connection.fetchval("SELECT count(*) FROM gone") == in_all


_NOTING = """
CREATE TABLE gone (number serial, guild_id bigint);
CREATE FUNCTION note_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO gone (guild_id) VALUES (OLD.guild_id); RETURN NULL; END $$;
CREATE TRIGGER note_gone AFTER DELETE ON chat_history FOR EACH ROW EXECUTE FUNCTION note_gone();
"""
