"""Where managers let us write."""

import asyncio
import logging

from memory.core.values import Message
from memory.db.errors import StoreError
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.0


class SpeakingPlaces:
    def __init__(self, memory: MemoryManager) -> None:
        self._memory = memory
        self._known: dict[int, frozenset[int]] = {}

    async def include(self, message: Message) -> bool:
        """Whether an answer may stand beside this message. A thread belongs to its channel.

        While the database is away the last word of the managers holds. Without any we may speak: that the memory
        cannot be reached is worth saying, and most guilds set no bounds.
        """
        guild_id = message.guild_id
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                self._known[guild_id] = (await self._memory.settings(guild_id)).speaks_in
        except (StoreError, TimeoutError) as error:
            logger.info("where to speak is not asked anew", extra={"reason": type(error).__name__})
        allowed = self._known.get(guild_id, frozenset())
        return not allowed or not allowed.isdisjoint((message.channel_id, message.parent_id))
