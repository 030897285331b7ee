"""While the log cannot keep up, what is said waits with Discord and not in our memory."""

import asyncio

import asyncpg

from bot.listener import AT_ONE_GO
from memory.log.batch_queue import MOST_ROWS
from tests.end_to_end.house import House, Inn, eventually, until

FLOOD = 4_000
ROOM = 2 * MOST_ROWS
"""For all guilds together. What waits in one that is stuck takes up room, and stops the others only when it is full."""


async def test_nothing_is_read_while_the_log_has_no_room(own_house: House, own_inn: Inn) -> None:
    async with own_house.bot_running():
        await own_inn.until_stored(await own_inn.person("aylin").say("Quiet today."))
        writer = own_house.memory._ingest._writer
        writer._limit = ROOM
        in_the_way = await asyncpg.connect(own_house.database_url)
        try:
            await in_the_way.execute("SELECT pg_advisory_lock(hashtextextended('log', $1))", own_inn.guild.id)
            poured = await own_house.http.post(f"{own_house.address.url}/local/firehose", json={"count": FLOOD})
            poured.raise_for_status()
            await until(lambda: not writer.has_room)
            for _ in range(50):  # long enough for all of it to arrive, if it were read
                await asyncio.sleep(0.01)
                assert writer.waiting <= ROOM + AT_ONE_GO
        finally:
            await in_the_way.close()
        await eventually(
            lambda: own_house.rows("SELECT count(*) AS stored FROM chat_history"),
            lambda rows: rows[0]["stored"] == FLOOD + 1,
        )
