"""The hall: what everyone who belongs to the house can read, and which role says that one belongs to it."""

from dataclasses import dataclass

from memory.core.places import ADMINISTRATOR, PlaceKind
from memory.core.sight import Sight


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


def hall_of(role_id: int, sight: Sight) -> frozenset[int]:
    """The channels and public threads that every holder may view and read back; a role nobody holds makes no hall."""
    holders = sight.holders(role_id)
    if not holders:
        return frozenset()
    return frozenset(
        channel_id
        for channel_id in sight.readable_by(holders, age_restricted=False)
        if not sight.plan.is_private_thread(channel_id)
    )


def hall_with(role_id: int, sight: Sight) -> HallProposal:
    """What there would be to read for everyone if this role made the hall."""
    return _proposal(role_id, _doors(sight), sight)


def proposed_hall(sight: Sight) -> HallProposal:
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


def _doors(sight: Sight) -> dict[int, list[int]]:
    """The channels without an age limit, by who may not read them: many doors shut out the same people."""
    doors: dict[int, list[int]] = {}
    for place in sight.plan.rooms():
        if place.kind is not PlaceKind.PRIVATE_THREAD and not place.age_restricted:
            shut_out = sight.everyone ^ sight.of(place.channel_id).readers
            doors.setdefault(shut_out, []).append(place.channel_id)
    return doors


def _proposal(role_id: int, doors: dict[int, list[int]], sight: Sight) -> HallProposal:
    holders = sight.holders(role_id)
    if not holders:
        return HallProposal(role_id, (), 0)
    opened = [channel_id for shut_out, channels in doors.items() if not holders & shut_out for channel_id in channels]
    return HallProposal(role_id, tuple(sorted(opened)), holders.bit_count())
