"""Who is in each private thread. Discord tells it when asked, and then how it changes; before that it is closed."""

import logging
from collections import Counter, defaultdict
from dataclasses import replace

import discord

from bot.errands import Errands, Key
from bot.errors import TROUBLE
from bot.placing import to_place
from memory.places.mirror import PlaceMirror
from memory.places.model import Place, PlaceKind

logger = logging.getLogger(__name__)

ASKED_AT_ONCE = 3


class ThreadGuests:
    def __init__(self, seeing: PlaceMirror, *, told_of_members: bool) -> None:
        """`told_of_members`: Discord tells who is in a thread besides ourselves."""
        self._seeing = seeing
        self._told_of_members = told_of_members
        self._errands = Errands("thread members", ASKED_AT_ONCE)
        self._changes: defaultdict[int, Counter[int]] = defaultdict(Counter)
        """By guild: how often something happened to each thread since we looked around."""
        self._found: defaultdict[int, dict[int, discord.Thread]] = defaultdict(dict)

    def forget_guild(self, guild_id: int) -> None:
        """What is being asked now may be outdated when the answer comes."""
        self._changes[guild_id] = Counter()
        self._errands.forget_guild(guild_id)
        self._found.pop(guild_id, None)

    def look_around(self, guild: discord.Guild) -> None:
        """At the threads in use, and those that were found in the archive before anyone looked at the guild."""
        found = self._found.pop(guild.id, {})
        self.forget_guild(guild.id)
        for thread in (*guild.threads, *found.values()):
            self.ask(thread)

    def ask_for_old(self, guild: discord.Guild) -> None:
        """Those that the store alone remembered. Nobody may be able to list them, though we may look into them."""
        for place in self._seeing.private_threads(guild.id):
            if not self._changes[guild.id][place.channel_id]:
                self.ask_anew(guild, place)

    def ask(self, thread: discord.Thread) -> None:
        """Nobody is known to be in a private one until Discord has answered; a public one is as open as its channel."""
        if self._seeing.has_sight(thread.guild.id):
            self.ask_anew(thread.guild, to_place(thread))
        else:
            self._found[thread.guild.id][thread.id] = thread

    def ask_anew(self, guild: discord.Guild, place: Place) -> None:
        """Forget who is in it, and ask."""
        self._seeing.place(guild.id, replace(place, members=None))
        if place.kind is PlaceKind.PRIVATE_THREAD:
            self._changes[guild.id][place.channel_id] += 1
            if self._told_of_members:
                self._errands.ask(Key(guild.id, place.channel_id), lambda: self._fetch(guild, place))

    def entered(self, guild_id: int, thread_id: int, user_id: int) -> None:
        self._changes[guild_id][thread_id] += 1
        place = self._seeing.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._seeing.place(guild_id, replace(place, members=place.members | {user_id}))

    def left(self, guild_id: int, thread_id: int, user_ids: set[int]) -> None:
        self._changes[guild_id][thread_id] += 1
        place = self._seeing.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._seeing.place(guild_id, replace(place, members=place.members - user_ids))

    def member_left(self, guild_id: int, user_id: int) -> None:
        """The guild, and so all of its threads; an answer that is under way may still name them."""
        self._seeing.no_seat(guild_id, user_id)
        for thread_id in self._changes[guild_id]:
            self._changes[guild_id][thread_id] += 1

    def member_came(self, guild: discord.Guild, user_id: int) -> None:
        """Whoever was listed in a thread before they came: Discord has to say anew whether they are in it."""
        for place in self._seeing.private_threads_of(guild.id, user_id):
            self.ask_anew(guild, place)

    def gone(self, guild_id: int, thread_id: int) -> None:
        self._changes[guild_id].pop(thread_id, None)
        self._found[guild_id].pop(thread_id, None)

    async def run(self) -> None:
        await self._errands.run()

    async def _fetch(self, guild: discord.Guild, place: Place) -> bool:
        """By its id: discord.py does not keep archived threads."""
        changes = self._changes[guild.id]
        while seen := changes[place.channel_id]:
            try:
                members = await guild._state.http.get_thread_members(place.channel_id)
            except (discord.Forbidden, discord.NotFound):
                return True  # it stays closed; when that changes, an event will say so
            except TROUBLE as error:
                logger.warning(
                    "who is in a thread is asked again",
                    extra={"channel_id": place.channel_id, "reason": type(error).__name__},
                )
                return False
            if changes is not self._changes[guild.id]:
                return True  # sight was lost; whoever looks around anew asks again
            if seen == changes[place.channel_id]:
                guests = frozenset(int(member["user_id"]) for member in members)
                self._seeing.place(guild.id, replace(place, members=guests))
                return True
        return True  # it was deleted meanwhile
