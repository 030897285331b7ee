"""Facts of older versions stand in the third person: they go on holding beside what people say in their own words."""

import pytest

from memory.core.outcomes import AlreadyKnown, Forgotten, NotToldOfOthers, Remembered
from memory.core.values import Standing
from memory.facts.values import Done
from memory.policy.authority import Action
from tests.memory.facts.held_facts import Holding, kept
from tests.memory.world import ALICE, BOB, World, audience


async def worded_before(world: World, told: str, text: str) -> None:
    """As a version kept it that put what people say into the third person."""
    assert isinstance(await world.remember(ALICE, told), Remembered)
    await world.execute("UPDATE facts SET text = $1", text)


@pytest.mark.parametrize(
    ("told", "before"),
    [
        ("I take my coffee black", "<@1> takes their coffee black"),
        ("ich mag Tee", "<@1> mag Tee"),
        ("je déteste le café", "<@1> déteste le café"),
        ("I yodel", "<@1> says: “I yodel”"),
    ],
)
async def test_what_is_known_is_known(world: World, told: str, before: str) -> None:
    await worded_before(world, told, before)
    assert isinstance(await world.remember(ALICE, told), AlreadyKnown)
    assert isinstance(await world.forget(ALICE, told), Forgotten)


async def test_a_veto_holds_until_its_member_says_it(world: World) -> None:
    told = kept(await world.remember(BOB, "Alice likes green tea"))
    assert isinstance(await Holding(world).do(Action.VETO, ALICE, told.fact), Done)
    assert isinstance(await world.remember(BOB, "green tea is what Alice likes"), NotToldOfOthers)
    own = kept(await world.remember(ALICE, "I like green tea"))
    assert (own.fact.text, own.fact.standing) == ("“I like green tea” – <@1>", Standing.SELF)
    assert isinstance(await world.remember(BOB, "Alice likes green tea"), AlreadyKnown)
    assert "green tea" in (await world.ask(BOB, "what tea does Alice like?")).text


async def test_one_telling_of_oneself_may_say_several_things(world: World) -> None:
    told = kept(await world.remember(ALICE, "I like pizza, my birthday is 3 March. I work at Siemens"))
    assert [told.fact.text, *(fact.text for fact in told.also)] == [
        "“I like pizza” – <@1>",
        "“my birthday is 3 March” – <@1>",
        "“I work at Siemens” – <@1>",
    ]
    for whole in ("When I am tired, I drink coffee", "I said, my dear, I sing", 'my motto is "I sing, I dance"'):
        assert not kept(await world.remember(ALICE, whole)).also


@pytest.mark.parametrize(
    "told",
    [
        "- I like tea\n- Bob hates olives\n- the wifi is GuestNet",
        "1. I like tea\n2. Bob hates olives\n3. the wifi is GuestNet",
    ],
)
async def test_a_list_is_kept_line_by_line(world: World, told: str) -> None:
    outcome = kept(await world.remember(ALICE, told))
    texts = [outcome.fact.text, *(fact.text for fact in outcome.also)]
    assert texts == ["“I like tea” – <@1>", "<@2> hates olives", "the wifi is GuestNet"]
    assert isinstance(await world.forget(ALICE, "that I like tea"), Forgotten)
    assert len(await world.memory.facts._facts.within(audience())) == 2


@pytest.mark.parametrize("told", ["“Bob rocks” – <@1>", '"Bob rocks" – Alice', "<@1> says: “Bob rocks”"])
async def test_nobody_puts_words_into_the_mouth_of_another(world: World, told: str) -> None:
    assert kept(await world.remember(BOB, told)).fact.text.endswith("” – <@2>")
    assert "“Bob rocks” – <@1>" not in (await world.ask_about(ALICE, "Bob")).text
