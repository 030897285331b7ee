"""Keeps memory's view of a guild's people as Discord has it: who is there, by which names, and with which roles.

A guild that could not be written down (the database was away) is due again until it could; so is one that was left.
"""

import asyncio
import logging
from collections.abc import Iterable

import discord
from cachetools import LRUCache

from bot.outages import Outages
from bot.translate import to_guild, to_member
from bot.turns import Turn, Turns
from memory.core.model import Member
from memory.health import Part
from memory.manager import MemoryManager
from memory.tracing import request

logger = logging.getLogger(__name__)

FIRST_RETRY_SECONDS = 1.0
LAST_RETRY_SECONDS = 30.0
PATIENCE_SECONDS = 10.0
"""How long a reply waits for the names of a guild that has only just appeared."""
KNOWN_AUTHORS = 50_000


class Mirroring:
    def __init__(self, memory: MemoryManager, part: Part, *, told_of_changes: bool) -> None:
        """`told_of_changes`: Discord sends member lists, and tells when someone changes."""
        self._memory = memory
        self._told_of_changes = told_of_changes
        self._outages = Outages(part)
        self._due: dict[int, discord.Guild] = {}
        self._left: set[int] = set()
        self._present: frozenset[int] | None = None
        self._turns = Turns()
        self._wake = asyncio.Event()
        self._tried: dict[int, asyncio.Event] = {}
        self._seen: LRUCache[tuple[int, int], Member] = LRUCache(KNOWN_AUTHORS)

    def guild_changed(self, guild: discord.Guild) -> None:
        """It appeared, came back or was renamed: its name and all its people are written down soon."""
        self._left.discard(guild.id)
        self._due[guild.id] = guild
        self._wake.set()

    def guilds_are(self, guild_ids: Iterable[int]) -> None:
        """All that we are in: any other has been left while we were away."""
        self._present = frozenset(guild_ids)
        self._wake.set()

    def guild_left(self, guild_id: int) -> None:
        """What was remembered stays for some days, in case we come back."""
        self._due.pop(guild_id, None)
        self._tried.pop(guild_id, None)
        for key in [key for key in self._seen if key[0] == guild_id]:
            del self._seen[key]
        self._left.add(guild_id)
        self._wake.set()

    async def member_changed(self, member: discord.Member) -> None:
        await self._follow(member, self._turns.take([(member.guild.id, member.id)]))

    async def member_left(self, guild_id: int, user_id: int) -> None:
        turn = self._turns.take([(guild_id, user_id)])
        with request("member"):
            async with turn.come():
                self._seen.pop((guild_id, user_id), None)
                await self._outages.survived(self._memory.part_from_member(guild_id, user_id))

    async def user_changed(self, user: discord.User) -> None:
        """Someone's own name changed, in every guild they share with us."""
        members = [member for guild in user.mutual_guilds if (member := guild.get_member(user.id))]
        turns = [self._turns.take([(member.guild.id, member.id)]) for member in members]
        await asyncio.gather(*map(self._follow, members, turns))

    def knows(self, author: discord.Member) -> bool:
        """Whoever writes is known by name, even where Discord gives no member lists."""
        known = self._seen.get((author.guild.id, author.id))
        return known is not None and (self._told_of_changes or known == to_member(author))

    def follows(self, guild_id: int, user_id: int) -> bool:
        """Whether someone is known by name, and Discord tells when that changes."""
        return self._told_of_changes and self._seen.get((guild_id, user_id)) is not None

    def under_way(self) -> set[asyncio.Future[None]]:
        """Changes of people that are being written down."""
        return self._turns.under_way()

    async def met(self, guild_id: int) -> None:
        """Until the guild's names have been written down, or that was tried in vain."""
        tried = self._tried.setdefault(guild_id, asyncio.Event())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await tried.wait()
        except TimeoutError:
            logger.warning("the names of a guild are not known yet", extra={"guild_id": guild_id})

    async def run(self) -> None:
        pause = FIRST_RETRY_SECONDS
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._present is not None:
                with request("guild"):
                    await self._outages.survived(self._notice_departures(self._present))
            for guild_id in list(self._left):
                with request("guild"):
                    await self._take_leave(guild_id)
            for guild in list(self._due.values()):
                with request("guild"):
                    await self._write_down(guild)
            if self._due or self._left or self._present is not None:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LAST_RETRY_SECONDS)
                self._wake.set()
            else:
                pause = FIRST_RETRY_SECONDS

    async def _write_down(self, guild: discord.Guild) -> None:
        if self._due.pop(guild.id, None) is None:
            return  # it was left while others were written down
        people = [to_member(member) for member in guild.members]
        # Without the whole list nobody can be said to have gone.
        everyone = self._told_of_changes and guild.chunked
        if await self._outages.survived(self._memory.meet_guild(to_guild(guild), people, complete=everyone)):
            self._seen.update({(member.guild_id, member.user_id): member for member in people})
            logger.info("a guild's names are known", extra={"guild_id": guild.id, "members": len(people)})
        else:
            self._due.setdefault(guild.id, guild)
        self._tried.setdefault(guild.id, asyncio.Event()).set()

    async def _notice_departures(self, present: frozenset[int]) -> None:
        self._left |= set(await self._memory.known_guilds()) - present - self._due.keys()
        self._present = None

    async def _take_leave(self, guild_id: int) -> None:
        if await self._outages.survived(self._memory.leave_guild(guild_id)):
            self._left.discard(guild_id)
            logger.info("left a guild; what was remembered of it waits for a week", extra={"guild_id": guild_id})

    async def _follow(self, member: discord.Member, turn: Turn) -> None:
        with request("member"):
            async with turn.come():
                await self.meet(member)

    async def meet(self, member: discord.Member) -> None:
        met = to_member(member)
        if await self._outages.survived(self._memory.meet_member(met)):
            self._seen[met.guild_id, met.user_id] = met
        else:
            self.guild_changed(member.guild)
