"""Undoing what was told or forgotten: the ledger is as it was, or nothing happens and what holds now is said."""

from datetime import timedelta
from uuid import UUID

from memory.core.outcomes import AlreadyKnown
from memory.core.values import Member, Rank, Standing, last_id_of
from memory.facts.enter import veto
from memory.facts.values import ChangedSince, ChangeKind, NotThere, Undone
from tests.memory.facts.held_facts import change_of, kept, ledger, texts, undo
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, World, as_a, audience


async def test_a_standing_that_was_raised_is_as_before(world: World) -> None:
    await world.remember(BOB, "Alice likes pizza")
    before = await ledger(world)
    known = as_a(AlreadyKnown, await world.remember(ALICE, "I like pizza"))
    assert known.fact.standing is Standing.CONFIRMED
    assert isinstance(await undo(world, change_of(known)), Undone)
    assert await ledger(world) == before


async def test_what_everyone_may_know_gives_its_place_back(world: World) -> None:
    await world.remember(BOB, "Alice likes chess")
    await world.remember(FLORENT, "Alice lives in Paris")
    await world.remember(FLORENT, "Alice lives in Rome")
    before = await ledger(world)
    told = kept(await world.remember(ALICE, "I live in Rome", CELLAR, everywhere=True))
    assert await ledger(world) != before
    assert isinstance(await undo(world, change_of(told), channel=CELLAR), Undone)
    assert await ledger(world) == before


async def test_what_was_forgotten_comes_back_under_its_own_id(world: World) -> None:
    await world.remember(BOB, "gruzilkin is Sergey")
    await world.remember(ALICE, "I live in Paris")
    await world.remember(ALICE, "I live in Rome")
    before = await ledger(world)
    change = change_of(await world.forget(ALICE, "that I live in Rome"))
    assert await texts(world, ALICE) == []
    outcome = as_a(Undone, await undo(world, change))
    assert [fact.text for fact in outcome.back] == ["“I live in Rome” – <@1>"]
    assert await ledger(world) == before
    change = change_of(await world.forget(BOB, "gruzilkin is Sergey"))
    assert await undo(world, change, BOB) != NotThere()
    assert await ledger(world) == before


async def test_everything_forgotten_comes_back_and_names_only_what_may_be_heard(world: World) -> None:
    await world.remember(ALICE, "I like pizza")
    await world.remember(ALICE, "I fear spiders", CELLAR)
    before = await ledger(world)
    outcome = as_a(Undone, await undo(world, change_of(await world.forget(ALICE, "everything about me"))))
    assert [fact.text for fact in outcome.back] == ["“I like pizza” – <@1>"]
    assert await ledger(world) == before


async def test_whether_there_was_anything_to_forget_is_not_seen_by_undoing(world: World) -> None:
    nothing = await undo(world, change_of(await world.forget(ALICE, "everything about me")))
    await world.remember(ALICE, "I fear spiders", CELLAR)
    unheard = await undo(world, change_of(await world.forget(ALICE, "everything about me")))
    assert nothing == unheard == Undone(ChangeKind.FORGOTTEN)


async def test_after_a_day_nothing_can_be_undone_and_the_words_are_gone(world: World) -> None:
    change = change_of(await world.remember(ALICE, "I like pizza"))
    world.clock.move(timedelta(days=1))
    assert await undo(world, change) == NotThere()
    assert await world.memory.undos.change(GUILD, change) is None
    assert await world.memory.undos.words(GUILD, change, audience()) is None
    assert await world.memory.undos.purge(world.clock.now()) == 1
    assert not await world.database.read("test", "SELECT FROM changes")
    assert await texts(world, ALICE) == ["“I like pizza” – <@1>"]


async def test_what_was_told_since_in_private_is_not_told_of(world: World) -> None:
    await world.remember(ALICE, "I live in Paris", CELLAR)
    change = change_of(await world.forget(ALICE, "that I live in Paris", CELLAR))
    await world.remember(ALICE, "I live in Rome", CELLAR)
    outcome = await undo(world, change)
    assert outcome == Undone(ChangeKind.FORGOTTEN), "pressed where nobody could hear of it"


async def test_a_source_that_was_deleted_keeps_it_out_and_takes_its_words(world: World) -> None:
    said = await world.say(FLORENT, "I moved to Lyon")
    await world.remember(BOB, "this", about=said)
    change = change_of(await world.forget(FLORENT, "that I moved to Lyon"))
    await world.delete(said.message_id)
    assert await undo(world, change, FLORENT) == ChangedSince()
    assert await texts(world, FLORENT) == []
    assert not await world.database.read("test", "SELECT FROM changes WHERE before::text LIKE '%Lyon%'")


async def test_a_fact_that_was_only_confirmed_is_not_deleted_by_undoing(world: World) -> None:
    """Although the words that it had before went with the message that told it."""
    said = kept(await world.remember(BOB, "Alice likes pizza"))
    confirmed = change_of(await world.remember(ALICE, "I like pizza"))
    await world.delete(said.fact.message_id)
    await undo(world, confirmed)
    assert await texts(world, ALICE) == ["<@1> likes pizza"]


async def test_somebody_who_was_erased_does_not_come_back_by_undoing(world: World) -> None:
    await world.remember(BOB, "Alice likes pizza")
    await world.remember(BOB, "I like tea")
    both = change_of(await world.forget(BOB, "pizza", rank=Rank.MANAGER))
    await world.memory.privacy.erase_member(GUILD, ALICE.user_id, last_id_of(world.clock.now()))
    assert isinstance(await undo(world, both, BOB, rank=Rank.MANAGER), NotThere)
    assert await texts(world, ALICE) == []


async def test_whoever_opted_out_since_is_not_brought_back(world: World) -> None:
    await world.remember(ALICE, "I like pizza")
    change = change_of(await world.forget(ALICE, "that I like pizza"))
    await world.execute(
        "INSERT INTO consents (guild_id, user_id, choice, decided_at) VALUES ($1, $2, 'out', $3)",
        GUILD,
        ALICE.user_id,
        world.clock.now(),
    )
    assert await undo(world, change) == ChangedSince()
    assert await texts(world, ALICE) == []


async def test_what_was_told_in_a_channel_that_is_gone_or_erased_is_not_brought_back(world: World) -> None:
    """Also where whoever deletes and whoever undoes pass each other, and the words are still kept for undoing."""
    for table, row in (
        ("closed_channels", "guild_id, channel_id) VALUES ($1, $2"),
        ("channel_erasures", "guild_id, channel_id, through_message_id, erased_at) VALUES ($1, $2, 2000000000, now()"),
    ):
        await world.remember(ALICE, f"I fear {table}", CELLAR)
        change = change_of(await world.forget(ALICE, f"that I fear {table}", CELLAR))
        await world.execute(f"INSERT INTO {table} ({row})", GUILD, CELLAR)
        assert await undo(world, change, channel=CELLAR) == ChangedSince()
        assert await texts(world, ALICE) == []
        await world.execute(f"DELETE FROM {table}")


async def test_what_was_denied_since_is_not_brought_back_by_its_teller(world: World) -> None:
    await world.remember(BOB, "Alice likes pizza")
    change = change_of(await world.forget(BOB, "that Alice likes pizza"))
    async with world.database.transaction("test") as connection:
        await veto(connection, GUILD, ALICE.user_id, "“I like pizza” – <@1>", world.clock.now())
    assert await undo(world, change, BOB) == ChangedSince()
    assert await texts(world, ALICE) == []


async def test_all_of_it_comes_back_or_nothing(world: World) -> None:
    await world.remember(ALICE, "I live in Paris")
    await world.remember(ALICE, "I like pizza")
    change = change_of(await world.forget(ALICE, "everything about me"))
    rome = change_of(await world.remember(ALICE, "I live in Rome"))
    outcome = as_a(ChangedSince, await undo(world, change))
    assert [fact.text for fact in outcome.now] == ["“I live in Rome” – <@1>"]
    assert await texts(world, ALICE) == ["“I live in Rome” – <@1>"]
    assert isinstance(await undo(world, rome), Undone)
    assert isinstance(await undo(world, change), Undone), "once it is as it was left, it can be undone"
    assert sorted(await texts(world, ALICE)) == ["“I like pizza” – <@1>", "“I live in Paris” – <@1>"]


async def test_what_happened_behind_a_door_does_not_show_by_undoing(world: World) -> None:
    """What was told in there comes back, or not, without a word; what can be heard here comes back in any case."""
    await world.remember(ALICE, "I like pizza")
    await world.remember(FLORENT, "Alice lives in Paris", CELLAR)
    await world.remember(FLORENT, "Alice sings", CELLAR)
    change = change_of(await world.forget(ALICE, "everything about me"))
    await world.remember(FLORENT, "Alice lives in Rome", CELLAR)
    outcome = as_a(Undone, await undo(world, change))
    assert [fact.text for fact in outcome.back] == ["“I like pizza” – <@1>"]
    assert set(await texts(world, ALICE)) == {"“I like pizza” – <@1>", "<@1> lives in Rome", "<@1> sings"}


async def undone(world: World, change: UUID | None, by: Member = ALICE) -> Undone:
    return as_a(Undone, await undo(world, change, by))


async def test_what_holds_again_can_be_undone_by_its_own_telling_and_not_by_what_it_replaced(world: World) -> None:
    await world.remember(ALICE, "I live in Paris")
    rome = change_of(await world.remember(ALICE, "I live in Rome"))
    back = await undone(world, change_of(await world.forget(ALICE, "that I live in Rome")))
    assert (back.told_by, back.is_about_others) == (rome, False)
    paris = await undone(world, back.told_by)
    assert [fact.text for fact in paris.back] == ["“I live in Paris” – <@1>"]
    assert paris.told_by is None, "its own line still has its own buttons"


async def test_what_its_readers_cannot_hear_does_not_change_what_can_be_undone(world: World) -> None:
    told = change_of(await world.remember(ALICE, "I like tea"))
    for unheard in (False, True):
        if unheard:
            await world.remember(FLORENT, "Alice sings", CELLAR)
        back = await undone(world, change_of(await world.forget(ALICE, "everything about me")))
        assert (back.told_by, back.is_about_others, len(back.back)) == (told, False, 1)
