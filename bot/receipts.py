"""The receipt of a reply that everyone in a place can read: written before it is said, and completed when it stands."""

from collections.abc import Collection

from bot.drafts import Draft
from memory.core.audience import Audience
from memory.core.language import Language
from memory.core.receipt import ReplyReceipt
from memory.receipts import Receipts


class Paper:
    """Of one reply, however often it is made anew."""

    def __init__(self, receipts: Receipts, asked_in: int, asker_id: int, language: Language) -> None:
        self._receipts = receipts
        self._asked_in = asked_in
        self._asker_id = asker_id
        self._language = language
        self._receipt: ReplyReceipt | None = None

    async def before(self, draft: Draft, readers: Audience) -> None:
        """Nothing is written of what tells nothing, nor of what one reader alone sees."""
        self._receipt = None
        if draft.evidence is None:
            return
        self._receipt = self._receipts.receipt_of(
            readers,
            self._asked_in,
            self._asker_id,
            self._language,
            draft.evidence,
            lapses=draft.lapses,
            is_cut_off=draft.is_cut_off,
        )
        if self._receipt is not None:
            await self._receipts.put(self._receipt)

    async def after(self, message_ids: Collection[int]) -> None:
        if self._receipt is not None:
            await self._receipts.note_sent(self._receipt, message_ids)
