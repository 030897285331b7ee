"""Discord's rule of what a member may do: roles, overwrites, and what follows from not seeing a channel."""

from collections.abc import Iterable, Mapping
from enum import IntFlag

from local_guild.world import Overwrite, Role


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
    """What a member may do in the guild at large. The @everyone role has the guild's own id."""
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
    """What is left and added by a channel's overwrites, in Discord's order.

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
    """Threads inherit from their parent; sending has its own permission, a private one needs a seat."""
    granted = overwritten_in_parent
    if private and not joined and not granted & Permission.MANAGE_THREADS:
        return 0
    if granted & Permission.SEND_MESSAGES_IN_THREADS:
        return effective(granted | Permission.SEND_MESSAGES)
    return effective(granted & ~Permission.SEND_MESSAGES)
