"""Works out who may see which place: by roles, by the overwrites on its door, and by who is seated in the guild."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

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
    """Names kinds of places as far as seeing goes: a forum, news or media channel is a channel, a stage is voice."""

    CHANNEL = "channel"
    VOICE = "voice"
    CATEGORY = "category"
    THREAD = "thread"
    PRIVATE_THREAD = "private_thread"


_THREADS: Final = frozenset((PlaceKind.THREAD, PlaceKind.PRIVATE_THREAD))


@dataclass(frozen=True, slots=True)
class Role:
    """Holds a role's permissions; `@everyone` is the role whose id is the guild's."""

    role_id: int
    permissions: int
    name: str = ""
    """As Discord shows it; it decides nothing."""


@dataclass(frozen=True, slots=True)
class Overwrite:
    """Holds what one role or one member gains and loses at one door."""

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
    name: str = ""
    """As Discord shows it; it decides nothing."""

    @property
    def is_thread(self) -> bool:
        return self.kind in _THREADS


@dataclass(frozen=True, slots=True)
class Seat:
    """Seats a member of the guild, as far as seeing goes."""

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
    """Says what becomes of one permission at a door. Known by itself, not by what it says, to be found quickly."""

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
    """Sort overwrites for one permission. Where one both denies and allows, Discord lets the allowing win."""
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
    """Make a rule once for all doors that share it: doors that differ in one permission mostly agree in the others."""
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
        """Enter a place, or what became of it; say whether that changed anything."""
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
        """Remove a place; its threads stay, and lead nowhere, until they are removed too."""
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
        """List what holds text and has viewers of its own: channels and private threads."""
        return self._rooms.values()

    def threads_of(self, room: Place) -> Iterable[int]:
        """List the public threads of a channel, seen by whoever sees it."""
        return () if room.is_thread else self._public_threads.get(room.channel_id, ())

    def channel_of(self, thread: Place) -> Place | None:
        """Find the channel that a thread hangs on, if it is known."""
        channel = None if thread.parent_id is None else self._places.get(thread.parent_id)
        return None if channel is None or channel.is_thread else channel

    def is_age_restricted(self, place: Place) -> bool:
        """Say whether it has an age limit: a thread has its channel's, and has one while that is not known."""
        if not place.is_thread:
            return place.age_restricted
        channel = self.channel_of(place)
        return channel is None or channel.age_restricted


# The people of a guild as bits of an integer, so that a question about ten thousand of them is one operation.


class MemberBits:
    """Numbers everyone seated in a guild, and who holds which role, but no bots: nothing is kept from a program."""

    def __init__(self, seats: Iterable[Seat] = ()) -> None:
        self.everyone = 0
        self._bit_of: dict[int, int] = {}
        self._at: list[int | None] = []
        self._vacant: list[int] = []
        self._roles_of: dict[int, frozenset[int]] = {}
        self._holders: dict[int, int] = {}
        for seat in seats:
            self.seat(seat)

    def seat(self, seat: Seat) -> bool:
        """Seat a member, or note the roles they hold now; say whether that changed anything."""
        if seat.is_bot:
            return self.leave(seat.user_id)
        roles = frozenset(seat.role_ids)
        before = self._roles_of.get(seat.user_id)
        if roles == before:
            return False
        bit = self._bit_of.get(seat.user_id) or self._take_bit(seat.user_id)
        for role_id in (before or frozenset()) - roles:
            self._drop(role_id, bit)
        for role_id in roles - (before or frozenset()):
            self._holders[role_id] = self._holders.get(role_id, 0) | bit
        self._roles_of[seat.user_id] = roles
        return True

    def leave(self, user_id: int) -> bool:
        bit = self._bit_of.pop(user_id, None)
        if bit is None:
            return False
        for role_id in self._roles_of.pop(user_id):
            self._drop(role_id, bit)
        self.everyone ^= bit
        index = bit.bit_length() - 1
        self._at[index] = None
        self._vacant.append(index)
        return True

    def holding(self, role_id: int) -> int:
        return self._holders.get(role_id, 0)

    def one(self, user_id: int) -> int:
        """Give the bit of one person, or nobody."""
        return self._bit_of.get(user_id, 0)

    def these(self, user_ids: Iterable[int]) -> int:
        bits = 0
        for user_id in user_ids:
            bits |= self._bit_of.get(user_id, 0)
        return bits

    def people(self, bits: int) -> frozenset[int]:
        marks = reversed(f"{bits:b}")
        return frozenset(
            user_id for user_id, mark in zip(self._at, marks, strict=False) if mark == "1" and user_id is not None
        )

    def roles_of(self, user_id: int) -> frozenset[int] | None:
        return self._roles_of.get(user_id)

    def _take_bit(self, user_id: int) -> int:
        if self._vacant:
            index = self._vacant.pop()
            self._at[index] = user_id
        else:
            index = len(self._at)
            self._at.append(user_id)
        bit = 1 << index
        self._bit_of[user_id] = bit
        self.everyone |= bit
        return bit

    def _drop(self, role_id: int, bit: int) -> None:
        left = self._holders[role_id] & ~bit
        if left:
            self._holders[role_id] = left
        else:
            del self._holders[role_id]


# Who of a crowd sees which place, exactly as Discord decides it.
#
# In its order: the owner and administrators see everything. For anyone else the permissions of their roles are joined;
# then, at the door, what `@everyone` loses and gains there, what their roles lose and then gain, and last what they
# themselves lose and gain. Timeouts take neither seeing nor reading away.


class Seen(NamedTuple):
    """Holds the people before one place, as bits."""

    viewers: int
    """May see it: what is written there now reaches them."""
    readers: int
    """May see it and read back what was written before."""


UNSEEN = Seen(0, 0)


class Visibility:
    """Works out each door once. A new one is made when a role or a member changed; new places come into the old one."""

    def __init__(
        self, guild_id: int, owner_id: int | None, roles: Mapping[int, Role], plan: ChannelTree, crowd: MemberBits
    ) -> None:
        self.guild_id = guild_id
        self.roles = roles
        self.plan = plan
        self._crowd = crowd
        self._holders = {role_id: crowd.holding(role_id) for role_id in roles} | {guild_id: crowd.everyone}
        self._seen: dict[int, Seen] = {}
        self._passing: dict[Rule, int] = {}
        self._granted: dict[int, int] = {}
        owner = 0 if owner_id is None else crowd.one(owner_id)
        self._sovereigns = owner | self.everywhere(ADMINISTRATOR)

    @property
    def everyone(self) -> int:
        return self._crowd.everyone

    def rearranged(self) -> None:
        """Forget who sees what: a place came, went or changed; who passes which door did not."""
        self._seen.clear()

    def of(self, channel_id: int) -> Seen:
        """Say who sees a place and can read it back: nobody, if it is not known."""
        seen = self._seen.get(channel_id)
        if seen is None:
            seen = self._seen[channel_id] = self._work_out(self.plan.get(channel_id))
        return seen

    def holders(self, role_id: int) -> int:
        """Say who holds a role: nobody, if it is not there any more, whatever is noted of members."""
        return self._holders.get(role_id, 0)

    def readable_by(self, people: int, *, age_restricted: bool) -> set[int]:
        """List every place that all of these people may read back; those with an age limit only if asked for."""
        return {
            channel_id
            for place in self.plan.rooms()
            if self.is_readable_by(people, place, age_restricted=age_restricted)
            for channel_id in (place.channel_id, *self.plan.threads_of(place))
        }

    def is_readable_by(self, people: int, place: Place, *, age_restricted: bool) -> bool:
        if people & self.of(place.channel_id).readers != people:
            return False
        return age_restricted or not self.plan.is_age_restricted(place)

    def writers(self, channel_id: int) -> int:
        """Say who may write in a place they see, by roles and overwrites. Time-outs are Discord's alone to know."""
        place = self.plan.get(channel_id)
        channel = self.plan.channel_of(place) if place is not None and place.is_thread else place
        if place is None or channel is None:
            return 0
        permission = SEND_MESSAGES_IN_THREADS if place.is_thread else SEND_MESSAGES
        return self.of(channel_id).viewers & self._pass(rule_of(self.guild_id, channel.overwrites, permission))

    def is_read_back_by_all(self, place: Place) -> bool:
        """Say whether whoever may see a place may read it back: no role or member is denied."""
        channel = self.plan.channel_of(place) if place.is_thread else place
        if channel is None:
            return False
        door = self.plan.door(channel)
        return self._is_everyones(door.read) and (
            channel.kind is not PlaceKind.VOICE or self._is_everyones(door.connect)
        )

    def _is_everyones(self, rule: Rule) -> bool:
        if rule.lost_by_roles or rule.lost_by_members:
            return False
        if rule.for_everyone is not None:
            return rule.for_everyone
        everyone = self.roles.get(self.guild_id)
        return everyone is not None and bool(everyone.permissions & rule.permission)

    def _work_out(self, place: Place | None) -> Seen:
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
        inside = self._crowd.these(place.members) | self._pass(self.plan.door(channel).manage_threads)
        return Seen(seen.viewers & inside, seen.readers & inside)

    def _before_the_door(self, place: Place) -> Seen:
        door = self.plan.door(place)
        viewers = self._pass(door.view)
        readers = viewers & self._pass(door.read)
        if place.kind is PlaceKind.VOICE:
            # Discord hands the messages of a voice channel only to those who may join it.
            readers &= self._pass(door.connect)
        return Seen(viewers, readers)

    def _pass(self, rule: Rule) -> int:
        people = self._passing.get(rule)
        if people is None:
            people = self._passing[rule] = self._work_out_rule(rule)
        return people

    def _work_out_rule(self, rule: Rule) -> int:
        if rule.for_everyone is None:
            people = self.everywhere(rule.permission)
        else:
            people = self._crowd.everyone if rule.for_everyone else 0
        if rule.lost_by_roles:
            people = _less(people, self._holding_any(rule.lost_by_roles))
        if rule.gained_by_roles:
            people |= self._holding_any(rule.gained_by_roles)
        if rule.lost_by_members:
            people = _less(people, self._crowd.these(rule.lost_by_members))
        if rule.gained_by_members:
            people |= self._crowd.these(rule.gained_by_members)
        return people | self._sovereigns

    def _holding_any(self, role_ids: Iterable[int]) -> int:
        people = 0
        for role_id in role_ids:
            people |= self._holders.get(role_id, 0)
        return people

    def everywhere(self, permission: int) -> int:
        """Say who has a permission, or one of several, by their roles, before any door."""
        granted = self._granted.get(permission)
        if granted is None:
            granted = self._holding_any(role.role_id for role in self.roles.values() if role.permissions & permission)
            self._granted[permission] = granted
        return granted


def _less(people: int, others: int) -> int:
    """Take away people: `people & ~others`, without the negative number in between, which takes thrice as long."""
    return people ^ (people & others)
