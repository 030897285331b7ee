"""Who may see what, for this process, and so what a reply may draw upon.

The process that sees Discord asks `seeing`, which is right at once. Any other reads the store, and believes only what a
run of the bot that still goes on vouches for. Whatever is not known is closed: a place then draws upon itself alone.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta

from memory.core.clock import Clock
from memory.core.values import Rank
from memory.places.mirror import PlaceMirror
from memory.places.store import PlaceStore
from memory.places.view import Audience, GuildView, HallProposal


class Places:
    def __init__(self, store: PlaceStore, place_mirror: PlaceMirror, clock: Clock, silence: timedelta) -> None:
        """A bot that is silent for longer than `silence` is taken for dead."""
        self._store = store
        self._place_mirror = place_mirror
        self._clock = clock
        self._silence = silence
        self._read: dict[int, tuple[int, GuildView]] = {}
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    def audience_of(self, guild_id: int, channel_id: int) -> Audience:
        return self.view(guild_id).audience_of(channel_id)

    def audience_for(
        self, guild_id: int, channel_id: int, user_id: int, role_ids: Sequence[int] | None = None
    ) -> Audience:
        return self.view(guild_id).audience_for(user_id, channel_id, role_ids)

    def with_threads(self, audience: Audience, channel_id: int) -> frozenset[int]:
        """List, of what an audience can read, a channel and its threads, or a thread."""
        return self.view(audience.guild_id).with_threads(audience, channel_id)

    def names(self, audience: Audience) -> dict[int, str]:
        """Give the names of the channels that these people can read, and no others."""
        known = self._names(audience.guild_id)
        return {channel: name for channel in audience.sources | {audience.place_id} if (name := known.get(channel))}

    def rooms(self, audience: Audience) -> dict[int, str]:
        """Give the names of channels without threads, of which there may be thousands."""
        view = self.view(audience.guild_id)
        return {channel: name for channel, name in self.names(audience).items() if not view.is_thread(channel)}

    def reader(self, guild_id: int, user_id: int) -> Audience:
        return self.view(guild_id).reader(user_id)

    def rank_of(self, guild_id: int, user_id: int) -> Rank | None:
        return self.view(guild_id).rank_of(user_id)

    def roles_of(self, guild_id: int, user_id: int) -> list[int]:
        return self.view(guild_id).roles_of(user_id)

    def role_names(self, guild_id: int) -> dict[int, str]:
        return self.view(guild_id).role_names()

    def hall(self, guild_id: int) -> frozenset[int]:
        return self.view(guild_id).hall()

    def proposed_hall(self, guild_id: int) -> HallProposal:
        return self.view(guild_id).proposed_hall()

    def hall_with(self, guild_id: int, role_id: int) -> HallProposal:
        return self.view(guild_id).hall_with(role_id)

    def knows_hall(self, guild_id: int) -> bool:
        return self.view(guild_id).knows_hall

    def is_open(self, guild_id: int) -> bool:
        return self.view(guild_id).is_open

    def serves(self, guild_id: int) -> bool:
        """Say whether this process serves a guild. False: it sees Discord, but another serves this guild."""
        return not self._place_mirror.has_begun or self._place_mirror.has_sight(guild_id)

    async def follow(self, guild_id: int) -> None:
        """Read what has changed in the store, in a process that does not see Discord; closed if that fails."""
        if self._place_mirror.has_begun:
            return
        async with self._turns[guild_id]:
            now: tuple[int, GuildView] | None = None
            try:
                now = await self._current(guild_id, self._read.get(guild_id))
            finally:
                # Not before: others who have followed it act upon what was known.
                self._read.pop(guild_id, None)
                if now is not None:
                    self._read[guild_id] = now

    async def _current(self, guild_id: int, known: tuple[int, GuildView] | None) -> tuple[int, GuildView] | None:
        alive_since = self._clock.now() - self._silence
        standing = await self._store.standing(guild_id, alive_since)
        if standing is None or not standing.is_current:
            return None
        if known is not None and known[0] == standing.epoch:
            return known
        view = GuildView(guild_id)
        read = await self._store.fill(view, alive_since)
        return None if read is None else (read.epoch, view)

    def _names(self, guild_id: int) -> Mapping[int, str]:
        mirror = self._place_mirror
        return mirror.names(guild_id) if mirror.has_begun else self.view(guild_id).place_names()

    def view(self, guild_id: int) -> GuildView:
        if self._place_mirror.has_begun:
            return self._place_mirror.view(guild_id)
        known = self._read.get(guild_id)
        return GuildView(guild_id) if known is None else known[1]
