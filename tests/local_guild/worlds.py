"""Hypothesis strategies for guilds: roles, overwrites, categories, threads, an owner and administrators."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from local_guild.state.permissions import Permission
from local_guild.state.world import Channel, ChannelType, Facts, Guild, Member, Overwrite, Role, Thread, User, World

Thing = TypeVar("Thing")

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


# Made once: hypothesis spends more time on making a strategy than on drawing from it.
MASK = st.integers(0, (1 << len(DECISIVE + BYSTANDERS)) - 1)
COIN, DIE = st.booleans(), st.integers(0, 9)


def some_of(draw: DrawFn, things: Sequence[Thing]) -> list[Thing]:
    """Any of these (at most as many as a mask has bits), in their order."""
    mask = draw(MASK)
    return [thing for place, thing in enumerate(things) if mask >> place & 1]


def one_of(draw: DrawFn, things: Sequence[Thing]) -> Thing:
    return things[draw(DIE) % len(things)]


def permission_bits(draw: DrawFn) -> int:
    return sum(int(permission) for permission in some_of(draw, DECISIVE + BYSTANDERS))


def role_permissions(draw: DrawFn) -> int:
    administrator = draw(DIE) == 9
    return permission_bits(draw) | (int(Permission.ADMINISTRATOR) if administrator else 0)


def overwrites(draw: DrawFn, role_ids: list[int], user_ids: list[int]) -> dict[int, Overwrite]:
    found: dict[int, Overwrite] = {}
    for subject in some_of(draw, role_ids + user_ids):
        allow, deny = permission_bits(draw), permission_bits(draw)
        found[subject] = Overwrite(subject, for_member=subject in user_ids, allow=allow, deny=deny & ~allow)
    return found


def threads(draw: DrawFn, ids: count[int], guild: Guild, rooms: list[Channel], user_ids: list[int]) -> list[Channel]:
    found = []
    for number in range(draw(DIE) % 4):
        parent = one_of(draw, rooms)
        seated = some_of(draw, user_ids) or user_ids[:1]
        kind = ChannelType.PRIVATE_THREAD if draw(COIN) else ChannelType.PUBLIC_THREAD
        if parent.type == ChannelType.ANNOUNCEMENT:
            kind = ChannelType.ANNOUNCEMENT_THREAD
        thread = Thread(seated[0], LONG_AGO, member_since=dict.fromkeys(seated, LONG_AGO))
        found.append(Channel(next(ids), kind, f"thread-{number}", guild.id, parent.id, thread=thread))
    return found


@st.composite
def worlds(draw: DrawFn) -> World:
    """A world of one guild, whose bot is an ordinary member with whatever roles it was dealt."""
    ids = count(1_000_000 << 22, 1 << 22)
    world = World()
    users = [User(next(ids), f"person-{n}", f"token-{n}") for n in range(2 + draw(DIE) % 3)]
    users.append(User(next(ids), "Innkeeper", "token-bot", bot=True))
    user_ids = [user.id for user in users]
    guild = Guild(next(ids), "Generated", owner_id=one_of(draw, user_ids))
    guild.roles[guild.id] = Role(guild.id, "@everyone", role_permissions(draw), position=0)
    for number in range(draw(DIE) % 4):
        role = Role(next(ids), f"role-{number}", role_permissions(draw), position=number + 1)
        guild.roles[role.id] = role
    own_roles = [role_id for role_id in guild.roles if role_id != guild.id]

    def some_overwrites() -> dict[int, Overwrite]:
        return overwrites(draw, [guild.id, *own_roles], user_ids)

    world.keep(Facts(bot_id=users[-1].id))
    for user in users:
        world.keep(user)
    world.keep(guild)
    for user in users:
        world.keep(Member(guild.id, user.id, LONG_AGO, role_ids=some_of(draw, own_roles)))
    categories = [
        Channel(next(ids), ChannelType.CATEGORY, f"category-{n}", guild.id, position=n, overwrites=some_overwrites())
        for n in range(draw(DIE) % 3)
    ]
    rooms = []
    for number in range(1 + draw(DIE) % 4):
        parent = one_of(draw, [None, *categories])
        # A room follows its category only where the same overwrites were copied to it.
        synced = parent is not None and draw(COIN)
        room = Channel(next(ids), one_of(draw, ROOM_TYPES), f"room-{number}", guild.id, position=number)
        room.parent_id = None if parent is None else parent.id
        room.overwrites = dict(parent.overwrites) if parent is not None and synced else some_overwrites()
        rooms.append(room)
    for channel in [*categories, *rooms, *threads(draw, ids, guild, rooms, user_ids)]:
        world.keep(channel)
    return world
