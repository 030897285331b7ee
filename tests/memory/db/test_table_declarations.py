"""Every table and column is declared, and what is declared about erasing is what happens."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import pytest

from memory.db.database import Database
from memory.db.table_declarations import (
    Changes,
    Erasing,
    Fate,
    Follows,
    Goes,
    InParts,
    Stays,
    TableDeclaration,
    TakenBack,
    Unsaid,
)
from memory.manager import MemoryManager
from memory.policy.settings import LogSettings
from memory.privacy.tables import ALL_TABLES
from tests.memory.db.planting import GUARDS, OURS, Plot, plant
from tests.memory.log.logbook import decide_log
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, World

MINE = Plot(GUILD, ALICE.user_id, CELLAR, 1)
OTHERS = Plot(GUILD, BOB.user_id, HALL, 2)
ELSEWHERE = Plot(777, ALICE.user_id, CELLAR, 3)
"""In another guild, which nothing may reach."""

Row = dict[str, Any]


# Also views that keep what they show, tables of other servers, and those of any other schema; and large objects.
_THERE = """
SELECT CASE WHEN nspname = 'public' THEN '' ELSE nspname || '.' END || relname AS table_name, attname AS column_name
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relkind IN ('r', 'p', 'm', 'v', 'f') AND attnum > 0 AND NOT attisdropped
  AND nspname NOT IN ('pg_catalog', 'information_schema') AND nspname !~ '^pg_(toast|temp)'
UNION ALL SELECT 'pg_largeobject', oid::text FROM pg_largeobject_metadata
"""


async def _tables(database: Database) -> dict[str, set[str]]:
    rows = await database.read("test", _THERE)
    there: dict[str, set[str]] = {}
    for row in rows:
        there.setdefault(row["table_name"], set()).add(row["column_name"])
    return there


async def test_every_table_and_column_is_declared_and_none_that_is_not_there(database: Database) -> None:
    there = await _tables(database)
    declared = {held.table: set(held.columns) for held in ALL_TABLES}
    if "message_vectors" not in there:  # a server without pgvector
        declared.pop("message_vectors")
    assert declared == there
    assert len(ALL_TABLES) == len({held.table for held in ALL_TABLES}), "a table is declared twice"


def test_what_follows_another_table_follows_one_that_is_declared() -> None:
    tables = {held.table for held in ALL_TABLES}
    fates = [held.fate(erasing) for held in ALL_TABLES for erasing in Erasing]
    assert {fate.table for fate in fates if isinstance(fate, Follows)} <= tables
    assert {other for fate in fates if isinstance(fate, Goes | Changes) for other in fate.after} <= tables


DOORS: dict[Erasing, Callable[[MemoryManager], Awaitable[object]]] = {
    Erasing.MESSAGE: lambda memory: memory.log.delete_messages(
        GUILD, MINE.channel_id, [MINE.message_id, MINE.message_id + 1]
    ),
    Erasing.MEMBER: lambda memory: memory.privacy.erase_member(GUILD, MINE.user_id, OTHERS.message_id),
    Erasing.OPTING_OUT: lambda memory: memory.privacy.opt_out(GUILD, MINE.user_id),
    Erasing.CHANNEL: lambda memory: memory.privacy.erase_channel(
        GUILD, MINE.channel_id, MINE.message_id + 5, by=OTHERS.user_id
    ),
    Erasing.GUILD: lambda memory: memory.privacy.erase_guild(GUILD),
}


@pytest.mark.parametrize("erasing", Erasing)
async def test_what_is_declared_is_what_happens(database: Database, erasing: Erasing) -> None:
    async with database.transaction("test") as connection:
        for plot in (MINE, OTHERS, ELSEWHERE):
            await plant(connection, plot)
    before = await _everything(database)
    memory = World(database).memory
    await DOORS[erasing](memory)
    await memory.log.settled()
    after = await _everything(database)
    wrong = {}
    for held in ALL_TABLES:
        if held.table in OURS | GUARDS or held.table not in before:
            continue
        said = _contradiction(held, held.fate(erasing), before[held.table], after[held.table], erasing)
        if said is not None:
            wrong[held.table] = said
    assert wrong == {}


def _contradiction(
    held: TableDeclaration, fate: Fate, before: list[Row], after: list[Row], erasing: Erasing
) -> str | None:
    """How a table is not as was declared; None if it is."""
    mine, others, elsewhere = (_of(held.table, plot, before) for plot in (MINE, OTHERS, ELSEWHERE))
    assert mine, f"nothing was planted in {held.table}"
    if [row for row in elsewhere if row not in after]:
        return "another guild was reached"
    if erasing is not Erasing.GUILD and [row for row in others if row not in mine and row not in after]:
        return "what is of others was reached"
    match fate:
        case Stays():
            return None if all(row in after for row in mine) else "did not stay as it was"
        case Changes():
            return "was not changed" if any(row in after for row in mine) else None
        case TakenBack():
            marked = [row for row in _of(held.table, MINE, after) if row["take_back_at"] is not None]
            return None if marked else "is not to be taken back"
        case Goes() | InParts() | Unsaid() | Follows():
            return "is still there as it was" if any(row in after for row in mine) else None


def _of(table: str, plot: Plot, rows: list[Row]) -> list[Row]:
    """Those that were planted for it, or are of the whole guild."""
    ours = [row for row in rows if row["guild_id"] == plot.guild_id]
    for column, wanted in (
        ("asked_in", plot.message_id),
        ("reminder_id", plot.message_id),
        ("fact_id", plot.number),
        ("user_id", plot.user_id),
        ("subject_id", plot.user_id),
        ("made_by", plot.user_id),
        ("summary_id", plot.number),
        ("people", [plot.user_id]),
        ("conversation_id", plot.number),
        ("message_id", None),
        ("channel_id", plot.channel_id),
        ("term", f"word{plot.number}"),
    ):
        if ours and column in ours[0]:
            if column == "message_id":
                return [row for row in ours if abs(row["message_id"] - plot.message_id) < 10]
            if column == "people":
                return [row for row in ours if row.get("starts_at", plot.day) == plot.day]
            return [row for row in ours if row[column] == wanted]
    return ours


async def _everything(database: Database) -> dict[str, list[Row]]:
    """Without the number that every decision raises."""
    there = await _tables(database)
    everything: dict[str, list[Row]] = {}
    for table in (held.table for held in ALL_TABLES if held.table not in OURS and held.table in there):
        rows = [dict(row) for row in await database.read("test", f"SELECT * FROM {table}")]
        everything[table] = [{name: value for name, value in row.items() if name != "epoch"} for row in rows]
    return everything


async def test_receipts_go_with_the_retention_of_messages_unless_their_answer_is_taken_back(
    database: Database,
) -> None:
    world = await World(database).settle()
    async with database.transaction("test") as connection:
        for plot in (MINE, OTHERS):
            await plant(connection, plot)
    await world.execute(
        "INSERT INTO receipts (guild_id, asked_in, channel_id, asker_id, made_at, language, take_back_at, because)"
        " VALUES ($1, $2, $3, $4, $5, 'en', $5, 'source')",
        *(GUILD, MINE.message_id - 1, HALL, BOB.user_id, MINE.sent_at),
    )
    world.clock.move(OTHERS.sent_at - world.clock.now() + timedelta(hours=12))
    await decide_log(world.memory, GUILD, LogSettings(retention_days=1))
    left = {row["asked_in"] for row in (await _everything(database))["receipts"] if row["guild_id"] == GUILD}
    assert left == {OTHERS.message_id, MINE.message_id - 1}
