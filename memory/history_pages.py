"""Pages of history on their way into the log: those of one guild that wait for each other are written together.

A guild's log has one writer at a time, so while a page is being written others of the same guild arrive. Each
transaction costs a handful of round trips, whether it holds one page or ten.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from memory.core.log_values import HistoryPage

ROWS_AT_ONCE = 1_000
"""Live messages of the guild wait while these are written."""


Write: TypeAlias = Callable[[Sequence[HistoryPage]], Awaitable[Mapping[int, int]]]
"""Writes pages of one guild, each of another channel; how many messages of which channel were new."""


@dataclass(slots=True, eq=False)
class _Waiting:
    page: HistoryPage
    stored: "asyncio.Future[int]"


class HistoryPages:
    def __init__(self, write: Write) -> None:
        self._write = write
        self._waiting: defaultdict[int, list[_Waiting]] = defaultdict(list)
        self._turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def store(self, page: HistoryPage) -> int:
        """How many of its messages were new; it is committed then. What the store raises is raised here."""
        mine = _Waiting(page, asyncio.get_running_loop().create_future())
        self._waiting[page.guild_id].append(mine)
        try:
            async with self._turns[page.guild_id]:
                while not mine.stored.done():
                    await self._write_some(page.guild_id)
        finally:
            if mine in self._waiting[page.guild_id]:
                self._waiting[page.guild_id].remove(mine)
        return mine.stored.result()

    async def _write_some(self, guild_id: int) -> None:
        """The pages that have waited longest, those of whoever has gone on to something else included."""
        taken = self._take(guild_id)
        try:
            stored = await self._write([waiting.page for waiting in taken])
        except asyncio.CancelledError:
            # It is only our caller who gives up: the others write theirs by themselves.
            self._waiting[guild_id][:0] = taken
            raise
        except BaseException as error:
            for waiting in taken:
                waiting.stored.set_exception(error)
                waiting.stored.exception()  # asked for once, so that nobody is missed who has given up meanwhile
            raise
        for waiting in taken:
            waiting.stored.set_result(stored.get(waiting.page.channel_id, 0))

    def _take(self, guild_id: int) -> list[_Waiting]:
        taken: dict[int, _Waiting] = {}
        rows = 0
        for waiting in self._waiting[guild_id]:
            size = len(waiting.page.messages)
            if waiting.page.channel_id not in taken and (not taken or rows + size <= ROWS_AT_ONCE):
                taken[waiting.page.channel_id] = waiting
                rows += size
        self._waiting[guild_id] = [each for each in self._waiting[guild_id] if each not in taken.values()]
        return list(taken.values())
