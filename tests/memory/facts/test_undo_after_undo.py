"""What holds again after an undo can be undone in turn, by the change that told it, for as long as that can be."""

from datetime import timedelta
from uuid import UUID

from memory.core.outcomes import Forgotten, Remembered
from memory.core.values import Member
from memory.facts.values import Edited, Undone
from memory.policy.authority import Actor
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, World, audience


async def tell(world: World, by: Member, words: str, channel: int = HALL) -> Remembered:
    outcome = await world.remember(by, words, channel)
    assert isinstance(outcome, Remembered), outcome
    return outcome


async def forget(world: World, by: Member, words: str) -> UUID:
    outcome = await world.forget(by, words)
    assert isinstance(outcome, Forgotten), outcome
    assert outcome.change_id is not None
    return outcome.change_id


async def undo(world: World, change_id: UUID | None, by: Member, channel: int = HALL) -> Undone:
    assert change_id is not None
    outcome = await world.memory.undos.undo(GUILD, change_id, Actor(by.user_id), audience(channel))
    assert isinstance(outcome, Undone), outcome
    return outcome


async def test_by_its_own_telling_and_not_by_what_it_replaced(world: World) -> None:
    await tell(world, ALICE, "I live in Paris")
    rome = await tell(world, ALICE, "I live in Rome")
    undone = await undo(world, await forget(world, ALICE, "that I live in Rome"), ALICE)
    assert (undone.told_by, undone.is_about_others) == (rome.change_id, False)
    paris = await undo(world, undone.told_by, ALICE)
    assert [fact.text for fact in paris.back] == ["“I live in Paris” – <@1>"]
    assert paris.told_by is None, "its own line still has its own buttons"


async def test_by_the_last_edit_that_is_left(world: World) -> None:
    told = await tell(world, BOB, "Alice likes tea")
    changes = [told.change_id]
    for words in ("Alice likes rum", "Alice likes mate"):
        assert changes[-1] is not None
        edited = await world.memory.undos.edit(GUILD, changes[-1], Actor(BOB.user_id), words, audience())
        assert isinstance(edited, Edited)
        changes.append(edited.change_id)
        world.clock.move(timedelta(seconds=1))
    last = await undo(world, changes[2], BOB)
    assert (last.told_by, last.is_about_others) == (changes[1], True)
    assert (await undo(world, last.told_by, BOB)).told_by == changes[0]


async def test_what_its_readers_cannot_hear_changes_nothing(world: World) -> None:
    told = await tell(world, ALICE, "I like tea")
    for unheard in (False, True):
        if unheard:
            await tell(world, FLORENT, "Alice sings", CELLAR)
        outcome = await world.forget(ALICE, "everything about me")
        undone = await undo(world, outcome.change_id, ALICE)  # type: ignore[union-attr] # or it fails here
        assert (undone.told_by, undone.is_about_others, len(undone.back)) == (told.change_id, False, 1)
