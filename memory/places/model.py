"""What Discord says about who may see what: roles, places, the overwrites on their doors, and who is seated.

Plain values, as Discord has them. Who sees a place is worked out in `sight`; here nothing is decided.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

ADMINISTRATOR: Final = 1 << 3
MANAGE_GUILD: Final = 1 << 5
VIEW_CHANNEL: Final = 1 << 10
SEND_MESSAGES: Final = 1 << 11
MANAGE_MESSAGES: Final = 1 << 13
READ_MESSAGE_HISTORY: Final = 1 << 16
CONNECT: Final = 1 << 20
MANAGE_THREADS: Final = 1 << 34
SEND_MESSAGES_IN_THREADS: Final = 1 << 38


class PlaceKind(StrEnum):
    """As far as seeing goes: a forum, news or media channel is a channel, a stage is a voice channel."""

    CHANNEL = "channel"
    VOICE = "voice"
    CATEGORY = "category"
    THREAD = "thread"
    PRIVATE_THREAD = "private_thread"


_THREADS: Final = frozenset((PlaceKind.THREAD, PlaceKind.PRIVATE_THREAD))


@dataclass(frozen=True, slots=True)
class Role:
    """`@everyone` is the role whose id is the guild's."""

    role_id: int
    permissions: int
    name: str = field(default="", compare=False)
    """As Discord shows it; it decides nothing."""


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What one role or one member gains and loses at one door."""

    target_id: int
    is_role: bool
    allow: int
    deny: int


@dataclass(frozen=True, slots=True)
class Place:
    channel_id: int
    kind: PlaceKind
    parent_id: int | None
    """The category of a channel, the channel of a thread."""
    overwrites: tuple[Overwrite, ...] = ()
    """A thread has none. Discord copies a category's to its channels, so those of a parent do not count here."""
    age_restricted: bool = False
    """A thread is as restricted as its channel, whatever is said here."""
    members: frozenset[int] | None = None
    """Who was added to a private thread; `None` while it is not known."""
    name: str = field(default="", compare=False)
    """As Discord shows it; it decides nothing."""

    @property
    def is_thread(self) -> bool:
        return self.kind in _THREADS


@dataclass(frozen=True, slots=True)
class Seat:
    """A member of the guild, as far as seeing goes."""

    user_id: int
    role_ids: tuple[int, ...]
    """Without `@everyone`, which everybody has."""
    is_bot: bool = False


# A place's overwrites, sorted by what they do to each permission that decides about seeing.
#
# Most overwrites are about other things, and most channels share theirs with their category: sorted once, a door is
# quickly asked who passes it, and channels with the same one are asked together.


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """What becomes of one permission at a door. Known by itself, not by what it says, so that it is quickly found."""

    permission: int
    for_everyone: bool | None
    lost_by_roles: tuple[int, ...]
    gained_by_roles: tuple[int, ...]
    lost_by_members: tuple[int, ...]
    gained_by_members: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChannelOverwrites:
    view: Rule
    read: Rule
    connect: Rule
    manage_threads: Rule


@lru_cache(maxsize=8_192)
def overwrites_of(guild_id: int, overwrites: tuple[Overwrite, ...]) -> ChannelOverwrites:
    return ChannelOverwrites(
        rule_of(guild_id, overwrites, VIEW_CHANNEL),
        rule_of(guild_id, overwrites, READ_MESSAGE_HISTORY),
        rule_of(guild_id, overwrites, CONNECT),
        rule_of(guild_id, overwrites, MANAGE_THREADS),
    )


def rule_of(guild_id: int, overwrites: Iterable[Overwrite], permission: int) -> Rule:
    """Where one overwrite both denies and allows, Discord lets the allowing win: it comes second."""
    for_everyone: bool | None = None
    lost: dict[bool, list[int]] = {True: [], False: []}
    gained: dict[bool, list[int]] = {True: [], False: []}
    for overwrite in overwrites:
        allows, denies = bool(overwrite.allow & permission), bool(overwrite.deny & permission)
        if overwrite.is_role and overwrite.target_id == guild_id:
            for_everyone = allows if allows or denies else for_everyone
            continue
        if denies:
            lost[overwrite.is_role].append(overwrite.target_id)
        if allows:
            gained[overwrite.is_role].append(overwrite.target_id)
    return _shared(permission, for_everyone, *map(tuple, (lost[True], gained[True], lost[False], gained[False])))


@lru_cache(maxsize=8_192)
def _shared(permission: int, for_everyone: bool | None, *targets: tuple[int, ...]) -> Rule:
    """Doors that differ in one permission mostly agree in the others."""
    return Rule(permission, for_everyone, *targets)


# The places of a guild, and how they hang together: the threads of a channel, and what they take over from it.


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

    def all(self) -> Collection[Place]:
        return self._places.values()

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
