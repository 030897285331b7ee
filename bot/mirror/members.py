"""Keeps whole member lists. Discord sends a small guild's by itself; a large one's is asked for until it has come.

Without the whole list somebody could be overlooked who must not read a reply, so the guild stays closed until then.
"""

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import aiohttp
import discord

from bot.background import Key, KeyedTaskQueue
from memory.core.values import Member
from memory.places.model import Overwrite, Place, PlaceKind, Role, Seat
from memory.places.service import PlaceMirror

logger = logging.getLogger(__name__)

ASKED_AT_ONCE = 2
LIST_SECONDS = 60.0
"""Discord answers once in 30 seconds for each guild."""


class MemberLists:
    def __init__(self, arrived: Callable[[discord.Guild], None]) -> None:
        self._arrived = arrived
        self.tasks = KeyedTaskQueue("member list", ASKED_AT_ONCE)
        self._whole: set[int] = set()
        self._sessions: defaultdict[int, int] = defaultdict(int)

    def has_everyone(self, guild: discord.Guild) -> bool:
        """Say whether everyone is known: by the count, or because Discord has said that this was all."""
        return guild.chunked or guild.id in self._whole

    def ask(self, guild: discord.Guild) -> None:
        self.tasks.ask(Key(guild.id), lambda: self._fetch(guild))

    def forget_guild(self, guild_id: int) -> None:
        """Forget a guild; of a list that is on its way nobody knows what it leaves out."""
        self._sessions[guild_id] += 1
        self._whole.discard(guild_id)
        self.tasks.forget_guild(guild_id)

    async def _fetch(self, guild: discord.Guild) -> bool:
        asked_in = self._sessions[guild.id]
        try:
            async with asyncio.timeout(LIST_SECONDS):
                await guild.chunk()
        except (TimeoutError, discord.ClientException, aiohttp.ClientError, OSError):
            # discord.py would wait for the answer to the same question for ever.
            guild._state._chunk_requests.pop(guild.id, None)
            logger.warning("member list did not arrive; asking again", extra={"guild_id": guild.id})
            return False
        if asked_in == self._sessions[guild.id]:
            self._whole.add(guild.id)
            self._arrived(guild)
        return True


# From Discord's objects to what decides who may see what. Pure: what is not in the object is not asked for.


Channel: TypeAlias = discord.abc.GuildChannel | discord.Thread


def to_role(role: discord.Role) -> Role:
    return Role(role.id, role.permissions.value, role.name)


def to_place(channel: Channel) -> Place:
    """Make a place of a channel; who is in a private thread Discord tells only when asked."""
    if isinstance(channel, discord.Thread):
        kind = PlaceKind.PRIVATE_THREAD if channel.is_private() else PlaceKind.THREAD
        return Place(channel.id, kind, channel.parent_id, name=channel.name)
    # The bits as they came. discord.py's `overwrites` leaves out those it has no name for, at fifty times the cost.
    overwrites = tuple(Overwrite(door.id, door.is_role(), door.allow, door.deny) for door in channel._overwrites)
    restricted = bool(getattr(channel, "nsfw", False))
    return Place(channel.id, _kind(channel), channel.category_id, overwrites, restricted, name=channel.name)


def to_seat(member: Member) -> Seat:
    return Seat(member.user_id, member.roles, member.is_bot)


def _kind(channel: discord.abc.GuildChannel) -> PlaceKind:
    if isinstance(channel, discord.CategoryChannel):
        return PlaceKind.CATEGORY
    return PlaceKind.VOICE if isinstance(channel, discord.VoiceChannel | discord.StageChannel) else PlaceKind.CHANNEL


# Who is in each private thread. Discord tells it when asked, and then how it changes; before that it is closed.


THREADS_ASKED_AT_ONCE = 3


class ThreadGuests:
    def __init__(self, place_mirror: PlaceMirror, *, told_of_members: bool) -> None:
        """`told_of_members`: Discord tells who is in a thread besides ourselves."""
        self._place_mirror = place_mirror
        self._told_of_members = told_of_members
        self.tasks = KeyedTaskQueue("thread members", THREADS_ASKED_AT_ONCE)
        self._changes: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """By guild: how often something happened to each thread since we looked around."""
        self._found: defaultdict[int, dict[int, discord.Thread]] = defaultdict(dict)

    def forget_guild(self, guild_id: int) -> None:
        """Forget a guild's threads: what is being asked now may be outdated when the answer comes."""
        self._changes[guild_id] = Counter()
        self.tasks.forget_guild(guild_id)
        self._found.pop(guild_id, None)

    def look_around(self, guild: discord.Guild) -> None:
        """Ask who is in the threads in use, and in those found in the archive before anyone looked at the guild."""
        found = self._found.pop(guild.id, {})
        self.forget_guild(guild.id)
        for thread in (*guild.threads, *found.values()):
            self.ask(thread)

    def ask_for_old(self, guild: discord.Guild) -> None:
        """Ask who is in threads that the store alone remembered: they may not be listed, though we may look in."""
        for place in self._place_mirror.private_threads(guild.id):
            if not self._changes[guild.id][place.channel_id]:
                self.ask_anew(guild, place)

    def ask(self, thread: discord.Thread) -> None:
        """Ask who is in a private thread: nobody, until Discord answers. A public one is as open as its channel."""
        if self._place_mirror.has_sight(thread.guild.id):
            self.ask_anew(thread.guild, to_place(thread))
        else:
            self._found[thread.guild.id][thread.id] = thread

    def seen(self, thread: discord.Thread) -> None:
        """Note a thread that was made, came into view or left the archive. Its kind and channel never change."""
        known = self._place_mirror.known_place(thread.guild.id, thread.id)
        if known is None or (known.members is None and thread.is_private()):
            self.ask(thread)

    def renamed(self, thread: discord.Thread) -> None:
        known = self._place_mirror.known_place(thread.guild.id, thread.id)
        if known is not None:
            self._place_mirror.place(thread.guild.id, replace(known, name=thread.name))

    def out_of_view(self, thread: discord.Thread) -> None:
        """Ask anew who is in a private thread: we are told no more of who enters and leaves it."""
        if thread.is_private():
            self.ask(thread)

    def ask_anew(self, guild: discord.Guild, place: Place) -> None:
        """Forget who is in a thread, and ask."""
        self._place_mirror.place(guild.id, replace(place, members=None))
        if place.kind is PlaceKind.PRIVATE_THREAD:
            self._changes[guild.id][place.channel_id] += 1
            if self._told_of_members:
                self.tasks.ask(Key(guild.id, place.channel_id), lambda: self._fetch(guild, place))

    def entered(self, guild_id: int, thread_id: int, user_id: int) -> None:
        self._changes[guild_id][thread_id] += 1
        place = self._place_mirror.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._place_mirror.place(guild_id, replace(place, members=place.members | {user_id}))

    def left(self, guild_id: int, thread_id: int, user_ids: set[int]) -> None:
        self._changes[guild_id][thread_id] += 1
        place = self._place_mirror.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._place_mirror.place(guild_id, replace(place, members=place.members - user_ids))

    def member_left(self, guild_id: int, user_id: int) -> None:
        """Note that a member left a guild, and so all of its threads; an answer under way may still name them."""
        self._place_mirror.no_seat(guild_id, user_id)
        for thread_id in self._changes[guild_id]:
            self._changes[guild_id][thread_id] += 1

    def member_came(self, guild: discord.Guild, user_id: int) -> None:
        """Ask anew whether a new member is in threads that listed them before they came."""
        for place in self._place_mirror.private_threads_of(guild.id, user_id):
            self.ask_anew(guild, place)

    def gone(self, guild_id: int, thread_id: int) -> None:
        self._changes[guild_id].pop(thread_id, None)
        self._found[guild_id].pop(thread_id, None)

    async def _fetch(self, guild: discord.Guild, place: Place) -> bool:
        """Fetch who is in a thread, by its id: discord.py does not keep archived ones."""
        changes = self._changes[guild.id]
        while seen := changes[place.channel_id]:
            try:
                thread = await guild.fetch_channel(place.channel_id)
                members = await thread.fetch_members() if isinstance(thread, discord.Thread) else []
            except (discord.Forbidden, discord.NotFound, discord.InvalidData):
                return True  # it stays closed; when that changes, an event will say so
            if changes is not self._changes[guild.id]:
                return True  # sight was lost; whoever looks around anew asks again
            if seen == changes[place.channel_id]:
                guests = frozenset(member.id for member in members)
                self._place_mirror.place(guild.id, replace(place, members=guests))
                return True
        return True  # it was deleted meanwhile
