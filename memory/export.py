"""What is held on a member or of a channel, counted for the one who asks or written into a file for them.

The file is read from one moment of the database and written row by row, so that a long history takes no more memory
than a short one. It holds what its reader may read and nothing else; what that means is said in the queries.

Writing one may take minutes, and connections of the database are few: some are kept for it, and a member has one at a
time.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedIOBase, BufferedRandom
from pathlib import Path

from memory.audit import AuditStore, Deed, note
from memory.core.clock import Clock
from memory.core.holdings import Exported, ExportUnderWay, HeldOnMember, Inventory, OnRows, Signposts, Stock
from memory.db.database import RESERVED, Database, Lane
from memory.export_file import ExportFile
from memory.export_rows import Shaping
from memory.places.view import Audience
from memory.store.export import ExportStore, Section, Snapshot
from memory.store.export_channel import CHANNEL_SECTIONS
from memory.store.export_member import MEMBER_SECTIONS

LOOKS_SHOWN = 3


class Exports:
    def __init__(self, database: Database, clock: Clock, folder: Path) -> None:
        """In `folder` lies what is being written, for as long as it takes."""
        self._database = database
        self._folder = folder
        self._store = ExportStore(database)
        self._audit = AuditStore(database)
        self._clock = clock
        self._turns = asyncio.Semaphore(RESERVED[Lane.EXPORT])
        self._under_way: set[int] = set()
        """Members who are waiting for one."""

    @contextmanager
    def file(self) -> Iterator[BufferedRandom]:
        """Of no name, so that nobody else opens it and nothing of it is left, however this process ends."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self._folder) as file:
            yield file

    async def held_on(self, reader: Audience) -> HeldOnMember:
        """What is held on the one who reads it."""
        member_id = _viewer(reader)
        async with self._store.snapshot(reader, member_id, self._clock.now()) as snapshot:
            held = await _amounts(snapshot, MEMBER_SECTIONS)
            is_stored, decided_at, erased_at = await snapshot.word()
        looks = await self._audit.of_member(reader, member_id, skip=0, most=LOOKS_SHOWN)
        return HeldOnMember(held, looks, is_stored, decided_at, erased_at)

    async def held_of_channel(self, reader: Audience, channel_id: int) -> Inventory:
        """What is held of a channel and its threads, for somebody who manages it; that they looked is written down."""
        async with self._store.snapshot(reader, channel_id, self._clock.now()) as snapshot:
            found = await _amounts(snapshot, CHANNEL_SECTIONS)
        await self._note(reader, Deed.SHOWED_CHANNEL, channel_id, found)
        return found

    async def of_member(
        self, reader: Audience, signposts: Signposts, file: BufferedIOBase, on_rows: OnRows | None = None
    ) -> Exported:
        """Everything that is held on the one who reads it."""
        member_id = _viewer(reader)
        return await self._write(reader, member_id, MEMBER_SECTIONS, signposts, file, on_rows)

    async def of_channel(
        self,
        reader: Audience,
        channel_id: int,
        signposts: Signposts,
        file: BufferedIOBase,
        on_rows: OnRows | None = None,
    ) -> Exported:
        """What is held of a channel and its threads, as far as the one who manages it can read it themselves.

        That they took it is written down before they get it.
        """
        exported = await self._write(reader, channel_id, CHANNEL_SECTIONS, signposts, file, on_rows)
        await self._note(reader, Deed.EXPORTED_CHANNEL, channel_id, exported.held)
        return exported

    async def _write(
        self,
        reader: Audience,
        of: int,
        sections: Sequence[Section],
        signposts: Signposts,
        file: BufferedIOBase,
        on_rows: OnRows | None,
    ) -> Exported:
        member_id = _viewer(reader)
        if member_id in self._under_way:
            raise ExportUnderWay
        self._under_way.add(member_id)
        try:
            async with self._turns:
                return await self._collect(reader, of, sections, signposts, file, on_rows)
        finally:
            self._under_way.discard(member_id)

    async def _collect(
        self,
        reader: Audience,
        of: int,
        sections: Sequence[Section],
        signposts: Signposts,
        file: BufferedIOBase,
        on_rows: OnRows | None,
    ) -> Exported:
        now = self._clock.now()
        out = ExportFile(file)
        async with self._store.snapshot(reader, of, now, Lane.EXPORT) as snapshot:
            held = await _amounts(snapshot, sections)
            out.head(
                {
                    "about": list(signposts.notes),
                    "made_at": now,
                    "server": {"id": str(reader.guild_id), "name": signposts.guild_name},
                    "of": str(of),
                    "counts": {amount.kind.value: amount.count for amount in held.amounts},
                }
            )
            shaping = Shaping(snapshot, reader, signposts)
            for section in sections:
                written = 0
                out.begin(section.kind.value)
                async for rows in snapshot.rows(section):
                    out.rows(await shaping.shaped(rows))
                    written += len(rows)
                    if on_rows is not None and section.kind is Stock.MESSAGES:
                        await on_rows(written, held.of(Stock.MESSAGES).count)
                out.end()
        out.close()
        return Exported(held, out.size)

    async def _note(self, reader: Audience, deed: Deed, channel_id: int, held: Inventory) -> None:
        items = held.of(Stock.MESSAGES).count
        async with self._database.transaction("export.note") as connection:
            now, actor_id = self._clock.now(), _viewer(reader)
            await note(connection, reader.guild_id, actor_id, deed, now, channel_id=channel_id, items=items)


async def _amounts(snapshot: Snapshot, sections: Sequence[Section]) -> Inventory:
    return Inventory(tuple([await snapshot.amount(section) for section in sections]))


def _viewer(reader: Audience) -> int:
    if reader.viewer_id is None:
        raise ValueError("what is held is shown to one reader alone")
    return reader.viewer_id
