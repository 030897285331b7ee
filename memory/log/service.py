"""Offers the log to others: takes messages, edits and deletions in, and says how far each channel was read.

Nothing is judged here but what may be stored, and no model is asked. Live events are queued and written in batches;
pages of history are written by whoever read them. Both keep a channel's progress in the transaction that stores the
messages, so that a crash leaves no hole.
"""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from memory.core.clock import Clock
from memory.core.log_values import Reconciled
from memory.core.values import Marks, Message, MessageEdit
from memory.db.database import RESERVED, Database, Lane, LogWrite
from memory.db.errors import BAD_VALUES, DRIVER_ERRORS, DatabaseAway, StatementTimeout, StoreError
from memory.health import Health
from memory.language.detect import Language
from memory.log import reading
from memory.log import store as log
from memory.log.batch_queue import (
    MOST_ROWS,
    Batch,
    BatchQueue,
    Change,
    ChangeListener,
    ChannelDeletion,
    Deletion,
)
from memory.log.outage import CaughtUpChannels, Outage, RecentMessages
from memory.log.reading import ProgressStore
from memory.places.service import PlaceMirror
from memory.policy.rules import Verdict, may_store
from memory.policy.store import Policies

logger = logging.getLogger(__name__)

REMOVED_AT_ONCE = 1_000
"""Messages of a deleted channel that go in one transaction: live messages of the guild wait while these go."""
BUSY_SECONDS = 0.3
"""After something was written, more may come: pages of history do, one after the other."""

_NEVER_SAID = (Verdict.ERASED, Verdict.TOO_OLD)


def _is_noted(said: Message, verdict: Verdict) -> bool:
    """Say whether a message to us is noted: whoever may not be stored is answered all the same; but what was erased was
    never said, and of what they said long ago nothing is noted when history is read."""
    return verdict is Verdict.ADMITTED or (said.is_unanswered and verdict not in _NEVER_SAID)


def _nobody(*_ids: int) -> None:
    """Stand in for whoever sees Discord, where nobody does."""


class Log(ProgressStore):
    def __init__(
        self,
        database: Database,
        listener: ChangeListener,
        policies: Policies,
        ring: RecentMessages,
        place_mirror: PlaceMirror,
        clock: Clock,
        health: Health,
        removed_at_once: int = REMOVED_AT_ONCE,
        *,
        on_changed: Callable[[], None] = lambda: None,
        on_rest: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the log's parts. `on_changed`: told when messages were edited or deleted in the log; `on_rest`: when
        more is left of a deleted channel than goes at once, which the purge removes."""
        super().__init__(database, clock)
        self._listener = listener
        self._policies = policies
        self._place_mirror = place_mirror
        self._recent = ring
        self._part = health.part("log")
        self._part.active()
        self._writer = BatchQueue(self._commit, self._part.failing)
        self._outage = Outage(self._part, self._write_apart)
        self._guilds = asyncio.Semaphore(RESERVED[Lane.LOG])
        self._wrote_at = -math.inf
        self._removed_at_once = removed_at_once
        self.live = CaughtUpChannels()
        self._on_left_out: Callable[[int, int], None] = _nobody
        self._on_changed = on_changed
        self._on_rest = on_rest

    def put_message(self, message: Message) -> None:
        """Queue a message, to be written within moments; left out where there is no room: its channel is read again."""
        self._recent.add(message)
        if not self._writer.put(message, always=message.wish is not None):
            self._leave_out(message)

    async def room(self) -> None:
        """Wait until a message fits. Discord's events do not: nothing holds them back."""
        await self._writer.room()

    async def edit_message(self, edit: MessageEdit) -> None:
        self._put_change(edit)

    async def delete_messages(self, guild_id: int, channel_id: int, message_ids: Collection[int]) -> None:
        self._put_change(Deletion(guild_id, channel_id, frozenset(message_ids)))

    async def delete_channel(self, guild_id: int, channel_id: int) -> None:
        """Delete a channel or thread, with all that was said in it and in its own threads."""
        self._place_mirror.no_place(guild_id, channel_id)
        self._put_change(ChannelDeletion(guild_id, channel_id))

    def _put_change(self, change: Change) -> None:
        self._recent.follow(change)
        self._listener.hear(change)
        self._writer.put(change, always=True)

    def language_last_spoken(self, message: Message) -> Language | None:
        """Detect the language its author last spoke in the same place, as far as that is in memory."""
        return self._recent.language_last_spoken(message)

    @property
    def is_busy(self) -> bool:
        """Say whether it wrote a moment ago, or has more to write than it can: work that can wait should give way."""
        return self._writer.waiting >= MOST_ROWS or time.monotonic() - self._wrote_at < BUSY_SECONDS

    async def settled(self, guild_id: int | None = None) -> None:
        """Wait until everything that was put into the log, of one guild or of all, has been committed or given up."""
        await self._writer.settled(guild_id)

    async def close(self) -> None:
        await self._writer.close()
        await self._outage.close()

    def report_to(
        self, on_return: Callable[[int], None] = _nobody, on_left_out: Callable[[int, int], None] = _nobody
    ) -> None:
        """Tell whoever sees Discord of guilds whose log can be written again, of which messages have been missed; and
        of channels that have to be read again, since there was no room for a message."""
        self._outage.on_return, self._on_left_out = on_return, on_left_out

    async def store_page(
        self,
        guild_id: int,
        channel_id: int,
        messages: Sequence[Message],
        *,
        through: int | None = None,
        backfilled_to: int | None = None,
        backfill_done: bool = False,
    ) -> int:
        """Store a page of history and how far it brings the channel, in one transaction; give how many were new."""
        async with log.log_transaction(self._database, "ingest.store_page", guild_id) as connection:
            added = await self._add_what_fits(connection, guild_id, messages)
            await reading.note_page(connection, guild_id, channel_id, through, backfilled_to, backfill_done)
        self._wrote_at = time.monotonic()
        if through is not None:
            self.live.read_through(guild_id, channel_id, through)
        self._part.count("read back", added.stored)
        return added.stored

    async def note_marks(self, guild_id: int, marks: Mapping[int, Marks]) -> None:
        """Note, by message, reactions and titles of threads."""
        await self.settled(guild_id)
        async with log.log_transaction(self._database, "ingest.note_marks", guild_id) as connection:
            await log.note_marks(connection, guild_id, marks)

    async def note_pins(self, guild_id: int, channel_id: int, pinned: Collection[int]) -> None:
        """Note which messages of a channel are pinned."""
        await self.settled(guild_id)
        async with log.log_transaction(self._database, "ingest.note_pins", guild_id) as connection:
            await log.note_pins(connection, guild_id, channel_id, pinned)

    async def reconcile(
        self, guild_id: int, channel_id: int, returned: Sequence[Message], ids: Collection[int] = ()
    ) -> Reconciled:
        """Compare the log with what Discord returned of a channel without a gap: later edits are taken, and what lies
        strictly between two returned messages and was not returned has been deleted. `ids` are those of messages that
        were returned, too, and are not to be stored."""
        async with log.log_transaction(self._database, "ingest.reconcile", guild_id) as connection:
            added = await self._add_what_fits(connection, guild_id, returned)
            shown = {*ids, *(message.message_id for message in returned)}
            await log.note_shown(connection, guild_id, shown)
            missing = await log.missing_between(connection, guild_id, channel_id, shown)
            await self._delete(connection, guild_id, missing)
        if missing or added.changed:
            self._on_changed()
        self._part.count("found deleted", len(missing))
        return Reconciled(added.stored, len(added.changed), len(missing))

    async def _add_what_fits(self, connection: LogWrite, guild_id: int, messages: Sequence[Message]) -> log.Added:
        """Store a page without what cannot be stored, or catch-up would come back to it for ever."""
        try:
            async with connection.transaction():
                return await self._add(connection, guild_id, messages)
        except BAD_VALUES as error:
            if len(messages) == 1:
                self._refuse(error)
                return log.Added()
            each = [await self._add_what_fits(connection, guild_id, [message]) for message in messages]
            return log.Added(sum(one.stored for one in each), [known for one in each for known in one.changed])

    async def _commit(self, batch: Batch) -> None:
        """Write a batch. Where it cannot be, nothing of it has moved a channel's progress, and catch-up reads it."""
        if self._outage.is_on(batch.guild_id):
            self._give_up(batch)
            return
        try:
            await self._write_apart(batch, again=True)
        except Exception as error:
            if not isinstance(error, (StoreError, *DRIVER_ERRORS)):
                logger.exception(
                    "unexpected error while writing a batch of messages", extra={"guild_id": batch.guild_id}
                )
            self.live.end(batch.guild_id)
            self._outage.note(batch.guild_id, error)
            self._give_up(batch)
        else:
            self._report_health(batch)
        finally:
            self._wrote_at = time.monotonic()

    async def _write_apart(self, batch: Batch, *, again: bool = False) -> None:
        """Write a batch; one event that cannot be stored does not keep the others from being written.

        With `again` once more if the connection was lost: a server that restarts is waited for then. Twice does no
        harm. A statement that took too long is not repeated: the others of its guild have waited long enough.
        """
        try:
            await self._write(batch)
        except BAD_VALUES as error:
            if len(batch.events) == 1:
                self._refuse(error)
            else:
                for event in batch.events:
                    await self._write_apart(Batch.of(batch.guild_id, [event]), again=again)
        except DatabaseAway as error:
            if not again or isinstance(error, StatementTimeout):
                raise
            await self._write_apart(batch)

    async def _write(self, batch: Batch) -> None:
        guild_id = batch.guild_id
        through = self.live.reached(guild_id, batch.messages)
        # Whoever waits for a turn in their own guild holds nothing that another guild needs.
        async with (
            self._database.turn(guild_id),
            self._guilds,
            self._database.transaction("ingest.write", lane=Lane.LOG) as begun,
        ):
            connection = await log.own_log(begun, guild_id)
            await self._add(connection, guild_id, batch.lasting())
            if batch.edits:
                await self._listener.follow(connection, guild_id, await log.edit_messages(connection, batch.edits))
            await self._delete(connection, guild_id, batch.deleted)
            await reading.advance(connection, guild_id, through)
            is_all = await self._close(connection, guild_id, batch.closed) if batch.closed else True
        if not is_all:
            self._on_rest()
        if batch.edits or batch.deleted or batch.closed:
            self._on_changed()

    async def _close(self, connection: LogWrite, guild_id: int, channel_ids: Collection[int]) -> bool:
        """Close channels, of which nothing is told any more, and delete what one transaction should hold of them;
        whether that was all. The rest is marked, and the purge removes it."""
        found = [await log.close_channel(connection, guild_id, channel_id) for channel_id in channel_ids]
        closed = sorted({channel_id for channels in found for channel_id in channels})
        await reading.forget_channels(connection, guild_id, closed)
        await self._listener.forget_channels(connection, guild_id, closed)
        gone = await log.drop_messages_of(connection, guild_id, closed, self._removed_at_once)
        if gone == self._removed_at_once:
            await reading.begin(connection, guild_id)
        return gone < self._removed_at_once

    async def _add(self, connection: LogWrite, guild_id: int, messages: Sequence[Message]) -> log.Added:
        policy = await self._policies.refresh(connection, guild_id)
        admitted = [message for message in messages if may_store(message, policy) is Verdict.ADMITTED]
        added = await log.add_messages(connection, admitted)
        # A page of history may have been read before somebody edited what is in it, and stored behind the edit.
        if overtaken := self._recent.edits_of(admitted):
            added.changed.extend(await log.edit_messages(connection, overtaken))
        wishes = [said for said in messages if said.wish is not None and _is_noted(said, may_store(said, policy))]
        await log.note_said_to_us(connection, wishes)
        await self._listener.follow(connection, guild_id, added.changed)
        return added

    async def _delete(
        self, connection: LogWrite, guild_id: int, deleted: Sequence[tuple[int, int]] | set[tuple[int, int]]
    ) -> None:
        if deleted:
            await log.delete_messages(connection, guild_id, deleted)
            await self._listener.forget(connection, guild_id, [message_id for _, message_id in deleted])

    def _leave_out(self, message: Message) -> None:
        """Leave a message out, which Discord hands out again. A channel that is not live is being read anyway."""
        guild_id, channel_id = message.guild_id, message.channel_id
        was_live = self.live.is_live(guild_id, channel_id)
        self.live.missed((message,))
        self._part.count("missed")
        if was_live:
            logger.warning("message queue full; reading the channel again later", extra={"channel_id": channel_id})
            self._on_left_out(guild_id, channel_id)

    def _give_up(self, batch: Batch) -> None:
        self._outage.keep(batch.guild_id, batch.events)
        self.live.missed(batch.messages)
        self._part.count("missed", len(batch.messages))

    def _refuse(self, error: Exception) -> None:
        """Count an event whose values do not fit the tables. The error may quote them, so its text is not logged."""
        logger.error("cannot store an event: %s", type(error).__name__)
        self._part.count("refused")

    def _report_health(self, batch: Batch) -> None:
        self._part.add(
            {"messages": len(batch.messages), "edits": len(batch.edits), "deletions": len(batch.deleted)},
            queued=self._writer.waiting,
            late_ms=self._writer.late_ms,
        )
