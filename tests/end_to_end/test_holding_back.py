"""While the log cannot keep up, what is said is left with Discord and read later; edits and deletions are kept."""

import asyncpg

from memory.log.batch_queue import MOST_ROWS
from tests.end_to_end.house import House, Inn, eventually, until
from tests.end_to_end.taken_back import delete
from tests.end_to_end.test_telling import edit

FLOOD = 4_000
ROOM = 2 * MOST_ROWS


async def test_a_full_log_leaves_out_messages_and_reads_them_later(own_house: House, own_inn: Inn) -> None:
    async with own_house.bot_running():
        aylin = own_inn.person("aylin")
        edited, deleted = [await aylin.say(text) for text in ("The boat is red.", "The boat is lost.")]
        for said in (edited, deleted):
            await own_inn.until_stored(said)
        log = own_house.health.part("log")
        writer = own_house.memory.log._writer
        writer.limit = ROOM
        in_the_way = await asyncpg.connect(own_house.database_url)
        try:
            await in_the_way.execute("SELECT pg_advisory_lock(hashtextextended('log', $1))", own_inn.guild.id)
            poured = await own_house.http.post(f"{own_house.address.url}/local/firehose", json={"count": FLOOD})
            poured.raise_for_status()
            await until(lambda: log.snapshot().counts.get("missed", 0) > 0)
            assert writer.waiting == ROOM
            await edit(aylin, edited, "The boat is blue.")
            await delete(aylin, deleted)
            await until(lambda: writer.waiting == ROOM + 2)
        finally:
            await in_the_way.close()
        await own_inn.until_gone(deleted)
        await own_inn.until_stored(edited, text="The boat is blue.")
        await eventually(
            lambda: own_house.rows("SELECT count(*) AS stored FROM chat_history"),
            lambda rows: rows[0]["stored"] == FLOOD + 1,
        )
