"""The two ways to back up a database that docs/operations.md names: what was copied is a database that works."""

import asyncio
import subprocess
from pathlib import Path

from memory.db.database import Database, ExternalPostgres
from memory.db.embedded.account import find_binaries
from memory.db.migrate import migrate
from tests.memory.db.houses import House
from tests.memory.db.planting import Plot, plant
from tests.memory.world import ALICE, GUILD, HALL, NOON

PLOT = Plot(GUILD, ALICE.user_id, HALL, 1)
TEXT = "SELECT text FROM chat_history"
OPERATIONS = (Path(__file__).parents[4] / "docs" / "operations.md").read_text(encoding="utf-8")


async def _plant(database: Database) -> None:
    async with database.transaction("test") as connection:
        await plant(connection, PLOT)


async def _is_all_there(database: Database) -> None:
    await migrate(database, NOON)
    assert [row["text"] for row in await database.read("test", TEXT)] == ["text 1"]
    assert len(await database.read("test", "SELECT 1 FROM message_index")) == 1


async def _run(command: str) -> None:
    await asyncio.to_thread(subprocess.run, ["sh", "-c", command], check=True, stdin=subprocess.DEVNULL)


async def test_a_copy_of_the_folder_serves_in_its_place(house: House) -> None:
    database = await Database.open(house.user())
    await migrate(database, NOON)
    await _plant(database)
    await database.close()
    await house.is_empty()
    copied = House(house.data_dir.parent / "backup")
    command = "cp -a data backup"
    assert f"    {command}\n" in OPERATIONS
    await _run(f"cd {house.data_dir.parent} && {command}")
    restored = await Database.open(copied.user())
    await _is_all_there(restored)
    await restored.close()
    await copied.is_empty()


async def test_a_dump_is_restored_into_an_empty_database(
    database: Database, database_url: str, empty_database_url: str, tmp_path: Path
) -> None:
    await _plant(database)
    for command in (
        'pg_dump --format=custom --file=innkeeper.dump "$DATABASE_URL"',
        'pg_restore --no-owner --dbname="$NEW_DATABASE_URL" innkeeper.dump',
    ):
        assert f"    {command}\n" in OPERATIONS
        where = f"export PATH={find_binaries().folder}:$PATH DATABASE_URL='{database_url}'"
        await _run(f"cd {tmp_path} && {where} NEW_DATABASE_URL='{empty_database_url}' && {command}")
    restored = await Database.open(ExternalPostgres(empty_database_url), max_size=2)
    await _is_all_there(restored)
    await restored.close()
