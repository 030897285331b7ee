"""The channels and threads that somebody can read, by the names Discord has for them.

Whatever they cannot read is nowhere looked at, so nothing that is said or offered here depends on it.
"""

import re
from collections.abc import Iterator

import discord

from memory.language.text import fold
from memory.places.view import Audience

MOST_OFFERED = 25
LONGEST_NAME = 100
_ID = re.compile(r"<#(\d{1,20})>|(\d{15,20})|https://(?:\w+\.)?discord(?:app)?\.com/channels/\d+/(\d{1,20})(?:/\d+)?")

Place = discord.abc.GuildChannel | discord.Thread


def named(guild: discord.Guild, audience: Audience, typed: str) -> frozenset[int]:
    """The ids of those that are meant: by id, mention, link or name; several may have the same name."""
    by_id = _ID.fullmatch(typed.strip())
    if by_id is not None:
        meant = int(next(group for group in by_id.groups() if group))
        return audience.sources & {meant}
    wanted = _key(typed)
    return frozenset(
        place.id for place in _readable(guild, audience) if wanted in (_key(place.name), _key(_path(place, audience)))
    )


def offered(guild: discord.Guild, audience: Audience, typed: str) -> list[tuple[str, int]]:
    """Names with ids, those that begin with what was typed first; nothing typed, the place itself and the rest."""
    wanted = _key(typed)
    found: list[tuple[tuple[bool, bool, str], str, int]] = []
    for place in _readable(guild, audience):
        path = _path(place, audience)
        if wanted in _key(path):
            order = (place.id != audience.place_id, not _key(place.name).startswith(wanted), path.casefold())
            found.append((order, path[:LONGEST_NAME], place.id))
    return [(name, place_id) for _, name, place_id in sorted(found)[:MOST_OFFERED]]


def _readable(guild: discord.Guild, audience: Audience) -> Iterator[Place]:
    for place_id in audience.sources:
        place = guild.get_channel_or_thread(place_id)
        if place is not None:
            yield place


def _path(place: Place, audience: Audience) -> str:
    """A thread is told with its channel."""
    parent = place.parent if isinstance(place, discord.Thread) else None
    if parent is None or parent.id not in audience.sources:
        return f"#{place.name}"
    return f"#{parent.name} › {place.name}"


def _key(name: str) -> str:
    return fold(name).strip().removeprefix("#")
