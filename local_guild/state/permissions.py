"""Applies Discord's rule of what a member may do: roles, overwrites, and what follows from not seeing a channel."""

from collections.abc import Iterable, Mapping
from enum import IntFlag

from local_guild.state.world import Channel, ChannelType, Guild, Overwrite, Role, World


class Permission(IntFlag):
    CREATE_INSTANT_INVITE = 1 << 0
    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_AUDIT_LOG = 1 << 7
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    SEND_TTS_MESSAGES = 1 << 12
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    SPEAK = 1 << 21
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    MANAGE_WEBHOOKS = 1 << 29
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_EVENTS = 1 << 33
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51


EVERYTHING = (1 << 52) - 1

EVERYONE_DEFAULT = int(
    Permission.CREATE_INSTANT_INVITE
    | Permission.ADD_REACTIONS
    | Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CONNECT
    | Permission.SPEAK
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

# Without the permission to send, a message cannot carry these either.
_PARTS_OF_A_MESSAGE = int(
    Permission.MENTION_EVERYONE | Permission.SEND_TTS_MESSAGES | Permission.ATTACH_FILES | Permission.EMBED_LINKS
)


def guild_permissions(roles: Mapping[int, Role], guild_id: int, role_ids: Iterable[int], *, owner: bool) -> int:
    """Find what a member may do in the guild at large. The @everyone role has the guild's own id."""
    if owner:
        return EVERYTHING
    everyone = roles.get(guild_id)
    granted = everyone.permissions if everyone is not None else 0
    for role_id in role_ids:
        role = roles.get(role_id)
        if role is not None:
            granted |= role.permissions
    return EVERYTHING if granted & Permission.ADMINISTRATOR else granted


def overwritten(
    granted: int,
    overwrites: Mapping[int, Overwrite],
    *,
    guild_id: int,
    user_id: int,
    role_ids: Iterable[int],
) -> int:
    """Apply a channel's overwrites to what is granted, in Discord's order.

    @everyone's overwrite first, then all roles' denials and all roles' allowances together, the
    member's own last. An administrator is above overwrites.
    """
    if granted & Permission.ADMINISTRATOR:
        return EVERYTHING
    everyone = overwrites.get(guild_id)
    if everyone is not None:
        granted = (granted & ~everyone.deny) | everyone.allow
    allow = deny = 0
    for role_id in role_ids:
        overwrite = overwrites.get(role_id)
        if overwrite is not None and not overwrite.for_member and role_id != guild_id:
            allow |= overwrite.allow
            deny |= overwrite.deny
    granted = (granted & ~deny) | allow
    own = overwrites.get(user_id)
    if own is not None and own.for_member:
        granted = (granted & ~own.deny) | own.allow
    return granted


def effective(granted: int) -> int:
    """Take away what is meaningless without a more basic permission."""
    if not granted & Permission.VIEW_CHANNEL:
        return 0
    if not granted & Permission.SEND_MESSAGES:
        granted &= ~_PARTS_OF_A_MESSAGE
    return granted


def thread_permissions(overwritten_in_parent: int, *, private: bool, joined: bool) -> int:
    """Find what threads inherit from their parent; sending has its own permission, a private one needs a seat."""
    granted = overwritten_in_parent
    if private and not joined and not granted & Permission.MANAGE_THREADS:
        return 0
    if granted & Permission.SEND_MESSAGES_IN_THREADS:
        return effective(granted | Permission.SEND_MESSAGES)
    return effective(granted & ~Permission.SEND_MESSAGES)


# Who may do what where, asked of a world: the permission rules applied to its present state.


# As a plain number: asked for every event and reader, where an enumeration's arithmetic would show.
VIEW_CHANNEL = int(Permission.VIEW_CHANNEL)
DM_PERMISSIONS = int(
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.ADD_REACTIONS
    | Permission.ATTACH_FILES
    | Permission.EMBED_LINKS
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)


class Access:
    def __init__(self, world: World) -> None:
        self._world = world
        self._revision = -1
        self._known: dict[tuple[int, int], int] = {}

    def in_guild(self, guild: Guild, user_id: int) -> int:
        member = self._world.member(guild.id, user_id)
        if member is None:
            return 0
        return guild_permissions(guild.roles, guild.id, member.role_ids, owner=guild.owner_id == user_id)

    def in_channel(self, channel: Channel, user_id: int) -> int:
        if self._revision != self._world.revision:
            self._known.clear()
            self._revision = self._world.revision
        key = (channel.id, user_id)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._compute(channel, user_id)
        return known

    def may_view(self, channel: Channel, user_id: int) -> bool:
        return bool(self.in_channel(channel, user_id) & VIEW_CHANNEL)

    def viewers(self, channel: Channel) -> set[int]:
        candidates = channel.recipient_ids if channel.guild_id is None else self._world.members(channel.guild_id)
        return {user_id for user_id in candidates if self.may_view(channel, user_id)}

    def is_private(self, channel: Channel) -> bool:
        """Say whether somebody with no role but @everyone is kept out."""
        if channel.guild_id is None or channel.type == ChannelType.PRIVATE_THREAD:
            return True
        if channel.thread is not None:
            parent = self._world.channels.get(channel.parent_id or 0)
            return parent is None or self.is_private(parent)
        guild = self._world.guilds[channel.guild_id]
        granted = guild_permissions(guild.roles, guild.id, (), owner=False)
        seen = overwritten(granted, channel.overwrites, guild_id=guild.id, user_id=0, role_ids=())
        return not seen & Permission.VIEW_CHANNEL

    def _compute(self, channel: Channel, user_id: int) -> int:
        if channel.guild_id is None:
            return DM_PERMISSIONS if user_id in channel.recipient_ids else 0
        guild = self._world.guilds[channel.guild_id]
        member = self._world.member(guild.id, user_id)
        if member is None:
            return 0
        # A thread has no overwrites of its own: its parent's count.
        place = channel if channel.thread is None else self._world.channels.get(channel.parent_id or 0)
        if place is None:
            return 0
        granted = overwritten(
            self.in_guild(guild, user_id),
            place.overwrites,
            guild_id=guild.id,
            user_id=user_id,
            role_ids=member.role_ids,
        )
        if channel.thread is None:
            return effective(granted)
        private = channel.type == ChannelType.PRIVATE_THREAD
        return thread_permissions(granted, private=private, joined=user_id in channel.thread.member_since)
