"""Carries the whole memory of a guild, or of all of them, out of a database and into another.

Which tables that is, their declarations say (`left_behind`). PostgreSQL itself writes the rows as JSON and reads them
back, from one snapshot and in one transaction; their order on the way in follows from its keys and triggers. What would
bring back something that the database has on record as deleted, erased or not to be stored is refused.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from graphlib import TopologicalSorter
from pathlib import Path

from memory.core.clock import Clock
from memory.core.version import VERSION
from memory.db.database import APPLICATION, Connection, Database, LogWrite, take_as_long_as_needed
from memory.db.errors import BAD_VALUES
from memory.db.migrate import TURN, current_version, migrate
from memory.db.table_declarations import Stays
from memory.diagnosis import connection_source
from memory.health import MISSED_BEATS
from memory.log.store import own_log
from memory.policy.settings import GuildSettings, read_settings
from memory.privacy.tables import ALL_TABLES
from memory.settings import MemoryOptions
from memory.transfer.folder import (
    BATCH,
    GuildFolder,
    Manifest,
    TableFile,
    TableWriter,
    Unusable,
    batches,
    check_file,
    draft,
    read_manifest,
    table_path,
    write_manifest,
)

OnProgress = Callable[[int, int, str], None]
"""How much is done, of how much in all, and what it is at."""

OF_A_RUN = frozenset({("guilds", "places_run")})
"""Columns that say something about a process that runs."""
CARRIED: Mapping[str, tuple[str, ...]] = {
    held.table: tuple(column for column in held.columns if (held.table, column) not in OF_A_RUN)
    for held in ALL_TABLES
    if not held.left_behind
}
GUARDS: Mapping[str, str] = {
    "consents": "user_id, 0 FROM consents WHERE choice = 'out'",
    "erasures": "user_id, through_message_id FROM erasures WHERE true",
    "channel_erasures": "channel_id, through_message_id FROM channel_erasures WHERE true",
    "closed_channels": "channel_id, 0 FROM closed_channels WHERE true",
    "tombstones": "message_id, 0 FROM tombstones WHERE true",
    "vetoes": "concat(subject_id, ' ', statement), 0 FROM vetoes WHERE true",
    "guilds": "0, (extract(epoch FROM kept_since) * 1e6)::bigint FROM guilds WHERE kept_since IS NOT NULL",
}
"""What keeps something out: whom or what, and up to which message or moment."""
TIMEOUT_S = 24 * 3600.0
ATTEMPTS, PAUSE_S = 50, 0.1


class Transfer:
    """Exports and imports whole memories. Made by `Transfer.open`."""

    def __init__(self, database: Database, options: MemoryOptions, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        beat = timedelta(seconds=options.heartbeat_seconds)
        self._silence = beat * MISSED_BEATS if options.database_pooled else None

    @classmethod
    @asynccontextmanager
    async def open(cls, options: MemoryOptions, clock: Clock) -> "AsyncIterator[Transfer]":
        """Open the database for one transaction, which may take hours."""
        source = connection_source(options)
        database = await Database.open(source, max_size=1, slow_seconds=TIMEOUT_S, command_timeout=TIMEOUT_S)
        try:
            await migrate(database, clock.now())
            yield cls(database, options, clock)
        finally:
            await database.close()

    async def write(self, folder: Path, on_progress: OnProgress, guild_id: int | None = None) -> Manifest:
        """Export to a folder that is not there yet; a running Innkeeper goes on meanwhile."""
        with draft(folder) as made:
            async with self._database.transaction(
                "transfer.export", isolation="repeatable_read", readonly=True
            ) as connection:
                await take_as_long_as_needed(connection)
                await connection.execute("SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'")
                guilds = await _guilds(connection, guild_id)
                counting = "SELECT count(*) FROM {} WHERE guild_id = ANY ($1)"
                rows = sum([await connection.fetchval(counting.format(table), list(guilds)) for table in CARRIED])
                tally = _Tally(on_progress, rows)
                keys = await _primary_keys(connection)
                written = [
                    GuildFolder(
                        guild_id=each,
                        name=name,
                        tables={
                            table: await _write_table(
                                connection, table_path(made, each, table), each, table, keys[table], tally
                            )
                            for table in CARRIED
                        },
                    )
                    for each, name in guilds.items()
                ]
                version = await current_version(connection) or 0
            manifest = Manifest(
                innkeeper=VERSION, schema_version=version, exported_at=self._clock.now(), guilds=tuple(written)
            )
            write_manifest(made, manifest)
        return manifest

    async def read(self, folder: Path, on_progress: OnProgress, guild_id: int | None = None) -> Manifest:
        """Import all of an export, or one guild of it, or nothing. No other process may use the database meanwhile."""
        manifest = _chosen(read_manifest(folder), guild_id)
        tally = _Tally(on_progress, 2 * manifest.bytes)
        for guild in manifest.guilds:
            for table, file in guild.tables.items():
                await asyncio.to_thread(check_file, table_path(folder, guild.guild_id, table), file)
                tally.add(file.bytes, f"checked {guild.guild_id}/{table}")
        async with self._database.transaction("transfer.import") as connection:
            await take_as_long_as_needed(connection)
            # Whoever starts meanwhile waits with bringing the schema up to date.
            await connection.execute("SELECT pg_advisory_xact_lock($1)", TURN)
            await _be_alone(connection, self._clock.now() - self._silence if self._silence else None)
            _same_schema(manifest, await current_version(connection) or 0)
            for guild in manifest.guilds:
                await self._bring(await own_log(connection, guild.guild_id), folder, guild, tally)
            await _go_on_counting(connection, [guild.guild_id for guild in manifest.guilds])
        return manifest

    async def _bring(self, connection: LogWrite, folder: Path, guild: GuildFolder, tally: "_Tally") -> None:
        guild_id = guild.guild_id
        before = await read_settings(connection, guild_id)
        kept_out = await _kept_out(connection, guild_id)
        if (before is not None and not guild.tables["guilds"].rows) or await connection.fetchval(
            """
            SELECT EXISTS (SELECT 1 FROM chat_history WHERE guild_id = $1)
                OR EXISTS (SELECT 1 FROM facts WHERE guild_id = $1)
            """,
            guild_id,
        ):
            raise Unusable(
                f"The guild {guild} is in this database already, with messages or facts; two memories of a guild are"
                " not mixed. Import into another database, or only other guilds, with --guild and the id of each."
            )
        for held in ALL_TABLES:
            if "guild_id" in held.columns and await connection.fetchval(
                "SELECT to_regclass($1) IS NOT NULL", held.table
            ):
                await connection.execute(f"DELETE FROM {held.table} WHERE guild_id = $1", guild_id)  # noqa: S608 - declared
        order, refer_to_themselves = await _order(connection)
        for table in order:
            path, wanted = table_path(folder, guild_id, table), guild.tables[table].rows
            rows = await _read_table(connection, path, guild_id, table, table in refer_to_themselves, tally)
            if rows != wanted:
                raise Unusable(f"{path} has {rows:,} rows, and not {wanted:,}. Copy the export once more.")
        known = await _kept_out(connection, guild_id)
        after = await read_settings(connection, guild_id)
        if any(known.get(what, -1) < through for what, through in kept_out.items()) or _keeps_less(before, after):
            raise Unusable(
                f"Of the guild {guild} this database has on record what the export does not know: members who opted out"
                " or were erased, deletions, or settings by which less is kept. It would bring back what they removed."
                " Export once more where that was decided, or import into an empty database."
            )


class _Tally:
    def __init__(self, on_progress: OnProgress, total: int) -> None:
        self._on_progress = on_progress
        self._total = total
        self._done = 0

    def add(self, done: int, what: str) -> None:
        self._done += done
        self._on_progress(self._done, self._total, what)


# Out.


async def _guilds(connection: Connection, guild_id: int | None) -> dict[int, str | None]:
    """List the guilds with their names; those that were left have none, and what members decided there is kept."""
    staying = [held.table for held in ALL_TABLES if held.table in CARRIED and isinstance(held.guild, Stays)]
    kept = " UNION ".join(f"SELECT guild_id FROM {table}" for table in ("guilds", *staying))  # noqa: S608 - declared
    rows = await connection.fetch(
        f"SELECT guild_id, name FROM ({kept}) AS known LEFT JOIN guilds USING (guild_id) ORDER BY guild_id"  # noqa: S608 - ours
    )
    found: dict[int, str | None] = {row["guild_id"]: row["name"] for row in rows}
    if guild_id is None:
        return found
    if guild_id not in found:
        raise Unusable(f"The guild {guild_id} is not in this database. It has: {_named(found)}.")
    return {guild_id: found[guild_id]}


def _named(guilds: Mapping[int, str | None]) -> str:
    return ", ".join(f"{name} ({guild_id})" if name else str(guild_id) for guild_id, name in guilds.items()) or "none"


async def _primary_keys(connection: Connection) -> dict[str, str]:
    rows = await connection.fetch(
        """
        SELECT relname, string_agg(attname, ', ' ORDER BY array_position(indkey::smallint[], attnum)) AS columns
        FROM pg_index JOIN pg_class ON pg_class.oid = indrelid JOIN pg_attribute ON attrelid = indrelid
        WHERE indisprimary AND attnum = ANY (indkey) AND relname = ANY ($1) AND pg_table_is_visible(indrelid)
        GROUP BY relname
        """,
        list(CARRIED),
    )
    return {row["relname"]: row["columns"] for row in rows}


async def _write_table(
    connection: Connection, path: Path, guild_id: int, table: str, key: str, tally: _Tally
) -> TableFile:
    """Write a table in the order of its key, so that the same rows are the same file."""
    picked = ", ".join(f"kept.{column}" for column in CARRIED[table])
    writer = TableWriter(path)
    cursor = await connection.cursor(
        f"SELECT row_to_json(picked)::text FROM {table} AS kept CROSS JOIN LATERAL (SELECT {picked}) AS picked"  # noqa: S608 - declared
        f" WHERE kept.guild_id = $1 ORDER BY {', '.join(f'kept.{column}' for column in key.split(', '))}",
        guild_id,
    )
    while rows := await cursor.fetch(BATCH):
        writer.add(row[0] for row in rows)
        tally.add(len(rows), f"{guild_id}/{table}")
    return await asyncio.to_thread(writer.close)


# In.


async def _kept_out(connection: Connection, guild_id: int) -> dict[tuple[str, object], int]:
    found: dict[tuple[str, object], int] = {}
    for table, columns in GUARDS.items():
        rows = await connection.fetch(f"SELECT {columns} AND guild_id = $1", guild_id)
        found |= {(table, what): through for what, through in rows}
    return found


def _keeps_less(here: GuildSettings | None, there: GuildSettings | None) -> bool:
    """Say whether managers decided here about keeping, and otherwise than there."""
    if here is None or there is None:
        return False
    may_tell = here.facts.about_others or not there.facts.about_others
    return not may_tell or here.log not in (GuildSettings().log, there.log)


def _chosen(manifest: Manifest, guild_id: int | None) -> Manifest:
    for guild in manifest.guilds:
        if other := CARRIED.keys() ^ guild.tables.keys():
            table = min(other)
            said = f"lacks the table {table}" if table in CARRIED else f"has an unknown table {table[:40]!r}"
            raise Unusable(
                f"The export of {guild} {said}. Import it with the Innkeeper that wrote it, {manifest.innkeeper[:20]}."
            )
    if guild_id is None:
        return manifest
    chosen = tuple(guild for guild in manifest.guilds if guild.guild_id == guild_id)
    if not chosen:
        there = _named({guild.guild_id: guild.name for guild in manifest.guilds})
        raise Unusable(f"The guild {guild_id} is not in this export. It has: {there}.")
    return manifest.model_copy(update={"guilds": chosen})


def _same_schema(manifest: Manifest, version: int) -> None:
    there = manifest.schema_version
    if there > version:
        raise Unusable(f"A newer Innkeeper wrote this export (schema {there}, this one knows {version}). Update first.")
    if there < version:
        raise Unusable(
            f"An older Innkeeper wrote this export (schema {there}, this one has {version}). Import it into an empty"
            f" database with that one, {manifest.innkeeper[:20]}, and start this one on it: it carries it forward."
        )


async def _be_alone(connection: Connection, heard_since: datetime | None) -> None:
    """Refuse beside a process that runs: it has settings and places in its memory, and would write under our hands.

    Those behind a pooler are known by their heartbeat alone, `heard_since` then: the sessions are the pooler's.
    """
    for _ in range(ATTEMPTS):  # one that has just ended may still be seen
        await connection.execute("SELECT pg_stat_clear_snapshot()")
        others: int = await connection.fetchval(
            """
            SELECT (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
                    AND application_name = $1 AND backend_type = 'client backend' AND pid <> pg_backend_pid())
                + (SELECT count(*) FROM process_health WHERE run IS NOT NULL AND beat_at > $2)
            """,
            APPLICATION,
            heard_since,
        )
        if not others:
            return
        await asyncio.sleep(PAUSE_S)
    raise Unusable("Innkeeper runs on this database. Stop it, and run the same command again.")


async def _order(connection: Connection) -> tuple[list[str], set[str]]:
    """Sort the tables: those first that others refer to, or whose rows do something to others on their way in. Give
    also those whose rows refer to each other."""
    keys = await connection.fetch(
        """
        SELECT child.relname AS child, parent.relname AS parent FROM pg_constraint
        JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
        WHERE contype = 'f' AND child.relname = ANY ($1) AND pg_table_is_visible(conrelid)
        """,
        list(CARRIED),
    )
    moving = await connection.fetch(
        """
        SELECT DISTINCT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND tgtype & 4 > 0 AND relname = ANY ($1) AND pg_table_is_visible(tgrelid)
        """,
        list(CARRIED),
    )
    first = {row["relname"] for row in moving}
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for table in CARRIED:
        sorter.add(table, *(() if table in first else first))
    for row in keys:
        if row["child"] != row["parent"]:
            sorter.add(row["child"], row["parent"])
    return list(sorter.static_order()), {row["child"] for row in keys if row["child"] == row["parent"]}


async def _read_table(
    connection: Connection, path: Path, guild_id: int, table: str, refers_to_itself: bool, tally: _Tally
) -> int:
    """Read a table into the database; give how many rows of the guild it had."""
    columns = ", ".join(CARRIED[table])
    into = "incoming" if refers_to_itself else table
    if refers_to_itself:  # all of them at once, or a row would come before the one it refers to
        await connection.execute(f"CREATE TEMPORARY TABLE incoming (LIKE {table}) ON COMMIT DROP")
    taking = f"INSERT INTO {into} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM"
    reading, line = batches(path), 0
    while rows := await asyncio.to_thread(next, reading, None):
        try:
            done = await connection.execute(
                f"{taking} json_populate_recordset(NULL::{table}, $1::text::json) WHERE guild_id = $2",
                f"[{b','.join(rows).decode()}]",
                guild_id,
            )
        except BAD_VALUES as error:
            raise _unfit(path, f"lines {line + 1:,} to {line + len(rows):,}", error) from None
        line += int(done.split()[-1])
        tally.add(sum(map(len, rows)), f"{guild_id}/{table}")
    if refers_to_itself:
        try:
            await connection.execute(
                f"INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE SELECT {columns} FROM incoming"  # noqa: S608 - declared
            )
        except BAD_VALUES as error:
            raise _unfit(path, "a line", error) from None
        await connection.execute("DROP TABLE incoming")
    return line


def _unfit(path: Path, where: str, error: Exception) -> Unusable:
    """Say which rule of the table a row breaks; the text of the error may quote the row."""
    rule = getattr(error, "constraint_name", None) or getattr(error, "column_name", None)
    told = f" ({rule})" if rule else ""
    return Unusable(f"{path}, {where}: a value does not fit its column{told}. Copy the export once more.")


async def _go_on_counting(connection: Connection, guild_ids: Collection[int]) -> None:
    """Set the counters of the database behind the numbers that came in."""
    counted = await connection.fetch(
        """
        SELECT relname, attname, pg_get_serial_sequence(relname, attname) AS counter
        FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
        WHERE relname = ANY ($1) AND pg_table_is_visible(pg_class.oid) AND attnum > 0 AND NOT attisdropped
          AND pg_get_serial_sequence(relname, attname) IS NOT NULL
        """,
        list(CARRIED),
    )
    for table, column, counter in counted:
        last: int | None = await connection.fetchval(
            f"SELECT max({column}) FROM {table} WHERE guild_id = ANY ($1)",  # noqa: S608 - of the catalogue
            list(guild_ids),
        )
        await connection.execute(
            f"SELECT setval($1::text::regclass, greatest($2, last_value)) FROM {counter}",  # noqa: S608 - of the catalogue
            counter,
            last,
        )
