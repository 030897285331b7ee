"""The receipt of a reply that everyone in a place can read: written before it is said, and completed when it stands.

What it repeats may go in the very moment in which it is finished. Then it is not said but made anew, without what is
gone.
"""

from collections.abc import Collection
from dataclasses import replace

from bot.replies.draft import Draft, Sent
from bot.words.keys import Phrase
from bot.words.voice import Voice
from memory.core.provenance import Broken, Evidence, ReplyReceipt
from memory.places.view import Audience
from memory.receipts.service import Receipts


class ReceiptWriter:
    """Of one reply, however often it is made anew."""

    def __init__(self, receipts: Receipts, asked_in: int, asker_id: int, voice: Voice) -> None:
        self._receipts = receipts
        self._asked_in = asked_in
        self._asker_id = asker_id
        self._voice = voice
        self._receipt: ReplyReceipt | None = None
        self._is_made_anew = False

    async def before(self, draft: Draft, readers: Audience) -> Draft | Sent:
        """What may be said now; or that it has to be made anew, or that there is nobody left to answer.

        Nothing is written of what tells nothing, nor of what one reader alone sees, which is looked at all the same.
        """
        broken = await self._put(draft, readers, is_unsaid=draft.only_reads)
        if broken is None or not draft.only_reads:
            return draft
        if broken is Broken.QUESTION:
            return Sent.NOTHING
        if not self._is_made_anew:
            self._is_made_anew = True
            return Sent.CHANGED
        unsaid = replace(
            draft, words=self._voice.say(Phrase.SOURCES_CHANGE), evidence=Evidence(), buttons=(), blocks=()
        )
        await self._put(unsaid, readers)
        return unsaid

    async def after(self, message_ids: Collection[int]) -> None:
        if self._receipt is not None:
            await self._receipts.note_sent(self._receipt, message_ids)

    async def _put(self, draft: Draft, readers: Audience, *, is_unsaid: bool = False) -> Broken | None:
        self._receipt = None
        if draft.evidence is None:
            return None
        if readers.viewer_id is not None:
            # What was done for them is told in any case: nobody but them reads it.
            if not draft.only_reads:
                return None
            return await self._receipts.broken_for_one(
                readers, self._asked_in, self._asker_id, draft.evidence, is_cut_off=draft.is_cut_off
            )
        self._receipt = self._receipts.receipt_of(
            readers,
            self._asked_in,
            self._asker_id,
            self._voice.language,
            draft.evidence,
            lapses=draft.lapses,
            is_cut_off=draft.is_cut_off,
        )
        return None if self._receipt is None else await self._receipts.put(self._receipt, is_unsaid=is_unsaid)
