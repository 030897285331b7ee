"""Exports what is held on a member or of a channel, counted for the one who asks or written into a file for them.

The file is read from one moment of the database and written row by row, so that a long history takes no more memory
than a short one. It holds what its reader may read and nothing else; what that means is said in the queries.

Writing one may take minutes, and connections of the database are few: some are kept for it, and a member has one at a
time.
"""

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from io import BufferedIOBase, BufferedRandom
from pathlib import Path

import orjson

from memory.audit import AuditLog, Deed, note
from memory.core.clock import Clock
from memory.core.log_values import OnProgress, untold
from memory.db.database import RESERVED, Database, Lane
from memory.people.names import MENTION, mentioned_ids
from memory.places.view import Audience
from memory.privacy.export_queries import (
    CHANNEL_SECTIONS,
    MEMBER_SECTIONS,
    ExportNotWritten,
    ExportUnderWay,
    HeldOnMember,
    Inventory,
    Row,
    Section,
    Signposts,
    Snapshot,
    Stock,
    snapshot_of,
)

logger = logging.getLogger(__name__)

# A JSON document that people can read, written as it comes: a head, then lists of rows under their names.


_IN_HEAD, _IN_LIST = b"\n    ", b"\n      "


@contextmanager
def written_to_disk() -> Iterator[None]:
    """Say that our own disk is full: within a transaction it would be taken for the database's."""
    try:
        yield
    except OSError as error:
        logger.error("cannot write an export under DATA_DIR: %s", error.strerror)
        raise ExportNotWritten from error


class ExportFile:
    def __init__(self, file: BufferedIOBase) -> None:
        self._file = file
        self._is_first_list = True
        self._rows = 0

    def head(self, values: Mapping[str, object]) -> None:
        """Write the head, which comes first, and once; everything else stands under "held"."""
        self._write(orjson.dumps(values, option=orjson.OPT_INDENT_2).removesuffix(b"\n}") + b',\n  "held": {')

    def begin(self, name: str) -> None:
        self._write((b"" if self._is_first_list else b",") + _IN_HEAD + orjson.dumps(name) + b": [")
        self._is_first_list = False
        self._rows = 0

    def rows(self, rows: Sequence[object]) -> None:
        for row in rows:
            # A line break inside of a text is written as \n, so every real one is of the layout.
            written = orjson.dumps(row, option=orjson.OPT_INDENT_2).replace(b"\n", _IN_LIST)
            self._write((b"," if self._rows else b"") + _IN_LIST + written)
            self._rows += 1

    def end(self) -> None:
        self._write(_IN_HEAD + b"]" if self._rows else b"]")

    def close(self) -> None:
        """Complete the document; the file stays open."""
        self._write(b"\n  }\n}\n")
        with written_to_disk():
            self._file.flush()

    def _write(self, piece: bytes) -> None:
        with written_to_disk():
            self._file.write(piece)


# Rows of the store as somebody outside can read them: names beside ids, ids as text, links to what can be opened.
#
# Ids are text because many programs round numbers of that size. Deleted and unreadable messages have no link. Facts are
# numbered anew in each file: their ids in the ledger count what everybody told.


_PEOPLE = {
    "subject_id": "about",
    "teller_id": "told_by",
    "actor_id": "by",
    "author_id": "author",
    "asker_id": "asked_by",
    "user_id": "about",
    "made_by": "made_by",
}
_FACTS = frozenset(("fact_id", "replaced_by_id", "fact_ids", "used_fact_ids", "quoted_fact_ids"))


class Shaping:
    """Words the rows of one export: whoever was looked up once is known."""

    def __init__(self, snapshot: Snapshot, reader: Audience, signposts: Signposts) -> None:
        self._snapshot = snapshot
        self._reader = reader
        self._signposts = signposts
        self._names: dict[int, str | None] = {}
        self._numbers: dict[object, int] = {}
        """Of facts, in the order in which the file names them."""

    async def shaped(self, rows: Sequence[Row]) -> list[Row]:
        await self._learn_names(rows)
        return [self._shape(row) for row in rows]

    async def _learn_names(self, rows: Iterable[Row]) -> None:
        met = {user_id for row in rows for user_id in _people_in(row)} - self._names.keys()
        if met:
            known = await self._snapshot.names(met)
            self._names.update({user_id: known.get(user_id) for user_id in met})

    def _shape(self, row: Row) -> Row:
        shaped: Row = {}
        for column, value in row.items():
            if value is None or column == "link_id":
                continue
            if column in _PEOPLE:
                shaped[_PEOPLE[column]] = self._named(value, self._names.get(value))
            elif column == "channel_id":
                shaped["channel"] = self._channel(value)
            elif column == "made_from_channels":
                shaped[column] = [self._channel(channel_id) for channel_id in value]
            elif column == "extras":
                shaped |= value
            elif column.endswith("_ids"):
                shaped[column] = [self._id(column, one) for one in value]
            else:
                shaped[column] = self._id(column, value) if column.endswith("_id") else value
        if "text" in shaped and (reads := self._with_names(shaped["text"])) != shaped["text"]:
            shaped["text_with_names"] = reads
        if row.get("link_id") and row["channel_id"] in self._reader.sources:
            shaped["link"] = self._signposts.link(row["channel_id"], row["link_id"])
        return shaped

    def _id(self, column: str, one: object) -> str:
        return str(self._numbers.setdefault(one, len(self._numbers) + 1) if column in _FACTS else one)

    def _channel(self, channel_id: int) -> Row:
        return self._named(channel_id, self._signposts.channel_names.get(channel_id))

    def _named(self, one: int, name: str | None) -> Row:
        return {"id": str(one)} if name is None else {"id": str(one), "name": name}

    def _with_names(self, text: str) -> str:
        return MENTION.sub(lambda found: self._names.get(int(found[1])) or found[0], text)


def _people_in(row: Row) -> Iterable[int]:
    yield from (row[column] for column in _PEOPLE if row.get(column) is not None)
    yield from mentioned_ids(row.get("text") or "")


LOOKS_SHOWN = 3


class Exports:
    def __init__(self, database: Database, clock: Clock, folder: Path) -> None:
        """Keep in `folder` what is being written, for as long as it takes."""
        self._database = database
        self._folder = folder
        self._audit = AuditLog(database)
        self._clock = clock
        self._turns = asyncio.Semaphore(RESERVED[Lane.EXPORT])
        self._under_way: set[int] = set()
        """Members who are waiting for one."""

    @contextmanager
    def file(self) -> Iterator[BufferedRandom]:
        """Open a file without a name: nobody else opens it, and nothing of it is left, however this process ends."""
        with written_to_disk():
            self._folder.mkdir(parents=True, exist_ok=True)
            file = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115 - closed below
        try:
            yield file
        finally:
            with suppress(OSError):  # what could not be written would be tried once more
                file.close()

    async def held_on(self, reader: Audience) -> HeldOnMember:
        """Count what is held on the one who reads it."""
        member_id = _viewer(reader)
        async with snapshot_of(self._database, reader, member_id, self._clock.now()) as snapshot:
            held = await _amounts(snapshot, MEMBER_SECTIONS)
            word = await snapshot.word()
        looks = await self._audit.of_member(reader, member_id, skip=0, most=LOOKS_SHOWN)
        return HeldOnMember(held, looks, **word)

    async def held_of_channel(self, reader: Audience, channel_id: int) -> Inventory:
        """Count what is held of a channel and its threads, for a manager; that they looked is written down."""
        async with snapshot_of(self._database, reader, channel_id, self._clock.now()) as snapshot:
            found = await _amounts(snapshot, CHANNEL_SECTIONS)
        await self._note(reader, Deed.SHOWED_CHANNEL, channel_id, found)
        return found

    async def of_member(
        self, reader: Audience, signposts: Signposts, file: BufferedIOBase, on_progress: OnProgress = untold
    ) -> Inventory:
        """Write everything that is held on the one who reads it; give how much that was."""
        return await self._write(reader, _viewer(reader), MEMBER_SECTIONS, signposts, file, on_progress)

    async def of_channel(
        self,
        reader: Audience,
        signposts: Signposts,
        file: BufferedIOBase,
        on_progress: OnProgress = untold,
        *,
        channel_id: int,
    ) -> Inventory:
        """Write what is held of a channel and its threads, as far as the manager can read it themselves.

        That they took it is written down before they get it.
        """
        held = await self._write(reader, channel_id, CHANNEL_SECTIONS, signposts, file, on_progress)
        await self._note(reader, Deed.EXPORTED_CHANNEL, channel_id, held)
        return held

    async def _write(
        self,
        reader: Audience,
        of: int,
        sections: Sequence[Section],
        signposts: Signposts,
        file: BufferedIOBase,
        on_progress: OnProgress,
    ) -> Inventory:
        now, out = self._clock.now(), ExportFile(file)
        async with self._turn(_viewer(reader)), snapshot_of(self._database, reader, of, now, Lane.EXPORT) as snapshot:
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
                    if section.kind is Stock.MESSAGES:
                        await on_progress(written, held.of(Stock.MESSAGES).count)
                out.end()
        out.close()
        return held

    @asynccontextmanager
    async def _turn(self, member_id: int) -> AsyncIterator[None]:
        if member_id in self._under_way:
            raise ExportUnderWay
        self._under_way.add(member_id)
        try:
            async with self._turns:
                yield
        finally:
            self._under_way.discard(member_id)

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
