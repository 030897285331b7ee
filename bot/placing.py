"""From Discord's objects to what decides who may see what. Pure: what is not in the object is not asked for."""

from collections.abc import Iterable
from typing import TypeAlias

import discord

from memory.core.values import Member
from memory.places.model import Overwrite, Place, PlaceKind, Role, Seat

Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread


def to_role(role: discord.Role) -> Role:
    return Role(role.id, role.permissions.value)


def to_place(channel: Channel, members: Iterable[int] | None = None) -> Place:
    """`members` are those of a private thread, which Discord tells only when asked."""
    if isinstance(channel, discord.Thread):
        kind = PlaceKind.PRIVATE_THREAD if channel.is_private() else PlaceKind.THREAD
        guests = None if members is None or kind is PlaceKind.THREAD else frozenset(members)
        return Place(channel.id, kind, channel.parent_id, members=guests)
    # The bits as they came. discord.py's `overwrites` leaves out those it has no name for, at fifty times the cost.
    overwrites = tuple(Overwrite(door.id, door.is_role(), door.allow, door.deny) for door in channel._overwrites)
    return Place(channel.id, _kind(channel), channel.category_id, overwrites, _is_age_restricted(channel))


def to_seat(member: Member) -> Seat:
    return Seat(member.user_id, member.roles, member.is_bot)


def _kind(channel: discord.abc.GuildChannel) -> PlaceKind:
    if isinstance(channel, discord.CategoryChannel):
        return PlaceKind.CATEGORY
    return PlaceKind.VOICE if isinstance(channel, discord.VoiceChannel | discord.StageChannel) else PlaceKind.CHANNEL


def _is_age_restricted(channel: discord.abc.GuildChannel) -> bool:
    return bool(getattr(channel, "nsfw", False))
