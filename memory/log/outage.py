"""Keeps changes while a guild's log cannot be written: says so once, keeps what Discord tells once, tries again.

New messages need no keeping, because Discord hands them out again (catch-up). Edits and deletes are told only once.

Where the database is not to be had, that concerns all guilds. Any other failure concerns the guild it was met in, and
all others go on. An event that fails time and again while others of its guild are written is set aside: it is counted,
and comparing with Discord finds what it would have said.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from memory.background import start_task
from memory.core.values import Message
from memory.db.errors import DatabaseAway, DatabaseFull, DatabaseReadOnly, StoreError, concerns_everybody
from memory.health import HealthReporter
from memory.log.batch_queue import Batch, Event, by_guild
from memory.tasks import drop

logger = logging.getLogger(__name__)

MOST_KEPT = 5_000
"""Edits and deletions of a guild. Beyond it the oldest go; comparing with Discord finds what they would have said."""
CHUNK = 500
SAMPLE = 50
"""Messages that are kept of each guild: writing them is how the way back is tried."""
TRIES = 3
"""So often all of it fails before each event is tried by itself."""
MOST_FAILING = 10
"""When so many fail by themselves and none was written, it is not them."""
FIRST_PAUSE_SECONDS = 0.2
LAST_PAUSE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class _Failure:
    """Keeps what is said of an error, which itself would hold on to messages."""

    kind: str
    reason: str

    @classmethod
    def of(cls, error: Exception) -> "_Failure":
        # However the database is away, that is said once.
        kind = DatabaseAway if isinstance(error, DatabaseAway) else type(error)
        return cls(kind.__name__, _said(error))


@dataclass(slots=True)
class _Waiting:
    """Holds the kept changes of a guild whose log could not be written."""

    task: "asyncio.Task[None]"
    kept: deque[Event] = field(default_factory=lambda: deque(maxlen=MOST_KEPT))
    tries: int = 0
    failure: _Failure | None = None
    """What it failed with last, where that concerns this guild alone."""


class Outage:
    def __init__(self, part: HealthReporter, write: Callable[[Batch], Awaitable[None]]) -> None:
        self._part = part
        self._write = write
        self._failure: _Failure | None = None
        """Why nobody's log can be written."""
        self._waiting: dict[int, _Waiting] = {}
        self._set_aside: Counter[int] = Counter()
        self._on_return: list[Callable[[int], None]] = []

    def is_on(self, guild_id: int) -> bool:
        return self._failure is not None or guild_id in self._waiting

    def on_return(self, callback: Callable[[int], None]) -> None:
        """Call back with each guild whose log can be written again."""
        self._on_return.append(callback)

    def note(self, guild_id: int, error: Exception) -> None:
        """Note that the log of a guild could not be written."""
        waiting = self._wait(guild_id)
        failure = _Failure.of(error)
        if concerns_everybody(error):
            if self._failure is None or self._failure.kind != failure.kind:
                logger.error("cannot write the message log: %s", failure.kind)
            self._failure = failure
        else:
            if waiting.failure is None or waiting.failure.kind != failure.kind:
                logger.error("cannot write the message log: %s", failure.kind, extra={"guild_id": guild_id})
            waiting.failure = failure
            waiting.tries += 1
        self._report_health()

    def keep(self, guild_id: int, events: Sequence[Event]) -> None:
        """Keep the changes, and some of the messages."""
        kept = self._wait(guild_id).kept
        room = SAMPLE - sum(isinstance(event, Message) for event in kept)
        messages = [event for event in events if isinstance(event, Message)]
        kept.extend(messages[: max(room, 0)])
        kept.extend(event for event in events if not isinstance(event, Message))

    async def close(self) -> None:
        await drop(*(waiting.task for waiting in self._waiting.values()))

    def _wait(self, guild_id: int) -> _Waiting:
        waiting = self._waiting.get(guild_id)
        if waiting is None:
            task = start_task("log recovery", partial(self._try_again, guild_id), self._part.failing, again=False)
            waiting = self._waiting[guild_id] = _Waiting(task)
        return waiting

    async def _try_again(self, guild_id: int) -> None:
        pause, waiting = FIRST_PAUSE_SECONDS, self._waiting[guild_id]
        while True:
            await asyncio.sleep(pause)
            kept = list(waiting.kept)
            try:
                await (self._write_all(kept) if waiting.tries < TRIES else self._write_each(guild_id, kept))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told, and the guild is not given up for it
                self.note(guild_id, error)
                pause = min(pause * 2, LAST_PAUSE_SECONDS)
                continue
            self._failure, waiting.tries = None, 0
            written = set(map(id, kept))
            waiting.kept = deque((event for event in waiting.kept if id(event) not in written), MOST_KEPT)
            if not waiting.kept:
                break
        del self._waiting[guild_id]
        if not self._waiting:
            logger.warning("message log writable again")
        self._report_health()
        for callback in self._on_return:
            callback(guild_id)

    async def _write_all(self, events: Sequence[Event]) -> None:
        for first in range(0, len(events), CHUNK):
            for batch in by_guild(events[first : first + CHUNK]):
                await self._write(batch)

    async def _write_each(self, guild_id: int, events: Sequence[Event]) -> None:
        """Tell the events that fail from the others. They are set aside only if others do not fail."""
        failing = 0
        for number, event in enumerate(events, start=1):
            try:
                await self._write_all([event])
            except Exception as error:
                failing += 1
                if concerns_everybody(error) or failing == number == min(MOST_FAILING, len(events)):
                    raise
        if failing:
            self._set_aside[guild_id] += failing
            self._part.count("set aside", failing)
            logger.error("events set aside after an unexpected error", extra={"guild_id": guild_id, "count": failing})

    def _report_health(self) -> None:
        alone = {guild_id: one.failure.reason for guild_id, one in self._waiting.items() if one.failure is not None}
        aside = "Messages and edits I could not store and left out: {}. My log says why."
        if self._failure is not None:
            self._part.failing(self._failure.reason)
        elif alone:
            self._part.failing(in_guilds=alone)
        elif self._waiting:
            self._part.failing("What was not written yet is being written now.")
        else:
            self._part.limited(in_guilds={guild_id: aside.format(count) for guild_id, count in self._set_aside.items()})


def _said(error: Exception) -> str:
    reason = str(error) if isinstance(error, StoreError) else f"A statement was refused ({type(error).__name__})."
    match error:
        case DatabaseFull():
            reason += " Nothing new is stored until there is room; what is stored is safe."
        case DatabaseReadOnly():
            reason += " Nothing new is stored until it takes writes again."
    return f"The log cannot be written. {reason}"


# Channels whose catch-up has finished, so that what arrives live continues what is stored without a hole.


class CaughtUpChannels:
    def __init__(self) -> None:
        self._live: dict[int, set[int]] = {}
        self._missed: dict[tuple[int, int], int] = {}

    def begin(self, guild_id: int, channel_id: int) -> bool:
        """Note a channel as live, unless messages were missed after catch-up had read past them: it reads again."""
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
        """Say how far each live channel has come with these messages."""
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
        """Note messages that will not be stored unless catch-up reads them."""
        for message in messages:
            place = (message.guild_id, message.channel_id)
            self._missed[place] = max(message.message_id, self._missed.get(place, 0))
            self._live.get(message.guild_id, set()).discard(message.channel_id)

    def read_through(self, guild_id: int, channel_id: int, through: int) -> None:
        """Note that catch-up has stored everything up to this message."""
        if self._missed.get((guild_id, channel_id), through + 1) <= through:
            del self._missed[guild_id, channel_id]
