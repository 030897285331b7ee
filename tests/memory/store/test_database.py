"""The pool: named uses, errors that mean something, and coming back after a loss."""

from memory.store.database import Database
from memory.store.source import ExternalPostgres


async def test_a_use_reads_and_writes(empty_database_url: str) -> None:
    database = await Database.open(ExternalPostgres(empty_database_url))
    async with database.transaction("test.write") as connection:
        await connection.execute("CREATE TABLE notes (content jsonb)")
        await connection.execute("INSERT INTO notes VALUES ($1)", {"text": "wörd", "n": [1, None]})
    async with database.connection("test.read") as connection:
        assert await connection.fetchval("SELECT content FROM notes") == {"text": "wörd", "n": [1, None]}
    await database.close()
