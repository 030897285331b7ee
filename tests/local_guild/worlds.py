"""Hypothesis strategies for guilds: roles, overwrites, categories, threads, an owner and administrators."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import count

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from local_guild.permissions import Permission
from local_guild.world import Channel, ChannelType, Facts, Guild, Member, Overwrite, Role, Thread, User, World

LONG_AGO = datetime(2025, 3, 1, tzinfo=UTC)

# Those that decide over what is delivered and answered come up often, the rest now and then.
DECISIVE = (
    Permission.VIEW_CHANNEL,
    Permission.SEND_MESSAGES,
    Permission.READ_MESSAGE_HISTORY,
    Permission.SEND_MESSAGES_IN_THREADS,
    Permission.MANAGE_THREADS,
)
BYSTANDERS = (
    Permission.MANAGE_MESSAGES,
    Permission.EMBED_LINKS,
    Permission.ATTACH_FILES,
    Permission.MENTION_EVERYONE,
    Permission.ADD_REACTIONS,
    Permission.MANAGE_CHANNELS,
    Permission.KICK_MEMBERS,
)
ROOM_TYPES = (ChannelType.TEXT, ChannelType.TEXT, ChannelType.ANNOUNCEMENT)


def _combined(permissions: Iterable[Permission]) -> int:
    bits = 0
    for permission in permissions:
        bits |= int(permission)
    return bits


def permission_bits() -> SearchStrategy[int]:
    several = st.sets(st.sampled_from(DECISIVE + BYSTANDERS), max_size=6)
    return several.map(_combined)


@st.composite
def role_permissions(draw: DrawFn) -> int:
    administrator = draw(st.integers(0, 9)) == 0
    return draw(permission_bits()) | (int(Permission.ADMINISTRATOR) if administrator else 0)


@st.composite
def overwrites(draw: DrawFn, role_ids: list[int], user_ids: list[int]) -> dict[int, Overwrite]:
    subjects = draw(st.sets(st.sampled_from(role_ids + user_ids), max_size=4))
    found: dict[int, Overwrite] = {}
    for subject in sorted(subjects):
        allow, deny = draw(permission_bits()), draw(permission_bits())
        found[subject] = Overwrite(subject, for_member=subject in user_ids, allow=allow, deny=deny & ~allow)
    return found


@st.composite
def threads(draw: DrawFn, ids: count[int], guild: Guild, rooms: list[Channel], user_ids: list[int]) -> list[Channel]:
    found = []
    for number in range(draw(st.integers(0, 3))):
        parent = draw(st.sampled_from(rooms))
        seated = draw(st.sets(st.sampled_from(user_ids), min_size=1, max_size=3))
        kind = draw(st.sampled_from([ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD]))
        if parent.type == ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        thread = Thread(min(seated), LONG_AGO, member_since=dict.fromkeys(sorted(seated), LONG_AGO))
        found.append(Channel(next(ids), kind, f"thread-{number}", guild.id, parent.id, thread=thread))
    return found


@st.composite
def worlds(draw: DrawFn) -> World:
    """A world of one guild, whose bot is an ordinary member with whatever roles it was dealt."""
    ids = count(1_000_000 << 22, 1 << 22)
    world = World()
    users = [User(next(ids), f"person-{n}", f"token-{n}") for n in range(draw(st.integers(2, 4)))]
    users.append(User(next(ids), "Innkeeper", "token-bot", bot=True))
    user_ids = [user.id for user in users]
    guild = Guild(next(ids), "Generated", owner_id=draw(st.sampled_from(user_ids)))
    guild.roles[guild.id] = Role(guild.id, "@everyone", draw(role_permissions()), position=0)
    for number in range(draw(st.integers(0, 3))):
        role = Role(next(ids), f"role-{number}", draw(role_permissions()), position=number + 1)
        guild.roles[role.id] = role
    own_roles = [role_id for role_id in guild.roles if role_id != guild.id]

    def some_overwrites() -> dict[int, Overwrite]:
        return draw(overwrites([guild.id, *own_roles], user_ids))

    world.keep(Facts(bot_id=users[-1].id))
    for user in users:
        world.keep(user)
    world.keep(guild)
    for user in users:
        roles = draw(st.sets(st.sampled_from(own_roles))) if own_roles else set()
        world.keep(Member(guild.id, user.id, LONG_AGO, role_ids=sorted(roles)))
    categories = [
        Channel(next(ids), ChannelType.CATEGORY, f"category-{n}", guild.id, position=n, overwrites=some_overwrites())
        for n in range(draw(st.integers(0, 2)))
    ]
    rooms = []
    for number in range(draw(st.integers(1, 4))):
        parent = draw(st.sampled_from([None, *categories]))
        # A room follows its category only where the same overwrites were copied to it.
        synced = parent is not None and draw(st.booleans())
        room = Channel(next(ids), draw(st.sampled_from(ROOM_TYPES)), f"room-{number}", guild.id, position=number)
        room.parent_id = None if parent is None else parent.id
        room.overwrites = dict(parent.overwrites) if parent is not None and synced else some_overwrites()
        rooms.append(room)
    for channel in [*categories, *rooms, *draw(threads(ids, guild, rooms, user_ids))]:
        world.keep(channel)
    return world
