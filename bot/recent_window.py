"""Compares the newest messages of a channel with the log, for what was edited or deleted while we were not there."""

from bot.comparing import Comparison
from bot.readable import Readable
from bot.reading import page_before
from memory.core.log_values import ChannelProgress
from memory.manager import MemoryManager


class RecentWindow:
    def __init__(self, memory: MemoryManager, size: int) -> None:
        self._memory = memory
        self.size = size

    async def compare(self, place: Readable, progress: ChannelProgress) -> None:
        """Raises `UnreadableError` where the channel can no longer be read; nothing is concluded from that."""
        comparison = Comparison(self._memory, place, progress)
        before: int | None = None
        seen = 0
        while seen < self.size and not comparison.is_over:
            page = await page_before(place, before)
            await comparison.take(page)
            seen += len(page.ids)
            before = page.ids[0] if page.ids else None
