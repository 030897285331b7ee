"""Setting a message aside takes days and our replies along, so it keeps to the order in which the log is written."""

import asyncio
from datetime import timedelta

from memory.core.values import AuthorKind, Intent, Message
from memory.db.database import Database
from memory.log.reading import MessageStore
from memory.log.store import own_log
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, GUILD, HALL, INNKEEPER, World

REPLY = 77_000


async def test_whoever_writes_the_log_and_whoever_sets_aside_never_wait_for_each_other(world: World) -> None:
    """A day was made from two messages, and a reply of ours quotes the day: the writer has that reply in hand, and then
    deletes one of the messages, while the other turns out to have been said to us."""
    said = await world.say(ALICE, "Innkeeper, what of the harvest?")
    other = await world.say(ALICE, "the harvest was poor")
    await world.memory.ingest_message(
        Message(GUILD, HALL, REPLY, INNKEEPER.user_id, AuthorKind.SELF, "The day was dry.", world.clock.now())
    )
    await world.memory.log.settled()
    await _quote_the_day(world, said)
    async with world.database.transaction("test.writer") as writer:
        await own_log(writer, GUILD)
        await writer.execute(
            "SELECT 1 FROM chat_history WHERE guild_id = $1 AND message_id = $2 FOR UPDATE", GUILD, REPLY
        )
        aside = asyncio.create_task(
            MessageStore(world.database).note_addressed(GUILD, HALL, said.message_id, Intent.QUESTION)
        )
        await _until_somebody_waits(world.database)
        for message_id in (REPLY, other.message_id):
            await writer.execute("DELETE FROM chat_history WHERE guild_id = $1 AND message_id = $2", GUILD, message_id)
    await aside
    assert [row["message_id"] for row in await rows_of(world.database, "addressed", GUILD)] == [said.message_id]
    [receipt] = await rows_of(world.database, "receipts", GUILD)
    assert receipt["because"] == "source", "the day is made anew without it, so the reply is taken back"


async def _quote_the_day(world: World, said: Message) -> None:
    day = said.sent_at.replace(hour=0, minute=0, second=0)
    async with world.database.transaction("test.day") as connection:
        await connection.execute(
            """
            INSERT INTO days (guild_id, scope, starts_at, ends_at, day, source_channels, people, messages, read_seq,
                seen_seq, tried_at)
            VALUES ($1, 0, $2, $3, $4, ARRAY[$5::bigint], ARRAY[$6::bigint], 1, 1000000, 1000000, $2)
            """,
            GUILD,
            day,
            day + timedelta(days=1),
            day.date(),
            HALL,
            ALICE.user_id,
        )
        await connection.execute(
            """
            INSERT INTO receipts (guild_id, asked_in, channel_id, asker_id, made_at, language, message_ids, day_scopes,
                day_starts, day_quoted)
            VALUES ($1, 500, $2, $3, $4, 'en', ARRAY[$5::bigint], ARRAY[0::bigint], ARRAY[$4::timestamptz],
                ARRAY[true])
            """,
            GUILD,
            HALL,
            ALICE.user_id,
            day,
            REPLY,
        )


async def _until_somebody_waits(database: Database) -> None:
    async with asyncio.timeout(60), database.connection("test.locks") as connection:
        while not await connection.fetchval(_WAITING):  # noqa: ASYNC110 - it happens in the database
            await asyncio.sleep(0.01)


_WAITING = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""
