"""Who is in each private thread. Discord tells it when asked, and then how it changes; before that it is closed."""

import logging
from collections import defaultdict
from dataclasses import replace

import discord

from bot.errands import Errands, Key
from bot.placing import to_place
from bot.reading import TROUBLE
from memory.core.places import Place
from memory.seeing import Seeing

logger = logging.getLogger(__name__)

ASKED_AT_ONCE = 3


class ThreadGuests:
    def __init__(self, seeing: Seeing, *, told_of_members: bool) -> None:
        """`told_of_members`: Discord tells who is in a thread besides ourselves."""
        self._seeing = seeing
        self._told_of_members = told_of_members
        self._errands = Errands("thread members", ASKED_AT_ONCE)
        self._changes: defaultdict[int, int] = defaultdict(int)
        self._sessions: defaultdict[int, int] = defaultdict(int)
        self._found: defaultdict[int, dict[int, discord.Thread]] = defaultdict(dict)

    def forget_guild(self, guild_id: int) -> None:
        """What is being asked now may be outdated when the answer comes."""
        self._sessions[guild_id] += 1
        self._errands.forget_guild(guild_id)
        self._found.pop(guild_id, None)

    def look_around(self, guild: discord.Guild) -> None:
        """At the threads in use, and those that were found in the archive before anyone looked at the guild."""
        found = self._found.pop(guild.id, {})
        self.forget_guild(guild.id)
        for thread in (*guild.threads, *found.values()):
            self.ask(thread)

    def ask(self, thread: discord.Thread) -> None:
        """Nobody is known to be in a private one until Discord has answered; a public one is as open as its channel."""
        if not self._seeing.has_sight(thread.guild.id):
            self._found[thread.guild.id][thread.id] = thread
            return
        self._seeing.place(thread.guild.id, to_place(thread))
        if not thread.is_private():
            return
        self._changes[thread.id] += 1
        if self._told_of_members:
            self._errands.ask(Key(thread.guild.id, thread.id), lambda: self._fetch(thread))

    def unknown(self, guild_id: int, place: Place) -> None:
        """We are not told any more who is in it, nor can we ask for now."""
        self._changes[place.channel_id] += 1
        self._seeing.place(guild_id, replace(place, members=None))

    def entered(self, guild_id: int, thread_id: int, user_id: int) -> None:
        self._changes[thread_id] += 1
        place = self._seeing.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._seeing.place(guild_id, replace(place, members=place.members | {user_id}))

    def left(self, guild_id: int, thread_id: int, user_ids: set[int]) -> None:
        self._changes[thread_id] += 1
        place = self._seeing.known_place(guild_id, thread_id)
        if place is not None and place.members is not None:
            self._seeing.place(guild_id, replace(place, members=place.members - user_ids))

    def gone(self, guild_id: int, thread_id: int) -> None:
        self._changes.pop(thread_id, None)
        self._found[guild_id].pop(thread_id, None)

    async def run(self) -> None:
        await self._errands.run()

    async def idle(self) -> None:
        """Until nobody has to be asked for at this moment."""
        await self._errands.idle()

    async def _fetch(self, thread: discord.Thread) -> bool:
        guild_id = thread.guild.id
        while True:
            asked_in, changes = self._sessions[guild_id], self._changes[thread.id]
            try:
                members = await thread.fetch_members()
            except (discord.Forbidden, discord.NotFound):
                return True  # it stays closed; when that changes, an event will say so
            except TROUBLE as error:
                logger.warning(
                    "who is in a thread is asked again",
                    extra={"channel_id": thread.id, "reason": type(error).__name__},
                )
                return False
            if asked_in != self._sessions[guild_id]:
                return True  # whoever looks around anew asks again
            if changes == self._changes[thread.id]:
                self._seeing.place(guild_id, to_place(thread, [member.id for member in members]))
                return True
