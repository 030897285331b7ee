"""Who of a crowd sees which place, exactly as Discord decides it.

In its order: the owner and administrators see everything. For anyone else the permissions of their roles are joined;
then, at the door, what `@everyone` loses and gains there, what their roles lose and then gain, and last what they
themselves lose and gain. Timeouts take neither seeing nor reading away.
"""

from collections.abc import Mapping
from typing import NamedTuple

from memory.core.crowd import Crowd
from memory.core.floor_plan import FloorPlan
from memory.core.places import (
    ADMINISTRATOR,
    CONNECT,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Place,
    PlaceKind,
    Role,
)


class Seen(NamedTuple):
    """The people before one place."""

    viewers: int
    """May see it: what is written there now reaches them."""
    readers: int
    """May see it and read back what was written before."""


UNSEEN = Seen(0, 0)


class Sight:
    """Works out each place once; a new one is made when a role, a place or a member changed."""

    def __init__(
        self,
        guild_id: int,
        owner_id: int | None,
        roles: Mapping[int, Role],
        plan: FloorPlan,
        crowd: Crowd,
    ) -> None:
        self.guild_id = guild_id
        self.roles = roles
        self.plan = plan
        self._crowd = crowd
        self._seen: dict[int, Seen] = {}
        self._granted: dict[int, int] = {}
        owner = 0 if owner_id is None else crowd.one(owner_id)
        self._sovereigns = owner | self._everywhere(ADMINISTRATOR)

    def of(self, channel_id: int) -> Seen:
        """Nobody, for a place that is not known."""
        seen = self._seen.get(channel_id)
        if seen is None:
            seen = self._seen[channel_id] = self._work_out(channel_id)
        return seen

    @property
    def everyone(self) -> int:
        return self._crowd.everyone

    def holders(self, role_id: int) -> int:
        """Nobody holds a role that is not there any more, whatever is noted of members."""
        if role_id not in self.roles:
            return 0
        return self._crowd.everyone if role_id == self.guild_id else self._crowd.holding(role_id)

    def readable_by(self, people: int, *, age_restricted: bool) -> set[int]:
        """Every place that all of these people may read back; those with an age limit only if they are asked for."""
        found: set[int] = set()
        for place, threads in self.plan.rooms():
            if people & ~self.of(place.channel_id).readers:
                continue
            if age_restricted or not self.plan.is_age_restricted(place):
                found.add(place.channel_id)
                found |= threads
        return found

    def _work_out(self, channel_id: int) -> Seen:
        place = self.plan.get(channel_id)
        if place is None:
            return UNSEEN
        if not place.is_thread:
            return self._before_the_door(place)
        channel = self.plan.channel_of(place)
        if channel is None:
            return UNSEEN
        seen = self.of(channel.channel_id)
        if place.kind is PlaceKind.THREAD:
            return seen
        if place.members is None:
            return UNSEEN
        inside = self._crowd.these(place.members) | self._permitted(channel, MANAGE_THREADS)
        return Seen(seen.viewers & inside, seen.readers & inside)

    def _before_the_door(self, place: Place) -> Seen:
        viewers = self._permitted(place, VIEW_CHANNEL)
        readers = viewers & self._permitted(place, READ_MESSAGE_HISTORY)
        if place.kind is PlaceKind.VOICE:
            # Discord hands the messages of a voice channel only to those who may join it.
            readers &= self._permitted(place, CONNECT)
        return Seen(viewers, readers)

    def _permitted(self, place: Place, permission: int) -> int:
        crowd = self._crowd
        people = self._everywhere(permission)
        lost = gained = lost_by_person = gained_by_person = 0
        for overwrite in place.overwrites:
            if not (overwrite.allow | overwrite.deny) & permission:
                continue
            if not overwrite.is_role:
                person = crowd.one(overwrite.target_id)
                lost_by_person |= person if overwrite.deny & permission else 0
                gained_by_person |= person if overwrite.allow & permission else 0
            elif overwrite.target_id == self.guild_id:
                people = crowd.everyone if overwrite.allow & permission else 0
            else:
                holders = self.holders(overwrite.target_id)
                lost |= holders if overwrite.deny & permission else 0
                gained |= holders if overwrite.allow & permission else 0
        people = (people & ~lost) | gained
        people = (people & ~lost_by_person) | gained_by_person
        return people | self._sovereigns

    def _everywhere(self, permission: int) -> int:
        """Who has a permission by their roles, before any door."""
        granted = self._granted.get(permission)
        if granted is None:
            granted = 0
            for role in self.roles.values():
                if role.permissions & permission:
                    granted |= self.holders(role.role_id)
            self._granted[permission] = granted
        return granted
