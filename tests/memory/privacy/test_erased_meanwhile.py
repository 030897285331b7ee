"""A model is at it while what it was given is erased: what it makes of that is never written down."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from aiohttp import web

from memory.db.database import Database
from memory.privacy.tables import ALL_TABLES
from tests.memory.contexts.context_house import MERGES, TELLS, ContextHouse, Narrator, at_noon, context_house
from tests.memory.summaries.diary_house import ALICE, BOB, GUILD, HALL

CANARY = "ptarmigan"
LAST = 2**62
Erase = Callable[[ContextHouse], Awaitable[object]]
ERASURES: dict[str, Erase] = {
    "member": lambda house: house.memory.privacy.erase_member(GUILD, ALICE.user_id, LAST),
    "opting out": lambda house: house.memory.privacy.opt_out(GUILD, ALICE.user_id),
    "channel": lambda house: house.memory.privacy.erase_channel(GUILD, HALL, LAST, BOB.user_id),
    "guild": lambda house: house.memory.privacy.erase_guild(GUILD),
}


@pytest.fixture
async def kept(database: Database) -> AsyncIterator[tuple[ContextHouse, Narrator]]:
    async with context_house(database) as (house, narrator):
        yield house, narrator


async def traces(database: Database) -> set[str]:
    """Tables that hold the word anywhere."""
    found = set()
    async with database.connection("test") as connection:
        for held in ALL_TABLES:
            query = f"SELECT EXISTS (SELECT 1 FROM {held.table} AS row WHERE row::text ILIKE $1)"
            if await connection.fetchval(query, f"%{CANARY}%"):
                found.add(held.table)
    return found


@pytest.mark.parametrize("model", [TELLS, MERGES])
@pytest.mark.parametrize("erase", ERASURES.values(), ids=ERASURES)
async def test_what_is_made_meanwhile_of_what_was_erased_is_not_kept(
    kept: tuple[ContextHouse, Narrator], erase: Erase, model: str
) -> None:
    house, narrator = kept
    await house.remember(ALICE, f"I keep a {CANARY}")
    await house.say(ALICE, f"I fed the {CANARY}", at=at_noon(house, 8))
    await house.say(ALICE, f"The {CANARY} laid an egg")
    held, go_on = asyncio.Event(), asyncio.Event()

    async def wait(_request: web.Request) -> None:
        held.set()
        await go_on.wait()

    narrator.server.faults = {model: wait}  # type: ignore[dict-item] # it only waits
    asking = asyncio.create_task(house.memories(ALICE))
    await asyncio.wait_for(held.wait(), 60)
    await erase(house)
    go_on.set()
    assert CANARY not in await asking
    await house.memory.contexts.stop()
    await house.memory.day_answers.stop()
    assert await traces(house.database) == set()
