"""What was told over time: what holds, what held, whom it is about, and who may change it."""

import asyncio

from memory.core.outcomes import AlreadyKnown, Forgotten, Remembered
from memory.core.values import Member, Standing
from memory.db.database import Database
from tests.memory.facts.held_facts import kept, ledger
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, HALL, LOUNGE, World, as_a, audience
from tests.models import BY


async def blob(world: World, member: Member = ALICE) -> str | None:
    return await world.memory.get_memories(audience(), member.user_id, BY)


async def test_a_better_standing_overturns_a_lesser(world: World) -> None:
    await world.remember(BOB, "Alice lives in Rome")
    await world.remember(FLORENT, "Alice lives in Oslo")
    assert [row["superseded_by"] is None for row in await ledger(world)] == [False, True]
    assert [f.text for f in kept(await world.remember(ALICE, "I live in Paris")).replaced] == ["<@1> lives in Oslo"]
    assert as_a(AlreadyKnown, await world.remember(BOB, "Alice lives in Paris")).fact.standing is Standing.SELF


async def test_a_private_word_takes_nothing_from_the_hall(world: World) -> None:
    """It would vanish there, and those who are not told the new would learn that there is something."""
    await world.remember(ALICE, "I live in Paris", HALL)
    assert kept(await world.remember(ALICE, "I live in Lyon", CELLAR)).replaced == ()
    assert await blob(world) == "“I live in Paris” – <@1>."
    assert await world.memory.get_memories(audience(HALL), 1, BY) == "“I live in Paris” – <@1>."
    # Within the cellar the newest wins as well.
    assert [f.text for f in kept(await world.remember(ALICE, "I live in Nice", CELLAR)).replaced] == [
        "“I live in Lyon” – <@1>"
    ]


async def test_the_hall_neither_sees_nor_changes_what_is_told_in_private(world: World) -> None:
    await world.remember(ALICE, "I live in Lyon", CELLAR)
    assert isinstance(await world.remember(BOB, "Alice lives in Rome", HALL), Remembered)
    assert kept(await world.remember(ALICE, "I live in Paris", HALL)).replaced[0].text == "<@1> lives in Rome"
    private = [row for row in await ledger(world) if row["channel_id"] == CELLAR]
    assert [row["valid_to"] for row in private] == [None]


async def test_forgetting_takes_what_it_replaced_along(world: World) -> None:
    for town in ("Paris", "Lyon", "Paris", "Nice"):
        await world.remember(ALICE, f"I live in {town}")
    gone = as_a(Forgotten, await world.forget(ALICE, "that I live in Nice"))
    assert [fact.text for fact in gone.facts] == ["“I live in Nice” – <@1>"]
    assert await ledger(world) == []
    assert await blob(world) is None


async def test_a_sentence_about_two_reaches_each_of_them(world: World) -> None:
    outcome = kept(await world.remember(BOB, "Alice and gruzilkin are married"))
    assert (outcome.subject, outcome.others) == (ALICE, (GRUZILKIN,))
    for member in (ALICE, GRUZILKIN):
        assert await blob(world, member) == "<@2> says: <@1> and <@3> are married."
    rows = await ledger(world)
    assert [(row["subject_id"], row["teller_id"], row["channel_id"]) for row in rows] == [(1, 2, HALL), (3, 2, HALL)]
    assert len({row["message_id"] for row in rows}) == 1


async def test_everything_about_one_takes_their_tellings_whole(world: World) -> None:
    await world.remember(BOB, "Alice and gruzilkin are married")
    await world.remember(BOB, "gruzilkin likes tea")
    await world.forget(ALICE, "everything about me")
    assert [row["text"] for row in await ledger(world)] == ["<@3> likes tea"]
    assert await blob(world, GRUZILKIN) == "<@2> says: <@3> likes tea."


async def test_a_name_from_a_fact_means_the_member(world: World) -> None:
    await world.remember(BOB, "gruzilkin is Sergey")
    assert kept(await world.remember(ALICE, "Sergey likes borscht")).subject == GRUZILKIN
    assert "borscht" in (await world.ask_about(BOB, "Sergey")).text
    assert isinstance(await world.forget(BOB, "that gruzilkin is Sergey"), Forgotten)
    assert kept(await world.remember(ALICE, "Sergey likes kvass")).subject is None


async def test_a_name_told_in_private_means_nobody_elsewhere(world: World) -> None:
    await world.remember(BOB, "gruzilkin is Sergey", CELLAR)
    assert kept(await world.remember(BOB, "Sergey likes borscht", CELLAR)).subject == GRUZILKIN
    for place in (HALL, LOUNGE):
        assert kept(await world.remember(BOB, f"Sergey likes kvass in {place}", place)).subject is None
        assert "<@3>" not in (await world.ask_about(BOB, "Sergey", place)).text


async def test_contradictions_told_at_once_in_two_processes_leave_one(world: World, database: Database) -> None:
    other = World(database)
    other._last_id = 50_000
    towns = [f"I live in Town{number}" for number in range(6)]
    await asyncio.gather(*((world, other)[place % 2].remember(ALICE, body) for place, body in enumerate(towns)))
    current = [row for row in await ledger(world) if row["valid_to"] is None]
    assert len(current) == 1
    assert await blob(world) == f"{current[0]['text']}."
