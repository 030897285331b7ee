"""The whole memory goes to a folder and into another database, unless that has something on record as gone."""

import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from resource import RLIMIT_FSIZE, getrlimit, setrlimit
from uuid import uuid4

import pytest

from memory.core.clock import SetClock
from memory.db.database import Connection, Database, ExternalPostgres
from memory.facts.enter import veto
from memory.policy.settings import LogSettings
from memory.privacy.tables import ALL_TABLES
from memory.settings import MemoryOptions
from memory.transfer.folder import Manifest, Unusable
from memory.transfer.service import GUARDS, Transfer
from tests.databases import PostgresServer
from tests.memory.db import planting
from tests.memory.db.planting import OURS, Plot, plant
from tests.memory.world import ALICE, BOB, CELLAR, FLORENT, GRUZILKIN, GUILD, HALL, LOUNGE, NOON, World

MINE = Plot(GUILD, ALICE.user_id, CELLAR, 1)
OTHERS = Plot(GUILD, BOB.user_id, HALL, 2)
ELSEWHERE = Plot(777, ALICE.user_id, CELLAR, 3)
LEFT_GUILD = 888
"""Of which only what its members decided is kept."""
AWKWARD = 'Zwei\nZeilen, "Anführung", \\ und \u2028 und ☕\x7f'
MADE_ANEW = frozenset(
    {"message_index", "conversations", "term_counts", "index_channels", "index_state", "spellings", "index_again"}
    | {"message_vectors", "vectors_again"}
)


@pytest.fixture
async def target_url(postgres_server: PostgresServer) -> AsyncIterator[str]:
    name = await postgres_server.create(await postgres_server.template())
    yield postgres_server.url_of(name)
    await postgres_server.drop(name)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """For as long as the block takes: an import wants the database for itself."""
    database = await Database.open(ExternalPostgres(url), max_size=3)
    try:
        yield database
    finally:
        await database.close()


assert GUARDS.keys() == planting.GUARDS | {"vetoes", "guilds"}


def quiet(done: int, total: int, what: str) -> None:
    assert 0 <= done <= total, what


async def export(url: str, folder: Path, guild_id: int | None = None) -> Manifest:
    async with Transfer.open(MemoryOptions.model_validate({"database_url": url}), SetClock(NOON)) as transfer:
        return await transfer.write(folder, quiet, guild_id)


async def bring(url: str, folder: Path, guild_id: int | None = None) -> Manifest:
    async with Transfer.open(MemoryOptions.model_validate({"database_url": url}), SetClock(NOON)) as transfer:
        return await transfer.read(folder, quiet, guild_id)


async def plant_all(connection: Connection) -> None:
    """A row in every table; with rows that refer to later ones of their own table, and one of each that guards."""
    await plant(connection, OTHERS, but={"chat_history": {"text": AWKWARD}})
    over = {"valid_to": NOON, "superseded_by": OTHERS.number}
    await plant(connection, MINE, but={"facts": over, "channel_summaries": {"parent_id": OTHERS.number}})
    await plant(connection, ELSEWHERE)
    for guild_id in (GUILD, LEFT_GUILD):
        await connection.execute("INSERT INTO consents VALUES ($1, 41, 'out', $2)", guild_id, NOON)
    await connection.execute("INSERT INTO erasures VALUES ($1, 42, 43, $2)", GUILD, NOON)
    await connection.execute("INSERT INTO channel_erasures VALUES ($1, 44, 45, $2)", GUILD, NOON)
    await connection.execute("INSERT INTO closed_channels VALUES ($1, 46)", GUILD)
    await connection.execute("INSERT INTO tombstones VALUES ($1, 47, 48)", GUILD)


async def everything(database: Database) -> dict[str, list[str]]:
    """Every row of every table that there is, as text."""
    tables = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    rows = "SELECT (to_jsonb(kept) - 'places_run')::text FROM {} AS kept ORDER BY 1"
    names = [name for (name,) in await database.read("test", tables)]
    return {name: [row[0] for row in await database.read("test", rows.format(name))] for name in names}


def files(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*.jsonl")}


async def test_every_table_is_the_same_in_another_database(
    database_url: str, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.transfer.folder.BATCH", 1)  # rows refer to others that come later
    async with opened(database_url) as database:
        async with database.transaction("test") as connection:
            await plant_all(connection)
        before = await everything(database)
        manifest = await export(database_url, tmp_path / "first")  # beside a running one
    await bring(target_url, tmp_path / "first")

    left = {held.table for held in ALL_TABLES if held.left_behind}
    assert left == OURS | MADE_ANEW | {"claims", "access_keys"}, "what is not memory is said here once more"
    secrets = {
        held.table for held in ALL_TABLES if any(word in held.table for word in ("session", "token", "link", "key"))
    }
    assert secrets <= left
    async with opened(target_url) as target:
        after = await everything(target)
        carried = before.keys() - left
        assert {table: after[table] for table in carried} == {table: before[table] for table in carried}
        assert {table: after[table] for table in left - OURS if after.get(table)} == {}
        async with target.transaction("test") as connection:
            for table, column in (("facts", "fact_id"), ("channel_summaries", "summary_id"), ("chat_history", "seq")):
                taken = await connection.fetchval(f"SELECT max({column}) FROM {table}")
                assert (
                    await connection.fetchval(f"SELECT nextval(pg_get_serial_sequence('{table}', '{column}'))") > taken
                )
            assert await connection.fetchval("SELECT count(*) FROM guilds WHERE places_run IS NOT NULL") == 0
    [here] = [guild for guild in manifest.guilds if guild.guild_id == GUILD]
    assert [table for table, file in here.tables.items() if not file.rows] == [], "plant a row in it"
    assert [str(guild) for guild in manifest.guilds] == ["name 2 (100)", "name 3 (777)", "888"]

    again = await export(target_url, tmp_path / "second")
    assert again == manifest
    assert files(tmp_path / "second") == files(tmp_path / "first")
    row = json.loads((tmp_path / "first" / str(GUILD) / "place_viewers.jsonl").read_text().splitlines()[0])
    assert row["viewers"] == ["\\x01"]
    assert row["checked_at"].endswith("T12:00:00+00:00")
    modes = {one.stat().st_mode & 0o777 for one in (tmp_path / "first").rglob("*") if one.is_file()}
    assert modes == {0o600}
    assert {one.stat().st_mode & 0o777 for one in (tmp_path / "first", tmp_path / "first" / str(GUILD))} == {0o700}


Decide = Callable[[World, int], Awaitable[object]]
DECISIONS: dict[str, Decide] = {
    "a message is deleted": lambda here, said: here.memory.log.delete_messages(GUILD, HALL, [said]),
    "a channel is deleted": lambda here, _: here.memory.log.delete_channel(GUILD, LOUNGE),
    "a member opts out": lambda here, _: here.memory.privacy.opt_out(GUILD, BOB.user_id),
    "a member is erased": lambda here, said: here.memory.privacy.erase_member(GUILD, FLORENT.user_id, said),
    "a channel is erased": lambda here, said: here.memory.privacy.erase_channel(GUILD, CELLAR, said, by=ALICE.user_id),
    "a channel is excluded": lambda here, _: here.memory.privacy.change_settings(
        GUILD, lambda now: replace(now, log=LogSettings(excluded_channels=frozenset({HALL})))
    ),
    "nothing is kept about others": lambda here, _: here.memory.privacy.change_settings(
        GUILD, lambda now: replace(now, facts=replace(now.facts, about_others=False))
    ),
    "a telling is denied": lambda here, _: deny(here, "Gruzilkin likes milk"),
}


async def deny(here: World, statement: str) -> None:
    async with here.database.transaction("test") as connection:
        await veto(connection, GUILD, GRUZILKIN.user_id, statement, NOON)


async def test_what_is_on_record_as_gone_is_not_brought_back(
    database_url: str, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    async with opened(database_url) as database:
        world = await World(database).settle()
        said = await world.say(ALICE, "a sentence")
    await export(database_url, tmp_path / "before")
    for what, decide in DECISIONS.items():
        name = await postgres_server.create(await postgres_server.template())
        url = postgres_server.url_of(name)
        async with opened(url) as target:
            here = await World(target).settle()
            await decide(here, said.message_id)
            await here.memory.log.settled()
            decided = await everything(target)
        with pytest.raises(Unusable, match="has on record what the export does not know"):
            await bring(url, tmp_path / "before")
        async with opened(url) as target:
            assert await everything(target) == decided, what
        async with opened(database_url) as database:
            there = World(database)
            await decide(there, said.message_id)
            await there.memory.log.settled()
    await export(database_url, tmp_path / "after")
    await bring(url, tmp_path / "after")
    await postgres_server.drop(name)


def _rewrite(folder: Path, table: str, change: Callable[[bytes], bytes]) -> None:
    """As somebody would who knows of digests."""
    path = folder / str(GUILD) / f"{table}.jsonl"
    path.write_bytes(change(path.read_bytes()))
    data = path.read_bytes()
    _tables(folder, lambda tables: tables[table].update(bytes=len(data), sha256=sha256(data).hexdigest()))


def _swap(table: str, old: bytes, new: bytes) -> Callable[[Path], None]:
    return lambda folder: _rewrite(folder, table, lambda text: text.replace(old, new, 1))


def _manifest(folder: Path, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg] # JSON
    told = json.loads((folder / "manifest.json").read_bytes())
    change(told)
    (folder / "manifest.json").write_text(json.dumps(told))


def _tables(folder: Path, change: Callable[[dict], object]) -> None:  # type: ignore[type-arg] # JSON
    """Of the guild that stands first in the manifest."""
    _manifest(folder, lambda told: change(told["guilds"][0]["tables"]))


def _facts_file(folder: Path) -> Path:
    return folder / str(GUILD) / "facts.jsonl"


DAMAGES: dict[str, Callable[[Path], object]] = {
    "manifest.json. Name the folder": lambda folder: (folder / "manifest.json").unlink(),
    "manifest.json is damaged. Copy": lambda folder: (folder / "manifest.json").write_text('{"innkeeper"'),
    "is damaged at guilds.0.tables.facts.rows": lambda folder: _tables(
        folder, lambda tables: tables["facts"].update(rows=-1)
    ),
    "facts.jsonl has 2 rows, and not 3": lambda folder: _tables(folder, lambda tables: tables["facts"].update(rows=3)),
    "A newer Innkeeper wrote this export (schema 9999": lambda folder: _manifest(
        folder, lambda told: told.update(schema_version=9999)
    ),
    "An older Innkeeper wrote this export (schema 0": lambda folder: _manifest(
        folder, lambda told: told.update(schema_version=0)
    ),
    "has an unknown table 'pg_authid'": lambda folder: _tables(
        folder, lambda tables: tables.update(pg_authid=tables.pop("vetoes"))
    ),
    "lacks the table vetoes": lambda folder: _tables(folder, lambda tables: tables.pop("vetoes")),
    "facts.jsonl is missing": lambda folder: _facts_file(folder).unlink(),
    "its SHA-256 is another one": lambda folder: _facts_file(folder).write_bytes(
        _facts_file(folder).read_bytes().replace(b"self", b"salf", 1)
    ),
    "facts.jsonl, lines 1 to 2: a value": lambda folder: _rewrite(folder, "facts", lambda old: old[:-9]),
    "facts.jsonl has 1 rows, and not 2": _swap("facts", b'"guild_id":100', b'"guild_id":777'),
    "a line: a value does not fit its column (facts_standing_check)": _swap("facts", b'"self"', b'"salf"'),
    "members.jsonl, lines 1 to 2: a value does not fit its column": _swap(
        "members", b'"is_bot":false', b'"is_bot":"SECRET"'
    ),
}


async def test_a_damaged_export_is_refused_as_a_whole(database_url: str, target_url: str, tmp_path: Path) -> None:
    async with opened(database_url) as database, database.transaction("test") as connection:
        await plant_all(connection)
    await export(database_url, tmp_path / "export")
    async with Transfer.open(MemoryOptions.model_validate({"database_url": target_url}), SetClock(NOON)) as transfer:
        for says, damage in DAMAGES.items():
            damaged = tmp_path / uuid4().hex
            shutil.copytree(tmp_path / "export", damaged)
            damage(damaged)
            with pytest.raises(Unusable) as refused:
                await transfer.read(damaged, quiet)
            assert says in str(refused.value)
            assert "SECRET" not in str(refused.value)
    async with opened(target_url) as target:
        assert {table for table, rows in (await everything(target)).items() if rows} == {"schema_version"}


async def test_two_memories_of_a_guild_are_not_mixed_nor_is_anything_done_beside_a_running_bot(
    database_url: str, target_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(database_url) as database, database.transaction("test") as connection:
        await plant_all(connection)
    await export(database_url, tmp_path / "export")
    async with opened(target_url) as target:
        here = await World(target).settle()
        with monkeypatch.context() as hasty:
            hasty.setattr("memory.transfer.service.PAUSE_S", 0)
            with pytest.raises(Unusable, match=r"Innkeeper runs on this database\. Stop it"):
                await bring(target_url, tmp_path / "export")
        await here.say(ALICE, "said here")
    with pytest.raises(Unusable, match=r"The guild name 2 \(100\) is in this database already"):
        await bring(target_url, tmp_path / "export")
    with pytest.raises(
        Unusable, match=r"The guild 5 is not in this export. It has: name 2 \(100\), name 3 \(777\), 888"
    ):
        await bring(target_url, tmp_path / "export", 5)
    assert [guild.guild_id for guild in (await bring(target_url, tmp_path / "export", 777)).guilds] == [777]
    async with opened(target_url) as target:
        await World(target).memory.privacy.erase_guild(777)
        assert [row["text"] for row in await target.read("test", "SELECT text FROM chat_history")] == ["said here"]
    with pytest.raises(Unusable, match=r"Of the guild name 3 \(777\) this database has on record"):
        await bring(target_url, tmp_path / "export", 777)


async def test_an_export_is_there_as_a_whole_or_not_at_all(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url) as database:
        await World(database).settle()
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter").touch()
    with pytest.raises(Unusable, match="full is there already"):
        await export(database_url, full)
    with pytest.raises(Unusable, match=r"The guild 5 is not in this database. It has: The Inn \(100\)"):
        await export(database_url, tmp_path / "export", 5)
    limits = getrlimit(RLIMIT_FSIZE)
    setrlimit(RLIMIT_FSIZE, (10, limits[1]))  # as on a disk that is full
    try:
        with pytest.raises(Unusable, match=r"members\.jsonl cannot be written: File too large"):
            await export(database_url, tmp_path / "export")
    finally:
        setrlimit(RLIMIT_FSIZE, limits)
    assert os.listdir(tmp_path) == ["full"]
    (tmp_path / "empty").mkdir()
    await export(database_url, tmp_path / "empty", GUILD)
    assert (tmp_path / "empty" / "manifest.json").exists()
