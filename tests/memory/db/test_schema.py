"""The rules every table and every statement keeps."""

import re
from pathlib import Path

import pytest

from memory.db.database import Database
from memory.db.migrate import MIGRATIONS, SCHEMA
from tests.sql_guilds import of_all_guilds, statements_of_functions

ROOT = Path(__file__).resolve().parents[3]
OPERATIONAL = {
    "schema_version": "which version of the tables this is",
    "process_health": "how our own processes are",
    "command_definitions": "which commands Discord was told of",
}
"""Tables of the house itself, not of a guild: a divided database has them once."""
CLOCK_OF_SQL = re.compile(
    r"\bnow\s*\(|\bcurrent_(?:timestamp|date|time)\b|\blocaltime(?:stamp)?\b|\b(?:clock|statement|transaction)_timestamp\b"
    r"|'(?:now|today|yesterday|tomorrow)'",
    re.IGNORECASE,
)


async def test_primary_keys_begin_with_the_guild(database: Database) -> None:
    rows = await database.read(
        "test",
        """
        SELECT c.relname AS table_name, a.attname AS first_column
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
        LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
        WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public'
        """,
    )
    first_columns = {row["table_name"]: row["first_column"] for row in rows}
    assert first_columns.keys() >= OPERATIONAL.keys()
    assert {column for table, column in first_columns.items() if table not in OPERATIONAL} == {"guild_id"}


async def test_what_is_unique_is_so_within_a_guild_and_nothing_refers_to_another(database: Database) -> None:
    rows = await database.read(
        "test",
        """
        WITH keys AS (
            SELECT indexrelid::regclass::text AS name, indrelid AS of_table, indkey::smallint[] AS key
            FROM pg_index WHERE indisunique
            UNION ALL SELECT conname, conrelid, conkey FROM pg_constraint WHERE contype = 'f'
        )
        SELECT name FROM keys JOIN pg_class ON pg_class.oid = of_table
        LEFT JOIN pg_attribute ON attrelid = of_table AND attname = 'guild_id'
        WHERE relnamespace = 'public'::regnamespace AND relname <> ALL($1) AND attnum = ANY (key) IS NOT TRUE
        """,
        list(OPERATIONAL),
    )
    assert [row["name"] for row in rows] == []


def test_what_triggers_do_names_its_guild() -> None:
    sent = list(statements_of_functions(SCHEMA.read_text(encoding="utf-8")))
    assert len(sent) > 50
    assert [(name, tables) for name, text in sent if (tables := of_all_guilds(text))] == []


async def test_every_table_says_what_it_is_for(database: Database) -> None:
    rows = await database.read(
        "test",
        """
        SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname = 'public' AND obj_description(c.oid, 'pg_class') IS NULL
        """,
    )
    assert [row["relname"] for row in rows if row["relname"] != "schema_version"] == []


async def test_every_time_has_a_zone(database: Database) -> None:
    naive = await database.read(
        "test",
        """
        SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = 'public' AND data_type IN ('timestamp without time zone', 'time without time zone')
        """,
    )
    assert naive == []


@pytest.mark.parametrize(
    "path",
    [SCHEMA, *sorted(MIGRATIONS.glob("*.sql")), *sorted((ROOT / "memory").rglob("*.py"))],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_sql_never_asks_for_the_time_on_its_own(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    # Python's own clock is `clock.now()`: a method, which SQL does not have.
    statements = re.sub(r"\.now\(", "", re.sub(r"def now\(", "", text))
    assert CLOCK_OF_SQL.search(statements) is None
