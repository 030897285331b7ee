"""How far a channel has been read, in step with what is stored; and the window in memory: bounded, obedient, and silent
where it does not know what may be told."""

from dataclasses import replace

from memory.core.log_values import ChannelProgress, Reconciled
from memory.core.values import AuthorKind, Message
from memory.db.database import Database
from memory.language.detect import Language
from memory.log.outage import CHANNELS, RecentMessages
from memory.places.view import Audience
from memory.policy.store import Policies
from tests.memory.log.logbook import rows_of
from tests.memory.world import GUILD, HALL, LOUNGE, NOON, World


def message(message_id: int, channel: int = HALL) -> Message:
    return Message(GUILD, channel, message_id, 1, AuthorKind.PERSON, "hello", NOON)


async def texts(world: World) -> dict[object, object]:
    return {row["message_id"]: row["text"] for row in await rows_of(world.database, "chat_history", GUILD)}


async def test_live_messages_move_only_channels_whose_catch_up_has_finished(world: World) -> None:
    assert world.memory.log.live.begin(GUILD, HALL)
    await world.hear(message(5), message(7), message(6), message(8, channel=LOUNGE))
    assert await world.memory.log.progress(GUILD) == {HALL: ChannelProgress(HALL, contiguous_through=7)}
    world.memory.log.live.end(GUILD)
    await world.hear(message(9))
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
    await world.hear(message(3), misfit, message(4))
    assert (await texts(world)).keys() == {1, 2, 3, 4}
    assert world.health.part("log").snapshot().counts["refused"] == 2


async def test_what_is_not_kept_is_proof_as_well(world: World) -> None:
    """Discord's own lines and messages too old to be wanted were returned, too."""
    await world.memory.log.store_page(GUILD, HALL, [message(number) for number in (2, 4, 6, 8)])
    assert await world.memory.log.reconcile(GUILD, HALL, [message(4)], [1, 4, 7]) == Reconciled(0, 0, deleted=2)
    assert (await texts(world)).keys() == {4, 8}


SAID = replace(message(1), author_id=7)


async def known_policies(database: Database) -> Policies:
    policies = Policies()
    async with database.connection("test") as connection:
        await policies.refresh(connection, GUILD)
    return policies


def heard(ring: RecentMessages, channel: int = HALL, before: int | None = None) -> list[str]:
    found = ring.recent_conversation(Audience.of_place_alone(GUILD, channel), 100, before)
    return [message.text for message in found or []]


async def test_it_holds_the_newest_of_the_channels_used_last(database: Database) -> None:
    ring = RecentMessages(3, await known_policies(database))
    for channel in range(CHANNELS + 5):
        for number in range(1, 6):
            ring.add(replace(SAID, channel_id=channel, message_id=number, text=f"{number}"))
    assert heard(ring, 0) == []
    assert heard(ring, CHANNELS) == ["3", "4", "5"]
    assert heard(ring, CHANNELS, before=5) == ["3", "4"]


async def test_it_knows_what_language_somebody_spoke_last(database: Database) -> None:
    ring = RecentMessages(10, await known_policies(database))
    said = ["where is the tea?", "wo ist der Tee denn?", "ok", "où est le thé ?"]
    for number, text in enumerate(said, start=1):
        ring.add(replace(SAID, message_id=number, text=text, author_id=8 if number == 4 else 7))
    ring.add(replace(SAID, message_id=9, text="¿dónde está el té?"))
    asked = replace(SAID, message_id=5, text="Bot?")
    assert ring.language_last_spoken(asked) is Language.DE
    assert ring.language_last_spoken(replace(asked, author_id=8)) is Language.FR
    assert ring.language_last_spoken(replace(asked, channel_id=LOUNGE)) is None
    assert ring.language_last_spoken(replace(asked, guild_id=GUILD + 1)) is None
