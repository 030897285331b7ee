"""Channels that only an import knows: those who manage a guild open them to the readers of a channel of today.

One that is open stands among the places as a public thread of that channel, so that every question about who may read
it is answered as for any other place. It is closed again by hand, or when that channel goes; what was imported stays.
"""

from dataclasses import dataclass
from datetime import datetime

from memory.audit import Deed, note
from memory.core.clock import Clock
from memory.db.database import Database
from memory.places.mirror import PlaceMirror
from memory.places.model import Place, PlaceKind


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
    """For the process that sees Discord."""

    def __init__(self, database: Database, place_mirror: PlaceMirror, clock: Clock) -> None:
        self._database = database
        self._place_mirror = place_mirror
        self._clock = clock

    async def all(self, guild_id: int) -> list[ImportedChannel]:
        """The largest first."""
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
        """To whoever can read a channel. None: it is no imported channel, or those readers are not known."""
        one = await self._one(guild_id, channel_id)
        readers = self._place_mirror.known_place(guild_id, readers_of)
        if one is None or readers is None or readers.kind not in (PlaceKind.CHANNEL, PlaceKind.VOICE):
            return None
        await self._note(guild_id, one, Deed.OPENED_CHANNEL, by)
        self._place_mirror.place(guild_id, Place(channel_id, PlaceKind.THREAD, readers_of, name=name))
        return one

    async def close(self, guild_id: int, channel_id: int, by: int) -> ImportedChannel | None:
        """To everybody. None: it is no imported channel that is open."""
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
