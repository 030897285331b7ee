"""The import of exported channels: pieces of a file, one transaction each, into the log of their guild.

Each of them also notes how far the file has been stored, so that an interrupted import goes on from there. A finished
file is forgotten: whoever imports it again passes over what is there, and brings in what may be stored by now. Between
two pieces the log is free for what is said meanwhile.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from memory.connecting import connection_source
from memory.core.clock import Clock
from memory.core.model import Guild
from memory.importing.blocks import reading_processes
from memory.importing.chat_export import Translated, identified
from memory.importing.damage import Damage, UnusableExport
from memory.importing.fingerprint import fingerprint
from memory.importing.header import Header, read_header
from memory.importing.message_array import MessageArray, Piece
from memory.importing.outcome import Outcome
from memory.importing.pace import made_for_reading
from memory.importing.parts import Parts
from memory.restating import Restating
from memory.settings import MemoryOptions
from memory.store import bulk
from memory.store.database import Database
from memory.store.errors import DatabaseAway
from memory.store.facts import FactStore
from memory.store.guilds import GuildStore
from memory.store.imports import forget_import, import_note, note_import
from memory.store.log import log_transaction
from memory.store.migrate import migrate

ATTEMPTS = 6
FIRST_PAUSE = 0.5

OnProgress = Callable[[Outcome], None]


class Importing:
    """Made by `Importing.open`, for a process that does nothing else meanwhile."""

    def __init__(self, database: Database, processes: Executor, options: MemoryOptions, clock: Clock) -> None:
        self._database = database
        self._processes = processes
        self._clock = clock
        self._guilds = GuildStore(database)
        self._restating = Restating(FactStore(database, options.fact_blob_aim), clock, options.fact_limit)

    @classmethod
    @asynccontextmanager
    async def open(cls, options: MemoryOptions, clock: Clock) -> "AsyncIterator[Importing]":
        """With the database of whoever runs beside us, or one that is there until we close."""
        database = await Database.open(connection_source(options), slow_seconds=10.0, max_size=2)
        try:
            await migrate(database, clock.now())
            with reading_processes() as processes, made_for_reading():
                yield cls(database, processes, options, clock)
        finally:
            await database.close()

    async def file(
        self,
        path: Path,
        on_progress: OnProgress,
        *,
        on_resume: OnProgress | None = None,
        new_guild: int | None = None,
    ) -> Outcome:
        """Import one file. `UnusableExport` if nothing of it can be."""
        header, mark, size = await asyncio.to_thread(
            lambda: (read_header(path), fingerprint(path), path.stat().st_size)
        )
        await self._be_sure_of_guild(header, new_guild)
        outcome, own_ids = await self._begin(Outcome(path, size), header.guild_id, mark)
        if outcome.resumed_at and on_resume is not None:
            on_resume(outcome)
        with path.open("rb") as file:
            start = outcome.resumed_at or header.messages_at
            parts = Parts(path, file, header, own_ids, start=start, processes=self._processes, missing=self._missing)
            async with aclosing(parts.read()) as each:
                async for part in each:
                    before = outcome
                    outcome = await self._store_patiently(header.guild_id, mark, part, before)
                    parts.seem_known = outcome.known - before.known > part.messages // 2
                    on_progress(outcome)
        async with self._database.transaction("importing.finish") as connection:
            await forget_import(connection, header.guild_id, mark)
        return replace(outcome, done=size)

    async def stored(self, path: Path) -> AsyncGenerator[tuple[Header, list[dict[str, Any]]], None]:
        """Of a file that has been imported: the messages that the log has, as the exporter wrote them."""
        header = await asyncio.to_thread(read_header, path)
        with path.open("rb") as file:
            array = MessageArray(file, header.messages_at)
            while (piece := await asyncio.to_thread(array.read)) is not None:
                absent = set(await self._missing(header.guild_id, piece))
                yield header, [each for position, each in enumerate(piece.messages) if position not in absent]

    async def _begin(self, outcome: Outcome, guild_id: int, mark: str) -> tuple[Outcome, frozenset[int]]:
        """Where to go on, and who we are in that guild."""
        async with self._database.transaction("importing.begin") as connection:
            own_ids = await bulk.own_ids(connection, guild_id)
            note = await import_note(connection, guild_id, mark)
            if note is None:
                return outcome, own_ids
            resumed = outcome.resumed(note.outcome, note.stored_to)
            if resumed.refused and not note.is_same_policy:
                # What was kept out might be let in by now, so all of the file is looked at again.
                await forget_import(connection, guild_id, mark)
                return outcome, own_ids
        return resumed, own_ids

    async def _be_sure_of_guild(self, header: Header, new_guild: int | None) -> None:
        async with self._database.transaction("importing.guilds", readonly=True) as connection:
            known = await bulk.guild_names(connection)
        if header.guild_id in known:
            return
        if header.guild_id == new_guild:
            await self._guilds.meet(Guild(header.guild_id, header.guild_name), [], self._clock.now())
            return
        names = ", ".join(f"{name} ({guild_id})" for guild_id, name in known.items()) or "none"
        raise UnusableExport(
            Damage(
                f"This is of a guild that Innkeeper is not in, {header.guild_name} ({header.guild_id});"
                f" it knows: {names}",
                f"Invite the bot there and start it once. If it is to come later: --new-guild {header.guild_id}.",
                0,
            )
        )

    async def _missing(self, guild_id: int, piece: Piece) -> list[int]:
        """The positions of what is worth a closer look."""
        ids, edited_at = identified(piece)
        async with self._database.transaction("importing.missing", readonly=True) as connection:
            return await bulk.missing(connection, guild_id, ids, edited_at)

    async def _store_patiently(self, guild_id: int, mark: str, part: Translated, before: Outcome) -> Outcome:
        """All of a piece or nothing of it. Storing twice is harmless, so a lost database is waited for."""
        pause = FIRST_PAUSE
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._store(guild_id, mark, part, before)
            except DatabaseAway:
                await asyncio.sleep(pause)
                pause *= 2
        return await self._store(guild_id, mark, part, before)

    async def _store(self, guild_id: int, mark: str, part: Translated, before: Outcome) -> Outcome:
        async with log_transaction(self._database, "importing.store", guild_id) as connection:
            added = bulk.BulkAdded() if part.packed is None else await bulk.add_in_bulk(connection, part.packed)
            await self._restating.follow(connection, guild_id, added.changed)
            outcome = before.after(part, added)
            if part.has_ended:
                # Behind it are no messages that one could go on with.
                await forget_import(connection, guild_id, mark)
            else:
                await note_import(connection, guild_id, mark, part.end, outcome.noted())
        return outcome
