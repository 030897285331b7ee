"""What somebody wrote of themselves is their word, as far as that is safe, if another has it kept: "remember this"."""

import pytest

from memory.core.outcomes import KnownBetter, NotToldOfOthers, Refusal, Remembered
from memory.core.values import AuthorKind, Fact, Member, Standing
from memory.facts.values import MayNot, Undone
from memory.policy.authority import Action
from tests.memory.facts.held_facts import Holding, done, kept, told, undo
from tests.memory.world import ALICE, BOB, DICE, FLORENT, GRUZILKIN, World


async def passed_on(world: World, words: str, author: Member = FLORENT, body: str = "this") -> Remembered:
    """By Bob."""
    return kept(await world.remember(BOB, body, about=await world.say(author, words)))


async def known_of_florent(world: World) -> str:
    return (await world.ask_about(ALICE, "Florent")).text


@pytest.mark.parametrize("by", [BOB, FLORENT])
async def test_who_had_it_kept_and_its_author_may_undo_that(world: World, by: Member) -> None:
    outcome = await passed_on(world, "I like cardamom in the coffee")
    assert isinstance(await undo(world, outcome.change_id, ALICE), MayNot)
    assert isinstance(await undo(world, outcome.change_id, by), Undone)
    assert "cardamom" not in await known_of_florent(world)


async def test_hearsay_does_not_overturn_it_and_its_author_does(world: World) -> None:
    await passed_on(world, "I live in Nice")
    assert isinstance(await world.remember(ALICE, "Florent lives in Paris"), KnownBetter)
    assert isinstance(await world.remember(FLORENT, "I live in Lyon"), Remembered)
    assert "Nice" not in await known_of_florent(world)


async def test_it_confirms_nothing_that_others_say(world: World) -> None:
    await world.remember(ALICE, "Florent likes cardamom in the coffee")
    await world.remember(BOB, "this", about=await world.say(FLORENT, "I like cardamom in the coffee"))
    assert "<@1> says: " in await known_of_florent(world)


async def test_it_does_not_lift_their_no(world: World) -> None:
    fact = (await passed_on(world, "I like cardamom in the coffee")).fact
    done(await Holding(world).do(Action.VETO, FLORENT, fact))
    again = await world.remember(BOB, "this", about=await world.say(FLORENT, "I like cardamom in the coffee"))
    assert again == NotToldOfOthers(Refusal.VETO, FLORENT)


async def test_whom_their_words_are_about_is_the_word_of_who_says_so(world: World) -> None:
    fact = (await passed_on(world, "He never pays", body="this about gruzilkin")).fact
    assert _whose(fact) == (BOB.user_id, GRUZILKIN.user_id, Standing.HEARSAY)


async def test_what_no_person_wrote_is_the_word_of_who_has_it_kept(world: World) -> None:
    said = await world.say(DICE, "I rolled a six", kind=AuthorKind.BOT)
    assert told(await world.remember(BOB, "this", about=said)).teller_id == BOB.user_id


def _whose(fact: Fact) -> tuple[int, int | None, Standing]:
    return fact.teller_id, fact.subject_id, fact.standing
