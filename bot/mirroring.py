"""Keeps memory's view of a guild's people as Discord has it: who is there, and by which names.

A guild that could not be written down (the database was away) is due again until it could.
"""

import asyncio
import logging

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

BATCH = 500
"""Members in one go: large guilds have to leave room for messages in between."""
FIRST_RETRY_SECONDS = 1.0
LAST_RETRY_SECONDS = 30.0
PATIENCE_SECONDS = 10.0
"""How long a reply waits for the names of a guild that has only just appeared."""
KNOWN_AUTHORS = 50_000


class Mirroring:
    def __init__(self, memory: MemoryManager, part: Part) -> None:
        self._memory = memory
        self._outages = Outages(part)
        self._due: dict[int, discord.Guild] = {}
        self._turns = Turns()
        self._wake = asyncio.Event()
        self._tried: dict[int, asyncio.Event] = {}
        self._seen: LRUCache[tuple[int, int], Member] = LRUCache(KNOWN_AUTHORS)

    def guild_changed(self, guild: discord.Guild) -> None:
        """It appeared, came back or was renamed: its name and all its people are written down soon."""
        self._due[guild.id] = guild
        self._wake.set()

    def guild_left(self, guild: discord.Guild) -> None:
        """What was remembered stays for now; only the mirroring ends."""
        self._due.pop(guild.id, None)
        self._tried.pop(guild.id, None)

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

    async def seen(self, author: discord.Member) -> None:
        """Whoever writes is known by name, even where Discord gives no member lists."""
        if self._seen.get((author.guild.id, author.id)) != to_member(author):
            await self._meet(author)

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
            for guild in list(self._due.values()):
                with request("guild"):
                    await self._write_down(guild)
            if self._due:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LAST_RETRY_SECONDS)
                self._wake.set()
            else:
                pause = FIRST_RETRY_SECONDS

    async def _write_down(self, guild: discord.Guild) -> None:
        if self._due.pop(guild.id, None) is None:
            return  # it was left while others were written down
        people = [to_member(member) for member in guild.members]
        for start in range(0, max(len(people), 1), BATCH):
            batch = people[start : start + BATCH]
            if not await self._outages.survived(self._memory.meet_guild(to_guild(guild), batch)):
                self._due.setdefault(guild.id, guild)
                break
            self._seen.update({(member.guild_id, member.user_id): member for member in batch})
        else:
            logger.info("a guild's names are known", extra={"guild_id": guild.id, "members": len(people)})
        self._tried.setdefault(guild.id, asyncio.Event()).set()

    async def _follow(self, member: discord.Member, turn: Turn) -> None:
        with request("member"):
            async with turn.come():
                await self._meet(member)

    async def _meet(self, member: discord.Member) -> None:
        met = to_member(member)
        if await self._outages.survived(self._memory.meet_member(met)):
            self._seen[met.guild_id, met.user_id] = met
        else:
            self.guild_changed(member.guild)
