"""Compares a channel's history with the log, from the newest message backwards, and puts the log right.

A message counts as deleted only where Discord returned messages on both sides of it, or says of this very message
that it does not exist. An empty answer proves nothing: it is what Discord gives to those who may not read.
"""

import logging

from bot.readable import Readable
from bot.reading import Page, is_gone
from memory.core.log import ChannelProgress
from memory.core.model import Message
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)


class Comparison:
    """One walk through one channel, down to where back-fill ended (what lies below was not asked for) or less far."""

    def __init__(self, memory: MemoryManager, place: Readable, progress: ChannelProgress) -> None:
        self._memory = memory
        self._place = place
        self._floor = progress.backfilled_to or 0
        self._last_known = progress.contiguous_through or 0
        self._newest: int | None = None
        self._edge: Message | None = None
        self.is_over = False
        """There is nothing further back to compare."""

    async def take(self, page: Page) -> None:
        """The next page. Its youngest message is compared together with the oldest of the page before."""
        returned = [message for message in page.messages if message.message_id >= self._floor]
        if self._edge is not None:
            returned.append(self._edge)
        if returned:
            await self._reconcile(returned)
            self._edge = returned[0]
            if self._newest is None:
                self._newest = returned[-1].message_id
        self.is_over = not page.is_full or page.ids[0] <= self._floor

    async def finish(self) -> None:
        """The messages that are known to have stood at the ends have nothing beyond them: they are asked for."""
        if self._newest is not None and self._last_known > self._newest:
            await self._doubt(self._last_known)
        if self.is_over and self._edge is not None and 0 < self._floor < self._edge.message_id:
            await self._doubt(self._floor)

    async def _doubt(self, message_id: int) -> None:
        if await is_gone(self._place, message_id):
            await self._memory.delete_messages(self._place.guild.id, self._place.id, [message_id])

    async def _reconcile(self, returned: list[Message]) -> None:
        found = await self._memory.reconcile(self._place.guild.id, self._place.id, returned)
        if found.stored or found.edited or found.deleted:
            logger.info(
                "the log was put right",
                extra={
                    "channel_id": self._place.id,
                    "stored": found.stored,
                    "edited": found.edited,
                    "deleted": found.deleted,
                },
            )
