"""Innkeeper behind PgBouncer in transaction mode, which has fewer sessions than we have connections."""

import asyncio
import io
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from ai_clients.build import without_models
from memory.core.clock import SetClock
from memory.core.outcomes import Remembered
from memory.core.values import RememberRequest
from memory.db.database import Database, PooledPostgres
from memory.db.errors import DatabaseAway
from memory.diagnosis import check_database
from memory.health import Health, HealthStore
from memory.privacy.export_queries import Signposts
from memory.settings import MemoryOptions
from memory.transfer.folder import Unusable
from memory.transfer.service import Transfer
from tests.databases import OFFICE
from tests.memory.summaries.diary_house import ALICE, BOB, GUILD, HALL, NOON, DiaryHouse
from tests.models import BY
from tests.pgbouncer import SESSIONS, PgBouncer, pgbouncer_before


@pytest.fixture
async def bouncer(database_url: str) -> AsyncIterator[PgBouncer]:
    async with pgbouncer_before(database_url) as bouncer:
        yield bouncer


async def say_much(house: DiaryHouse, start: int) -> None:
    """From different channels at once, so that all connections are wanted."""
    texts = (f"Number {start + number} of the barrels leaks" for number in range(40))
    await asyncio.gather(*(house.say(BOB, text, HALL + place % 2) for place, text in enumerate(texts)))


async def test_two_processes_do_everything_through_a_pooler(bouncer: PgBouncer) -> None:
    """Say, ask, remember, index with vectors, sum up a day, export and erase, in both, and through a restart."""
    databases = [await Database.open(PooledPostgres(bouncer.url)) for _ in range(2)]
    first, second = (
        DiaryHouse(database, without_models(), _numbers=count(1000 * place)) for place, database in enumerate(databases)
    )
    await first.open_guild()
    second.look(second.memory)
    await first.say(ALICE, "The brewery delivers the dark beer on Thursday")
    await asyncio.gather(say_much(first, 0), say_much(second, 100))
    said = await first.say(BOB, "Bot remember I play the lute")
    telling = RememberRequest(GUILD, HALL, said.message_id, BOB.user_id, "I play the lute", NOON)
    audience = first.memory.places.audience_of(GUILD, HALL)
    assert isinstance(await first.memory.remember(telling, audience), Remembered)
    await first.memory.indexer.catch_up()
    assert "Thursday" in (await second.ask(ALICE, "when does the brwery deliver?")).text
    assert "lute" in (await second.memory.get_memories(audience, BOB.user_id, BY) or "")
    assert len(await databases[0].read("test", "SELECT 1 FROM chat_history WHERE guild_id = $1", GUILD)) == 83
    going = asyncio.gather(say_much(first, 200), say_much(second, 300))

    async def lose() -> None:
        async with databases[0].transaction("test.away") as connection:
            bouncer.stop()
            await connection.fetchval("SELECT 1")

    with pytest.raises(DatabaseAway):
        await lose()
    await bouncer.start()
    await going
    await asyncio.gather(first.pass_night(), second.pass_night())
    assert set(await second.told(day=10)) >= {ALICE.user_id, BOB.user_id}

    file = io.BytesIO()
    reader = first.memory.places.audience_for(GUILD, HALL, BOB.user_id)
    signposts = Signposts("The Inn", {}, lambda channel, message: f"{channel}/{message}", [])
    await second.memory.exports.of_member(reader, signposts, file)
    assert b"lute" in file.getvalue()
    await first.memory.privacy.erase_member(GUILD, BOB.user_id, first.new_id())
    file = io.BytesIO()
    await second.memory.exports.of_member(reader, signposts, file)
    assert b"lute" not in file.getvalue()
    assert b"barrels" not in file.getvalue()

    [row] = await databases[0].read(
        "test",
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND usename IS NOT NULL AND application_name <> $1",
        OFFICE,
    )
    assert row[0] <= SESSIONS
    for house in (first, second):
        await house.memory.close()


async def test_doctor_says_whether_a_pooler_is_there_and_the_settings_fit(
    bouncer: PgBouncer, database_url: str
) -> None:
    async def pooler(url: str, **settings: object) -> list[bool | None]:
        options = MemoryOptions.model_validate({"database_url": url, **settings})
        return [one.ok for one in await check_database(options, SetClock(NOON)) if one.name == "pooler"]

    assert await pooler(database_url) == []
    assert await pooler(bouncer.url) == [False], "nobody told us"
    assert await pooler(database_url, database_pooled=True) == [None], "there is none"
    assert await pooler(bouncer.url, database_pooled=True) == [True]


async def test_tables_are_made_and_carried_through_the_pooler_and_not_beside_a_bot_that_is_heard(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.transfer.service.PAUSE_S", 0)
    clock = SetClock(NOON)
    health = Health("bot", clock)
    async with pgbouncer_before(empty_database_url) as bouncer:
        options = MemoryOptions.model_validate({"database_url": bouncer.url, "database_pooled": True})
        async with Transfer.open(options, clock) as transfer:
            database = await Database.open(PooledPostgres(bouncer.url))
            store = HealthStore(database)
            await store.beat(health.snapshot())
            await transfer.write(tmp_path / "export", lambda *_: None)
            with pytest.raises(Unusable, match="Innkeeper runs on this database"):
                await transfer.read(tmp_path / "export", lambda *_: None)
            await store.end(health.run)
            await transfer.read(tmp_path / "export", lambda *_: None)
            await database.close()
