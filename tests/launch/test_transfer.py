"""`main.py memory export` and `memory import` as a person runs them: real processes, two databases, little memory."""

from pathlib import Path

import asyncpg

from tests.launch.commands import Command, clean_environment, started_from_nothing
from tests.launch.test_import import MOST_MEMORY, ask, most_memory_until_end

MESSAGES = 5_000
PLANT = f"""
INSERT INTO guilds (guild_id, name, met_at) VALUES (100, 'The Inn', 'epoch');
INSERT INTO chat_history (guild_id, message_id, channel_id, author_id, author_kind, text, sent_at)
SELECT 100, place, 1001, 1, 'person', repeat('SECRET ', 1720), 'epoch' FROM generate_series(1, {MESSAGES}) AS place
"""
COUNT = "SELECT count(*) FROM chat_history"


async def test_a_large_memory_goes_to_a_folder_and_into_another_database_in_little_memory(
    database_url: str, empty_database_url: str, tmp_path: Path
) -> None:
    planting = await asyncpg.connect(database_url)
    await planting.execute(PLANT)
    await planting.close()
    said = f"export: 5,001 rows %sed of The Inn (100); among them {MESSAGES:,} messages and 0 facts."
    for way, where, words in (
        ("export", database_url, said % "export"),
        ("import", empty_database_url, f"{said % 'import'} What this database has on record as erased stays so."),
    ):
        process = started_from_nothing(
            "memory", way, "export", folder=tmp_path, environment=clean_environment(DATABASE_URL=where)
        )
        most = most_memory_until_end(process)
        out, error = process.communicate()
        told = [line for line in out.splitlines() if "% " not in line]  # a slow machine hears how far it is
        assert (process.returncode, told, error) == (0, [words], "")
        assert 0 < most < MOST_MEMORY
    assert (tmp_path / "export" / "100" / "chat_history.jsonl").stat().st_size > 55 << 20
    assert await ask(empty_database_url, COUNT) == MESSAGES

    again = Command(
        "memory", "import", "export", folder=tmp_path, environment=clean_environment(DATABASE_URL=empty_database_url)
    )
    code, out, error = again.end()
    assert (code, out) == (2, "")
    assert error.startswith("The guild The Inn (100) is in this database already")
