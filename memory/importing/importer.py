"""Imports exported channels: the messages of a file go into the log of their guild as any others do.

One transaction for each batch, so an import that is broken off keeps what it has read, and between two batches the log
is free for what is said meanwhile. Whoever imports a file again passes over what is there: the ids decide.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from memory.audit import Deed, note
from memory.core.clock import Clock
from memory.core.values import Guild
from memory.db.database import Database
from memory.db.errors import DatabaseAway
from memory.db.migrate import migrate
from memory.diagnosis import connection_source
from memory.facts.follow_messages import MessageFollower
from memory.facts.ledger import FactStore
from memory.importing.discord_chat_exporter import Damage, Exported, Header, UnusableExport, read_header, read_messages
from memory.log.store import add_messages, log_transaction, own_ids, stored_of
from memory.people.store import GuildStore
from memory.places.model import Place, PlaceKind
from memory.places.service import PlaceMirror
from memory.settings import MemoryOptions

BATCH = 500
LARGEST_BATCH = 4 << 20
"""Bytes: so many large messages are not read at once."""
PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts while the database is away: a restart of it does not end an import of a whole night."""
MOST_DAMAGES = 20
"""Told one by one; of a file that is broken throughout, more would help nobody."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Counts what became of a file so far."""

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
        """Count messages that were deleted before, or kept out by a decision of a member or the guild."""
        return self.messages - self.stored - self.changed - self.known - self.system - self.broken

    def after(self, batch: Sequence[Exported], *, stored: int, changed: int, known: int) -> "Outcome":
        """Add one more batch of the file."""
        damages = [each.damage for each in batch if each.damage is not None]
        told = [*self.damages, *damages]
        broken = sum(damage.number is not None for damage in damages)
        return replace(
            self,
            done=batch[-1].read_to,
            messages=self.messages + len(batch) - len(damages) + broken,
            stored=self.stored + stored,
            changed=self.changed + changed,
            known=self.known + known,
            system=self.system + sum(each.message is None and each.damage is None for each in batch),
            broken=self.broken + broken,
            # The last always: it may be the one that ends the file.
            damages=told if len(told) <= MOST_DAMAGES else [*told[: MOST_DAMAGES - 1], told[-1]],
        )


class Importer:
    """Imports files into the log. Made by `Importer.open`."""

    def __init__(self, database: Database, options: MemoryOptions, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._guilds = GuildStore(database)
        self._follower = MessageFollower(FactStore(database), options.fact_limit)

    @classmethod
    @asynccontextmanager
    async def open(cls, options: MemoryOptions, clock: Clock) -> "AsyncIterator[Importer]":
        """Open the database of whoever runs beside us, or one that is there until we close."""
        database = await Database.open(connection_source(options), slow_seconds=10.0, max_size=2)
        try:
            await migrate(database, clock.now())
            yield cls(database, options, clock)
        finally:
            await database.close()

    async def file(
        self, path: Path, on_progress: Callable[[Outcome], None], *, new_guild: int | None = None
    ) -> Outcome:
        """Import one file. `UnusableExport` if nothing of it can be."""
        header, size = await asyncio.to_thread(lambda: (read_header(path), path.stat().st_size))
        await self._be_sure_of_guild(header, new_guild)
        outcome = Outcome(path, size)
        async with aclosing(self._batches(path, header)) as batches:
            async for batch in batches:
                outcome = await self._store_patiently(header.guild_id, batch, outcome)
                on_progress(outcome)
        return replace(outcome, done=outcome.size)

    async def _batches(self, path: Path, header: Header) -> AsyncGenerator[list[Exported], None]:
        async with self._database.transaction("importing.own_ids", readonly=True) as connection:
            ours = await own_ids(connection, header.guild_id)
        messages = read_messages(path, header, ours)
        # The next one is read while the database is at work with the last.
        following = asyncio.create_task(asyncio.to_thread(_next_batch, messages))
        try:
            while batch := await following:
                following = asyncio.create_task(asyncio.to_thread(_next_batch, messages))
                yield batch
        finally:
            await asyncio.wait((following,))

    async def _be_sure_of_guild(self, header: Header, new_guild: int | None) -> None:
        known = await self._guilds.names()
        if header.guild_id in known:
            return
        if header.guild_id == new_guild:
            await self._guilds.meet(Guild(header.guild_id, header.guild_name), [], self._clock.now())
            return
        names = ", ".join(f"{name} ({guild_id})" for guild_id, name in known.items()) or "none"
        raise UnusableExport(
            f"This is of a guild that Innkeeper is not in, {header.guild_name} ({header.guild_id}); it knows: {names}",
            f"Invite the bot there and start it once. If it is to come later: --new-guild {header.guild_id}.",
        )

    async def _store_patiently(self, guild_id: int, batch: Sequence[Exported], before: Outcome) -> Outcome:
        """Store all of a batch or nothing of it. Twice is harmless, so a lost database is waited for."""
        for pause in PAUSES:
            try:
                return await self._store(guild_id, batch, before)
            except DatabaseAway:
                await asyncio.sleep(pause)
        return await self._store(guild_id, batch, before)

    async def _store(self, guild_id: int, batch: Sequence[Exported], before: Outcome) -> Outcome:
        said = [each.message for each in batch if each.message is not None]
        async with log_transaction(self._database, "importing.store", guild_id) as connection:
            added = await add_messages(connection, said, imported=True)
            await self._follower.follow(connection, guild_id, added.changed)
            there = await stored_of(connection, guild_id, [message.message_id for message in said])
        changed = len(added.changed)
        known = sum(message.message_id in there for message in said) - added.stored - changed
        return before.after(batch, stored=added.stored, changed=changed, known=known)


def _next_batch(messages: Iterator[Exported]) -> list[Exported]:
    """Take the next messages, as many as are stored at once; empty at the end."""
    batch: list[Exported] = []
    for exported in messages:
        batch.append(exported)
        if len(batch) == BATCH or exported.read_to - batch[0].read_to > LARGEST_BATCH:
            break
    return batch


# Channels that only an import knows: those who manage a guild open them to the readers of a channel of today.
#
# One that is open stands among the places as a public thread of that channel, so that every question about who may read
# it is answered as for any other place. It is closed again by hand, or when that channel goes; what was imported stays.


@dataclass(frozen=True, slots=True)
class ImportedChannel:
    channel_id: int
    messages: int
    first_at: datetime
    last_at: datetime
    readers_of: int | None
    """Whoever can read this channel can read it; None: nobody can."""
    name: str


class ImportedChannels:
    """Lists, opens and closes imported channels, in the process that sees Discord."""

    def __init__(self, database: Database, place_mirror: PlaceMirror, clock: Clock) -> None:
        self._database = database
        self._place_mirror = place_mirror
        self._clock = clock

    async def all(self, guild_id: int) -> list[ImportedChannel]:
        """List a guild's imported channels, the largest first."""
        rows = await self._database.read("importing.channels", _CHANNELS, guild_id)
        found: list[ImportedChannel] = []
        for row in rows:
            place = self._place_mirror.known_place(guild_id, row["channel_id"])
            # Discord has it, as a channel or as a thread of the channel that its messages name.
            if place is not None and (place.kind is not PlaceKind.THREAD or place.parent_id == row["parent_id"]):
                continue
            readers_of, name = (None, "") if place is None else (place.parent_id, place.name)
            span = row["first_at"], row["last_at"]
            found.append(ImportedChannel(row["channel_id"], row["messages"], *span, readers_of, name))
        return found

    async def open(self, guild_id: int, channel_id: int, readers_of: int, name: str, by: int) -> ImportedChannel | None:
        """Open an imported channel to whoever can read another. None: it is none, or those readers are not known."""
        one = await self._one(guild_id, channel_id)
        readers = self._place_mirror.known_place(guild_id, readers_of)
        if one is None or readers is None or readers.kind not in (PlaceKind.CHANNEL, PlaceKind.VOICE):
            return None
        await self._note(guild_id, one, Deed.OPENED_CHANNEL, by)
        self._place_mirror.place(guild_id, Place(channel_id, PlaceKind.THREAD, readers_of, name=name))
        return one

    async def close(self, guild_id: int, channel_id: int, by: int) -> ImportedChannel | None:
        """Close an imported channel to everybody. None: it is no imported channel that is open."""
        one = await self._one(guild_id, channel_id)
        if one is None or one.readers_of is None:
            return None
        self._place_mirror.no_place(guild_id, channel_id)
        await self._note(guild_id, one, Deed.CLOSED_CHANNEL, by)
        return one

    async def _one(self, guild_id: int, channel_id: int) -> ImportedChannel | None:
        return next((one for one in await self.all(guild_id) if one.channel_id == channel_id), None)

    async def _note(self, guild_id: int, one: ImportedChannel, deed: Deed, by: int) -> None:
        async with self._database.transaction("importing.note") as connection:
            at, channel_id = self._clock.now(), one.channel_id
            await note(connection, guild_id, by, deed, at, channel_id=channel_id, items=one.messages)


_CHANNELS = """
SELECT channel_id, count(*) AS messages, min(sent_at) AS first_at, max(sent_at) AS last_at, min(parent_id) AS parent_id
FROM chat_history WHERE guild_id = $1 AND imported GROUP BY channel_id ORDER BY messages DESC, channel_id
"""
