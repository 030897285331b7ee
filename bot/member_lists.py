"""Whole member lists. Discord sends them after a guild; where one did not come through, it is asked for again.

Without the whole list somebody could be overlooked who must not read a reply, so the guild stays closed until then.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable

import aiohttp
import discord

from bot.errands import Errands, Key

logger = logging.getLogger(__name__)

ASKED_AT_ONCE = 2
LIST_SECONDS = 60.0
"""Discord answers once in 30 seconds for each guild."""


class MemberLists:
    def __init__(self, arrived: Callable[[discord.Guild], None]) -> None:
        self._arrived = arrived
        self._errands = Errands("member list", ASKED_AT_ONCE)
        self._whole: set[int] = set()
        self._sessions: defaultdict[int, int] = defaultdict(int)

    def has_everyone(self, guild: discord.Guild) -> bool:
        """By its count; or because Discord has said that this was all, whatever it counts."""
        return guild.chunked or guild.id in self._whole

    def ask(self, guild: discord.Guild) -> None:
        self._errands.ask(Key(guild.id), lambda: self._fetch(guild))

    def forget_guild(self, guild_id: int) -> None:
        """Of a list that is on its way nobody knows what it leaves out."""
        self._sessions[guild_id] += 1
        self._whole.discard(guild_id)
        self._errands.forget_guild(guild_id)

    async def idle(self) -> None:
        """Until no list is being waited for."""
        await self._errands.idle()

    async def run(self) -> None:
        await self._errands.run()

    async def _fetch(self, guild: discord.Guild) -> bool:
        asked_in = self._sessions[guild.id]
        try:
            async with asyncio.timeout(LIST_SECONDS):
                await guild.chunk()
        except (TimeoutError, discord.ClientException, aiohttp.ClientError, OSError):
            # discord.py would wait for the answer to the same question for ever.
            guild._state._chunk_requests.pop(guild.id, None)
            logger.warning("a member list did not come; it is asked for again", extra={"guild_id": guild.id})
            return False
        if asked_in == self._sessions[guild.id]:
            self._whole.add(guild.id)
            self._arrived(guild)
        return True
