"""The ledger and its blobs: who may read what, in SQL."""

import asyncio

from memory.core.values import Standing
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.places.view import Audience
from tests.memory.world import CELLAR, GUILD, HALL, LOUNGE, NOON, World, audience


def new(text: str, channel: int = HALL, subject: int | None = 1, message_id: int = 1, guild_id: int = GUILD) -> NewFact:
    in_hall = channel != CELLAR
    return NewFact(guild_id, subject, 2, channel, message_id, None, text, Standing.HEARSAY, in_hall, NOON)


async def test_the_blob_records_the_channels_it_was_made_from(world: World) -> None:
    store = FactStore(world.database, 400)
    for text, channel in (("<@1> is tall", HALL), ("<@1> sings", LOUNGE), ("<@1> is engaged", CELLAR)):
        await store.remember([new(text, channel)], audience(channel))
    async with world.database.connection("test") as connection:
        row = await connection.fetchrow("SELECT memory_blob, source_channels FROM user_facts")
    assert row is not None
    assert (row["memory_blob"], row["source_channels"]) == (
        "<@2> says: <@1> is tall. <@2> says: <@1> sings.",
        [HALL, LOUNGE],
    )


async def test_every_read_keeps_to_its_audience(world: World) -> None:
    store = FactStore(world.database, 400)
    await store.remember([new("<@1> is tall", HALL)], audience(HALL))
    await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))
    other = Audience(GUILD + 1, HALL, frozenset((HALL, CELLAR)))
    for place, heard in ((audience(HALL), ["<@1> is tall"]), (other, [])):
        assert [fact.text for fact in await store.about(place, [1])] == heard
        assert [fact.text for fact in await store.within(place)] == heard


async def test_what_is_known_elsewhere_is_not_given_away_as_known(world: World) -> None:
    store = FactStore(world.database, 400)
    await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))
    entered = await store.remember([new("<@1> is engaged", HALL)], audience(HALL))
    assert entered.is_new
    assert entered.fact.channel_id == HALL
    assert not (await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))).is_new


async def blob_of(world: World, user_id: int) -> str | None:
    async with world.database.connection("test") as connection:
        blob: str | None = await connection.fetchval(
            "SELECT memory_blob FROM user_facts WHERE guild_id = $1 AND user_id = $2", GUILD, user_id
        )
    return blob


async def test_many_at_once_end_in_one_whole_blob(world: World) -> None:
    store = FactStore(world.database, 4000)
    tellings = [store.remember([new(f"<@1> likes dish {number % 10}")], audience()) for number in range(20)]
    outcomes = await asyncio.gather(*tellings)
    assert sum(entered.is_new for entered in outcomes) == 10
    blob = await blob_of(world, 1) or ""
    assert sorted(blob.rstrip(".").split(". ")) == [f"<@2> says: <@1> likes dish {number}" for number in range(10)]


async def test_forgetting_twice_tells_what_went_once(world: World) -> None:
    store = FactStore(world.database, 400)
    entered = await store.remember([new("<@1> is tall")], audience())
    gone = await asyncio.gather(*(store.forget(GUILD, {entered.fact: ()}, 1, NOON, asked) for asked in range(3)))
    assert sorted(len(one.facts) for one in gone) == [0, 0, 1]
    assert sorted(one.change_id is not None for one in gone) == [False, False, True]
    assert await blob_of(world, 1) is None


async def test_facts_of_the_guild_itself_have_no_blob(world: World) -> None:
    store = FactStore(world.database, 400)
    entered = await store.remember([new("the quiz is on Friday", subject=None)], audience())
    assert await store.within(audience()) == [entered.fact]
    async with world.database.connection("test") as connection:
        assert await connection.fetchval("SELECT count(*) FROM user_facts") == 0
