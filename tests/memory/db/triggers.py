"""What goes wrong in the database on purpose."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from memory.db.database import Database


@asynccontextmanager
async def triggered(
    database: Database, when: str, body: str, *, table: str = "chat_history", each: str = "ROW"
) -> AsyncIterator[None]:
    """While the block lasts, PL/pgSQL is carried out at a moment such as `BEFORE DELETE`."""
    async with database.connection("test.trigger") as connection:
        await connection.execute(
            f"""
            CREATE FUNCTION hinder() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$;
            CREATE TRIGGER hinder {when} ON {table} FOR EACH {each} EXECUTE FUNCTION hinder();
            """
        )
    yield
    async with database.connection("test.trigger") as connection:
        await connection.execute("DROP FUNCTION hinder CASCADE")
