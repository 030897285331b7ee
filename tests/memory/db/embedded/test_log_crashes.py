"""The log over a real server that is killed in the middle of a flood."""

import asyncio
import os
import signal
from datetime import timedelta

from memory.core.clock import SystemClock
from memory.core.values import AuthorKind, Guild, Message
from memory.db.database import Database
from memory.db.migrate import migrate
from memory.health import Health, PartState
from memory.manager import MemoryManager
from memory.settings import MemoryOptions
from tests.memory.db.houses import House, until
from tests.memory.log.logbook import NOON, rows_of

GUILD, HALL = 1, 10
FLOOD = 3000
KILLS = 2


def message(number: int) -> Message:
    return Message(GUILD, HALL, number, 1, AuthorKind.PERSON, f"number {number}", NOON + timedelta(seconds=number))


async def kill_the_server(house: House) -> None:
    """As soon as one is there: the one killed before may still be on its way back."""
    await until(house.postmasters, "there is a server to kill")
    for pid in house.postmasters():
        os.kill(pid, signal.SIGKILL)


async def test_a_killed_server_costs_nothing_that_the_progress_promised(house: House) -> None:
    database = await Database.open(house.user(), patience=5.0)
    await migrate(database, NOON)
    clock = SystemClock()
    health = Health("bot", clock)
    memory = MemoryManager(database, MemoryOptions(), clock, health)
    try:
        await flood(house, database, memory, health)
    finally:
        await memory.close()


async def flood(house: House, database: Database, memory: MemoryManager, health: Health) -> None:
    await memory.people.meet_guild(Guild(GUILD, "The Inn"), [])
    await memory.log.store_page(GUILD, HALL, [message(0)], through=0)
    assert memory.log.channel_is_live(GUILD, HALL)
    for number in range(1, FLOOD):
        await memory.ingest_message(message(number))
        if number % 50 == 0:
            await asyncio.sleep(0.005)
        if number % (FLOOD // (KILLS + 1)) == 0:
            await kill_the_server(house)
            await memory.log.delete_messages(GUILD, HALL, [number - 1])
    await memory.log.settled()
    await until(lambda: health.part("log").snapshot().state is PartState.ACTIVE, "the log can be written")
    reached = (await memory.log.progress(GUILD))[HALL].contiguous_through
    assert reached is not None
    stored = await rows_of(database, "chat_history", GUILD)
    deleted = {number - 1 for number in range(FLOOD // (KILLS + 1), FLOOD, FLOOD // (KILLS + 1))}
    numbers = [row["message_id"] for row in stored]
    assert len(numbers) == len(set(numbers))
    assert set(numbers) >= set(range(reached + 1)) - deleted, "a hole behind the progress"
    # What catch-up does: everything behind the progress is read again.
    await memory.log.store_page(
        GUILD, HALL, [message(number) for number in range(reached + 1, FLOOD)], through=FLOOD - 1
    )
    after = await rows_of(database, "chat_history", GUILD)
    assert {row["message_id"]: row["text"] for row in after} == {
        number: f"number {number}" for number in range(FLOOD) if number not in deleted
    }
