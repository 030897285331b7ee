"""Who sees which place is what discord.py says of every single member, in every guild we can think of.

Two things discord.py does not know: that a private thread has members, and that the messages of a voice channel are
handed only to those who may join it. And one it knows that does not matter here: a timeout passes, and then everything
that was written meanwhile can be read.
"""

from dataclasses import replace

import discord
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.mirror.members import to_place, to_role, to_seat
from bot.translate import to_member
from memory.places.model import Place, PlaceKind, Seat
from memory.places.view import GuildView
from tests.bot import discord_objects as payloads
from tests.memory.places.generated_guilds import GUILD, TYPES, Change, Guild, changes, guilds

# Small guilds are quick to compare, and there are many ways to be one.
MANY = settings(max_examples=3 * settings().max_examples // 2)


@MANY
@given(guilds())
def test_viewers_and_readers_are_those_of_discord(guild: Guild) -> None:
    assert sights(guild.view()) == sights_of_discord(guild)


@given(guilds())
def test_what_the_bot_reads_from_discord_gives_the_same_view(guild: Guild) -> None:
    real = _discord_guild(guild)
    view = GuildView(GUILD)
    view.owner(real.owner_id)
    for role in real.roles:
        view.role(to_role(role))
    for channel in (*real.channels, *real.threads):
        view.place(replace(to_place(channel), members=guild.places[channel.id].members))
    for member in real.members:
        view.seat(to_seat(to_member(member)))
    assert sights(view) == sights_of_discord(guild)
    view.open()
    expected = guild.view()
    view.hall_role(guild.hall_role_id)
    for place_id in TYPES:
        assert view.audience_of(place_id) == expected.audience_of(place_id)


@given(guilds(), st.lists(changes, min_size=1, max_size=12))
def test_a_view_that_lived_through_changes_is_as_discord_has_it_in_the_end(
    guild: Guild, reported: list[Change]
) -> None:
    view = guild.view()
    for change in reported:
        change(guild, view)
        assert sights(view) == sights(guild.view())
    assert sights(view) == sights_of_discord(guild)


@given(guilds())
def test_one_viewer_alone_sees_what_they_see_among_others(guild: Guild) -> None:
    expected = sights_of_discord(guild)
    view = guild.view()
    for seat in guild.seats.values():
        for place_id, place in guild.places.items():
            seen, _ = expected[place_id]
            if seat.is_bot or place.kind is PlaceKind.CATEGORY:
                continue
            sources = view.audience_for(seat.user_id, place_id, seat.role_ids).sources
            if seat.user_id not in seen:
                assert sources <= {place_id}
                continue
            assert sources == {
                source_id
                for source_id, (_, read) in expected.items()
                if seat.user_id in read
                and guild.places[source_id].kind is not PlaceKind.CATEGORY
                and (guild.is_age_restricted(place_id) or not guild.is_age_restricted(source_id))
            }


Sights = dict[int, tuple[frozenset[int], frozenset[int]]]
"""Of each place its viewers, and those who may read it back."""


def sights(view: GuildView) -> Sights:
    return {place: (_named(view, view.viewers(place)), _named(view, view.readers(place))) for place in TYPES}


def _named(view: GuildView, bits: int) -> frozenset[int]:
    """Nobody is counted who has no name: whoever left would stay among the viewers."""
    people = view.people(bits)
    assert len(people) == bits.bit_count()
    return people


def sights_of_discord(guild: Guild) -> Sights:
    real = _discord_guild(guild)
    nobody: frozenset[int] = frozenset()
    found: Sights = dict.fromkeys(TYPES, (nobody, nobody))
    for channel_id, place in guild.places.items():
        channel = real.get_channel_or_thread(channel_id)
        assert channel is not None
        if isinstance(channel, discord.Thread) and channel.parent is None:
            continue
        sees = {member.id: _sees(channel, member, place) for member in real.members if not member.bot}
        viewers = frozenset(user_id for user_id, (views, _) in sees.items() if views)
        readers = frozenset(user_id for user_id, (views, reads) in sees.items() if views and reads)
        found[channel_id] = (viewers, readers)
    return found


def _sees(
    channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member, place: Place
) -> tuple[bool, bool]:
    allowed = channel.permissions_for(member)
    member.timed_out_until, timeout = None, member.timed_out_until
    allowed_later = channel.permissions_for(member)
    member.timed_out_until = timeout
    views, reads = allowed.view_channel, allowed.read_message_history
    if place.kind is PlaceKind.PRIVATE_THREAD:
        views &= place.members is not None and (member.id in place.members or allowed_later.manage_threads)
    if isinstance(channel, discord.VoiceChannel | discord.StageChannel):
        reads &= allowed_later.connect
    return views, reads


def _discord_guild(guild: Guild) -> discord.Guild:
    return payloads.guild(
        [_channel(place) for place in guild.places.values() if not place.is_thread],
        threads=[_thread(place) for place in guild.places.values() if place.is_thread],
        id=str(GUILD),
        owner_id=str(guild.owner_id),
        roles=[payloads.role(role.role_id, "a role", role.permissions) for role in guild.roles.values()],
        members=[_member(seat, guild) for seat in guild.seats.values()],
        member_count=len(guild.seats),
    )


def _channel(place: Place) -> payloads.Payload:
    data = payloads.channel(
        place.channel_id,
        kind=TYPES[place.channel_id],
        age_restricted=place.age_restricted,
        overwrites=[
            {
                "id": str(overwrite.target_id),
                "type": 0 if overwrite.is_role else 1,
                "allow": str(overwrite.allow),
                "deny": str(overwrite.deny),
            }
            for overwrite in place.overwrites
        ],
    )
    parent = None if place.parent_id is None else str(place.parent_id)
    return data | {"parent_id": parent, "bitrate": 64_000, "user_limit": 0, "available_tags": []}


def _thread(place: Place) -> payloads.Payload:
    assert place.parent_id is not None
    return payloads.thread(place.channel_id, place.parent_id) | {"type": TYPES[place.channel_id]}


def _member(seat: Seat, guild: Guild) -> payloads.Payload:
    """Discord takes a deleted role from its holders without a word about each of them."""
    return {
        "user": payloads.user(seat.user_id, f"member-{seat.user_id}", bot=seat.is_bot),
        "roles": [str(role_id) for role_id in seat.role_ids if role_id in guild.roles],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "communication_disabled_until": "2999-01-01T00:00:00+00:00" if seat.user_id in guild.timed_out else None,
    }
