"""Compares a channel's history with the log, from the newest message backwards, and puts the log right.

A message counts as deleted only where Discord returned messages on both sides of it, or where Discord, asked about
messages on both sides of it by name, answered (it says "unknown message" only to those who may read) and showed nothing
between the two meanwhile. An empty answer alone proves nothing: it is what those get who may not read.
"""

import logging

from bot.readable import Page, Readable
from bot.reading import ids_between, is_gone
from memory.core.log_values import ChannelProgress
from memory.core.values import Message
from memory.manager import MemoryManager

logger = logging.getLogger(__name__)

BEYOND_EVERY_ID = 2**63 - 1
SETTLED_AT_ONCE = 100
"""Messages at an end of a channel that Discord is asked about together: as many as a page shows."""


class Comparison:
    """One walk through one channel, down to where back-fill ended (what lies below was not asked for) or less far."""

    def __init__(
        self, memory: MemoryManager, place: Readable, progress: ChannelProgress, *, below: int | None = None
    ) -> None:
        """`below` is where an earlier walk was broken off; without it this one begins at the newest message."""
        self._memory = memory
        self._place = place
        self._floor = progress.backfilled_to or 0
        self._edge = below
        self.is_over = False
        """There is nothing further back to compare."""

    async def take(self, page: Page) -> None:
        """The next page, compared together with the oldest message of the page before."""
        is_first = self._edge is None
        returned = [message for message in page.messages if message.message_id >= self._floor]
        await self._reconcile(returned, page.ids if self._edge is None else (*page.ids, self._edge))
        if page.ids:
            self._edge = page.ids[0]
        if is_first:
            # A message may have been heard and never read: neither progress nor Discord's last id need reach it.
            await settle(self._memory, self._place, above=page.ids[-1] if page.ids else 0, below=BEYOND_EVERY_ID)
        if not page.is_full and self._edge is not None:
            await settle(self._memory, self._place, above=0, below=self._edge)
        self.is_over = not page.is_full or page.ids[0] <= self._floor

    async def _reconcile(self, returned: list[Message], ids: tuple[int, ...]) -> None:
        found = await self._memory.reconcile(self._place.guild.id, self._place.id, returned, ids)
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


async def settle(memory: MemoryManager, place: Readable, *, above: int, below: int) -> None:
    """Of what the log has strictly between the two, where Discord has shown nothing: take out what was deleted.

    Raises `UnreadableError` where Discord says nothing; what was settled before that stays so.
    """
    reached = above
    while stored := await memory.stored_between(
        place.guild.id, place.id, above=reached, below=below, limit=SETTLED_AT_ONCE
    ):
        gone = await _gone_among(place, stored)
        if gone:
            await memory.delete_messages(place.guild.id, place.id, gone)
            logger.info("the log was put right", extra={"channel_id": place.id, "deleted": len(gone)})
        reached = stored[-1]


async def _gone_among(place: Readable, stored: list[int]) -> set[int]:
    first, *between, last = stored if len(stored) > 1 else (stored[0], stored[0])
    gone = {first} if await is_gone(place, first) else set()
    if between:
        shown = await ids_between(place, first, last)
        gone.update(message_id for message_id in between if message_id not in shown)
    if last != first and await is_gone(place, last):
        gone.add(last)
    return gone
