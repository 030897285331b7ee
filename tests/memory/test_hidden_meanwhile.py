"""What its subject hid while a copy of it was forgotten, lapsed or put in other words: undoing brings none to light."""

from uuid import UUID

import pytest

from memory.core.authority import Action, Actor, FactRules
from memory.core.changes import Edited, Undone
from memory.core.hearsay import Done
from memory.core.model import Fact, Member, Rank
from memory.core.outcomes import Forgotten, Remembered
from memory.core.settings import GuildSettings
from tests.memory.holding import Holding, done, told
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, HALL, World, audience

TEA, COFFEE = "gruzilkin likes green tea", "gruzilkin likes black coffee"


@pytest.fixture
def holding(world: World) -> Holding:
    return Holding(world)


async def undo(world: World, change_id: UUID | None, by: Member, rank: Rank = Rank.MEMBER) -> Undone:
    assert change_id is not None
    outcome = await world.memory.undoing.undo(GUILD, change_id, Actor(by.user_id, rank), audience())
    assert isinstance(outcome, Undone), outcome
    return outcome


async def forgotten(world: World, by: Member, words: str = TEA, rank: Rank = Rank.MEMBER) -> UUID | None:
    outcome = await world.forget(by, f"that {words}", rank=rank)
    assert isinstance(outcome, Forgotten), outcome
    return outcome.change_id


async def hide_in_the_cellar(world: World, holding: Holding, words: str = TEA) -> Fact:
    """Another copy of the same words, which their subject hides."""
    copy = told(await world.remember(FLORENT, words, CELLAR))
    done(await holding.do(Action.HIDE, GRUZILKIN, copy, CELLAR))
    return copy


async def edit(world: World, change_id: UUID | None, by: Member, words: str) -> Edited:
    assert change_id is not None
    outcome = await world.memory.editing.edit(GUILD, change_id, Actor(by.user_id), words, audience())
    assert isinstance(outcome, Edited), outcome
    return outcome


async def decide(world: World, *, about_others: bool) -> None:
    await world.memory.change_settings(GUILD, lambda _: GuildSettings(facts=FactRules(about_others=about_others)))


async def test_what_was_forgotten_comes_back_as_hidden_as_its_copy(world: World, holding: Holding) -> None:
    """Who undoes it is told the usual; its subject sees both, and shows both again."""
    fact = told(await world.remember(ALICE, TEA))
    change = await forgotten(world, ALICE)
    copy = await hide_in_the_cellar(world, holding)
    back = (await undo(world, change, ALICE)).back
    assert [one.text for one in back] == [fact.text]
    assert await holding.texts(BOB, GRUZILKIN) == []
    assert await world.memory.get_memories(audience(), GRUZILKIN.user_id) is None
    assert len(await holding.shown(GRUZILKIN, GRUZILKIN, CELLAR)) == 2
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, copy, CELLAR))
    assert await holding.texts(BOB, GRUZILKIN) == [fact.text]


async def test_a_manager_does_not_bring_the_subjects_own_words_to_light(world: World, holding: Holding) -> None:
    told(await world.remember(GRUZILKIN, "I like green tea"))
    change = await forgotten(world, BOB, rank=Rank.MANAGER)
    await hide_in_the_cellar(world, holding)
    await undo(world, change, BOB, Rank.MANAGER)
    assert await holding.texts(BOB, GRUZILKIN) == []


async def test_the_subject_brings_their_own_words_to_light(world: World, holding: Holding) -> None:
    """As they would by telling them again."""
    fact = told(await world.remember(GRUZILKIN, "I like green tea"))
    change = await forgotten(world, GRUZILKIN, "I like green tea")
    await hide_in_the_cellar(world, holding)
    await undo(world, change, GRUZILKIN)
    assert await holding.texts(BOB, GRUZILKIN) == [fact.text]


async def test_what_lapsed_is_kept_as_hidden_as_its_copy(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    await world.memory.delete_messages(GUILD, HALL, [fact.message_id])
    await world.memory.settled()
    await hide_in_the_cellar(world, holding)
    await undo(world, await world.memory.undoing.lapsed_in(GUILD, fact.message_id), ALICE)
    assert await holding.texts(BOB, GRUZILKIN) == []
    assert len(await holding.shown(GRUZILKIN, GRUZILKIN)) == 1


async def test_words_that_were_changed_come_back_as_hidden_as_their_copy(world: World, holding: Holding) -> None:
    outcome = await world.remember(ALICE, TEA)
    assert isinstance(outcome, Remembered)
    edited = await edit(world, outcome.change_id, ALICE, COFFEE)
    await hide_in_the_cellar(world, holding)
    assert await holding.texts(BOB, GRUZILKIN) == [edited.fact.text]
    back = (await undo(world, edited.change_id, ALICE)).back
    assert [one.text for one in back] == [outcome.fact.text]
    assert await holding.texts(BOB, GRUZILKIN) == []


async def test_words_that_were_changed_into_hidden_ones_can_be_changed_again_and_undone(
    world: World, holding: Holding
) -> None:
    """Whoever does it notices nothing."""
    await hide_in_the_cellar(world, holding)
    outcome = await world.remember(ALICE, COFFEE)
    assert isinstance(outcome, Remembered)
    into = await edit(world, outcome.change_id, ALICE, TEA)
    assert await holding.texts(BOB, GRUZILKIN) == []
    mate = await edit(world, into.change_id, ALICE, "gruzilkin likes mate")
    assert await holding.texts(BOB, GRUZILKIN) == [mate.fact.text]
    assert [one.text for one in (await undo(world, mate.change_id, ALICE)).back] == [into.fact.text]
    assert await holding.texts(BOB, GRUZILKIN) == []
    assert [one.text for one in (await undo(world, into.change_id, ALICE)).back] == [outcome.fact.text]
    assert await holding.texts(BOB, GRUZILKIN) == [outcome.fact.text]


async def test_what_was_told_unnoticed_can_be_put_in_other_words(world: World, holding: Holding) -> None:
    await hide_in_the_cellar(world, holding)
    outcome = await world.remember(ALICE, TEA)
    assert isinstance(outcome, Remembered)
    edited = await edit(world, outcome.change_id, ALICE, COFFEE)
    assert await holding.texts(BOB, GRUZILKIN) == [edited.fact.text]


async def test_what_was_hidden_since_is_not_put_in_other_words(world: World, holding: Holding) -> None:
    outcome = await world.remember(ALICE, TEA)
    assert isinstance(outcome, Remembered)
    edited = await edit(world, outcome.change_id, ALICE, COFFEE)
    done(await holding.do(Action.HIDE, GRUZILKIN, edited.fact))
    for change in (outcome.change_id, edited.change_id):
        assert change is not None
        again = await world.memory.editing.edit(GUILD, change, Actor(ALICE.user_id), "gruzilkin likes mate", audience())
        assert not isinstance(again, Edited)
        await world.memory.undoing.undo(GUILD, edited.change_id, Actor(ALICE.user_id), audience())
    assert await holding.texts(BOB, GRUZILKIN) == []


@pytest.mark.parametrize("confirm_first", [True, False])
async def test_a_rule_that_ends_brings_nothing_to_light_that_was_hidden(
    world: World, holding: Holding, *, confirm_first: bool
) -> None:
    """Of two copies one is silent by the server's rule when the member hides the other, which they confirmed."""
    copy = told(await world.remember(FLORENT, TEA, CELLAR))
    fact = told(await world.remember(ALICE, TEA))
    if confirm_first:
        done(await holding.do(Action.CONFIRM, GRUZILKIN, fact))
    await decide(world, about_others=False)
    hidden = await holding.do(Action.HIDE, GRUZILKIN, fact)
    assert isinstance(hidden, Done)
    await decide(world, about_others=True)
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, copy, CELLAR))
    assert len(await holding.shown(BOB, GRUZILKIN, CELLAR)) == 2


async def test_showing_again_tells_nothing_that_the_rule_keeps_silent(world: World, holding: Holding) -> None:
    told(await world.remember(FLORENT, TEA, CELLAR))
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.CONFIRM, GRUZILKIN, fact))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    await decide(world, about_others=False)
    done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == [fact.text]
    assert len(await holding.shown(GRUZILKIN, GRUZILKIN, CELLAR)) == 2


async def test_who_undoes_their_hiding_shows_also_what_was_told_meanwhile(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    hidden = done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    told(await world.remember(FLORENT, TEA, CELLAR))
    await undo(world, hidden.change_id, GRUZILKIN)
    assert len(await holding.shown(BOB, GRUZILKIN, CELLAR)) == 2


async def test_who_undoes_showing_it_again_hides_also_what_was_told_meanwhile(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA, CELLAR))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact, CELLAR))
    shown = done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact, CELLAR))
    told(await world.remember(FLORENT, TEA))
    await undo(world, shown.change_id, GRUZILKIN)
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []


async def test_hiding_what_a_rule_keeps_silent_is_undone(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    await decide(world, about_others=False)
    hidden = done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    await undo(world, hidden.change_id, GRUZILKIN)
    assert await holding.texts(BOB, GRUZILKIN) == []
    await decide(world, about_others=True)
    assert await holding.texts(BOB, GRUZILKIN) == [fact.text]


async def test_showing_again_under_a_rule_is_undone(world: World, holding: Holding) -> None:
    told(await world.remember(FLORENT, TEA, CELLAR))
    fact = told(await world.remember(ALICE, TEA))
    done(await holding.do(Action.CONFIRM, GRUZILKIN, fact))
    done(await holding.do(Action.HIDE, GRUZILKIN, fact))
    await decide(world, about_others=False)
    shown = done(await holding.do(Action.SHOW_AGAIN, GRUZILKIN, fact))
    await undo(world, shown.change_id, GRUZILKIN)
    await decide(world, about_others=True)
    assert await holding.texts(BOB, GRUZILKIN, CELLAR) == []
