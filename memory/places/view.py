"""Views one guild: works out who sees which place, what a reply may therefore draw upon, and what the hall is.

Changed piece by piece as Discord reports it, and worked out anew only when asked after a change. Where anything that
decides is not known, the view is closed: to miss a viewer would open rooms, not close them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Final, Literal, TypeAlias

from memory.core.values import Message, Rank
from memory.places.model import (
    ADMINISTRATOR,
    MANAGE_GUILD,
    MANAGE_MESSAGES,
    ChannelTree,
    MemberBits,
    Place,
    PlaceKind,
    Role,
    Seat,
    Visibility,
)

# The hall: what everyone who belongs to the house can read, and which role says that one belongs to it.


@dataclass(frozen=True, slots=True)
class HallProposal:
    """Proposes a role whose holders could make the hall, and the channels that this would open."""

    role_id: int | None
    """The guild's own id is `@everyone`; `None` if there is no role that opens anything."""
    channels: tuple[int, ...]
    """Without their threads."""
    people: int
    """How many hold the role, bots aside."""

    @property
    def reach(self) -> int:
        return len(self.channels) * self.people


NO_HALL = HallProposal(None, (), 0)


def hall_of(role_id: int, sight: Visibility) -> frozenset[int]:
    """List the channels and public threads that every holder may read back; a role nobody holds makes no hall."""
    return frozenset(
        channel_id
        for room in sight.plan.rooms()
        if _is_open_to(role_id, room, sight)
        for channel_id in (room.channel_id, *sight.plan.threads_of(room))
    )


def is_in_hall(channel_id: int, role_id: int, sight: Visibility) -> bool:
    """Say whether the place is one of `hall_of`, for a tenth of the work."""
    place = sight.plan.get(channel_id)
    room = place if place is None or place.kind is not PlaceKind.THREAD else sight.plan.channel_of(place)
    return room is not None and _is_open_to(role_id, room, sight)


def _is_open_to(role_id: int, room: Place, sight: Visibility) -> bool:
    holders = sight.holders(role_id)
    if not holders or room.kind not in (PlaceKind.CHANNEL, PlaceKind.VOICE):
        return False
    return sight.is_readable_by(holders, room, age_restricted=False)


def hall_with(role_id: int, sight: Visibility) -> HallProposal:
    """Work out what everyone could read if this role made the hall."""
    return _proposal(role_id, _doors(sight), sight)


def proposed_hall(sight: Visibility) -> HallProposal:
    """Propose the role for the hall: `@everyone`, unless the doors open to another role instead.

    Roles are weighed by how many people they lead into how many channels: the few who keep order enter every room, but
    theirs is not the hall. Where `@everyone` enters no more than half as many channels, it stands in the lobby.
    """
    doors = _doors(sight)
    everyone = best = _proposal(sight.guild_id, doors, sight)
    roles = [role for role in sight.roles.values() if not role.permissions & ADMINISTRATOR]
    for role in sorted(roles, key=lambda role: (-sight.holders(role.role_id).bit_count(), role.role_id)):
        proposal = _proposal(role.role_id, doors, sight)
        if proposal.reach > best.reach:
            best = proposal
    chosen = everyone if 2 * len(everyone.channels) > len(best.channels) else best
    return chosen if chosen.channels else NO_HALL


def _doors(sight: Visibility) -> dict[int, list[int]]:
    """Group the channels without an age limit by who may not read them: many shut out the same people."""
    doors: dict[int, list[int]] = {}
    for place in sight.plan.rooms():
        if place.kind is not PlaceKind.PRIVATE_THREAD and not place.age_restricted:
            shut_out = sight.everyone ^ sight.of(place.channel_id).readers
            doors.setdefault(shut_out, []).append(place.channel_id)
    return doors


def _proposal(role_id: int, doors: dict[int, list[int]], sight: Visibility) -> HallProposal:
    holders = sight.holders(role_id)
    if not holders:
        return HallProposal(role_id, (), 0)
    opened = [channel_id for shut_out, channels in doors.items() if not holders & shut_out for channel_id in channels]
    return HallProposal(role_id, tuple(sorted(opened)), holders.bit_count())


# Who will read a reply, said as what that reply may draw upon.
#
# Every read of the store takes an `Audience`, so that forgetting the question "who reads this?" does not type-check.


Scope: TypeAlias = tuple[Literal["hall"]] | tuple[Literal["place", "viewer"], int]

HALL: Final[Scope] = ("hall",)

PRESENT: Final = timedelta(minutes=15)
"""What was said in a place for so long stands there before those who see it now, whoever may read it back."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Holds the channels whose text everyone who sees the place can read back; the place itself need not be one."""

    guild_id: int
    place_id: int
    sources: frozenset[int]
    version: int = field(default=0, compare=False)
    """Of the view it was computed from; audiences of different versions that allow the same are equal."""
    viewer_id: int | None = None
    """The only reader of an ephemeral reply."""
    is_hall: bool = False
    """The reply stands in the hall, for everyone there."""

    @classmethod
    def of_place_alone(cls, guild_id: int, place_id: int, viewer_id: int | None = None) -> "Audience":
        """Make the closed view: where membership is unknown, a place sees its own channel only."""
        return cls(guild_id, place_id, frozenset((place_id,)), viewer_id=viewer_id)

    @property
    def scope(self) -> Scope:
        """Say whose knowledge this is: the one viewer's, the hall's, or the place's own."""
        if self.viewer_id is not None:
            return ("viewer", self.viewer_id)
        return HALL if self.is_hall else ("place", self.place_id)

    @property
    def key(self) -> tuple[int, Scope, int, frozenset[int]]:
        """Give the key for caches. The sources are part of it: places of one scope need not allow the same."""
        return (self.guild_id, self.scope, self.version, self.sources)

    def alone(self) -> "Audience":
        """Limit what these readers can read back to the place they are in."""
        return Audience(self.guild_id, self.place_id, self.sources & {self.place_id}, viewer_id=self.viewer_id)

    def present(self, said_here: Sequence[Message], at: datetime | None) -> list[Message]:
        """Keep all that was said in the place, or, if not everyone can read it back, what was said just before."""
        if self.place_id in self.sources:
            return list(said_here)
        return [message for message in said_here if at is not None and at - message.sent_at <= PRESENT]

    def covers(self, earlier: "Audience") -> bool:
        """Say whether what was made for an earlier audience of this very reply may still be said."""
        same_reply = (self.guild_id, self.place_id, self.viewer_id) == (
            earlier.guild_id,
            earlier.place_id,
            earlier.viewer_id,
        )
        return same_reply and earlier.sources <= self.sources


NOWHERE = 0
"""The place of who reads a page of their own."""
NOBODYS_ROLE = 0
"""Makes no hall. It stands in for the hall's role while that is not known."""

# Never the same twice in a process, so that the view of a guild we left and joined again repeats no version.
_VERSIONS = count(1)

AUDIENCES_KEPT = 256
"""Of one view. Each may name thousands of threads, and every place can be asked for between two changes."""


class GuildView:
    """Works out who sees what in a guild; closed at first. Methods that take a piece may be called with it again."""

    def __init__(self, guild_id: int) -> None:
        self.guild_id = guild_id
        self.version = next(_VERSIONS)
        """Rises with every change of what anyone sees, or of how far we know it."""
        self.owner_id: int | None = None
        self._hall_role_id: int | None = None
        self.roles: dict[int, Role] = {}
        self.plan = ChannelTree(guild_id)
        self._crowd = MemberBits()
        self._places_are_known = False
        self._people_are_known = False
        self._sight: Visibility | None = None
        self._hall: frozenset[int] | None = None
        self._audiences: dict[int, Audience] = {}

    # What becomes of the owner, a role or a place: each says whether that changed anything.

    def owner(self, user_id: int | None) -> bool:
        is_new = user_id != self.owner_id
        if is_new:
            self.owner_id = user_id
            self._changed()
        return is_new

    def hall_role(self, role_id: int | None) -> None:
        """Set the hall role; `None` is `@everyone`."""
        if role_id != self._hall_role_id:
            self._hall_role_id = role_id
            self._changed()

    def role(self, role: Role) -> bool:
        is_new = self.roles.get(role.role_id) != role
        if is_new:
            self.roles[role.role_id] = role
            self._changed()
        return is_new

    def no_role(self, role_id: int) -> bool:
        """Remove a role; whoever is still noted as holding it gains and loses nothing by it."""
        was_there = self.roles.pop(role_id, None) is not None
        if was_there:
            self._changed()
        return was_there

    def place(self, place: Place) -> bool:
        is_new = self.plan.place(place)
        if is_new:
            self._rearranged()
        return is_new

    def no_place(self, channel_id: int) -> None:
        if self.plan.remove(channel_id):
            self._rearranged()

    def seat(self, seat: Seat) -> None:
        if self._crowd.seat(seat):
            self._changed()

    def no_seat(self, user_id: int) -> None:
        if self._crowd.leave(user_id):
            self._changed()

    def has_seat(self, user_id: int) -> bool:
        return self._crowd.one(user_id) != 0

    def open_places(self) -> None:
        """Trust the view's roles and places, which are now as Discord has them; who is a member may be unknown."""
        self._trust(places=True, people=self._people_are_known)

    def open(self) -> None:
        """Trust the whole view: roles, places and members are now as Discord has them."""
        self._trust(places=True, people=True)

    def close(self) -> None:
        """Distrust the view: something may have changed unseen."""
        self._trust(places=False, people=False)

    @property
    def is_open(self) -> bool:
        return self._people_are_known and self.knows_places

    @property
    def knows_places(self) -> bool:
        return self._places_are_known and self.owner_id is not None and self.guild_id in self.roles

    def viewers(self, channel_id: int) -> int:
        """Say who may see a place, as bits; bots are not counted. Nobody, if the place is not known."""
        return self._looking().of(channel_id).viewers

    def readers(self, channel_id: int) -> int:
        """Say who may see a place and read it back, as bits."""
        return self._looking().of(channel_id).readers

    def people(self, bits: int) -> frozenset[int]:
        return self._crowd.people(bits)

    def audience_of(self, channel_id: int) -> Audience:
        """Give the audience of a reply that everyone who sees the place will read."""
        audience = self._audiences.get(channel_id)
        if audience is None:
            if len(self._audiences) >= AUDIENCES_KEPT:
                self._audiences.clear()
            audience = self._audiences[channel_id] = self._work_out_audience(channel_id)
        return audience

    def audience_for(self, user_id: int, channel_id: int, role_ids: Sequence[int] | None = None) -> Audience:
        """Give the audience of an ephemeral reply: one viewer.

        An interaction tells the roles of the member it comes from, and with them nobody else's need be known.
        """
        held: Iterable[int] | None = role_ids
        if held is None and self.is_open:
            held = self._crowd.roles_of(user_id)
        if held is None or not self.knows_places:
            return self._alone(channel_id, user_id)
        viewer = MemberBits((Seat(user_id, tuple(held)),))
        sight = Visibility(self.guild_id, self.owner_id, self.roles, self.plan, viewer)
        if not sight.of(channel_id).viewers:
            return self._alone(channel_id, user_id)
        sources = self._sources(channel_id, viewer.everyone, sight)
        return Audience(self.guild_id, channel_id, sources, self.version, viewer_id=user_id)

    def reader(self, user_id: int) -> Audience:
        """Give one member as an audience, in no place: all that they can read back; nothing, while that is not known.

        Of channels with an age limit nothing: whether they were let in there, Discord tells nobody.
        """
        one = self._crowd.one(user_id)
        sources = self._looking().readable_by(one, age_restricted=False) if one and self.is_open else ()
        return Audience(self.guild_id, NOWHERE, frozenset(sources), self.version, viewer_id=user_id)

    def rank_of(self, user_id: int) -> Rank | None:
        """Rank a member by what they may on the whole guild. None: they are no member, or it is not known."""
        one, sight = self._crowd.one(user_id), self._looking()
        if not one or not self.is_open:
            return None
        if user_id == self.owner_id:
            return Rank.OWNER
        if one & sight.everywhere(MANAGE_GUILD | ADMINISTRATOR):
            return Rank.MANAGER
        return Rank.MODERATOR if one & sight.everywhere(MANAGE_MESSAGES) else Rank.MEMBER

    def roles_of(self, user_id: int) -> list[int]:
        return sorted(self._crowd.roles_of(user_id) or ())

    def may_write(self, user_id: int, channel_id: int) -> bool:
        """Say whether a member may write there, by roles and overwrites; False also where that is not known."""
        return self.is_open and bool(self._crowd.one(user_id) & self._looking().writers(channel_id))

    def place_names(self) -> dict[int, str]:
        return {place.channel_id: place.name for place in self.plan.all()}

    def is_age_restricted(self, channel_id: int) -> bool:
        """Say whether a known place asks for an age."""
        place = self.plan.get(channel_id)
        return place is not None and self.plan.is_age_restricted(place)

    def is_thread(self, channel_id: int) -> bool:
        place = self.plan.get(channel_id)
        return place is not None and place.is_thread

    def role_names(self) -> dict[int, str]:
        return {role.role_id: role.name for role in self.roles.values()}

    def with_threads(self, audience: Audience, channel_id: int) -> frozenset[int]:
        """List, of what an audience may draw upon, the channel and its threads."""
        threads = (self.plan.get(source) for source in audience.sources)
        return frozenset(
            place.channel_id for place in threads if place and place.is_thread and place.parent_id == channel_id
        ) | (audience.sources & {channel_id})

    @property
    def knows_hall(self) -> bool:
        """Say whether it is known what the hall is, be it nothing; before its role is known there is none either."""
        return self.is_open and self._hall_role_id != NOBODYS_ROLE

    def hall(self) -> frozenset[int]:
        """List the channels, with their public threads, that every holder of the hall role may read back."""
        if self._hall is None:
            self._hall = hall_of(self._role_of_hall, self._looking()) if self.is_open else frozenset()
        return self._hall

    def proposed_hall(self) -> HallProposal:
        return proposed_hall(self._looking()) if self.is_open else NO_HALL

    def hall_with(self, role_id: int) -> HallProposal:
        return hall_with(role_id, self._looking()) if self.is_open else NO_HALL

    def _work_out_audience(self, channel_id: int) -> Audience:
        viewers = self.viewers(channel_id)
        # Nobody could read anything: to allow everything to nobody would be logical, and wrong if we missed someone.
        if not viewers or not self.is_open:
            return self._alone(channel_id)
        sources = self._sources(channel_id, viewers, self._looking())
        is_hall = is_in_hall(channel_id, self._role_of_hall, self._looking())
        return Audience(self.guild_id, channel_id, sources, self.version, is_hall=is_hall)

    def _sources(self, channel_id: int, people: int, sight: Visibility) -> frozenset[int]:
        return frozenset(sight.readable_by(people, age_restricted=self.is_age_restricted(channel_id)))

    def _alone(self, channel_id: int, viewer_id: int | None = None) -> Audience:
        """Say what a place of unknown readers draws upon: itself, and not even that if some may not read it back."""
        alone = Audience.of_place_alone(self.guild_id, channel_id, viewer_id)
        place = self.plan.get(channel_id)
        if place is None or not self.knows_places or self._looking().is_read_back_by_all(place):
            return alone
        return replace(alone, sources=frozenset())

    @property
    def _role_of_hall(self) -> int:
        return self.guild_id if self._hall_role_id is None else self._hall_role_id

    def _looking(self) -> Visibility:
        if self._sight is None:
            self._sight = Visibility(self.guild_id, self.owner_id, self.roles, self.plan, self._crowd)
        return self._sight

    def _trust(self, *, places: bool, people: bool) -> None:
        if (places, people) != (self._places_are_known, self._people_are_known):
            self._places_are_known, self._people_are_known = places, people
            self._changed()

    def _changed(self) -> None:
        self._sight = None
        self._forget_answers()

    def _rearranged(self) -> None:
        if self._sight is not None:
            self._sight.rearranged()
        self._forget_answers()

    def _forget_answers(self) -> None:
        self.version = next(_VERSIONS)
        self._hall = None
        self._audiences.clear()
