"""The hall: what everyone who belongs to the house can read, and which role says that one belongs to it."""

from dataclasses import dataclass

from memory.core.places import ADMINISTRATOR, Place, PlaceKind
from memory.core.sight import Visibility


@dataclass(frozen=True, slots=True)
class HallProposal:
    """A role whose holders could make the hall, and the channels that this would open."""

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
    """The channels and public threads that every holder may view and read back; a role nobody holds makes no hall."""
    return frozenset(
        channel_id
        for room in sight.plan.rooms()
        if _is_open_to(role_id, room, sight)
        for channel_id in (room.channel_id, *sight.plan.threads_of(room))
    )


def is_in_hall(channel_id: int, role_id: int, sight: Visibility) -> bool:
    """Whether the place is one of `hall_of`, for a tenth of the work."""
    place = sight.plan.get(channel_id)
    room = place if place is None or place.kind is not PlaceKind.THREAD else sight.plan.channel_of(place)
    return room is not None and _is_open_to(role_id, room, sight)


def _is_open_to(role_id: int, room: Place, sight: Visibility) -> bool:
    holders = sight.holders(role_id)
    if not holders or room.kind not in (PlaceKind.CHANNEL, PlaceKind.VOICE):
        return False
    return sight.is_readable_by(holders, room, age_restricted=False)


def hall_with(role_id: int, sight: Visibility) -> HallProposal:
    """What there would be to read for everyone if this role made the hall."""
    return _proposal(role_id, _doors(sight), sight)


def proposed_hall(sight: Visibility) -> HallProposal:
    """`@everyone`, unless the doors open to another role instead.

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
    """The channels without an age limit, by who may not read them: many doors shut out the same people."""
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
