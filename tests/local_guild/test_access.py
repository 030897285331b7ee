"""Who sees what: in any guild the server agrees with discord.py's own `permissions_for`."""

from datetime import UTC, datetime

from hypothesis import given

from local_guild.state.permissions import Access
from local_guild.state.world import Channel, Facts, Member, Overwrite, Role, Thread, User, World
from local_guild.state.world import Guild as LocalGuild
from memory.places.model import READ_MESSAGE_HISTORY, Place, PlaceKind
from tests.bot.mirror.test_viewers import sights_of_discord
from tests.memory.places.generated_guilds import GUILD, TYPES, Guild, guilds

LONG_AGO = datetime(2025, 3, 1, tzinfo=UTC)


def world_of(guild: Guild) -> World:
    """The same guild, as the local guild keeps it."""
    world = World()
    world.keep(Facts())
    roles = {role_id: Role(role_id, "a role", role.permissions) for role_id, role in guild.roles.items()}
    world.keep(LocalGuild(GUILD, "The Inn", guild.owner_id, roles))
    for user_id, seat in guild.seats.items():
        world.keep(User(user_id, f"member-{user_id}", f"token-{user_id}", bot=seat.is_bot))
        # Discord takes a deleted role from its holders.
        world.keep(Member(GUILD, user_id, LONG_AGO, role_ids=[one for one in seat.role_ids if one in roles]))
    for place in guild.places.values():
        world.keep(channel_of(place))
    return world


def channel_of(place: Place) -> Channel:
    thread = None
    if place.is_thread:
        thread = Thread(0, LONG_AGO, member_since=dict.fromkeys(place.members or (), LONG_AGO))
    overwrites = {
        one.target_id: Overwrite(one.target_id, not one.is_role, one.allow, one.deny) for one in place.overwrites
    }
    kind = TYPES[place.channel_id]
    return Channel(place.channel_id, kind, "a room", GUILD, place.parent_id, overwrites=overwrites, thread=thread)


@given(guilds())
def test_who_may_view_and_read_back_is_what_discord_py_says(guild: Guild) -> None:
    world, people = world_of(guild), [seat.user_id for seat in guild.seats.values() if not seat.is_bot]
    access = Access(world)
    for place_id, (viewers, readers) in sights_of_discord(guild).items():
        place = guild.places.get(place_id)
        if place is None or (place.kind is PlaceKind.PRIVATE_THREAD and place.members is None):
            continue  # it is not there, or Discord has not said yet who is in it
        channel = world.channels[place_id]
        assert {one for one in people if access.may_view(channel, one)} == viewers
        if place.kind is not PlaceKind.VOICE:  # there it matters who may join, which is not played here
            assert {one for one in people if access.in_channel(channel, one) & READ_MESSAGE_HISTORY} == readers
