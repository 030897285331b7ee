"""What is held on somebody: counted for them, written into a file for them, and nothing in it that is not theirs."""

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from memory.core.values import Attachment, AuthorKind, Member, Message
from memory.db.database import RESERVED, Database, ExternalPostgres, Lane
from memory.db.table_declarations import Holds
from memory.health import PartState
from memory.places.view import Audience
from memory.privacy.export import Exports
from memory.privacy.export_queries import MEMBER_SECTIONS, NOT_EXPORTED, Signposts, Stock
from memory.privacy.tables import ALL_TABLES
from tests.memory.db.planting import Plot, plant
from tests.memory.log.logbook import rows_of
from tests.memory.world import ALICE, BOB, CELLAR, GRUZILKIN, GUILD, HALL, LOUNGE, PUBLIC, World

File = dict[str, Any]


def reading(member: Member, *rooms: int, place: int = HALL) -> Audience:
    return Audience(GUILD, place, PUBLIC | {place, *rooms}, viewer_id=member.user_id)


def signposts() -> Signposts:
    def link(channel_id: int, message_id: int) -> str:
        return f"https://discord.com/channels/{GUILD}/{channel_id}/{message_id}"

    return Signposts("The Inn", {HALL: "hall", CELLAR: "cellar"}, link, ["What is held on you."])


@pytest.fixture
def exports(world: World) -> Exports:
    return world.memory.exports


async def exported(exports: Exports, reader: Audience) -> File:
    file = io.BytesIO()
    held = await exports.of_member(reader, signposts(), file)
    document: File = json.loads(file.getvalue())
    assert document["counts"] == {name: len(rows) for name, rows in document["held"].items()}
    assert document["counts"] == {amount.kind.value: amount.count for amount in held.amounts}
    return document


async def held(exports: Exports, reader: Audience, kind: Stock) -> list[File]:
    rows: list[File] = (await exported(exports, reader))["held"][kind.value]
    return rows


def texts(rows: list[File]) -> list[str]:
    return [row["text"] for row in rows]


async def test_a_file_is_one_readable_document_even_if_nothing_is_held(exports: Exports) -> None:
    file = io.BytesIO()
    await exports.of_member(Audience(GUILD, HALL, PUBLIC, viewer_id=999), signposts(), file)
    document = json.loads(file.getvalue())
    assert document["of"] == "999"
    assert not any(document["held"].values())
    assert b'\n  "held": {\n    "names_and_roles": [],\n' in file.getvalue()


async def test_messages_come_with_channel_time_files_and_a_link(world: World, exports: Exports) -> None:
    picture = Attachment("cat.png", "image/png", 12, "my cat")
    said = Message(
        GUILD, HALL, 77, ALICE.user_id, AuthorKind.PERSON, "Schöne <@2>\n\"Grüße\" 🐈", world.clock.now(), reply_to=70,
        attachments=(picture,),
    )  # fmt: skip
    await world.memory.ingest_message(said)
    await world.say(BOB, "not hers")
    [row] = await held(exports, reading(ALICE), Stock.MESSAGES)
    assert row == {
        "message_id": "77",
        "channel": {"id": str(HALL), "name": "hall"},
        "sent_at": "2026-03-01T12:00:00+00:00",
        "reply_to_id": "70",
        "text": said.text,
        "text_with_names": 'Schöne Bob\n"Grüße" 🐈',
        "attachments": [{"name": "cat.png", "type": "image/png", "size": 12, "description": "my cat"}],
        "link": f"https://discord.com/channels/{GUILD}/{HALL}/77",
    }


async def test_own_words_are_there_wherever_they_were_said_but_no_way_into_closed_rooms(
    world: World, exports: Exports
) -> None:
    await world.say(ALICE, "said in the cellar", CELLAR)
    [row] = await held(exports, reading(ALICE), Stock.MESSAGES)
    assert row["text"] == "said in the cellar"
    assert "link" not in row
    [row] = await held(exports, reading(ALICE, CELLAR), Stock.MESSAGES)
    assert row["link"].endswith(f"/{CELLAR}/{row['message_id']}")


async def test_facts_told_and_facts_about_come_with_whom_when_and_how_well_founded(
    world: World, exports: Exports
) -> None:
    await world.remember(ALICE, "I like tea")
    await world.remember(ALICE, "Bob is short")
    await world.remember(BOB, "Alice is tall")
    told = await held(exports, reading(ALICE), Stock.FACTS_TOLD)
    [about] = await held(exports, reading(ALICE), Stock.FACTS_ABOUT)
    assert [(row["about"]["name"], row["standing"]) for row in told] == [("Alice", "self"), ("Bob", "hearsay")]
    assert about["told_by"] == {"id": str(BOB.user_id), "name": "Bob"}
    assert (about["text"], about["text_with_names"]) == ("<@1> is tall", "Alice is tall")
    assert about["holds_since"]
    assert about["link"].startswith(f"https://discord.com/channels/{GUILD}/{HALL}/")


async def test_what_somebody_told_of_another_s_words_is_theirs_only_where_they_can_read_those(
    world: World, exports: Exports
) -> None:
    secret = await world.say(BOB, "the key lies under the mat", CELLAR)
    await world.remember(ALICE, "this about gruzilkin", CELLAR, about=secret)
    assert await held(exports, reading(ALICE), Stock.FACTS_TOLD) == []
    [row] = await held(exports, reading(ALICE, CELLAR), Stock.FACTS_TOLD)
    assert row["taken_from_id"] == str(secret.message_id)


async def test_withheld_facts_are_for_their_subject_and_their_teller(world: World, exports: Exports) -> None:
    await world.remember(BOB, "Alice snores")
    await world.database.read("test", "UPDATE facts SET withheld = true RETURNING 1")
    for reader, kind in ((ALICE, Stock.FACTS_ABOUT), (BOB, Stock.FACTS_TOLD)):
        [row] = await held(exports, reading(reader), kind)
        assert row["withheld_by_a_rule_of_the_server"] is True
        assert (await exports.held_on(reading(reader))).held.of(kind).withheld == 1


async def test_facts_about_others_that_name_a_member_are_in_their_file(world: World, exports: Exports) -> None:
    await world.remember(BOB, "gruzilkin is married to Alice")
    await world.remember(BOB, "gruzilkin owes Alice a beer", CELLAR)
    [row] = await held(exports, reading(ALICE), Stock.FACTS_ABOUT)
    assert row["text"] == "<@3> is married to <@1>"
    await world.database.read("test", "UPDATE facts SET withheld = true RETURNING 1")
    assert await held(exports, reading(ALICE), Stock.FACTS_ABOUT) == []
    assert len(await held(exports, reading(GRUZILKIN), Stock.FACTS_ABOUT)) == 1


async def test_whoever_opted_out_goes_by_their_id(world: World, exports: Exports) -> None:
    await world.say(ALICE, "ask <@2> about it")
    await world.memory.privacy.opt_out(GUILD, BOB.user_id)
    [row] = await held(exports, reading(ALICE), Stock.MESSAGES)
    assert "text_with_names" not in row
    assert (await held(exports, reading(BOB), Stock.CONSENTS))[0]["choice"] == "out"


async def test_a_channel_comes_with_its_threads_as_far_as_its_manager_can_read(world: World, exports: Exports) -> None:
    await world.say(ALICE, "in the lounge", LOUNGE)
    await world.say(ALICE, "in the hall")
    await world.memory.ingest_message(
        Message(GUILD, CELLAR, 90, BOB.user_id, AuthorKind.PERSON, "in a thread", world.clock.now(), parent_id=LOUNGE)
    )
    await world.remember(BOB, "Alice is tall", LOUNGE)
    await world.memory.log.settled()

    async def channel(reader: Audience) -> File:
        file = io.BytesIO()
        await exports.of_channel(reader, signposts(), file, channel_id=LOUNGE)
        document: File = json.loads(file.getvalue())["held"]
        return document

    open_to_all = await channel(reading(ALICE))
    assert texts(open_to_all["messages"]) == ["in the lounge", "Bot remember Alice is tall"]
    assert texts(open_to_all["facts_told_here"]) == ["<@1> is tall"]
    assert open_to_all["messages"][0]["author"] == {"id": "1", "name": "Alice"}
    assert "in a thread" in texts((await channel(reading(ALICE, CELLAR)))["messages"])
    closed = Audience(GUILD, HALL, frozenset((HALL,)), viewer_id=ALICE.user_id)
    assert not any(rows for name, rows in (await channel(closed)).items() if name != "audit")


def test_what_is_being_written_has_no_name_and_leaves_nothing_behind(world: World, tmp_path: Path) -> None:
    exports = Exports(world.database, world.clock, tmp_path / "data")
    with exports.file() as file:
        file.write(b"everything about somebody")
        file.flush()
        assert list((tmp_path / "data").iterdir()) == []
    assert file.closed


async def test_exports_that_are_held_open_keep_nobody_from_the_database(database_url: str, tmp_path: Path) -> None:
    database = await Database.open(ExternalPostgres(database_url), max_size=4, patience=2.0)
    world = await World(database, data_dir=tmp_path).settle()
    begun, go_on = asyncio.Semaphore(0), asyncio.Event()

    async def hold(_done: int, _of: int) -> None:
        begun.release()
        await go_on.wait()

    members = [Member(GUILD, 100 + number, f"member{number}") for number in range(9)]
    for member in members:
        await world.say(member, "hello")
    asked = [
        asyncio.create_task(world.memory.exports.of_member(reading(member), signposts(), io.BytesIO(), hold))
        for member in members
    ]
    async with asyncio.timeout(60):
        for _ in range(RESERVED[Lane.EXPORT]):
            await begun.acquire()
    said = await world.say(ALICE, "meanwhile")
    assert said.message_id in {row["message_id"] for row in await rows_of(database, "chat_history", GUILD)}
    assert (await world.memory.exports.held_on(reading(ALICE))).held.of(Stock.MESSAGES).count == 1
    assert world.health.part("log").snapshot().state is PartState.ACTIVE
    go_on.set()
    written = await asyncio.gather(*asked)
    assert [one.of(Stock.MESSAGES).count for one in written] == [1] * 9, "each of them in its turn"
    await world.memory.close()


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
    held = (await exported(World(database).memory.exports, reading(ALICE, CELLAR)))["held"]
    assert sorted(kind for kind, rows in held.items() if not rows) == sorted(kind.value for kind in NOT_PLANTED)
    assert {len(rows) for rows in held.values()} == {0, 1}, "something of another member is in it"
