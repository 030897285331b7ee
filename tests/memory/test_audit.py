"""The audit log: what is written down, of whom, for how long, and that it never says what a fact said."""

from datetime import timedelta

import pytest

from memory.audit import KEPT, AuditEntry, Deed
from memory.core.values import Member
from memory.policy.authority import Action
from tests.memory.facts.held_facts import Holding, alone, done, told
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, GRUZILKIN, GUILD, World

TEA = "gruzilkin likes green tea"


@pytest.fixture
def holding(world: World) -> Holding:
    return Holding(world)


async def log(world: World, of: Member | None = None) -> list[AuditEntry]:
    """The oldest first."""
    if of is None:
        page = await world.memory.audit_log.of_guild(alone(BOB), skip=0, most=100)
    else:
        page = await world.memory.audit_log.of_member(alone(of), of.user_id, skip=0, most=100)
    assert page.in_all == len(page.entries)
    return list(page.entries)[::-1]


def said(entries: list[AuditEntry]) -> list[tuple[int, Deed, int | None, int]]:
    return [(entry.actor_id, entry.deed, entry.subject_id, entry.items) for entry in entries]


async def test_what_others_do_to_ones_memory_is_written_down(world: World, holding: Holding) -> None:
    fact = told(await world.remember(ALICE, TEA))
    await world.remember(ALICE, "gruzilkin lives in Paris")
    await world.remember(BOB, "gruzilkin lives in Lyon")
    await holding.shown(BOB, GRUZILKIN)
    world.clock.move(timedelta(seconds=1))
    done(await holding.do(Action.FORGET, ALICE, fact))
    own = GRUZILKIN.user_id
    assert sorted(said(await log(world, GRUZILKIN))) == sorted(
        [
            (ALICE.user_id, Deed.TOLD, own, 1),
            (ALICE.user_id, Deed.TOLD, own, 1),
            (BOB.user_id, Deed.TOLD, own, 1),
            (BOB.user_id, Deed.REPLACED, own, 1),
            (BOB.user_id, Deed.LOOKED, own, 2),
            (ALICE.user_id, Deed.FORGOT, own, 1),
        ]
    )
    assert [entry.at for entry in await log(world)] == sorted(entry.at for entry in await log(world))
    assert "tea" not in str(await rows_of(world.database, "audit", GUILD))


async def test_what_one_does_to_ones_own_is_nobodys_business(world: World, holding: Holding) -> None:
    fact = told(await world.remember(GRUZILKIN, "I like green tea"))
    await world.remember(GRUZILKIN, "the inn opens at six")
    await holding.shown(GRUZILKIN, GRUZILKIN)
    done(await holding.correct(GRUZILKIN, fact, "I like black tea"))
    await world.forget(GRUZILKIN, "everything about me")
    await world.forget(GRUZILKIN, "that the inn opens at six")
    assert await log(world) == []


async def test_after_a_year_it_is_gone(world: World) -> None:
    await world.remember(ALICE, TEA)
    world.clock.move(KEPT / 2)
    await world.remember(ALICE, "gruzilkin sings")
    world.clock.move(KEPT / 2 + timedelta(days=1))
    await world.memory.purge(world.clock.now())
    assert len(await log(world)) == 1
