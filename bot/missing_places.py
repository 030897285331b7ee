"""Finds the channels and threads of the log that were deleted while nobody told us.

Whatever Discord has shown us once and shows no longer is asked for by its id: it may be an archived thread, or out of
our view. Only "unknown channel" counts as deleted, and only while Discord knows a channel that we do see: a guild that
fell out of sight, or that we were sent away from, loses nothing. Channels that an import alone knows were never shown
to us, so nobody asks for them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from datetime import timedelta

import discord

from bot.errands import Errands, Key
from bot.errors import TROUBLE
from bot.reading import is_deleted, open_places
from memory.core.clock import Clock
from memory.core.log_values import ChannelProgress
from memory.db.errors import StoreError
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

ASKED_AT_ONCE = 5
ASK_AGAIN_AFTER = timedelta(days=1)
"""An answer holds so long, over restarts too: a guild may have hundreds of threads that nobody lists for us."""


class MissingPlaces:
    def __init__(self, memory: MemoryManager, calm: Callable[[], Awaitable[None]], clock: Clock) -> None:
        """`calm` waits for more urgent reading."""
        self._memory = memory
        self._calm = calm
        self._clock = clock
        self._errands = Errands("missing places", 1)

    def look(self, guild: discord.Guild, listed: Collection[int]) -> None:
        """All open and archived places of the guild have just been `listed`."""
        self._errands.ask(Key(guild.id), lambda: self._look(guild, listed))

    def forget_guild(self, guild_id: int) -> None:
        self._errands.forget_guild(guild_id)

    async def run(self) -> None:
        await self._errands.run()

    async def _look(self, guild: discord.Guild, listed: Collection[int]) -> bool:
        if not open_places(guild):
            return True  # an outage, or nothing is in view; when that changes, catching up comes by again
        try:
            known = await self._memory.progress(guild.id)
            shown = {*listed, *(channel.id for channel in guild.channels), *(thread.id for thread in guild.threads)}
            suspects = [progress.channel_id for progress in known.values() if self._is_suspect(progress, shown)]
            for start in range(0, len(suspects), ASKED_AT_ONCE):
                await self._calm()
                if not await self._settle(guild, suspects[start : start + ASKED_AT_ONCE]):
                    return False
        except (*TROUBLE, StoreError) as error:
            logger.warning(
                "looking for deleted channels is tried again",
                extra={"guild_id": guild.id, "reason": type(error).__name__},
            )
            return False
        return True

    def _is_suspect(self, progress: ChannelProgress, shown: Collection[int]) -> bool:
        if progress.channel_id in shown:
            return False
        return progress.asked_at is None or self._clock.now() - progress.asked_at >= ASK_AGAIN_AFTER

    async def _settle(self, guild: discord.Guild, suspects: list[int]) -> bool:
        """Whether Discord's answers could be believed."""
        deleted = await asyncio.gather(*(is_deleted(guild, place_id) for place_id in suspects))
        gone = [place_id for place_id, is_gone in zip(suspects, deleted, strict=True) if is_gone]
        if gone and not await _is_in_sight(guild):
            logger.warning("Discord knows none of the channels of a guild for now", extra={"guild_id": guild.id})
            return False
        for place_id in gone:
            logger.info("a channel was deleted meanwhile", extra={"guild_id": guild.id, "channel_id": place_id})
            await self._memory.delete_channel(guild.id, place_id, is_told=False)
        await self._memory.channels_exist(guild.id, set(suspects) - set(gone))
        return True


async def _is_in_sight(guild: discord.Guild) -> bool:
    seen = open_places(guild)
    return bool(seen) and not await is_deleted(guild, seen[0].id)
