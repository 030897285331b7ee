"""Replies of ours that have to be taken back: told to whoever speaks on Discord, one process at a time.

Whoever sees Discord also holds them against those who can read them by now.
"""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import datetime

from memory.core.clock import Clock
from memory.core.taking_back import Borrowed, Retraction, Viewers, is_exposed
from memory.db.database import Database
from memory.leases import Leases, LeaseStore
from memory.places.mirror import PlaceMirror
from memory.places.model import PlaceKind
from memory.places.view import GuildView
from memory.store.changes import ChangeStore
from memory.store.taking_back import TakingBackStore

MOST_AT_ONCE = 50


class TakingBack:
    def __init__(self, database: Database, clock: Clock, seeing: PlaceMirror) -> None:
        self._seeing = seeing
        self._store = TakingBackStore(database)
        self._changes = ChangeStore(database)
        self._claims = Leases(LeaseStore(database), clock)
        self._clock = clock
        self._marked = asyncio.Event()
        self._checked: dict[int, int] = {}
        """The version of each guild's view that its replies were last held against."""
        self._unchanged_until: dict[int, datetime] = {}
        """When that version was last seen to hold still: until then, whoever is noted as a viewer saw the place."""

    def wake(self) -> None:
        """Something was deleted or changed: perhaps we quoted it."""
        self._marked.set()

    async def marked(self, seconds: float) -> bool:
        """Waits until something may have to be taken back, or the time is up; whether it was woken."""
        try:
            async with asyncio.timeout(seconds):
                await self._marked.wait()
        except TimeoutError:
            return False
        self._marked.clear()
        return True

    async def check_readers(self, guild_id: int) -> None:
        """Mark what stands where somebody came who could not read a channel that it was made from.

        Only after something changed that decides who sees what, and never while that is not known.
        """
        view, now = self._seeing.view(guild_id), self._clock.now()
        version = view.version
        if not view.is_open:
            return
        if self._checked.get(guild_id) == version:
            self._unchanged_until[guild_id] = now
            return
        self._checked[guild_id] = version  # first, so that whoever wants another check meanwhile gets one
        try:
            before = await self._store.viewers(guild_id)
            since = max(before.checked_at, self._unchanged_until.get(guild_id, before.checked_at))
            borrowed = await self._store.borrowed(guild_id, since)
            # All of one moment, so nothing is awaited; if it is a later one, it is looked at once more.
            view = self._seeing.view(guild_id)
            if not view.is_open:
                return
            exposed = [asked_in for one in borrowed if self._is_exposed(one, view, before) for asked_in in one.asked_in]
            await self._store.note_viewers(guild_id, self._viewers(view, before, now), exposed)
        except BaseException:
            self.check_again(guild_id)
            raise
        if exposed:
            self.wake()

    def unchanged_until(self, guild_id: int) -> datetime | None:
        """When it was last seen that nobody had come or gone since the viewers were noted."""
        return self._unchanged_until.get(guild_id)

    def check_again(self, guild_id: int) -> None:
        """A receipt came after its reply: nobody knows who came in between."""
        self._checked.pop(guild_id, None)

    def _viewers(self, view: GuildView, before: Viewers, now: datetime) -> Viewers:
        """Where nobody is seen, who is in a private thread may only not be known yet."""
        seen = {room: view.viewers(room) for room in self._seeing.rooms(view.guild_id)}
        people = {bits: view.people(bits) for bits in frozenset(seen.values())}
        return Viewers.of_rooms(now, {room: people[bits] or before.of(room) for room, bits in seen.items()})

    def _is_exposed(self, borrowed: Borrowed, view: GuildView, before: Viewers) -> bool:
        """Of what is newer than the last look, nobody knows who saw it when it was said."""
        place = self._seeing.known_place(view.guild_id, borrowed.channel_id)
        if place is None:
            return False
        room = place.parent_id if place.kind is PlaceKind.THREAD else place.channel_id
        known = frozenset() if borrowed.is_new or room is None else before.of(room)
        return is_exposed(view, borrowed.channel_id, borrowed.sources, known)

    async def guilds(self, guild_ids: Collection[int]) -> list[int]:
        return await self._store.guilds(guild_ids, self._clock.now())

    @asynccontextmanager
    async def due(self, guild_id: int, but: Collection[int] = ()) -> AsyncIterator[list[Retraction]]:
        """What is due in a guild, for this process alone; nothing while another is at it."""
        async with self._claims.held(guild_id, "taking back") as claim:
            yield [] if claim is None else await self._store.due(guild_id, self._clock.now(), MOST_AT_ONCE, but)

    async def is_due(self, due: Retraction) -> bool:
        """Whether it still has to be: whoever has something else stand there meanwhile withdrew the mark."""
        return await self._store.is_due(due)

    async def note_found(self, due: Retraction, message_ids: Collection[int]) -> bool:
        """Whether it still has to be taken back: looking for them takes a while."""
        return await self._store.note_found(due, message_ids)

    async def done(self, due: Retraction) -> None:
        await self._store.done(due)

    async def put_off(self, due: Retraction) -> None:
        await self._store.put_off(due)

    async def purge_changes(self) -> int:
        """The words of what cannot be undone any more."""
        return await self._changes.purge(self._clock.now())
