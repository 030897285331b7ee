"""A reply that somebody has in hand is taken back only if they do not come to put it right."""

from dataclasses import replace

from memory.core.provenance import Evidence
from memory.receipts.retractions import PATIENCE, postpone_retraction
from memory.receipts.store import AT_ONCE
from tests.memory.receipts.test_store import REPLY, Desk, delete_question
from tests.memory.world import GUILD, NOON, World


async def forget_with(desk: Desk, message_id: int | None) -> None:
    """The fact goes, by somebody who pressed under this message."""
    async with desk.world.database.transaction("test") as connection:
        await connection.execute("DELETE FROM facts WHERE guild_id = $1 AND fact_id = $2", GUILD, desk.fact.fact_id)
        await postpone_retraction(connection, GUILD, message_id, NOON)


async def sent(world: World) -> Desk:
    desk = await Desk(world).lay()
    receipt = desk.receipt()
    assert await desk.store.put(receipt) is None
    await desk.store.note_sent(receipt, [REPLY])
    return desk


async def test_the_reply_that_was_pressed_under_waits_for_whoever_pressed(world: World) -> None:
    desk = await sent(world)
    await forget_with(desk, REPLY)
    assert (await desk.row())["take_back_at"] == NOON + PATIENCE


async def test_every_other_reply_is_taken_back_at_once(world: World) -> None:
    for message_id in (None, REPLY + 1):
        desk = await sent(world)
        await forget_with(desk, message_id)
        assert (await desk.row())["take_back_at"] == AT_ONCE
        await desk.execute("DELETE FROM days")


async def test_it_stands_when_it_says_something_else_and_not_before(world: World) -> None:
    """Between the receipt and the message, Discord may fail: then the old words still stand there."""
    desk = await sent(world)
    await forget_with(desk, REPLY)
    now = replace(desk.receipt(), evidence=Evidence())
    assert await desk.store.put(now) is None
    assert (await desk.row())["take_back_at"] == NOON + PATIENCE
    await desk.store.note_sent(now, [REPLY])
    assert (await desk.row())["take_back_at"] is None


async def test_what_goes_meanwhile_has_it_taken_back_all_the_same(world: World) -> None:
    desk = await sent(world)
    await forget_with(desk, REPLY)
    await delete_question(desk)
    assert (await desk.row())["take_back_at"] == AT_ONCE
    await desk.store.note_sent(replace(desk.receipt(), evidence=Evidence()), [REPLY])
    assert (await desk.row())["take_back_at"] == AT_ONCE
