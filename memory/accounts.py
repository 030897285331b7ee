"""Calls of models on their way into the table. Nobody waits for the database; a crash costs a second's worth of them.

While the database is away they wait here, up to a limit; beyond it the oldest are given up, and health counts them.
"""

import asyncio
import logging
from datetime import datetime
from itertools import islice
from uuid import UUID

from ai_clients.base import Purpose
from memory.background import keep_alive
from memory.core.usage import ModelCall
from memory.ending import end
from memory.health import Health, Part
from memory.store.errors import StoreError
from memory.store.failures import DRIVER_ERRORS
from memory.store.usage import UsageStore

logger = logging.getLogger(__name__)

ROOM = 10_000
MOST_AT_ONCE = 500
LINGER_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
CLOSE_SECONDS = 5.0


class Accounts:
    """Runs only while there is something to write."""

    def __init__(self, store: UsageStore, health: Health, *, room: int = ROOM) -> None:
        self._store = store
        self._health = health
        self._room = room
        self._waiting: dict[UUID, ModelCall] = {}
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def _part(self) -> Part:
        """Named when it is first needed: a process that asks no model has no such part."""
        return self._health.part("usage")

    def note(self, call: ModelCall) -> None:
        self._waiting[call.call_id] = call
        if len(self._waiting) > self._room:
            del self._waiting[next(iter(self._waiting))]
            self._part.count("lost")
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(
                keep_alive("accounts", self._write_behind, self._part.failing), name="accounts"
            )

    async def spent_since(self, guild_id: int, moment: datetime) -> int:
        """Tokens, written down or not, that count against a budget.

        Vectors do not: each message is made into one once, and a long past to read may not silence the answers.
        """
        async with self._writing:  # what is being written could be counted twice, or not at all
            spent = await self._store.tokens_since(guild_id, moment, but_for=Purpose.EMBED)
            waiting = [call for call in self._waiting.values() if call.guild_id == guild_id and call.at >= moment]
            return spent + sum(call.tokens for call in waiting if call.purpose != Purpose.EMBED)

    async def write(self) -> None:
        """All that waits. Raises what the store raises; what was not written goes on waiting."""
        async with self._writing:
            while batch := list(islice(self._waiting.values(), MOST_AT_ONCE)):
                await self._store.record(batch)
                for call in batch:
                    self._waiting.pop(call.call_id, None)
                self._part.active()
                self._part.count("calls", len(batch))

    async def close(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.write()
        except (StoreError, *DRIVER_ERRORS):
            logger.warning("not all use of models could be written down", extra={"calls": len(self._waiting)})

    async def _write_behind(self) -> None:
        pause = LINGER_SECONDS
        while self._waiting:
            await asyncio.sleep(pause)
            try:
                await self.write()
            except (StoreError, *DRIVER_ERRORS) as error:
                if pause == LINGER_SECONDS:
                    logger.warning("use of models cannot be written down: %s", type(error).__name__)
                self._part.failing("What the models use cannot be written down just now; it waits.")
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            else:
                pause = LINGER_SECONDS
