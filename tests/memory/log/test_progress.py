"""How far a channel has been read: in step with what is stored, whatever is interrupted."""

from datetime import timedelta

from memory.core.log_values import ChannelProgress, Reconciled
from memory.core.values import AuthorKind, Message
from tests.memory.log.logbook import rows_of
from tests.memory.world import GUILD, HALL, LOUNGE, NOON, World


def message(message_id: int, text: str = "hello", channel: int = HALL, edited: int | None = None) -> Message:
    edited_at = None if edited is None else NOON + timedelta(minutes=edited)
    return Message(GUILD, channel, message_id, 1, AuthorKind.PERSON, text, NOON, edited_at)


async def texts(world: World) -> dict[object, object]:
    return {row["message_id"]: row["text"] for row in await rows_of(world.database, "chat_history", GUILD)}


async def test_live_messages_move_only_channels_whose_catch_up_has_finished(world: World) -> None:
    assert world.memory.log.channel_is_live(GUILD, HALL)
    for number in (5, 7, 6):
        await world.memory.ingest_message(message(number))
    await world.memory.ingest_message(message(8, channel=LOUNGE))
    await world.memory.log.settled()
    assert await world.memory.log.progress(GUILD) == {HALL: ChannelProgress(HALL, contiguous_through=7)}
    world.memory.log.no_channel_is_live(GUILD)
    await world.memory.ingest_message(message(9))
    await world.memory.log.settled()
    assert (await world.memory.log.progress(GUILD))[HALL].contiguous_through == 7
    assert (await texts(world)).keys() == {5, 6, 7, 8, 9}


async def test_a_page_is_stored_with_its_progress(world: World) -> None:
    assert await world.memory.log.store_page(GUILD, HALL, [message(2), message(3)], through=3) == 2
    assert await world.memory.log.store_page(GUILD, HALL, [message(3), message(4)], through=4) == 1
    assert await world.memory.log.store_page(GUILD, HALL, [message(1)], backfilled_to=1) == 1
    assert await world.memory.log.store_page(GUILD, HALL, [], backfill_done=True) == 0
    # A page that was read before and stored late moves nothing back.
    await world.memory.log.store_page(GUILD, HALL, [message(2)], through=2, backfilled_to=2)
    await world.memory.log.swept(GUILD, HALL, NOON)
    assert await world.memory.log.progress(GUILD) == {HALL: ChannelProgress(HALL, 4, 1, True, NOON)}


async def test_a_message_that_fits_no_column_keeps_neither_page_nor_batch_out(world: World) -> None:
    misfit = message(2**70)
    assert await world.memory.log.store_page(GUILD, HALL, [message(1), misfit, message(2)], through=2) == 2
    for said in (message(3), misfit, message(4)):
        await world.memory.ingest_message(said)
    await world.memory.log.settled()
    assert (await texts(world)).keys() == {1, 2, 3, 4}
    assert world.health.part("log").snapshot().counts["refused"] == 2


async def test_what_is_not_kept_is_proof_as_well(world: World) -> None:
    """Discord's own lines and messages too old to be wanted were returned, too."""
    await world.memory.log.store_page(GUILD, HALL, [message(number) for number in (2, 4, 6, 8)])
    assert await world.memory.log.reconcile(GUILD, HALL, [message(4)], [1, 4, 7]) == Reconciled(0, 0, deleted=2)
    assert (await texts(world)).keys() == {4, 8}
