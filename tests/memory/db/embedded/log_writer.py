"""Run by the crash tests as a process of its own: writes numbers for ever, and prints each one once it is committed.

Usage: python -m tests.memory.db.embedded.log_writer DATA_DIR NAME
"""

import asyncio
import signal
import sys
from pathlib import Path

from memory.db.database import Database
from memory.db.embedded.server import EmbeddedPostgres
from memory.db.errors import DatabaseAway

TABLE = "CREATE TABLE IF NOT EXISTS rows_of_writers (name text, number int, PRIMARY KEY (name, number))"
INSERT = "INSERT INTO rows_of_writers VALUES ($1, $2) ON CONFLICT DO NOTHING"


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def write(data_dir: Path, name: str) -> None:
    database = await Database.open(EmbeddedPostgres(data_dir), patience=30.0)
    async with database.transaction("writer.table") as connection:
        await connection.execute("SELECT pg_advisory_xact_lock(1)")  # two creating it at once would collide
        await connection.execute(TABLE)
        number = await connection.fetchval("SELECT max(number) FROM rows_of_writers WHERE name = $1", name)
    number = 0 if number is None else number + 1
    try:
        while True:
            try:
                async with database.transaction("writer.insert") as connection:
                    await connection.execute(INSERT, name, number)
            except DatabaseAway as error:
                say(f"lost {type(error.__cause__).__name__}")
            else:
                say(f"committed {number}")
                number += 1
            await asyncio.sleep(0.002)
    finally:
        await database.close()


async def main(data_dir: Path, name: str) -> None:
    task = asyncio.create_task(write(data_dir, name))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        say("left")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
