"""The ledger and what is merged of it: who may read what, in SQL."""

import asyncio

from memory.core.values import Standing
from memory.facts.enter import NewFact
from memory.facts.ledger import FactStore
from memory.places.view import Audience
from tests.memory.world import CELLAR, GUILD, HALL, LOUNGE, NOON, World, audience


def new(text: str, channel: int = HALL, subject: int | None = 1, message_id: int = 1, guild_id: int = GUILD) -> NewFact:
    in_hall = channel != CELLAR
    return NewFact(guild_id, subject, 2, channel, message_id, None, text, Standing.HEARSAY, in_hall, NOON)


async def blob_of(world: World, user_id: int = 1, channels: frozenset[int] = frozenset((HALL, LOUNGE))) -> str | None:
    return await world.memory.contexts.blob_for(Audience(GUILD, HALL, channels), user_id)


async def test_what_was_told_in_the_hall_is_merged_for_those_who_can_read_all_of_it(world: World) -> None:
    store = FactStore(world.database)
    for text, channel in (("<@1> is tall", HALL), ("<@1> sings", LOUNGE), ("<@1> is engaged", CELLAR)):
        await store.remember([new(text, channel)], audience(channel))
    assert await blob_of(world) == "<@2> says: <@1> is tall. <@2> says: <@1> sings."
    assert await blob_of(world, channels=frozenset((HALL,))) is None


async def test_every_read_keeps_to_its_audience(world: World) -> None:
    store = FactStore(world.database)
    await store.remember([new("<@1> is tall", HALL)], audience(HALL))
    await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))
    other = Audience(GUILD + 1, HALL, frozenset((HALL, CELLAR)))
    for place, heard in ((audience(HALL), ["<@1> is tall"]), (other, [])):
        assert [fact.text for fact in await store.about(place, [1])] == heard
        assert [fact.text for fact in await store.within(place)] == heard


async def test_what_is_known_elsewhere_is_not_given_away_as_known(world: World) -> None:
    store = FactStore(world.database)
    await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))
    entered = await store.remember([new("<@1> is engaged", HALL)], audience(HALL))
    assert entered.is_new
    assert entered.fact.channel_id == HALL
    assert not (await store.remember([new("<@1> is engaged", CELLAR)], audience(CELLAR))).is_new


async def test_many_at_once_are_all_kept_once(world: World) -> None:
    store = FactStore(world.database)
    tellings = [store.remember([new(f"<@1> likes dish {number % 10}")], audience()) for number in range(20)]
    outcomes = await asyncio.gather(*tellings)
    assert sum(entered.is_new for entered in outcomes) == 10
    told = [fact.text for fact in await store.about(audience(), [1])]
    assert sorted(told) == [f"<@1> likes dish {number}" for number in range(10)]


async def test_forgetting_twice_tells_what_went_once(world: World) -> None:
    store = FactStore(world.database)
    entered = await store.remember([new("<@1> is tall")], audience())
    gone = await asyncio.gather(*(store.forget(GUILD, [entered.fact], 1, NOON, asked) for asked in range(3)))
    assert sorted(len(one.facts) for one in gone) == [0, 0, 1]
    assert sorted(one.change_id is not None for one in gone) == [False, False, True]
    assert await blob_of(world) is None


async def test_facts_of_the_guild_itself_are_merged_into_nothing(world: World) -> None:
    store = FactStore(world.database)
    entered = await store.remember([new("the quiz is on Friday", subject=None)], audience())
    assert await store.within(audience()) == [entered.fact]
    assert await blob_of(world, 0) is None
