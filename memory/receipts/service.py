"""Keeps receipts of what our replies were made from: written before each goes out, and read by those who ask why.

A reply does not wait for a database that is away: its receipt lies here meanwhile, as ids, and is written as soon as
it can be.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

from memory.background import start_task
from memory.core.clock import Clock
from memory.core.outcomes import Answer
from memory.core.provenance import Broken, Evidence, Explanation, KeptReceipt, Read, ReplyReceipt, Unexplained
from memory.core.values import KEPT_FOR, Source
from memory.db.database import Database
from memory.db.errors import StoreError
from memory.health import Health
from memory.language.detect import Language
from memory.places.view import Audience
from memory.receipts.store import ReceiptStore
from memory.tasks import drop

logger = logging.getLogger(__name__)

MOST_LINKS = 20
"""One for each line of the longest list."""
MOST_WAITING = 1_000
"""Receipts that could not be written yet."""
PATIENCE_SECONDS = 5.0
"""How long a reply waits for its receipt to be written."""
LINKING_SECONDS = 2.0
"""How long an answer waits to hear what of it can be linked."""
RETRY_SECONDS = 2.0
MOST_RETRY_SECONDS = 60.0

Key: TypeAlias = tuple[int, int]
"""Guild and question."""


@dataclass(slots=True)
class _Waiting:
    """Holds what is still to be written of one reply."""

    receipt: ReplyReceipt
    message_ids: set[int] = field(default_factory=set)


class Receipts:
    def __init__(
        self, database: Database, clock: Clock, health: Health, *, on_late: Callable[[int], None] = lambda _guild: None
    ) -> None:
        """`on_late` is told of the guild when a receipt could only be written after its reply."""
        self._on_late = on_late
        self._store = ReceiptStore(database)
        self._database = database
        self._clock = clock
        self._part = health.part("receipts")
        self._part.active()
        self._waiting: OrderedDict[Key, _Waiting] = OrderedDict()
        self._writing: asyncio.Task[None] | None = None

    def receipt_of(
        self,
        audience: Audience,
        asked_in: int,
        asker_id: int,
        language: Language,
        evidence: Evidence,
        *,
        lapses: bool = False,
        made_during_outage: bool = False,
    ) -> ReplyReceipt:
        """Make the receipt of a reply. That of what one reader alone sees is never stored: nobody else ever does, and
        Discord lets nobody change it later.

        `lapses`: it names what was forgotten, and has to go when that cannot be undone any more.
        """
        now = self._clock.now()
        return ReplyReceipt(
            guild_id=audience.guild_id,
            asked_in=asked_in,
            channel_id=audience.place_id,
            asker_id=asker_id,
            made_at=now,
            language=language,
            evidence=evidence,
            lapses_at=now + KEPT_FOR if lapses else None,
            made_during_outage=made_during_outage,
        )

    async def broken_for_one(self, receipt: ReplyReceipt) -> Broken | None:
        """Say why one reader may not be told something after all, if something that it repeats is not as it
        was read. None also while that cannot be looked up."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(LINKING_SECONDS):
                return await self._store.broken_source(receipt)
        return None

    async def put(self, receipt: ReplyReceipt, *, is_unsaid: bool = False) -> Broken | None:
        """Store a receipt before its reply is sent; say why it may not stand, as far as that is known by now.

        What cannot be written now is written later. `is_unsaid`: a broken one is not said, so nothing is written.
        """
        known = self._waiting.get((receipt.guild_id, receipt.asked_in))
        if known is not None:
            known.receipt = receipt
            return None
        try:
            async with self._patience():
                return await self._store.put(receipt, is_unsaid=is_unsaid)
        except (StoreError, TimeoutError):
            self._wait_with(_Waiting(receipt))
            return None

    async def note_sent(self, receipt: ReplyReceipt, message_ids: Collection[int]) -> None:
        """Note which messages a reply became."""
        if not message_ids:
            return
        known = self._waiting.get((receipt.guild_id, receipt.asked_in))
        if known is not None:
            known.message_ids.update(message_ids)
            return
        try:
            async with self._patience():
                await self._store.note_sent(receipt, message_ids)
        except (StoreError, TimeoutError):
            self._wait_with(_Waiting(receipt, set(message_ids)))

    def _patience(self) -> asyncio.Timeout:
        return asyncio.timeout(PATIENCE_SECONDS if self._database.state().active else RETRY_SECONDS)

    async def with_standing_sources(self, answer: Answer, audience: Audience) -> Answer:
        """Leave only those sources under an answer that all its readers can open now, which it then repeats.

        What was told by a command stands in no channel. While the log cannot be read, what was just heard serves.
        """
        candidates = [source for source in dict.fromkeys(answer.sources) if source.channel_id in audience.sources]
        standing = answer.evidence.quoted.messages
        if candidates and not answer.made_during_outage:
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(LINKING_SECONDS):
                    standing = await self._store.standing(
                        audience.guild_id, [source.message_id for source in candidates]
                    )
        return _linked(answer, [source for source in candidates if source.message_id in standing], standing)

    async def of_message(self, guild_id: int, message_id: int, reply_to: int | None) -> KeptReceipt | None:
        """Find the receipt of the reply that a message of ours is part of; None also if that cannot be looked up."""
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(LINKING_SECONDS):
                return await self._store.of_reply(guild_id, message_id, reply_to)
        return None

    async def explain(self, audience: Audience, message_id: int, reply_to: int | None) -> Explanation | Unexplained:
        """Explain what a message of ours was made from, as far as this audience may see now. May raise `StoreError`."""
        kept = await self._store.of_reply(audience.guild_id, message_id, reply_to)
        if kept is None:
            is_gone = await self._store.is_taken_back(audience.guild_id, message_id)
            return Unexplained.TAKEN_BACK if is_gone else Unexplained.UNKNOWN
        if kept.is_taken_back:
            return Unexplained.TAKEN_BACK
        return await self._store.explained(audience, kept)

    async def stop(self) -> None:
        """Try once more to write what waits; what then cannot be written is lost, and the replies stand without."""
        await drop(self._writing)
        for waiting in list(self._waiting.values()):
            if not await self._write(waiting):
                logger.warning("could not write receipts", extra={"count": len(self._waiting)})
                return

    def _wait_with(self, waiting: _Waiting) -> None:
        self._waiting[waiting.receipt.guild_id, waiting.receipt.asked_in] = waiting
        if len(self._waiting) > MOST_WAITING:
            self._waiting.popitem(last=False)
            self._part.count("lost")
        self._part.count("delayed")
        logger.warning("receipt postponed", extra={"waiting": len(self._waiting)})
        if self._writing is None or self._writing.done():
            self._writing = start_task("write receipts", self._write_all, self._part.failing)

    async def _write_all(self) -> None:
        pause = RETRY_SECONDS
        while self._waiting:
            await asyncio.sleep(pause)
            key, waiting = next(iter(self._waiting.items()))
            if await self._write(waiting):
                pause = 0.0
                if self._waiting.get(key) is waiting:
                    del self._waiting[key]
                    self._part.active()
                    self._part.count("written late")
            else:
                pause = min(max(pause, RETRY_SECONDS) * 2, MOST_RETRY_SECONDS)

    async def _write(self, waiting: _Waiting) -> bool:
        try:
            while True:
                receipt, message_ids = waiting.receipt, frozenset(waiting.message_ids)
                # As made now: readers may have been looked at since without anyone knowing of the reply.
                await self._store.put(replace(receipt, made_at=self._clock.now()))
                if message_ids:
                    await self._store.note_sent(receipt, message_ids)
                self._on_late(receipt.guild_id)
                if receipt is waiting.receipt and message_ids == waiting.message_ids:
                    return True
        except StoreError:
            return False


def _linked(answer: Answer, sources: Sequence[Source], standing: Mapping[int, datetime | None]) -> Answer:
    linked = tuple(sources[:MOST_LINKS])
    read = Read(messages={source.message_id: standing[source.message_id] for source in linked})
    return replace(answer, sources=linked, evidence=answer.evidence | Evidence.all_quoted(read))
