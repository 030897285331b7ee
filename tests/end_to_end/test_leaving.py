"""`/innkeeper leave`: all that is held of a server goes at once, and the bot with it; without it, it waits a week."""

from typing import Any

import asyncpg

from local_guild.control import Control
from tests.end_to_end.asking import at_home
from tests.end_to_end.files import talk_long, until_read_back
from tests.end_to_end.house import GENERAL, KITCHEN, Inn, eventually
from tests.end_to_end.screen import Screen
from tests.end_to_end.slash import use, words_of

OUTLIVE = {"consents", "erasures", "channel_erasures"}
"""What members and managers said about being stored, which holds if the bot comes back."""


async def rows_by_table(inn: Inn) -> dict[str, int]:
    """How much of the guild there is in every table that knows guilds."""
    connection = await asyncpg.connect(inn.house.database_url)
    try:
        tables = await connection.fetch(
            """
            SELECT table_name FROM information_schema.columns
            WHERE column_name = 'guild_id' AND table_schema = 'public'
            """
        )
        counts = {
            row["table_name"]: await connection.fetchval(
                f"SELECT count(*) FROM {row['table_name']} WHERE guild_id = $1",
                inn.guild.id,
            )
            for row in tables
        }
    finally:
        await connection.close()
    return {table: count for table, count in counts.items() if count and table not in OUTLIVE}


async def test_everything_goes_at_once_and_the_bot_with_it(inn: Inn) -> None:
    aylin, maren, house = inn.person("aylin"), inn.person("maren"), inn.house
    talk_long(inn, aylin, KITCHEN, 50)
    await at_home(inn)
    await aylin.ask("Bot remember that maren cooks")
    await until_read_back(inn, aylin, 51)
    refused = await use(aylin, "innkeeper", "leave")
    assert "Only people who manage this server" in words_of(refused)
    assert refused["message"]["components"] == []
    screen = await Screen.open(maren, "innkeeper", "leave")
    assert inn.guild.name in screen.words
    assert inn.guild.name in screen.labels()[0]
    await screen.press("Stay")
    assert "nothing was deleted" in screen.words
    assert (await rows_by_table(inn))["chat_history"] > 50
    screen = await Screen.open(maren, "innkeeper", "leave")
    await screen.press("Delete all")
    said = await screen.until("Goodbye")
    assert "• messages: 51" in said
    assert "• facts: 1" in said

    async def is_gone() -> bool:
        return house.bot.id not in house.server.world.members(inn.guild.id)

    await eventually(is_gone)
    assert await eventually(lambda: rows_by_table(inn), lambda left: not left) == {}
    await aylin.say("Anybody there?", GENERAL)
    assert await rows_by_table(inn) == {}


async def test_a_bot_that_is_only_removed_keeps_it_for_the_week(inn: Inn) -> None:
    aylin, house = inn.person("aylin"), inn.house

    async def left() -> list[dict[str, Any]]:
        return await house.rows("SELECT 1 FROM guilds WHERE guild_id = $1 AND left_at IS NOT NULL", inn.guild.id)

    await at_home(inn)
    await inn.until_stored(await aylin.say("I like tea."))
    await Control(house.server).leave(inn.guild, house.bot.id)
    await eventually(left)
    await house.memory.purge(house.server.clock.now())
    assert (await rows_by_table(inn))["chat_history"] == 1
