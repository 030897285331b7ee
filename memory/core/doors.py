"""A place's overwrites, sorted by what they do to each permission that decides about seeing.

Most overwrites are about other things, and most channels share theirs with their category: sorted once, a door is
quickly asked who passes it, and channels with the same one are asked together.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memory.core.places import CONNECT, MANAGE_THREADS, READ_MESSAGE_HISTORY, VIEW_CHANNEL, Overwrite


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """What becomes of one permission at a door. Known by itself, not by what it says, so that it is quickly found."""

    permission: int
    for_everyone: bool | None
    lost_by_roles: tuple[int, ...]
    gained_by_roles: tuple[int, ...]
    lost_by_members: tuple[int, ...]
    gained_by_members: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ChannelOverwrites:
    view: Rule
    read: Rule
    connect: Rule
    manage_threads: Rule


@lru_cache(maxsize=8_192)
def overwrites_of(guild_id: int, overwrites: tuple[Overwrite, ...]) -> ChannelOverwrites:
    return ChannelOverwrites(
        _rule(guild_id, overwrites, VIEW_CHANNEL),
        _rule(guild_id, overwrites, READ_MESSAGE_HISTORY),
        _rule(guild_id, overwrites, CONNECT),
        _rule(guild_id, overwrites, MANAGE_THREADS),
    )


def _rule(guild_id: int, overwrites: Iterable[Overwrite], permission: int) -> Rule:
    """Where one overwrite both denies and allows, Discord lets the allowing win: it comes second."""
    for_everyone: bool | None = None
    lost: dict[bool, list[int]] = {True: [], False: []}
    gained: dict[bool, list[int]] = {True: [], False: []}
    for overwrite in overwrites:
        allows, denies = bool(overwrite.allow & permission), bool(overwrite.deny & permission)
        if overwrite.is_role and overwrite.target_id == guild_id:
            for_everyone = allows if allows or denies else for_everyone
            continue
        if denies:
            lost[overwrite.is_role].append(overwrite.target_id)
        if allows:
            gained[overwrite.is_role].append(overwrite.target_id)
    return _shared(permission, for_everyone, *map(tuple, (lost[True], gained[True], lost[False], gained[False])))


@lru_cache(maxsize=8_192)
def _shared(permission: int, for_everyone: bool | None, *targets: tuple[int, ...]) -> Rule:
    """Doors that differ in one permission mostly agree in the others."""
    return Rule(permission, for_everyone, *targets)
