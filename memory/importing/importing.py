"""The import of exported channels: pieces of a file, one transaction each, into the log of their guild.

What the log holds is the only note of progress, so it cannot be wrong: whoever runs an import again passes quickly over
what is there and goes on behind it. Between two pieces the log is free for what is said meanwhile.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from memory.core.clock import Clock
from memory.core.model import Guild
from memory.importing.blocks import reading_processes
from memory.importing.chat_export import Translated, identified
from memory.importing.damage import Damage, UnusableExport
from memory.importing.header import Header, read_header
from memory.importing.message_array import Piece
from memory.importing.pace import made_for_reading
from memory.importing.parts import Parts
from memory.manager import connection_source
from memory.restating import Restating
from memory.settings import MemoryOptions
from memory.store import bulk
from memory.store.database import Database
from memory.store.errors import DatabaseAway
from memory.store.facts import FactStore
from memory.store.guilds import GuildStore
from memory.store.log import own_log
from memory.store.migrate import migrate

ATTEMPTS = 6
FIRST_PAUSE = 0.5
MOST_DAMAGES = 20
"""Told one by one; of a file that is broken throughout, more would help nobody."""


@dataclass(slots=True)
class Outcome:
    """What became of a file so far."""

    path: Path
    size: int
    done: int = 0
    """Bytes."""
    messages: int = 0
    stored: int = 0
    changed: int = 0
    known: int = 0
    system: int = 0
    """Written by Discord itself: joins, pins. They are not kept."""
    broken: int = 0
    damages: list[Damage] = field(default_factory=list)

    @property
    def refused(self) -> int:
        """Deleted before, or kept out by a decision of a member or the guild."""
        return self.messages - self.stored - self.changed - self.known - self.system - self.broken

    def note(self, damage: Damage) -> None:
        self.broken += damage.index is not None
        if len(self.damages) < MOST_DAMAGES:
            self.damages.append(damage)


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

    async def file(self, path: Path, on_progress: OnProgress, *, new_guild: int | None = None) -> Outcome:
        """Import one file. `UnusableExport` if nothing of it can be."""
        header, size = await asyncio.to_thread(lambda: (read_header(path), path.stat().st_size))
        await self._be_sure_of_guild(header, new_guild)
        outcome = Outcome(path, size)
        async with self._database.transaction("importing.own_ids", readonly=True) as connection:
            own_ids = await bulk.own_ids(connection, header.guild_id)
        with path.open("rb") as file:
            parts = Parts(path, file, header, own_ids, processes=self._processes, missing=self._missing)
            async with aclosing(parts.read()) as each:
                async for part in each:
                    known = await self._take(header.guild_id, part, outcome)
                    parts.seem_known = known > part.messages // 2
                    on_progress(outcome)
        outcome.done = size
        return outcome

    async def _take(self, guild_id: int, part: Translated, outcome: Outcome) -> int:
        """Store a part and count it; how much of it was known."""
        added = await self._store_patiently(guild_id, part)
        known = part.passed_over + added.known
        for damage in part.damages:
            outcome.note(damage.behind(outcome.messages))
        outcome.messages += part.messages
        outcome.stored += added.stored
        outcome.changed += len(added.changed)
        outcome.known += known
        outcome.system += part.system
        outcome.done = part.end
        return known

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

    async def _store_patiently(self, guild_id: int, part: Translated) -> bulk.BulkAdded:
        """All of a piece or nothing of it. Storing twice is harmless, so a lost database is waited for."""
        pause = FIRST_PAUSE
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._store(guild_id, part)
            except DatabaseAway:
                await asyncio.sleep(pause)
                pause *= 2
        return await self._store(guild_id, part)

    async def _store(self, guild_id: int, part: Translated) -> bulk.BulkAdded:
        if part.packed is None:
            return bulk.BulkAdded()
        async with self._database.transaction("importing.store") as connection:
            await own_log(connection, guild_id)
            added = await bulk.add_in_bulk(connection, part.packed)
            await self._restating.follow(connection, guild_id, added.changed)
        return added
