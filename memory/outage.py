"""While the log cannot be written: says so once, keeps what Discord will not repeat, and tries until it can be again.

New messages need no keeping, because Discord hands them out again (catch-up). Edits and deletes are told only once.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from itertools import islice

from memory.background import keep_alive
from memory.core.model import Message
from memory.events import Batch, Change, Event, by_guild
from memory.health import Part
from memory.store.errors import DatabaseAway, DatabaseFull, DatabaseReadOnly, StoreError
from memory.store.failures import DRIVER_ERRORS

logger = logging.getLogger(__name__)

MOST_KEPT = 20_000
"""Edits and deletes. Beyond it the oldest go; comparing with Discord finds what they would have said."""
CHUNK = 500
FIRST_PAUSE_SECONDS = 0.2
LAST_PAUSE_SECONDS = 2.0


class Outage:
    def __init__(self, part: Part, write: Callable[[Batch], Awaitable[None]]) -> None:
        self._part = part
        self._write = write
        self._kind: type[Exception] | None = None
        self._changes: deque[Change] = deque(maxlen=MOST_KEPT)
        self._sample: list[Message] = []
        self._task: asyncio.Task[None] | None = None
        self._on_return: list[Callable[[], None]] = []

    @property
    def is_on(self) -> bool:
        return self._kind is not None

    def on_return(self, callback: Callable[[], None]) -> None:
        self._on_return.append(callback)

    def note(self, error: Exception) -> None:
        """The log could not be written."""
        kind = DatabaseAway if isinstance(error, DatabaseAway) else type(error)
        if kind is not self._kind:
            logger.error("the log cannot be written: %s", kind.__name__)
        self._kind = kind
        self._part.failing(f"The log cannot be written. {_reason(error)}")
        if self._task is None:
            self._task = asyncio.create_task(
                keep_alive("log recovery", self._try_again, self._part.failing), name="log recovery"
            )

    def keep(self, events: Iterable[Event]) -> None:
        """Keep the changes. The first messages are kept too: writing them is how the way back is tried."""
        for event in events:
            if not isinstance(event, Message):
                self._changes.append(event)
            elif len(self._sample) < CHUNK:
                self._sample.append(event)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _try_again(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            await asyncio.sleep(pause)
            try:
                await self._write_what_was_kept()
            except (StoreError, *DRIVER_ERRORS) as error:
                self.note(error)
                pause = min(pause * 2, LAST_PAUSE_SECONDS)
            else:
                break
        self._kind = None
        self._task = None
        logger.warning("the log can be written again")
        self._part.active()
        for callback in self._on_return:
            callback()

    async def _write_what_was_kept(self) -> None:
        while self._sample or self._changes:
            chunk: list[Event] = [*self._sample, *islice(self._changes, CHUNK)]
            changes = len(chunk) - len(self._sample)
            sample = len(self._sample)
            for batch in by_guild(chunk):
                await self._write(batch)
            del self._sample[:sample]
            for _ in range(min(changes, len(self._changes))):
                self._changes.popleft()


def _reason(error: Exception) -> str:
    match error:
        case DatabaseFull():
            return f"{error} Nothing new is stored until there is room; what is stored is safe."
        case DatabaseReadOnly():
            return f"{error} Nothing new is stored until it takes writes again."
        case StoreError():
            return str(error)
    return f"The database refused a statement ({type(error).__name__})."
