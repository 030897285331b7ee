"""What is told in a private place lives there, unless the one it is about says that everyone may know it."""

from dataclasses import replace

from memory.core.outcomes import AlreadyKnown, Forgotten, ForgottenAll, Reach, Remembered, RememberOutcome
from memory.core.provenance import Broken, Evidence, Read
from memory.core.values import Standing
from memory.language.detect import Language
from memory.places.view import Audience
from tests.memory.facts.held_facts import kept, undo
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GUILD, HALL, LOUNGE, PUBLIC, World, audience, there
from tests.models import BY

ATTIC = 1004
"""Another private place, whose people cannot see the cellar."""


async def known_of(world: World, user_id: int, channel: int = HALL) -> str:
    return await world.memory.get_memories(audience(channel), user_id, BY) or ""


async def open_up(world: World, outcome: RememberOutcome, teller_id: int = ALICE.user_id) -> bool:
    return await world.memory.facts.let_everyone_know(GUILD, kept(outcome).fact.message_id, teller_id) is not None


async def test_what_was_said_elsewhere_of_what_lives_here_again_is_taken_back(world: World) -> None:
    outcome = kept(await world.remember(ALICE, "I am getting married", CELLAR))
    opened = there(await world.memory.facts.let_everyone_know(GUILD, outcome.fact.message_id, ALICE.user_id))
    assert opened.change_id is not None
    fact = replace(outcome.fact, everywhere=True)
    quoting = Evidence.all_quoted(Read.of_facts([fact]))

    async def quoted_in(place: int) -> Broken | None:
        asked = await world.say(BOB, "Bot who is getting married?", place)
        receipt = world.memory.receipts.receipt_of(audience(place), asked.message_id, BOB.user_id, Language.EN, quoting)
        return await world.memory.receipts.put(receipt)

    assert [await quoted_in(place) for place in (HALL, CELLAR)] == [None, None]
    await undo(world, opened.change_id, channel=CELLAR)
    rows = await world.database.read("test", "SELECT channel_id, because FROM receipts ORDER BY channel_id")
    assert {row["channel_id"]: row["because"] for row in rows} == {HALL: "forgotten", CELLAR: None}
    assert await quoted_in(HALL) is Broken.FORGOTTEN, "it was begun while everyone could know"


async def test_only_the_one_it_is_about_may_decide(world: World) -> None:
    hearsay = kept(await world.remember(BOB, "Alice is getting married", CELLAR, everywhere=True))
    assert (hearsay.reach, hearsay.may_be_opened) == (Reach.PLACE_AGAINST_THE_WISH, False)
    of_nobody = kept(await world.remember(BOB, "the wedding is in June", CELLAR, everywhere=True))
    assert (of_nobody.reach, of_nobody.may_be_opened) == (Reach.PLACE_AGAINST_THE_WISH, False)
    own = await world.remember(BOB, "I am the best man", CELLAR)
    assert not await open_up(world, hearsay, BOB.user_id)
    assert not await open_up(world, hearsay, ALICE.user_id)
    assert not await open_up(world, of_nobody, BOB.user_id)
    assert not await open_up(world, own, ALICE.user_id)
    for words in ("married", "wedding", "best man"):
        assert words not in (await world.ask(FLORENT, "who knows of a married best man at a wedding?", ATTIC)).text


async def test_the_words_of_others_are_not_the_tellers_to_spread(world: World) -> None:
    said = await world.say(BOB, "Alice is getting married", CELLAR)
    outcome = kept(await world.remember(ALICE, "this about me", CELLAR, about=said, everywhere=True))
    assert (outcome.reach, outcome.may_be_opened) == (Reach.PLACE_AGAINST_THE_WISH, False)
    assert not await open_up(world, outcome)
    assert await known_of(world, 1) == ""


async def test_ones_own_message_may_be_opened(world: World) -> None:
    said = await world.say(ALICE, "I am getting married", CELLAR)
    outcome = kept(await world.remember(ALICE, "this", CELLAR, about=said))
    assert outcome.may_be_opened
    assert await open_up(world, outcome)
    assert "married" in await known_of(world, 1)
    await world.memory.log.delete_messages(GUILD, CELLAR, [said.message_id])
    assert await known_of(world, 1) == ""


async def test_ones_own_word_for_everyone_replaces_what_others_said(world: World) -> None:
    await world.remember(BOB, "Alice is getting married", CELLAR)
    opened = kept(await world.remember(ALICE, "I am getting married", CELLAR, everywhere=True))
    assert (opened.fact.teller_id, opened.fact.standing) == (ALICE.user_id, Standing.SELF)
    assert await known_of(world, 1, CELLAR) == "“I am getting married” – <@1>."


async def test_a_private_confirmation_is_not_told_outside(world: World) -> None:
    await world.remember(BOB, "Alice is getting married", HALL)
    assert isinstance(await world.remember(ALICE, "I am getting married", CELLAR), Remembered)
    assert "<@2> says:" in (await world.ask_about(FLORENT, "Alice", HALL)).text
    assert isinstance(await world.remember(ALICE, "I am getting married", LOUNGE), AlreadyKnown)
    assert "<@2> says, and <@1> confirmed:" in (await world.ask_about(FLORENT, "Alice", HALL)).text


async def test_what_everyone_may_know_is_forgotten_from_anywhere(world: World) -> None:
    await world.remember(ALICE, "I am getting married", CELLAR, everywhere=True)
    assert isinstance(await world.forget(ALICE, "that I am getting married", ATTIC), Forgotten)
    assert await known_of(world, 1, CELLAR) == ""


async def test_to_forget_all_says_nothing_of_what_lay_elsewhere(world: World) -> None:
    await world.remember(ALICE, "I am getting married", CELLAR)
    with_secret = await world.forget(ALICE, "everything about me", HALL)
    without = await world.forget(ALICE, "everything about me", HALL)
    assert with_secret == without == ForgottenAll(())
    assert await known_of(world, 1, CELLAR) == ""


async def test_a_deleted_channel_takes_its_facts_but_not_what_everyone_may_know(world: World) -> None:
    await world.remember(ALICE, "I am getting married", CELLAR, everywhere=True)
    await world.remember(ALICE, "I am nervous", CELLAR)
    await world.memory.log.delete_channel(GUILD, CELLAR)
    await world.memory.log.settled()
    assert await known_of(world, 1, CELLAR) == "“I am getting married” – <@1>."


async def test_a_channel_that_opens_or_closes_takes_its_facts_along(world: World) -> None:
    await world.remember(ALICE, "I am getting married", CELLAR)
    opened = Audience(GUILD, HALL, PUBLIC | {CELLAR}, is_hall=True)
    assert "married" in (await world.memory.get_memories(opened, 1, BY) or "")
    assert await known_of(world, 1) == ""
