"""Jobs in the background go on after errors that nobody thought of, and one guild's stop no other's work."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from ai_clients.errors import RateLimited
from memory import background
from memory.background import FairScheduler, keep_alive, pause_after
from memory.core.clock import SystemClock
from memory.db.database import Database
from memory.db.errors import DatabaseAway, DatabaseSlow
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.recall.indexer import Indexer
from memory.settings import MemoryOptions
from tests.memory.models.metered import until
from tests.memory.recall.index_world import GUILD, HALL, OTHER_GUILD, IndexWorld, heard
from tests.memory.recall.test_embedder import OLLAMA, Library, ollama
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


def test_a_model_rests_longer_after_each_failure_and_as_long_as_its_provider_says() -> None:
    pauses = [pause_after(failures) for failures in range(1, 20)]
    assert pauses == sorted(pauses)
    assert pauses[:3] == [timedelta(minutes=5), timedelta(minutes=10), timedelta(minutes=20)]
    assert pauses[-1] == timedelta(hours=6)
    assert pause_after(1, RateLimited("later", retry_after=3_600.0)) == timedelta(hours=1)
    assert pause_after(60, RateLimited("soon", retry_after=1.0), longest=timedelta(hours=12)) == timedelta(hours=12)


def test_a_guild_that_failed_is_left_alone_for_longer_each_time() -> None:
    async def story() -> None:
        turns = FairScheduler("tidying", now=now)

        async def fail(error: Exception) -> int:
            raise error

        async def work() -> int:
            return 7

        for pause in (5, 10):
            assert await turns.survived(1, fail(DatabaseSlow("slow"))) is None
            assert turns.resting == [1]
            await asyncio.sleep(pause)
            assert turns.resting == []
        with pytest.raises(DatabaseAway):
            await turns.survived(2, fail(DatabaseAway("away for everyone")))
        assert turns.failed == 1
        assert await turns.survived(1, work()) == 7
        assert turns.failed == 0
        await turns.survived(3, fail(UnthoughtOf()))
        turns.begin([1])  # of guild 3 nothing is left to do
        assert turns.failed == 0

    in_virtual_time(story())


@asynccontextmanager
async def refused(database: Database, table: str, guild_id: int) -> AsyncIterator[None]:
    """The database takes no row of this guild."""
    async with database.connection("test") as connection:
        await connection.execute(
            f"""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
            CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW
                WHEN (NEW.guild_id = {guild_id}) EXECUTE FUNCTION refuse();
            """
        )
    yield
    async with database.connection("test") as connection:
        await connection.execute(f"DROP TRIGGER refuse ON {table}; DROP FUNCTION refuse")


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
    async with refused(world.database, "message_index", guild):
        world.indexer.start()
        await until_found(world, other)
        await until(lambda: part.snapshot().state is PartState.FAILING)
    await until_found(world, guild)
    await until(lambda: part.snapshot().state is PartState.ACTIVE)


async def test_the_indexer_outlives_an_error_that_nobody_thought_of(world: IndexWorld) -> None:
    errors = [UnthoughtOf(), UnthoughtOf()]

    def is_asked() -> bool:
        if errors:
            raise errors.pop()
        return False

    await world.say("quinces")
    indexer = Indexer(world.database, world.embedders(), world.clock, world.health, is_asked=is_asked)
    indexer.start()
    try:
        await until_found(world, GUILD)
        await until(lambda: world.health.part("index").snapshot().state is PartState.ACTIVE)
    finally:
        await indexer.stop()


async def test_one_guild_whose_vectors_cannot_be_written_holds_up_no_other(world: IndexWorld) -> None:
    library = Library(world.database)
    for guild in (GUILD, OTHER_GUILD):
        await library.say("the heron is back", guild=guild)
    async with ollama() as provider:
        indexer = library.new_indexer(provider.embedder)
        async with refused(world.database, "message_vectors", GUILD):
            await indexer.catch_up()
            assert await library.models() == {f"{OLLAMA}/1024": 1}
        await indexer.stop()


async def test_the_heart_beats_on_after_an_error_that_nobody_thought_of(database_url: str, world: IndexWorld) -> None:
    health = Health("web", SystemClock())
    is_broken = False

    def look() -> None:
        if is_broken:
            raise UnthoughtOf

    health.watch(look)
    options = MemoryOptions.model_validate({"DATABASE_URL": database_url, "HEARTBEAT_SECONDS": "0.05"})
    memory = await MemoryManager.open(options, clock=SystemClock(), health=health)
    try:
        is_broken = True
        await until(lambda: health.part("heartbeat").snapshot().state is PartState.FAILING)
        is_broken = False
        await until(lambda: health.part("heartbeat").snapshot().state is PartState.ACTIVE)
    finally:
        await memory.close()
