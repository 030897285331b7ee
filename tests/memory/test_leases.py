"""Leases: one holder at a time, until it lets go or its time is up."""

import asyncio
from datetime import timedelta
from uuid import uuid4

from memory.leases import LeaseStore
from tests.memory.world import GUILD, NOON, World

SOON, LATER = NOON + timedelta(seconds=30), NOON + timedelta(seconds=31)


async def test_one_of_many_gets_it(world: World) -> None:
    store = LeaseStore(world.database)
    takers = [store.take_in([GUILD], "blob 1", uuid4(), now=NOON, until=SOON) for _ in range(8)]
    assert sum(map(bool, await asyncio.gather(*takers))) == 1
    assert await store.take_in([GUILD], "blob 2", uuid4(), now=NOON, until=SOON)
    assert await store.take_in([GUILD + 1], "blob 1", uuid4(), now=NOON, until=SOON)


async def test_its_holder_renews_it_and_nobody_else_lets_go_of_it(world: World) -> None:
    store, holder, other = LeaseStore(world.database), uuid4(), uuid4()
    assert await store.take_in([GUILD], "blob 1", holder, now=NOON, until=SOON)
    assert await store.take_in([GUILD], "blob 1", holder, now=SOON, until=LATER)
    await store.release_in([GUILD], "blob 1", other)
    assert not await store.take_in([GUILD], "blob 1", other, now=SOON, until=LATER)
    await store.release_in([GUILD], "blob 1", holder)
    assert await store.take_in([GUILD], "blob 1", other, now=SOON, until=LATER)


async def test_whoever_dies_with_it_loses_it(world: World) -> None:
    store, other = LeaseStore(world.database), uuid4()
    await store.take_in([GUILD], "blob 1", uuid4(), now=NOON, until=SOON)
    assert await store.take_in([GUILD], "blob 1", other, now=LATER, until=LATER + timedelta(seconds=1))
    await store.forget_expired(LATER + timedelta(minutes=1))
    async with world.database.connection("test") as connection:
        assert await connection.fetchval("SELECT count(*) FROM claims") == 0
