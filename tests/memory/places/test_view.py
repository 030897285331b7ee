"""What a reply may draw upon, in guilds of every shape: never more than all of its readers can already read; and which
role makes the hall: the one that leads the house into its rooms, not the few who hold the keys."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.core.values import AuthorKind, Message
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
from memory.places.view import PRESENT, Audience, GuildView, HallProposal
from tests.memory.places.generated_guilds import GUILD, PEOPLE, ROLES, TYPES, Change, Guild, changes, guilds

UNKNOWN_PLACE = 9999

# Whether something is shut shows in any guild; the tests of what is open need more of them.
FEW = settings(max_examples=settings().max_examples // 3)


@given(guilds())
def test_a_reply_draws_upon_what_all_who_see_it_can_read_back(guild: Guild) -> None:
    view = guild.view()
    for place_id in guild.places:
        viewers = view.people(view.viewers(place_id))
        if viewers:
            assert view.audience_of(place_id).sources == _heard_by(guild, view, viewers, place_id)
        else:
            assert _is_alone(view.audience_of(place_id), guild)


@given(guilds(), st.lists(changes, min_size=1, max_size=8))
def test_changes_show_in_the_very_next_reply(guild: Guild, reported: list[Change]) -> None:
    view = guild.view()
    for change in reported:
        change(guild, view)
        anew = guild.view()
        for place_id in TYPES:
            assert view.audience_of(place_id) == anew.audience_of(place_id)
        for user_id in PEOPLE:
            assert view.audience_for(user_id, 2000) == anew.audience_for(user_id, 2000)
        assert view.hall() == anew.hall()
        assert view.proposed_hall() == anew.proposed_hall()


@FEW
@given(guilds())
def test_a_view_that_may_have_missed_something_lets_a_place_speak_of_itself_alone(guild: Guild) -> None:
    view = guild.view()
    view.close()
    assert not view.is_open
    for place_id in (*guild.places, UNKNOWN_PLACE):
        assert view.audience_of(place_id) == Audience.of_place_alone(GUILD, place_id)
        for user_id in PEOPLE:
            alone = Audience.of_place_alone(GUILD, place_id, user_id)
            assert view.audience_for(user_id, place_id) == alone
            assert view.audience_for(user_id, place_id, tuple(ROLES)) == alone
    assert view.hall() == frozenset()
    assert view.proposed_hall().role_id is None


@FEW
@given(guilds())
def test_without_the_members_only_the_one_who_asks_is_known(guild: Guild) -> None:
    view = guild.view()
    view.close()
    view.open_places()
    assert not view.is_open
    for place_id in guild.places:
        assert _is_alone(view.audience_of(place_id), guild)
        for seat in guild.seats.values():
            assert _is_alone(view.audience_for(seat.user_id, place_id), guild)
            known = guild.view().audience_for(seat.user_id, place_id, seat.role_ids)
            assert view.audience_for(seat.user_id, place_id, seat.role_ids) == known


@FEW
@given(guilds(), st.sampled_from(("owner", "@everyone")))
def test_a_guild_whose_owner_or_first_role_is_unknown_is_closed(guild: Guild, missing: str) -> None:
    view = guild.view()
    if missing == "owner":
        view.owner(None)
    else:
        view.no_role(GUILD)
    assert not view.is_open
    for place_id in guild.places:
        assert view.audience_of(place_id).sources == {place_id}
        assert view.audience_for(PEOPLE[0], place_id, tuple(ROLES)).sources == {place_id}


@given(guilds())
def test_one_viewer_hears_what_they_can_read_back(guild: Guild) -> None:
    view = guild.view()
    for user_id in PEOPLE:
        for place_id in guild.places:
            audience = view.audience_for(user_id, place_id)
            if user_id in view.people(view.viewers(place_id)):
                assert audience.sources == _heard_by(guild, view, frozenset((user_id,)), place_id)
            else:
                assert _is_alone(audience, guild)
            assert audience.viewer_id == user_id
            assert not audience.is_hall


@given(guilds())
def test_the_hall_is_what_every_holder_of_its_role_can_read(guild: Guild) -> None:
    view = guild.view()
    role_id = GUILD if guild.hall_role_id is None else guild.hall_role_id
    holders = frozenset(
        seat.user_id for seat in guild.seats.values() if not seat.is_bot and role_id in (GUILD, *seat.role_ids)
    )
    expected = {
        place_id
        for place_id, place in guild.places.items()
        if place.kind in (PlaceKind.CHANNEL, PlaceKind.VOICE, PlaceKind.THREAD)
        and holders <= view.people(view.readers(place_id))
        and not guild.is_age_restricted(place_id)
    }
    assert view.hall() == (expected if holders and role_id in guild.roles else frozenset())
    for place_id in guild.places:
        audience = view.audience_of(place_id)
        assert audience.is_hall == (place_id in view.hall() and view.viewers(place_id) != 0)


def _heard_by(guild: Guild, view: GuildView, viewers: frozenset[int], place_id: int) -> set[int]:
    return {
        source_id
        for source_id, source in guild.places.items()
        if source.kind is not PlaceKind.CATEGORY
        and viewers <= view.people(view.readers(source_id))
        and (guild.is_age_restricted(place_id) or not guild.is_age_restricted(source_id))
    }


def _is_alone(audience: Audience, guild: Guild) -> bool:
    """It draws upon its place at most, and on that only if whoever sees it can read it back."""
    view, place_id = guild.view(), audience.place_id
    sees_all = view.viewers(place_id) == view.readers(place_id)
    return audience.sources <= ({place_id} if sees_all else frozenset()) and audience.version == 0


def test_a_place_that_some_may_not_read_back_draws_upon_its_past_for_none_of_them() -> None:
    """Also where it is not known who is there; while nobody is denied, it speaks of itself."""
    deaf, hall, lobby = 7, 2000, 2001
    view = GuildView(GUILD)
    view.owner(1)
    view.role(Role(GUILD, VIEW_CHANNEL | READ_MESSAGE_HISTORY))
    view.place(Place(hall, PlaceKind.CHANNEL, None))
    view.place(Place(lobby, PlaceKind.CHANNEL, None, (Overwrite(deaf, False, 0, READ_MESSAGE_HISTORY),)))
    view.open_places()
    assert view.audience_of(hall).sources == {hall}
    assert view.audience_of(lobby).sources == frozenset()
    for user_id in (1, 2, deaf):
        view.seat(Seat(user_id, ()))
    view.open()
    assert view.audience_of(lobby).sources == {hall}
    assert view.audience_for(deaf, lobby).sources == {hall}
    assert view.audience_for(2, lobby).sources == {hall, lobby}


def test_of_a_place_that_cannot_be_read_back_there_is_the_present() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    audience = Audience(GUILD, 2000, frozenset((2000, 2001)))
    old, new = (
        Message(GUILD, 2000, number, PEOPLE[0], AuthorKind.PERSON, "hello", now - ago)
        for number, ago in enumerate((PRESENT + timedelta(seconds=1), PRESENT))
    )
    deaf = replace(audience, sources=frozenset((2001,)))
    assert audience.present([old, new], None) == audience.present([old, new], now) == [old, new]
    assert deaf.present([old, new], now) == [new]
    assert deaf.present([old, new], None) == []
    assert deaf.alone().sources == frozenset()
    assert audience.alone() == Audience.of_place_alone(GUILD, 2000)


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
    guild.roles |= {role_id: Role(role_id, 0) for role_id in holders}
    held = [(role_id,) for role_id, number in holders.items() for _ in range(number)]
    for user_id, role_ids in enumerate([*held, *[()] * guests], start=100):
        guild.seats[user_id] = Seat(user_id, role_ids)
    for channel_id, roles in rooms.items():
        doors = [Overwrite(role_id, True, VIEW_CHANNEL, 0) for role_id in roles]
        gate = [Overwrite(GUILD, True, 0, VIEW_CHANNEL)] if roles else []
        guild.places[channel_id] = Place(channel_id, PlaceKind.CHANNEL, None, (*gate, *doors))
    return guild
