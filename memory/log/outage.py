"""Lasts through an outage of the database: keeps what Discord tells once until it can be written, says so once, and
holds the newest messages of each channel, so that there is something to look at.

New messages need no keeping, because Discord hands them out again (catch-up). Edits and deletes are told only once.

Where the database is not to be had, that concerns all guilds. Any other failure concerns the guild it was met in, and
all others go on. An event that fails time and again while others of its guild are written is set aside: it is counted,
and comparing with Discord finds what it would have said.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from cachetools import LRUCache

from memory.background import start_task
from memory.core.values import AuthorKind, Message, MessageEdit
from memory.db.errors import DatabaseAway, DatabaseFull, DatabaseReadOnly, StoreError, concerns_everybody
from memory.health import HealthReporter
from memory.language.detect import Language, language_of
from memory.language.word_caches import register_cache
from memory.log.batch_queue import Batch, Change, ChannelDeletion, Deletion, Event
from memory.places.view import Audience
from memory.policy.rules import Policy, Verdict, may_store
from memory.policy.store import Policies
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
        self.on_return: Callable[[int], None] = lambda _guild: None
        """Told of each guild whose log can be written again."""

    def is_on(self, guild_id: int) -> bool:
        return self._failure is not None or guild_id in self._waiting

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
                await (self._write_all(guild_id, kept) if waiting.tries < TRIES else self._write_each(guild_id, kept))
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
        self.on_return(guild_id)

    async def _write_all(self, guild_id: int, events: Sequence[Event]) -> None:
        for first in range(0, len(events), CHUNK):
            await self._write(Batch.of(guild_id, events[first : first + CHUNK]))

    async def _write_each(self, guild_id: int, events: Sequence[Event]) -> None:
        """Tell the events that fail from the others. They are set aside only if others do not fail."""
        failing = 0
        for number, event in enumerate(events, start=1):
            try:
                await self._write_all(guild_id, [event])
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

    def end(self, guild_id: int) -> None:
        """Note a new session, or a guild that comes back: there may be holes before what arrives now."""
        self._live.pop(guild_id, None)

    def of(self, guild_id: int) -> tuple[int, ...]:
        return tuple(self._live.get(guild_id, ()))

    def leave(self, guild_id: int, channel_id: int) -> None:
        self._live.get(guild_id, set()).discard(channel_id)

    def __len__(self) -> int:
        return sum(map(len, self._live.values()))

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
            self.leave(message.guild_id, message.channel_id)

    def read_through(self, guild_id: int, channel_id: int, through: int) -> None:
        """Note that catch-up has stored everything up to this message."""
        if self._missed.get((guild_id, channel_id), through + 1) <= through:
            del self._missed[guild_id, channel_id]


# The newest messages of each channel. They follow edits and deletions, forget with them, and are never the truth:
# whoever reads them says so.


CHANNELS = 100
"""The most recently used ones; with `length` this bounds the whole."""
EDITS = 1_000
"""The last edits, for messages that are stored behind them."""


class RecentMessages:
    def __init__(self, length: int, policies: Policies) -> None:
        self._length = length
        self._policies = policies
        self._channels: LRUCache[tuple[int, int], dict[int, Message]] = LRUCache(CHANNELS)
        self._addressed: LRUCache[int, bool] = LRUCache(length * CHANNELS)
        self._edits: LRUCache[int, Message] = LRUCache(EDITS)
        self._closed: LRUCache[tuple[int, int], bool] = LRUCache(CHANNELS)
        """Channels that were deleted a while ago: what is told of them late is not taken in."""
        policies.on_decision = self.apply_policy
        register_cache(self)

    def add(self, message: Message) -> None:
        """Add a message, unless it may not be stored: then it may not lie here either."""
        policy = self._policies.known(message.guild_id)
        if self._is_gone(message) or (policy is not None and may_store(message, policy) is not Verdict.ADMITTED):
            return
        place = (message.guild_id, message.channel_id)
        channel = self._channels.get(place)
        if channel is None:
            channel = self._channels[place] = {}
        channel.setdefault(message.message_id, message)
        if len(channel) > self._length:
            del channel[next(iter(channel))]

    def follow(self, change: Change) -> None:
        match change:
            case MessageEdit():
                self._edit(change.now)
                if change.place_is_known:
                    self._keep_edit(change.now)
            case Deletion():
                channel = self._channels.get((change.guild_id, change.channel_id), {})
                for message_id in change.message_ids:
                    channel.pop(message_id, None)
                    self._edits.pop(message_id, None)
            case ChannelDeletion():
                self._closed[change.guild_id, change.channel_id] = True
                self._forget(change.guild_id, lambda said: change.channel_id in (said.channel_id, said.parent_id))

    def _is_gone(self, said: Message) -> bool:
        """Say whether a message's channel, or the one it belongs to, is deleted."""
        return any((said.guild_id, place) in self._closed for place in (said.channel_id, said.parent_id) if place)

    def _edit(self, edit: Message) -> None:
        channel = self._channels.get((edit.guild_id, edit.channel_id), {})
        known = channel.get(edit.message_id)
        if known is None or edit.edited_at is None or (known.edited_at and known.edited_at >= edit.edited_at):
            return
        # Where the thread of an edit is not known, that of the message is.
        channel[edit.message_id] = replace(edit, parent_id=known.parent_id)

    def _keep_edit(self, edit: Message) -> None:
        policy, before = self._policies.known(edit.guild_id), self._edits.get(edit.message_id)
        if edit.edited_at is None or self._is_gone(edit):
            return
        if policy is not None and may_store(edit, policy) is not Verdict.ADMITTED:
            return
        if before is None or before.edited_at is None or before.edited_at <= edit.edited_at:
            self._edits[edit.message_id] = edit

    def edits_of(self, messages: Iterable[Message]) -> list[Message]:
        """Find the last edits of these messages that are later than the copies."""
        found = ((self._edits.get(said.message_id), said) for said in messages) if self._edits else ()
        return [
            edit
            for edit, said in found
            if edit is not None and edit.guild_id == said.guild_id and edit.edited_at
            if said.edited_at is None or said.edited_at < edit.edited_at
        ]

    def forget_words(self) -> None:
        """Drop the edits: no page of history is on its way for so long."""
        self._edits.clear()

    def note_addressed(self, message_id: int) -> None:
        """Note that a message was said to us, and is no conversation."""
        self._addressed[message_id] = True

    def apply_policy(self, guild_id: int, policy: Policy) -> None:
        """Drop what may not be stored any longer."""
        self._forget(guild_id, lambda said: may_store(said, policy) is not Verdict.ADMITTED)

    def forget_guild(self, guild_id: int) -> None:
        self._forget(guild_id, lambda _: True)

    def _forget(self, guild_id: int, is_meant: Callable[[Message], bool]) -> None:
        for place, channel in self._channels.items():
            if place[0] == guild_id:
                for message_id in [said.message_id for said in channel.values() if is_meant(said)]:
                    del channel[message_id]
        for edit in [edit for edit in self._edits.values() if edit.guild_id == guild_id]:
            if is_meant(edit):
                del self._edits[edit.message_id]

    def language_last_spoken(self, message: Message) -> Language | None:
        """Detect the language the author last spoke in the same place, before this message; None: nothing told it."""
        policy = self._policies.known(message.guild_id)
        channel = self._channels.get((message.guild_id, message.channel_id), {})
        earlier = sorted((said for said in channel.items() if said[0] < message.message_id), reverse=True)
        spoken = (
            language_of(said.text)
            for _, said in earlier
            if said.author_id == message.author_id
            and policy is not None
            and may_store(said, policy) is Verdict.ADMITTED
        )
        return next((language for language in spoken if language is not None), None)

    def recent_conversation(
        self, audience: Audience, limit: int, before: int | None = None, at: datetime | None = None
    ) -> list[Message] | None:
        """Give the newest talk of the place itself, oldest first: neither bots nor what was said to us.

        `at` is the present, as for the log.

        None where it is not known what may be told, because the database has not been seen since the start.
        """
        policy = self._policies.known(audience.guild_id)
        if policy is None:
            return None
        channel = self._channels.get((audience.guild_id, audience.place_id), {})
        said = [
            message
            for message_id, message in sorted(channel.items())
            if (before is None or message_id < before)
            and message.author_kind is AuthorKind.PERSON
            and message_id not in self._addressed
            and may_store(message, policy) is Verdict.ADMITTED
        ]
        return audience.present(said[-limit:], at)
