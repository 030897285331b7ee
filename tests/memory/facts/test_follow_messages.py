"""What was told in a message goes with it when that is deleted or says something else; retention takes no fact."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest

from memory.core.outcomes import Withdrawn
from memory.core.provenance import Evidence, Read, ReplyReceipt
from memory.core.values import AuthorKind, Fact, Member, Message, MessageEdit, Rank, RememberRequest
from memory.fact_rows import SELECT, fact_of
from memory.facts.values import ChangedSince
from memory.language.detect import Language
from memory.policy.authority import Actor
from memory.receipts.store import ReceiptStore
from tests.memory.facts.held_facts import kept, ledger
from tests.memory.world import ALICE, BOB, FLORENT, GUILD, HALL, INNKEEPER, World, audience


async def tell(world: World, teller: Member, body: str, channel: int = HALL, *, about: Message | None = None) -> int:
    return kept(await world.remember(teller, body, channel, about=about)).fact.message_id


async def delete(world: World, *message_ids: int, channel: int = HALL) -> None:
    await world.memory.log.delete_messages(GUILD, channel, message_ids)
    await world.memory.log.settled()


async def receipts(world: World) -> list[tuple[int, str | None]]:
    async with world.database.connection("test") as connection:
        rows = await connection.fetch("SELECT asked_in, because FROM receipts ORDER BY asked_in")
    return [(row["asked_in"], row["because"]) for row in rows]


async def reworded(world: World, message_id: int) -> None:
    edited = MessageEdit(GUILD, HALL, message_id, "Never mind", world.clock.now(), author_id=BOB.user_id)
    await world.memory.log.edit_message(edited)
    await world.memory.log.settled()


async def found_reworded(world: World, message_id: int) -> None:
    """As catch-up finds it."""
    now = world.clock.now()
    said = Message(GUILD, HALL, message_id, BOB.user_id, AuthorKind.PERSON, "Never mind", now, edited_at=now)
    await world.memory.log.store_page(GUILD, HALL, [said])


@pytest.mark.parametrize("gone", [delete, reworded, found_reworded])
async def test_it_goes_for_good_with_what_it_had_replaced_and_with_what_could_be_undone(
    world: World, gone: Callable[[World, int], Awaitable[None]]
) -> None:
    await tell(world, BOB, "gruzilkin lives in Paris")
    outcome = kept(await world.remember(BOB, "gruzilkin lives in Rome"))
    assert outcome.change_id is not None
    await quote(world, [outcome.fact.fact_id], [])
    world.clock.move(timedelta(minutes=1))
    await gone(world, outcome.fact.message_id)
    assert await ledger(world) == []
    [(_, because)] = await receipts(world)
    assert because in ("forgotten", "question"), "what quoted it is taken back"
    for actor in (Actor(BOB.user_id), Actor(FLORENT.user_id, Rank.OWNER)):
        undone = await world.memory.undos.undo(GUILD, outcome.change_id, actor, audience())
        assert undone == ChangedSince()
    assert await ledger(world) == []


async def test_a_message_that_is_gone_before_it_was_kept_tells_nothing(world: World) -> None:
    said = await world.say(ALICE, "Bot remember I like pizza")
    await delete(world, said.message_id)
    telling = RememberRequest(GUILD, HALL, said.message_id, ALICE.user_id, "I like pizza", said.sent_at)
    assert await world.memory.remember(telling, audience()) == Withdrawn()
    assert await ledger(world) == []


async def test_links_that_were_looked_up_take_nothing_away(world: World) -> None:
    told = await tell(world, BOB, "gruzilkin is Sergey")
    before = await ledger(world)
    unfurled = MessageEdit(GUILD, HALL, told, "gruzilkin is Sergey", None, author_id=BOB.user_id, embeds=("A page",))
    await world.memory.log.edit_message(unfurled)
    await world.memory.log.settled()
    assert await ledger(world) == before


async def quote(world: World, fact_ids: Sequence[int], message_ids: Sequence[int]) -> None:
    """A reply of ours that quotes these, so that whatever deletes them deletes a row of the log as well."""
    asked = await world.say(ALICE, "Bot what do you know?")
    said = await world.say(INNKEEPER, "All of that.", kind=AuthorKind.SELF, reply_to=asked.message_id)
    read = Read(messages=dict.fromkeys(message_ids)) | Read.of_facts(await facts_of(world, fact_ids))
    receipt = ReplyReceipt(
        GUILD, asked.message_id, HALL, ALICE.user_id, world.clock.now(), Language.EN, Evidence.all_quoted(read)
    )
    store = ReceiptStore(world.database)
    assert await store.put(receipt) is None
    await store.note_sent(receipt, [said.message_id])


async def facts_of(world: World, fact_ids: Sequence[int]) -> list[Fact]:
    async with world.database.connection("test") as connection:
        return [fact_of(row) for row in await connection.fetch(f"{SELECT} WHERE fact_id = ANY($1)", list(fact_ids))]
