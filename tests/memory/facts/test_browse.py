"""Looking through all that is held: what one may see, in pages that the database cuts out."""

import pytest

from memory.core.values import Member
from memory.facts.values import FactFilter, FactPage
from memory.policy.authority import Actor
from tests.memory.facts.held_facts import alone
from tests.memory.world import ALICE, BOB, GRUZILKIN, World


async def browse(world: World, reader: Member, wanted: FactFilter | None = None, rest: str = "") -> FactPage:
    actor = Actor(reader.user_id)
    return await world.memory.hearsay.browse(alone(reader), actor, wanted or FactFilter(), rest=rest, most=2)


async def test_facts_of_one_telling_are_counted_out(world: World) -> None:
    await world.remember(ALICE, "Alice, Bob and gruzilkin like tea")
    first = await browse(world, BOB)
    second = await browse(world, BOB, rest=first.rest)
    assert (len(first.held), len(second.held), second.rest) == (2, 1, "")
    subjects = {one.fact.subject_id for page in (first, second) for one in page.held}
    assert subjects == {ALICE.user_id, BOB.user_id, GRUZILKIN.user_id}


@pytest.mark.parametrize(("words", "found"), [("BOAT", 1), ("100%", 1), ("1_0", 0), ("o%t", 0), ("!", 0)])
async def test_words_are_looked_for_as_they_are(world: World, words: str, found: int) -> None:
    await world.remember(ALICE, "I own a boat, 100% mine")
    assert len((await browse(world, ALICE, FactFilter(words=words))).held) == found


async def test_by_whom_it_is_about(world: World) -> None:
    await world.remember(ALICE, "I own a boat")
    await world.remember(BOB, "I own a bike")
    [held] = (await browse(world, ALICE, FactFilter(subject_id=BOB.user_id))).held
    assert held.fact.text == "“I own a bike” – <@2>"
    assert not (await browse(world, ALICE, FactFilter(memories=True))).held
