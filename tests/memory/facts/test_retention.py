"""How long facts are kept: counted from when they were last told, gone with all that was made from them, for good."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memory.core.log_values import Removal
from memory.core.outcomes import AlreadyKnown, Remembered
from memory.core.values import Member
from memory.manager import MemoryManager
from memory.policy.settings import SettingsChange
from tests.memory.facts.held_facts import texts
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, World, audience
from tests.models import BY

DAY = timedelta(days=1)


async def keep_facts(memory: MemoryManager, days: int | None, guild_id: int = GUILD) -> SettingsChange:
    return await memory.privacy.change_settings(
        guild_id, lambda known: replace(known, log=replace(known.log, fact_days=days))
    )


async def purge(world: World) -> int:
    return (await world.memory.purge(world.clock.now())).facts


async def known(world: World, member: Member, channel: int = HALL) -> str | None:
    return await world.memory.get_memories(audience(channel), member.user_id, BY)


async def test_what_nobody_told_for_longer_goes_with_all_that_was_made_of_it(world: World) -> None:
    await keep_facts(world.memory, 30)
    await world.remember(BOB, "gruzilkin is Sergey")
    await world.remember(BOB, "the cellar door sticks")
    await world.remember(ALICE, "I like tea", CELLAR)
    world.clock.move(DAY * 20)
    await world.remember(GRUZILKIN, "I like coffee")
    world.clock.move(DAY * 9)
    assert await purge(world) == 0
    world.clock.move(DAY * 2)
    assert await purge(world) == 3
    assert await texts(world) == ["“I like coffee” – <@3>"]
    assert await known(world, GRUZILKIN) == "“I like coffee” – <@3>."
    assert await known(world, ALICE, CELLAR) is None
    assert await rows_of(world.database, "fact_aliases", GUILD) == []
    assert "Sergey" not in (await world.ask_about(BOB, "gruzilkin")).text
    assert "sticks" not in (await world.ask(BOB, "what about the cellar door?")).text
    world.clock.move(DAY * 20)
    assert await purge(world) == 1
    assert await known(world, GRUZILKIN) is None


@pytest.mark.parametrize("again", [ALICE, BOB], ids=["confirmed", "repeated"])
async def test_the_time_counts_from_the_last_telling(world: World, again: Member) -> None:
    await keep_facts(world.memory, 30)
    await world.remember(BOB, "Alice plays the harp")
    world.clock.move(DAY * 25)
    body = "I play the harp" if again is ALICE else "Alice plays the harp"
    assert isinstance(await world.remember(again, body), AlreadyKnown | Remembered)
    world.clock.move(DAY * 25)
    assert await purge(world) == 0
    world.clock.move(DAY * 6)
    assert await purge(world) == 1


async def test_what_is_over_goes_in_its_own_time_and_never_holds_again(world: World) -> None:
    await world.remember(ALICE, "I live in Paris")
    world.clock.move(DAY * 20)
    await world.remember(ALICE, "I live in Lyon")
    world.clock.move(DAY * 5)
    assert (await keep_facts(world.memory, 10)).removed == Removal(facts=1)
    assert await texts(world) == ["“I live in Lyon” – <@1>"]
    assert await known(world, ALICE) == "“I live in Lyon” – <@1>."
    world.clock.move(DAY * 6)
    assert await purge(world) == 1
    assert await known(world, ALICE) is None
