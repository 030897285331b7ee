"""Remembering and forgetting, as people ask for it, over a real database."""

import pytest

from memory.core.outcomes import (
    AlreadyKnown,
    Forgotten,
    NothingFound,
    NothingToForget,
    NothingToRemember,
    Remembered,
    ToldEnough,
    TooLong,
    UnclearWhat,
)
from memory.core.values import AuthorKind, Category, RememberRequest, Traits
from memory.facts.enter import MOST_TOLD
from tests.memory.facts.held_facts import kept, told
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, INNKEEPER, NOON, PLANT_FACTS, World, audience
from tests.models import BY


async def test_this_without_a_reply_takes_the_last_thing_a_person_said(world: World) -> None:
    await world.say(FLORENT, "I have a cat")
    await world.say(INNKEEPER, "Noted.", kind=AuthorKind.SELF)
    await world.remember(ALICE, "I like tea")
    assert told(await world.remember(BOB, "this")).text == "“I have a cat” – <@4>"


async def test_about_somebody_with_a_colon(world: World) -> None:
    assert told(await world.remember(BOB, "about Florent: he likes tea")).text == "<@4> likes tea"


async def test_without_words_there_is_nothing_to_remember(world: World) -> None:
    for body in ("", "  ", "!", "me", "Florent", "this"):
        assert await world.remember(ALICE, body) == NothingToRemember(), body


async def test_our_own_words_are_not_taken_for_anybodys(world: World) -> None:
    said = await world.say(INNKEEPER, "Alice likes tea", kind=AuthorKind.SELF)
    assert await world.remember(BOB, "this", about=said) == NothingToRemember()


async def test_a_message_of_a_room_this_audience_cannot_hear_is_not_taken(world: World) -> None:
    said = await world.say(ALICE, "I won the lottery", CELLAR)
    assert await world.remember(BOB, "this", HALL, about=said) == NothingToRemember()


async def test_too_long_says_how_long_it_may_be_and_how_long_it_is_as_it_was_typed(world: World) -> None:
    """Also where a form puts before it whom it is about."""
    walks = "I like " + "very " * 200 + "long walks"
    assert await world.remember(ALICE, walks) == TooLong(len(walks), 600)
    assert await world.remember(ALICE, f"about <@{BOB.user_id}>: {'tea ' * 150}tea") == TooLong(603, 600)
    for count in (600, 700):
        note = RememberRequest(
            GUILD, HALL, count, ALICE.user_id, "x" * count, NOON, by_command=True, traits=Traits(Category.FACT)
        )
        outcome = await world.memory.remember(note, audience())
        assert isinstance(outcome, Remembered) if count == 600 else outcome == TooLong(700, 600)


async def test_the_blob_keeps_whole_facts_and_the_ledger_all(world: World) -> None:
    for number in range(20):
        await world.remember(ALICE, f"I like a rather long description of hobby number {number}")
    blob = await world.memory.get_memories(audience(), ALICE.user_id, BY) or ""
    assert len(blob) <= 400
    assert all(sentence.endswith("” – <@1>") for sentence in blob.rstrip(".").split(". "))
    assert "number 19”" in blob
    assert "number 0”" not in blob
    known = (await world.ask_about(ALICE, "me")).text
    assert known.count("hobby number") == 15
    assert known.endswith("… and 5 more.")


@pytest.mark.parametrize(
    "words", ["I play the violin", "I try every cake", "I am not fond of rain", "ich spiele Geige", "je joue du violon"]
)
async def test_what_was_told_is_forgotten_in_the_words_it_was_told_in(world: World, words: str) -> None:
    fact = told(await world.remember(ALICE, words))
    assert await world.forget(ALICE, words) == Forgotten((fact,))


@pytest.mark.parametrize("words", ["", "that", "das", "ça", "это"])
async def test_whoever_does_not_say_what_to_forget_is_asked(world: World, words: str) -> None:
    await world.remember(BOB, "gruzilkin likes pizza")
    assert await world.forget(BOB, words) == NothingToForget()


async def test_other_words_for_one_fact_find_it(world: World) -> None:
    await world.remember(ALICE, "I have two cats")
    for body in ("that I love pizzas", "pizza", "what I said about pizza", "the pizza thing", "my love of pizza"):
        await world.remember(ALICE, "I love pizza")
        outcome = await world.forget(ALICE, body)
        assert isinstance(outcome, Forgotten), body
        assert [fact.text for fact in outcome.facts] == ["“I love pizza” – <@1>"]


async def test_a_fact_that_only_shares_a_word_is_left_alone(world: World) -> None:
    await world.remember(ALICE, "I like pizza")
    assert isinstance(await world.forget(ALICE, "I like olives"), NothingFound | UnclearWhat)
    assert await world.memory.get_memories(audience(), 1, BY) == "“I like pizza” – <@1>."


async def test_the_exact_one_goes_and_the_longer_one_stays(world: World) -> None:
    await world.remember(ALICE, "I like pizza")
    await world.remember(ALICE, "I like pizza with pineapple")
    outcome = await world.forget(ALICE, "that I like pizza")
    assert isinstance(outcome, Forgotten)
    assert [fact.text for fact in outcome.facts] == ["“I like pizza” – <@1>"]


@pytest.mark.parametrize(
    "wish", ["about the raid, it got cancelled by the weather", "that the raid is at nine, nobody has time any more"]
)
async def test_a_reason_behind_a_comma_is_no_part_of_what_goes(world: World, wish: str) -> None:
    await world.remember(ALICE, "the raid is at nine")
    await world.remember(ALICE, "the wifi is called GuestNet")
    assert isinstance(await world.forget(ALICE, wish), Forgotten)
    rows = await world.memory.facts._facts.within(audience())
    assert [fact.text for fact in rows] == ["the wifi is called GuestNet"]


async def test_forget_this_in_reply_to_the_telling(world: World) -> None:
    outcome = kept(await world.remember(ALICE, "I like pizza"))
    ours = await world.say(INNKEEPER, "I'll remember.", kind=AuthorKind.SELF, reply_to=outcome.fact.message_id)
    assert isinstance(await world.forget(ALICE, "this", about=ours), Forgotten)


async def test_text_that_cannot_be_stored_is_repaired(world: World) -> None:
    assert told(await world.remember(BOB, "gruzilkin likes \x00 and \ud800 signs")).text == "<@3> likes � and � signs"


async def test_somebody_we_have_not_met_is_known_by_id(world: World) -> None:
    outcome = kept(await world.remember(BOB, "<@!12345> likes tea"))
    assert (outcome.fact.subject_id, outcome.fact.text) == (12345, "<@12345> likes tea")
    assert "<@12345> likes tea" in (await world.ask_about(ALICE, "<@12345>")).text


async def test_of_one_teller_only_so_much_is_kept_about_one_member(world: World) -> None:
    planted = [f"<@1> owns {number} boats" for number in range(MOST_TOLD)]
    await world.execute(PLANT_FACTS, GUILD, ALICE.user_id, BOB.user_id, HALL, planted, NOON)
    assert await world.remember(BOB, "Alice likes tea") == ToldEnough(ALICE, MOST_TOLD)
    assert isinstance(await world.remember(BOB, "Alice owns 7 boats"), AlreadyKnown)
    told(await world.remember(BOB, "Florent likes tea"))
    told(await world.remember(FLORENT, "Alice likes tea"))
    assert isinstance(await world.forget(BOB, "Alice owns 7 boats"), Forgotten)
    told(await world.remember(BOB, "Alice likes coffee"))


async def test_what_is_told_elsewhere_counts_for_nobody_here(world: World) -> None:
    planted = [f"<@1> hides {number} cakes" for number in range(MOST_TOLD)]
    await world.execute(PLANT_FACTS, GUILD, ALICE.user_id, BOB.user_id, CELLAR, planted, NOON)
    assert await world.remember(BOB, "Alice likes tea", CELLAR) == ToldEnough(ALICE, MOST_TOLD)
    told(await world.remember(BOB, "Alice likes tea"))


async def test_a_name_alone_forgets_what_gives_the_name_and_nothing_else(world: World) -> None:
    await world.remember(ALICE, "I am called Zaphodbeeble")
    assert isinstance(await world.forget(ALICE, "Alice"), UnclearWhat), (
        "whose name it is says not what of them is meant"
    )
    for name in ("Marvinandroid", "קצההיזכוחטגגלו"):
        await world.remember(ALICE, "I own a boat")
        fact = told(await world.remember(ALICE, f"I am called {name}"))
        outcome = await world.forget(ALICE, name)
        assert isinstance(outcome, Forgotten), outcome
        assert outcome.facts == (fact,)
