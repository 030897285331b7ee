"""Whose id is left where, after they were erased or opted out: in rows of others too, and nowhere but as declared."""

from collections.abc import Awaitable, Callable, Mapping

import pytest

from memory.db.database import Database
from memory.db.table_declarations import Erasing, Holds, Stays
from memory.privacy.tables import ALL_TABLES
from tests.memory.db.planting import OURS, Plot, plant
from tests.memory.world import BOB, GUILD, HALL, World

ME = 918_273_645
"""Found as text wherever it stands, and part of no other number."""
CELLAR = 1003
DOORS: Mapping[Erasing, Callable[[World], Awaitable[object]]] = {
    Erasing.MEMBER: lambda world: world.memory.privacy.erase_member(GUILD, ME, 2**62),
    Erasing.OPTING_OUT: lambda world: world.memory.privacy.opt_out(GUILD, ME),
}
ACROSS: Mapping[tuple[str, str], Mapping[str, object]] = {
    ("facts", "subject_id"): {"subject_id": ME},
    ("facts", "teller_id"): {"teller_id": ME},
    ("changes", "made_by"): {"made_by": ME},
    ("changes", "subjects"): {"subjects": [BOB.user_id, ME]},
    ("changes", "tellers"): {"tellers": [BOB.user_id, ME]},
    ("changes", "before"): {"before": [{"fact_id": 1, "teller_id": ME}], "tellers": [ME]},
    ("audit", "actor_id"): {"actor_id": ME},
    ("audit", "subject_id"): {"subject_id": ME},
    ("channel_summaries", "people"): {"people": [BOB.user_id, ME]},
    ("channel_summaries", "corrected_by"): {"people": [BOB.user_id, ME], "corrected_by": ME},
    ("reminders", "owner_id"): {"owner_id": ME},
    ("reminders", "readers"): {"readers": [BOB.user_id, ME]},
    ("reminders", "text"): {"text": f"call <@{ME}>"},
    ("days", "people"): {"people": [BOB.user_id, ME]},
    ("day_entries", "user_id"): {"user_id": ME},
    ("day_entries", "corrected_by"): {"corrected_by": ME},
    ("places", "members"): {"members": [BOB.user_id, ME]},
    ("places", "overwrites"): {"overwrites": [[ME, False, 0, 0]], "members": []},
}
"""How the member is named in a row that is another's."""


def test_every_column_that_may_name_somebody_else_is_tried() -> None:
    several = {
        (held.table, column)
        for held in ALL_TABLES
        if list(held.columns.values()).count(Holds.PERSON) > 1
        for column, holds in held.columns.items()
        if holds is Holds.PERSON
    }
    assert several <= ACROSS.keys()


async def _found(database: Database) -> set[tuple[str, str]]:
    """Every column of every table in which the id stands, however it is written there."""
    found = set()
    async with database.connection("test") as connection:
        for held in ALL_TABLES:
            for column in held.columns:
                query = f"SELECT EXISTS (SELECT 1 FROM {held.table} WHERE {column}::text LIKE $1)"
                if await connection.fetchval(query, f"%{ME}%"):
                    found.add((held.table, column))
    return found


@pytest.mark.parametrize("erasing", DOORS)
async def test_an_id_is_left_only_where_that_is_declared(database: Database, erasing: Erasing) -> None:
    async with database.transaction("test") as connection:
        await plant(connection, Plot(GUILD, ME, CELLAR, 1))
        for number, ((table, _), otherwise) in enumerate(ACROSS.items(), start=10):
            place = HALL + number
            await plant(connection, Plot(GUILD, BOB.user_id, place, number), but={table: otherwise})
    assert await _found(database) >= ACROSS.keys()
    await DOORS[erasing](World(database))
    declared = {
        (held.table, column)
        for held in ALL_TABLES
        if held.table not in OURS and isinstance(held.fate(erasing), Stays)
        for column, holds in held.columns.items()
        if holds is Holds.PERSON
    }
    named_on = {(held.table, column) for held in ALL_TABLES for column in held.named_on.get(erasing, ())}
    left = await _found(database)
    assert left <= declared | named_on
    assert named_on <= left, "it is not left there any more, so neither is the declaration"
