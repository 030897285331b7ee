"""While the log of a guild cannot be written: says so once, keeps what Discord will not repeat, and tries again.

New messages need no keeping, because Discord hands them out again (catch-up). Edits and deletes are told only once.

Where the database is not to be had, that concerns all guilds. Any other failure concerns the guild it was met in, and
all others go on. An event that fails time and again while others of its guild are written is set aside: it is counted,
and comparing with Discord finds what it would have said.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from memory.background import start_task
from memory.core.values import Message
from memory.db.errors import DatabaseAway, DatabaseFull, DatabaseReadOnly, StoreError, concerns_everybody
from memory.health import Part
from memory.log.events import Batch, Change, Event, by_guild

logger = logging.getLogger(__name__)

MOST_KEPT = 20_000
"""Edits and deletes. Beyond it the oldest go; comparing with Discord finds what they would have said."""
CHUNK = 500
SAMPLE = 50
"""Messages that are kept of each guild: writing them is how the way back is tried."""
TRIES = 3
"""So often a chunk fails before each of its events is tried by itself."""
MOST_FAILING = 10
"""When so many fail by themselves and none was written, it is not them."""
FIRST_PAUSE_SECONDS = 0.2
LAST_PAUSE_SECONDS = 2.0


@dataclass(slots=True)
class _Waiting:
    """A guild whose log could not be written."""

    task: "asyncio.Task[None]"
    sample: list[Message] = field(default_factory=list)
    tries: int = 0
    kind: type[Exception] | None = None
    """Why it is this guild alone; None while nobody's log can be written."""
    reason: str = ""


class Outage:
    def __init__(self, part: Part, write: Callable[[Batch], Awaitable[None]]) -> None:
        self._part = part
        self._write = write
        self._kind: type[Exception] | None = None
        self._reason = ""
        self._waiting: dict[int, _Waiting] = {}
        self._changes: deque[Change] = deque(maxlen=MOST_KEPT)
        self._set_aside: Counter[int] = Counter()
        self._on_return: list[Callable[[int], None]] = []

    def is_on(self, guild_id: int) -> bool:
        return self._kind is not None or guild_id in self._waiting

    def on_return(self, callback: Callable[[int], None]) -> None:
        """Told of each guild whose log can be written again."""
        self._on_return.append(callback)

    def note(self, guild_id: int, error: Exception) -> None:
        """The log of a guild could not be written."""
        waiting = self._wait(guild_id)
        kind = DatabaseAway if isinstance(error, DatabaseAway) and concerns_everybody(error) else type(error)
        if concerns_everybody(error):
            if kind is not self._kind:
                logger.error("the log cannot be written: %s", kind.__name__)
            self._kind, self._reason = kind, _reason(error)
        else:
            if kind is not waiting.kind:
                logger.error("the log cannot be written: %s", kind.__name__, extra={"guild_id": guild_id})
            waiting.kind, waiting.reason = kind, _reason(error)
            waiting.tries += 1
        self._tell()

    def keep(self, guild_id: int, events: Sequence[Event]) -> None:
        """Keep the changes, and the first messages."""
        waiting = self._wait(guild_id)
        for event in events:
            if not isinstance(event, Message):
                self._changes.append(event)
            elif len(waiting.sample) < SAMPLE:
                waiting.sample.append(event)

    async def close(self) -> None:
        tasks = [waiting.task for waiting in self._waiting.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _wait(self, guild_id: int) -> _Waiting:
        waiting = self._waiting.get(guild_id)
        if waiting is None:
            task = start_task("log recovery", partial(self._try_again, guild_id), self._part.failing, again=False)
            waiting = self._waiting[guild_id] = _Waiting(task)
        return waiting

    async def _try_again(self, guild_id: int) -> None:
        pause = FIRST_PAUSE_SECONDS
        while True:
            await asyncio.sleep(pause)
            try:
                await self._write_what_was_kept(guild_id)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and the guild is not given up for it
                self.note(guild_id, error)
                pause = min(pause * 2, LAST_PAUSE_SECONDS)
            else:
                break
        del self._waiting[guild_id]
        if not self._waiting:
            self._kind = None
            logger.warning("the log can be written again")
        self._tell()
        for callback in self._on_return:
            callback(guild_id)

    async def _write_what_was_kept(self, guild_id: int) -> None:
        waiting = self._waiting[guild_id]
        while chunk := self._chunk(guild_id):
            if waiting.tries < TRIES or len(chunk) == 1:
                await self._write_all(guild_id, chunk)
            else:
                await self._write_each(guild_id, chunk)
            waiting.tries = 0

    def _chunk(self, guild_id: int) -> list[Event]:
        changes = (change for change in self._changes if change.guild_id == guild_id)
        return [*self._waiting[guild_id].sample, *islice(changes, CHUNK)]

    async def _write_all(self, guild_id: int, chunk: Sequence[Event]) -> None:
        for batch in by_guild(chunk):
            await self._write(batch)
        self._kind = None
        self._done(guild_id, chunk)

    async def _write_each(self, guild_id: int, chunk: Sequence[Event]) -> None:
        """To tell those that fail from the others. They are set aside only if others do not fail."""
        failing: list[Event] = []
        written = 0
        for event in chunk:
            try:
                await self._write_all(guild_id, [event])
                written += 1
            except Exception as error:
                failing.append(event)
                if concerns_everybody(error) or (not written and len(failing) == min(MOST_FAILING, len(chunk))):
                    raise
        if failing:
            self._done(guild_id, failing)
            self._set_aside[guild_id] += len(failing)
            self._part.count("set aside", len(failing))
            logger.error("events were set aside", extra={"guild_id": guild_id, "count": len(failing)})

    def _done(self, guild_id: int, events: Collection[Event]) -> None:
        done = set(map(id, events))
        waiting = self._waiting[guild_id]
        waiting.sample = [message for message in waiting.sample if id(message) not in done]
        self._changes = deque((change for change in self._changes if id(change) not in done), MOST_KEPT)

    def _tell(self) -> None:
        if self._kind is not None:
            self._part.failing(f"The log cannot be written. {self._reason}")
        elif self._waiting:
            alone = {guild_id: one for guild_id, one in self._waiting.items() if one.kind is not None}
            self._part.failing(
                *(() if alone else ("What was not written yet is being written now.",)),
                in_guilds={guild_id: f"The log cannot be written. {one.reason}" for guild_id, one in alone.items()},
            )
        elif self._set_aside:
            self._part.limited(
                in_guilds={
                    guild_id: f"Events that could not be written and were set aside: {count}."
                    for guild_id, count in self._set_aside.items()
                }
            )
        else:
            self._part.active()


def _reason(error: Exception) -> str:
    match error:
        case DatabaseFull():
            return f"{error} Nothing new is stored until there is room; what is stored is safe."
        case DatabaseReadOnly():
            return f"{error} Nothing new is stored until it takes writes again."
        case StoreError():
            return str(error)
    return f"A statement was refused ({type(error).__name__})."


# Channels whose catch-up has finished, so that what arrives live continues what is stored without a hole.


class CaughtUpChannels:
    def __init__(self) -> None:
        self._live: dict[int, set[int]] = {}
        self._missed: dict[tuple[int, int], int] = {}

    def begin(self, guild_id: int, channel_id: int) -> bool:
        """Not if messages were missed after catch-up had read past them: then it has to read again."""
        if (guild_id, channel_id) in self._missed:
            return False
        self._live.setdefault(guild_id, set()).add(channel_id)
        return True

    def is_live(self, guild_id: int, channel_id: int) -> bool:
        return channel_id in self._live.get(guild_id, ())

    def end(self, guild_id: int | None = None) -> None:
        if guild_id is None:
            self._live.clear()
        else:
            self._live.pop(guild_id, None)

    def reached(self, guild_id: int, messages: Sequence[Message]) -> dict[int, int]:
        """How far each live channel has come with these messages."""
        live = self._live.get(guild_id)
        if not live:
            return {}
        reached: dict[int, int] = {}
        for message in messages:
            channel_id = message.channel_id
            if channel_id in live and message.message_id > reached.get(channel_id, 0):
                reached[channel_id] = message.message_id
        return reached

    def missed(self, messages: Iterable[Message]) -> None:
        """These will not be stored unless catch-up reads them."""
        for message in messages:
            place = (message.guild_id, message.channel_id)
            self._missed[place] = max(message.message_id, self._missed.get(place, 0))
            self._live.get(message.guild_id, set()).discard(message.channel_id)

    def read_through(self, guild_id: int, channel_id: int, through: int) -> None:
        """Catch-up has stored everything up to this message."""
        if self._missed.get((guild_id, channel_id), through + 1) <= through:
            del self._missed[guild_id, channel_id]
