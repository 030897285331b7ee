"""Which role makes the hall: the one that leads the house into its rooms, not the few who hold the keys."""

from collections.abc import Mapping, Sequence

from hypothesis import given

from memory.places.model import (
    ADMINISTRATOR,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
    Overwrite,
    Place,
    PlaceKind,
    Role,
    Seat,
)
from memory.places.view import HallProposal
from tests.memory.places.generated_guilds import GUILD, Guild, guilds

READ = VIEW_CHANNEL | READ_MESSAGE_HISTORY
VERIFIED, STAFF, KEEPER = 1001, 1002, 1003
RULES, HALL, KITCHEN, CELLAR, OFFICE = 2001, 2002, 2003, 2004, 2005
OWNER = 1


def test_a_server_that_is_open_to_all_proposes_everyone() -> None:
    guild = house({HALL: (), KITCHEN: (), OFFICE: (STAFF,)}, {STAFF: 3}, guests=20)
    assert guild.view().proposed_hall() == HallProposal(GUILD, (HALL, KITCHEN), 24)


def test_a_server_that_gates_everyone_proposes_the_role_that_opens_most() -> None:
    rooms = {
        RULES: (),
        HALL: (VERIFIED, STAFF),
        KITCHEN: (VERIFIED, STAFF),
        CELLAR: (VERIFIED, STAFF),
        OFFICE: (STAFF,),
    }
    guild = house(rooms, {VERIFIED: 30, STAFF: 3}, guests=20)
    assert guild.view().proposed_hall() == HallProposal(VERIFIED, (RULES, HALL, KITCHEN, CELLAR), 30)


def test_administrators_are_never_proposed() -> None:
    guild = house({HALL: (VERIFIED,), OFFICE: (STAFF,)}, {VERIFIED: 2, KEEPER: 5}, guests=1)
    guild.roles[KEEPER] = Role(KEEPER, ADMINISTRATOR)
    assert guild.view().proposed_hall() == HallProposal(VERIFIED, (HALL,), 2)


@given(guilds())
def test_no_other_role_leads_more_people_into_more_rooms(guild: Guild) -> None:
    """Unless `@everyone` is proposed, which needs only more than half of the rooms."""
    view = guild.view()
    proposal = view.proposed_hall()
    for role_id, role in guild.roles.items():
        if role_id == GUILD or role.permissions & ADMINISTRATOR:
            continue
        view.hall_role(role_id)
        rooms = sum(not guild.places[place_id].is_thread for place_id in view.hall())
        people = sum(role_id in seat.role_ids for seat in guild.seats.values() if not seat.is_bot)
        if proposal.role_id == GUILD and rooms * people > proposal.reach:
            assert 2 * len(proposal.channels) > rooms
        elif proposal.role_id != GUILD:
            assert rooms * people <= proposal.reach


def house(rooms: Mapping[int, Sequence[int]], holders: Mapping[int, int], guests: int) -> Guild:
    """A room names the roles it is opened to; without any it is open to all. Guests hold no role."""
    guild = Guild(OWNER, {GUILD: Role(GUILD, READ)})
    guild.seats[OWNER] = Seat(OWNER, ())
    for role_id, number in holders.items():
        guild.roles[role_id] = Role(role_id, 0)
        for _ in range(number):
            _take_seat(guild, (role_id,))
    for _ in range(guests):
        _take_seat(guild, ())
    for channel_id, roles in rooms.items():
        doors = [Overwrite(role_id, True, VIEW_CHANNEL, 0) for role_id in roles]
        gate = [Overwrite(GUILD, True, 0, VIEW_CHANNEL)] if roles else []
        guild.places[channel_id] = Place(channel_id, PlaceKind.CHANNEL, None, (*gate, *doors))
    return guild


def _take_seat(guild: Guild, role_ids: tuple[int, ...]) -> None:
    user_id = 100 + len(guild.seats)
    guild.seats[user_id] = Seat(user_id, role_ids)
