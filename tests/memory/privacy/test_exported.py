"""Every table that is about people is in the export of a member, or says why not: held against what it declares."""

import io
import json
from typing import Any

from memory.db.database import Database
from memory.db.table_declarations import Holds
from memory.places.view import Audience
from memory.privacy.export_queries import MEMBER_SECTIONS, NOT_EXPORTED, Signposts, Stock
from memory.privacy.tables import ALL_TABLES
from tests.memory.db.planting import Plot, plant
from tests.memory.world import ALICE, BOB, CELLAR, GUILD, HALL, World

ABOUT_PEOPLE = {Holds.PERSON, Holds.NAME, Holds.WORDS, Holds.MEANING}
EXPORTED = {table for section in MEMBER_SECTIONS for table in section.tables}
NOT_PLANTED = {Stock.FACTS_ABOUT, Stock.CONSENTS, Stock.ERASURES, Stock.DEEDS}
"""What planting leaves to the doors; `test_export.py` has each of them."""


def test_every_table_about_people_is_exported_or_says_why_not() -> None:
    about_people = {held.table for held in ALL_TABLES if ABOUT_PEOPLE & set(held.columns.values())}
    known = EXPORTED | NOT_EXPORTED.keys()
    assert sorted(about_people - known) == [], "Give it a section in memory/privacy/export_queries.py, or a reason."


def test_nothing_is_named_that_is_not_there_or_said_twice() -> None:
    tables = {held.table for held in ALL_TABLES}
    assert sorted((EXPORTED | NOT_EXPORTED.keys()) - tables) == []
    assert EXPORTED & NOT_EXPORTED.keys() == set()
    assert len({section.kind for section in MEMBER_SECTIONS}) == len(MEMBER_SECTIONS)


async def test_a_row_in_every_table_is_a_row_in_every_part_of_the_file(database: Database) -> None:
    mine, others = Plot(GUILD, ALICE.user_id, HALL, 1), Plot(GUILD, BOB.user_id, CELLAR, 2)
    async with database.transaction("test") as connection:
        for plot in (mine, others):
            await plant(connection, plot)
        # It is told only while it is as it was when it was made, which nothing that is made up can be.
        await connection.execute("UPDATE texts SET facts_digest = encode(sha256(''), 'hex')")
    held = await _exported(World(database), ALICE.user_id)
    assert sorted(kind for kind, rows in held.items() if not rows) == sorted(kind.value for kind in NOT_PLANTED)
    assert {len(rows) for rows in held.values()} == {0, 1}, "something of another member is in it"


async def _exported(world: World, user_id: int) -> dict[str, list[dict[str, Any]]]:
    reader = Audience(GUILD, HALL, frozenset((HALL, CELLAR)), viewer_id=user_id)
    file = io.BytesIO()
    await world.memory.exports.of_member(reader, Signposts("The Inn", {}, lambda *ids: f"{ids}"), file)
    held: dict[str, list[dict[str, Any]]] = json.loads(file.getvalue())["held"]
    return held
