"""The import of exported channels: pieces of a file, one transaction each, into the log of their guild.

What the log holds is the only note of progress, so it cannot be wrong: whoever runs an import again passes quickly over
what is there and goes on behind it. Between two pieces the log is free for what is said meanwhile.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from memory.core.clock import Clock
from memory.core.model import Guild
from memory.importing.chat_export import Translated, Translator, identified
from memory.importing.damage import Damage, UnusableExport
from memory.importing.header import Header, read_header
from memory.importing.message_array import MessageArray, Piece, place_of
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

LEFT_OUT = "If the file was changed by hand, export the channel again; the rest of it is imported."


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
    """Made by `async with Importing.open(...)`."""

    def __init__(self, database: Database, options: MemoryOptions, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._guilds = GuildStore(database)
        self._restating = Restating(FactStore(database, options.fact_blob_aim), clock, options.fact_limit)

    @classmethod
    async def open(cls, options: MemoryOptions, clock: Clock) -> "Importing":
        """The database of whoever runs beside us, or our own until we close."""
        database = await Database.open(connection_source(options), slow_seconds=10.0, max_size=2)
        try:
            await migrate(database, clock.now())
        except BaseException:
            await database.close()
            raise
        return cls(database, options, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._database.close()

    async def file(self, path: Path, on_progress: OnProgress, *, new_guild: int | None = None) -> Outcome:
        """Import one file. `UnusableExport` if nothing of it can be."""
        header, size = await asyncio.to_thread(lambda: (read_header(path), path.stat().st_size))
        await self._be_sure_of_guild(header, new_guild)
        outcome = Outcome(path, size)
        async with self._database.transaction("importing.own_ids", readonly=True) as connection:
            own_ids = await bulk.own_ids(connection, header.guild_id)
        with path.open("rb") as file:
            await _Channel(self, header, file, Translator(header, own_ids), outcome).run(on_progress)
        return outcome

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

    async def missing(self, guild_id: int, piece: Piece) -> list[int]:
        """The positions of what is worth a closer look."""
        ids, edited_at = identified(piece)
        async with self._database.transaction("importing.missing", readonly=True) as connection:
            return await bulk.missing(connection, guild_id, ids, edited_at)

    async def store(self, guild_id: int, translated: Translated) -> bulk.BulkAdded:
        """All of a piece or nothing of it. Storing twice is harmless, so a lost database is waited for."""
        pause = FIRST_PAUSE
        for _ in range(ATTEMPTS - 1):
            try:
                return await self._store(guild_id, translated)
            except DatabaseAway:
                await asyncio.sleep(pause)
                pause *= 2
        return await self._store(guild_id, translated)

    async def _store(self, guild_id: int, translated: Translated) -> bulk.BulkAdded:
        async with self._database.transaction("importing.store") as connection:
            await own_log(connection, guild_id)
            added = await bulk.add_in_bulk(connection, translated.plain, translated.rich)
            await self._restating.follow(connection, guild_id, added.changed)
        return added


class _Channel:
    """One file on its way in: the next piece is read and translated while the last one is being stored."""

    def __init__(
        self, importing: Importing, header: Header, file: BinaryIO, translator: Translator, outcome: Outcome
    ) -> None:
        self._importing = importing
        self._guild_id = header.guild_id
        self._array = MessageArray(file, header.messages_at)
        self._translator = translator
        self._outcome = outcome
        self._seems_known = False
        """The last piece was in the log already, so the next one probably is."""

    async def run(self, on_progress: OnProgress) -> None:
        following = asyncio.create_task(self._next())
        try:
            while (ready := await following) is not None:
                following = asyncio.create_task(self._next())
                await self._take(*ready)
                on_progress(self._outcome)
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        self._outcome.done = self._outcome.size

    async def _next(self) -> tuple[Piece, Translated] | None:
        if not self._seems_known:
            return await asyncio.to_thread(self._read)
        piece = await asyncio.to_thread(self._array.read)
        if piece is None:
            return None
        wanted = await self._importing.missing(self._guild_id, piece)
        return piece, await asyncio.to_thread(self._translator.translate, piece, wanted)

    def _read(self) -> tuple[Piece, Translated] | None:
        piece = self._array.read()
        return None if piece is None else (piece, self._translator.translate(piece))

    async def _take(self, piece: Piece, translated: Translated) -> None:
        outcome = self._outcome
        offered = len(translated.plain) + len(translated.rich)
        passed_over = len(piece.messages) - offered - translated.system - len(translated.misfits)
        added = await self._importing.store(self._guild_id, translated) if offered else bulk.BulkAdded(0, 0, [])
        self._seems_known = passed_over + added.known > len(piece.messages) // 2
        outcome.messages += len(piece.messages) + sum(damage.index is not None for damage in piece.damages)
        outcome.stored += added.stored
        outcome.changed += len(added.changed)
        outcome.known += passed_over + added.known
        outcome.system += translated.system
        outcome.done = piece.end
        for damage in piece.damages:
            outcome.note(damage)
        for position, lack in translated.misfits:
            index = piece.index_of(position)
            what = f"Message {index} is not as the exporter writes it ({lack}) and was left out"
            outcome.note(Damage(what, LEFT_OUT, place_of(outcome.path, piece, position), index))
