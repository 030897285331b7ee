"""What tests of the import do again and again."""

from pathlib import Path

from memory.core.values import Message
from memory.importing.importer import Importer, Outcome
from memory.log.reading import stored
from tests.memory.world import GUILD, World


async def bring(importing: Importer, path: Path, *, new_guild: int | None = None) -> Outcome:
    return await importing.file(path, lambda _: None, new_guild=new_guild)


async def log_of(world: World) -> dict[int, Message]:
    async with world.database.connection("test") as connection:
        ids = [row["message_id"] for row in await connection.fetch("SELECT message_id FROM chat_history")]
        return {message.message_id: message for message in await stored(connection, GUILD, ids)}


async def rows_of(world: World) -> list[tuple[object, ...]]:
    async with world.database.connection("test") as connection:
        return [tuple(row) for row in await connection.fetch("SELECT * FROM chat_history ORDER BY message_id")]
