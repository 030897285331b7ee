"""Keeps sketches of the vectors of guilds in which questions are asked, for as long as that goes on.

They only say where to look: whatever they point at is read again from the store, for its audience, and what was said
since they were read is compared besides. So it does no harm that they are some minutes old. They are never kept longer
than ten minutes, so what was deleted does not stay here either.
"""

import asyncio
import logging
from dataclasses import dataclass

from cachetools import LRUCache

from memory.core.fleeting import When, is_forgetful
from memory.store.errors import StoreError
from memory.store.failures import DRIVER_ERRORS
from memory.store.sketches import Sketched, SketchStore

logger = logging.getLogger(__name__)

BYTES_OF_A_GUILD = 16 * 2**20
"""300,000 messages with the vectors that are made here."""
BYTES_OF_ALL = 3 * BYTES_OF_A_GUILD
FRESH_SECONDS = 300.0
"""Then they are read anew, behind whoever asks."""
KEPT_SECONDS = 600.0

Key = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Kept:
    sketched: Sketched | None
    """None in a guild that needs none."""
    read_at: float

    @property
    def size(self) -> int:
        return 1 if self.sketched is None else self.sketched.size


class Sketching:
    def __init__(self, store: SketchStore) -> None:
        self._store = store
        self._kept: LRUCache[Key, _Kept] = LRUCache(BYTES_OF_ALL, getsizeof=lambda kept: kept.size)
        self._reading: dict[Key, asyncio.Task[None]] = {}
        is_forgetful(self, When.ERASED)

    def forget_words(self) -> None:
        """Not words, but what was made of them."""
        self._kept.clear()

    def of(self, guild_id: int, model: str) -> Sketched | None:
        """As there are any just now; whoever asks does not wait for them to be read."""
        key = guild_id, model
        kept = self._kept.get(key)
        if kept is None or asyncio.get_running_loop().time() - kept.read_at > FRESH_SECONDS:
            self._read_soon(key)
        return None if kept is None else kept.sketched

    async def ready(self, guild_id: int, model: str) -> None:
        """Until they are there, where there are to be any."""
        self.of(guild_id, model)
        if task := self._reading.get((guild_id, model)):
            await asyncio.wait([task])

    async def stop(self) -> None:
        running = list(self._reading.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self._kept.clear()

    def _read_soon(self, key: Key) -> None:
        if key not in self._reading:
            task = self._reading[key] = asyncio.create_task(self._read(key), name="sketching")
            task.add_done_callback(lambda _: self._reading.pop(key, None))

    async def _read(self, key: Key) -> None:
        loop = asyncio.get_running_loop()
        read_at = loop.time()
        try:
            sketched = await self._store.read(*key, BYTES_OF_A_GUILD)
        except (StoreError, *DRIVER_ERRORS) as error:
            logger.warning("vectors could not be sketched: %s", type(error).__name__, extra={"guild_id": key[0]})
            return
        kept = self._kept[key] = _Kept(sketched, read_at)
        loop.call_later(KEPT_SECONDS, self._drop, key, kept)

    def _drop(self, key: Key, kept: _Kept) -> None:
        if self._kept.get(key) is kept:
            del self._kept[key]
