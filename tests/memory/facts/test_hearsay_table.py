"""Who may do what, through the door: each action, by everybody there is, on facts of each standing."""

import pytest

from memory.core.values import Fact, Member, Rank, Standing
from memory.facts.values import Done, MayNot
from memory.policy.authority import Action
from tests.memory.facts.held_facts import Holding, done, told
from tests.memory.world import ALICE, BOB, FLORENT, GRUZILKIN, World

SUBJECT, TELLER, OTHER, MODERATOR, OWNER = "subject", "teller", "other", "moderator", "owner"
PEOPLE: dict[str, tuple[Member, Rank]] = {
    SUBJECT: (GRUZILKIN, Rank.MEMBER),
    TELLER: (ALICE, Rank.MEMBER),
    OTHER: (BOB, Rank.MEMBER),
    MODERATOR: (FLORENT, Rank.MODERATOR),
    OWNER: (FLORENT, Rank.OWNER),
}
TABLE = {
    Action.CONFIRM: {SUBJECT},
    Action.VETO: {SUBJECT},
    Action.FORGET: {SUBJECT, TELLER, OWNER},
}
"""As a guild has it that decided nothing."""


async def fact_of(world: World, holding: Holding, standing: Standing, words: str) -> Fact:
    if standing is Standing.SELF:
        return told(await world.remember(GRUZILKIN, f"I like {words}"))
    fact = told(await world.remember(ALICE, f"gruzilkin likes {words}"))
    if standing is Standing.CONFIRMED:
        done(await holding.do(Action.CONFIRM, GRUZILKIN, fact))
    return fact


@pytest.mark.parametrize("standing", Standing)
@pytest.mark.parametrize("action", TABLE)
async def test_the_door_keeps_to_the_table(world: World, action: Action, standing: Standing) -> None:
    holding = Holding(world)
    for place, (who, (member, rank)) in enumerate(PEOPLE.items()):
        fact = await fact_of(world, holding, standing, f"dish {place}")
        allowed = who in TABLE[action] and not (who == TELLER and standing is Standing.SELF)
        [held] = [one for one in await holding.shown(member, GRUZILKIN, rank=rank) if one.fact.text == fact.text]
        assert allowed or action not in held.may
        outcome = await holding.do(action, member, fact, rank=rank)
        assert isinstance(outcome, Done if allowed else MayNot), (who, outcome)
        if isinstance(outcome, Done):
            held_still = await holding.texts(GRUZILKIN, GRUZILKIN)
            assert (fact.text in held_still) is (action is Action.CONFIRM)
