"""The places of a guild, and how they hang together: the threads of a channel, and what they take over from it."""

from collections.abc import Collection, Iterable

from memory.core.doors import ChannelOverwrites, overwrites_of
from memory.core.places import Place, PlaceKind

_ROOMS = frozenset((PlaceKind.CHANNEL, PlaceKind.VOICE, PlaceKind.PRIVATE_THREAD))


class ChannelTree:
    def __init__(self, guild_id: int) -> None:
        self._guild_id = guild_id
        self._places: dict[int, Place] = {}
        self._doors: dict[int, ChannelOverwrites] = {}
        self._rooms: dict[int, Place] = {}
        self._public_threads: dict[int, set[int]] = {}

    def place(self, place: Place) -> bool:
        """Enter a place, or what became of it; whether that changed anything."""
        if self._places.get(place.channel_id) == place:
            return False
        self.remove(place.channel_id)
        self._places[place.channel_id] = place
        self._doors[place.channel_id] = overwrites_of(self._guild_id, place.overwrites)
        if place.kind in _ROOMS:
            self._rooms[place.channel_id] = place
        if place.kind is PlaceKind.THREAD and place.parent_id is not None:
            self._public_threads.setdefault(place.parent_id, set()).add(place.channel_id)
        return True

    def remove(self, channel_id: int) -> bool:
        """Its threads stay, until they are removed too; without it they lead nowhere."""
        place = self._places.pop(channel_id, None)
        if place is None:
            return False
        del self._doors[channel_id]
        self._rooms.pop(channel_id, None)
        if place.kind is PlaceKind.THREAD and place.parent_id is not None:
            threads = self._public_threads[place.parent_id]
            threads.remove(channel_id)
            if not threads:
                del self._public_threads[place.parent_id]
        return True

    def get(self, channel_id: int) -> Place | None:
        return self._places.get(channel_id)

    def door(self, place: Place) -> ChannelOverwrites:
        return self._doors[place.channel_id]

    def rooms(self) -> Collection[Place]:
        """Whatever holds text and has viewers of its own: channels and private threads."""
        return self._rooms.values()

    def threads_of(self, room: Place) -> Iterable[int]:
        """The public threads of a channel, seen by whoever sees it."""
        return () if room.is_thread else self._public_threads.get(room.channel_id, ())

    def channel_of(self, thread: Place) -> Place | None:
        """The channel that a thread hangs on, if it is known."""
        channel = None if thread.parent_id is None else self._places.get(thread.parent_id)
        return None if channel is None or channel.is_thread else channel

    def is_age_restricted(self, place: Place) -> bool:
        """A thread is what its channel is, and restricted while the channel is not known."""
        if not place.is_thread:
            return place.age_restricted
        channel = self.channel_of(place)
        return channel is None or channel.age_restricted
