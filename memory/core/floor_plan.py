"""The places of a guild, and how they hang together: the threads of a channel, and what they take over from it."""

from collections.abc import Iterator

from memory.core.places import Place, PlaceKind


class FloorPlan:
    def __init__(self) -> None:
        self._places: dict[int, Place] = {}
        self._public_threads: dict[int, set[int]] = {}

    def place(self, place: Place) -> bool:
        """Enter a place, or what became of it; whether that changed anything."""
        if self._places.get(place.channel_id) == place:
            return False
        self.remove(place.channel_id)
        self._places[place.channel_id] = place
        if place.kind is PlaceKind.THREAD and place.parent_id is not None:
            self._public_threads.setdefault(place.parent_id, set()).add(place.channel_id)
        return True

    def remove(self, channel_id: int) -> bool:
        """Its threads stay, until they are removed too; without it they lead nowhere."""
        place = self._places.pop(channel_id, None)
        if place is None:
            return False
        if place.kind is PlaceKind.THREAD and place.parent_id is not None:
            threads = self._public_threads[place.parent_id]
            threads.remove(channel_id)
            if not threads:
                del self._public_threads[place.parent_id]
        return True

    def get(self, channel_id: int) -> Place | None:
        return self._places.get(channel_id)

    def is_private_thread(self, channel_id: int) -> bool:
        place = self._places.get(channel_id)
        return place is not None and place.kind is PlaceKind.PRIVATE_THREAD

    def channel_ids(self) -> frozenset[int]:
        return frozenset(self._places)

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

    def rooms(self) -> Iterator[tuple[Place, frozenset[int] | set[int]]]:
        """Whatever can hold text, each with the public threads that are seen by whoever sees it."""
        for place in self._places.values():
            match place.kind:
                case PlaceKind.CHANNEL | PlaceKind.VOICE:
                    yield place, self._public_threads.get(place.channel_id, frozenset())
                case PlaceKind.PRIVATE_THREAD:
                    yield place, frozenset()
                case PlaceKind.THREAD | PlaceKind.CATEGORY:
                    continue
