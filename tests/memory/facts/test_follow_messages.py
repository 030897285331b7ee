"""What was told in a message goes with it when that is deleted or says something else; retention takes no fact."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.outcomes import Withdrawn
from memory.core.values import AuthorKind, Message, MessageEdit, Rank, RememberRequest
from memory.facts.ledger import FactStore
from memory.facts.values import ChangedSince
from memory.log.store import log_transaction
from memory.policy.authority import Actor
from tests.memory.facts.held_facts import kept, ledger
from tests.memory.world import ALICE, BOB, FLORENT, GUILD, HALL, World, audience


async def reworded(world: World, message_id: int) -> None:
    await world.reword(message_id, "Never mind", BOB)


async def found_reworded(world: World, message_id: int) -> None:
    """As catch-up finds it."""
    now = world.clock.now()
    said = Message(GUILD, HALL, message_id, BOB.user_id, AuthorKind.PERSON, "Never mind", now, edited_at=now)
    await world.memory.log.store_page(GUILD, HALL, [said])


@pytest.mark.parametrize("gone", [World.delete, reworded, found_reworded])
async def test_it_goes_for_good_with_what_it_had_replaced_and_with_what_could_be_undone(
    world: World, gone: Callable[[World, int], Awaitable[None]]
) -> None:
    await world.remember(BOB, "gruzilkin lives in Paris")
    outcome = kept(await world.remember(BOB, "gruzilkin lives in Rome"))
    assert outcome.change_id is not None
    world.clock.move(timedelta(minutes=1))
    await gone(world, outcome.fact.message_id)
    assert await ledger(world) == []
    for actor in (Actor(BOB.user_id), Actor(FLORENT.user_id, Rank.OWNER)):
        undone = await world.memory.undos.undo(GUILD, outcome.change_id, actor, audience())
        assert undone == ChangedSince()
    assert await ledger(world) == []


async def test_a_message_that_is_gone_before_it_was_kept_tells_nothing(world: World) -> None:
    said = await world.say(ALICE, "Bot remember I like pizza")
    await world.delete(said.message_id)
    telling = RememberRequest(GUILD, HALL, said.message_id, ALICE.user_id, "I like pizza", said.sent_at)
    assert await world.memory.remember(telling, audience()) == Withdrawn()
    assert await ledger(world) == []


async def test_links_that_were_looked_up_take_nothing_away(world: World) -> None:
    fact = kept(await world.remember(BOB, "gruzilkin is Sergey")).fact
    said = Message(GUILD, HALL, fact.message_id, BOB.user_id, AuthorKind.PERSON, "gruzilkin is Sergey", fact.valid_from)
    before = await ledger(world)
    await world.edit(MessageEdit(replace(said, embeds=("A page",))))
    assert await ledger(world) == before


async def test_what_goes_with_the_fact_that_replaced_it_gives_no_name_any_more(world: World) -> None:
    first = kept(await world.remember(ALICE, "I am called Anna")).fact
    second = kept(await world.remember(ALICE, "I am called Alina")).fact
    async with log_transaction(world.database, "test", GUILD) as connection:
        await FactStore(world.database).restate(connection, GUILD, {first: "<@1> is called Anja", second: None})
    assert await ledger(world) == []
