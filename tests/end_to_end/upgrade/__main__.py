"""Keeps an inn of today's version, for every later one to carry up. Until that version is released: once more after
each change of the schema. Run it with `python -m tests.end_to_end.upgrade`."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from ai_clients.gemini import GeminiApi, GeminiModel
from memory.db.database import Database, ExternalPostgres
from tests.databases import RUN_VARIABLE, PostgresServer, begin_run, end_run
from tests.end_to_end.house import Inn, open_house
from tests.end_to_end.test_summaries_by_model import LINE, minutes
from tests.end_to_end.upgrade.before import FIRST_DAY, live
from tests.end_to_end.upgrade.kept import keep
from tests.gemini_server import gemini_server
from tests.memory.db.planting import Plot, plant
from tests.memory.summaries.diary_house import Scribe, summarising

LEFT = Plot(guild_id=777, user_id=1, channel_id=1001, number=1)


async def write(server: PostgresServer, folder: Path) -> Path:
    """One inn that people lived in, by the model and without; and a row in every table, of a guild that was left."""
    url = server.url_of(await server.create())
    async with gemini_server() as gemini:
        gemini.says = lambda data: minutes(data, -1) if LINE.search(data) else Scribe.writes(data)
        model = GeminiModel("gemini-good", GeminiApi(gemini.options()))
        async with (
            open_house(folder, url, FIRST_DAY, guilds=1, models=summarising(model)) as house,
            house.bot_running(),
        ):
            notes = await live(Inn(house, next(house.fresh)))
        await model.close()
    database = await Database.open(ExternalPostgres(url))
    async with database.transaction("plant") as connection:
        await plant(connection, LEFT)
    await database.close()
    return keep(url, folder / "local_guild", notes)


def main() -> None:
    begin_run()
    server = PostgresServer(os.environ[RUN_VARIABLE])
    try:
        server.start()
        with tempfile.TemporaryDirectory() as folder:
            path = asyncio.run(write(server, Path(folder)))
    finally:
        server.stop()
        end_run()
    sys.stdout.write(f"{path}: {path.stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main()
