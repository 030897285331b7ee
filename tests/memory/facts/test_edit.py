"""Putting what was told in other words: who may, what then holds, and what an undo brings back."""

from uuid import uuid4

import pytest

from memory.core.outcomes import KnownBetter, NothingToRemember, TooLong
from memory.core.values import Rank
from memory.facts.enter import veto
from memory.facts.values import AboutSomebodyElse, Edited, EditedNothing, MayNot, NotThere, Undone, VetoedBefore
from memory.policy.authority import Actor
from tests.memory.facts.held_facts import change_of, ledger, texts, undo
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, World, as_a, audience


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("I love pasta", "“I love pasta” – <@1>"),
        ("Alice loves pasta", "<@1> loves pasta"),
        ("“I love pasta” – <@1>", "“I love pasta” – <@1>"),
        ("<@1> loves pasta", "<@1> loves pasta"),
        ("loves pasta", "<@1>: loves pasta"),
    ],
)
async def test_people_are_ids_again(world: World, typed: str, kept: str) -> None:
    change = change_of(await world.remember(ALICE, "I like pizza"))
    assert isinstance(await world.memory.undos.edit(GUILD, change, Actor(1), typed, audience()), Edited)
    assert await texts(world, ALICE) == [kept]


async def test_what_an_edit_contradicts_is_over_and_holds_again_when_it_is_undone(world: World) -> None:
    await world.remember(ALICE, "I live in Paris")
    change = change_of(await world.remember(ALICE, "I like pizza"))
    edited = as_a(Edited, await world.memory.undos.edit(GUILD, change, Actor(1), "I live in Rome", audience()))
    assert [fact.text for fact in edited.replaced] == ["“I live in Paris” – <@1>"]
    assert await texts(world, ALICE) == ["“I live in Rome” – <@1>"]
    as_a(Undone, await undo(world, edited.change_id))
    assert sorted(await texts(world, ALICE)) == ["“I like pizza” – <@1>", "“I live in Paris” – <@1>"]


async def test_what_a_telling_had_replaced_holds_again_in_other_words_that_do_not(world: World) -> None:
    """As if it had been told so: in the words of what it had replaced, that holds again."""
    await world.remember(ALICE, "I live in Paris")
    change = change_of(await world.remember(ALICE, "I live in Rome"))
    before = await ledger(world)
    for words, holds in (
        ("I like pizza", ["“I like pizza” – <@1>", "“I live in Paris” – <@1>"]),
        ("I live in Oslo", ["“I live in Oslo” – <@1>"]),
        ("I live in Paris", ["“I live in Paris” – <@1>"]),
    ):
        edited = as_a(Edited, await world.memory.undos.edit(GUILD, change, Actor(1), words, audience()))
        assert sorted(await texts(world, ALICE)) == holds
        assert isinstance(await undo(world, edited.change_id), Undone)
        assert await ledger(world) == before


async def test_an_edit_follows_the_rules_of_telling(world: World) -> None:
    edit = world.memory.undos.edit
    await world.remember(ALICE, "I live in Paris")
    change = change_of(await world.remember(BOB, "Alice likes pizza"))
    async with world.database.transaction("test") as connection:
        await veto(connection, GUILD, ALICE.user_id, "<@1> hates pizza", world.clock.now())
    before = await ledger(world)
    assert isinstance(await edit(GUILD, change, Actor(2), "Alice lives in Rome", audience()), KnownBetter)
    assert await edit(GUILD, change, Actor(2), "Alice hates pizza", audience()) == VetoedBefore(1)
    assert await edit(GUILD, change, Actor(2), "Florent likes pizza", audience()) == AboutSomebodyElse()
    assert await edit(GUILD, change, Actor(2), "Alice", audience()) == NothingToRemember()
    assert isinstance(await edit(GUILD, change, Actor(2), "Alice likes " + "very " * 200 + "much", audience()), TooLong)
    assert isinstance(await edit(GUILD, change, Actor(2), "Alice likes pizza", audience()), EditedNothing)
    assert isinstance(await edit(GUILD, change, Actor(1), "Alice likes tea", audience()), MayNot)
    assert isinstance(await edit(GUILD, change, Actor(3, Rank.OWNER), "Alice likes tea", audience()), MayNot)
    assert await edit(GUILD, uuid4(), Actor(2), "Alice likes tea", audience()) == NotThere()
    assert await ledger(world) == before


async def test_what_cannot_be_heard_here_is_not_edited_here(world: World) -> None:
    change = change_of(await world.remember(ALICE, "I fear spiders", CELLAR))
    edit = world.memory.undos.edit
    assert await edit(GUILD, change, Actor(1), "I fear bats", audience(HALL)) == NotThere()
    assert isinstance(await edit(GUILD, change, Actor(1), "I fear bats", audience(CELLAR)), Edited)
