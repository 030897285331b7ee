"""Recall as others use it: for somebody who searches, and beside an answer, which it must never cost anything.

An answer gets what can be found in good time, or the word that nothing could be looked for.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from ai_clients.base import Embedder
from ai_clients.static_vectors import StaticVectors
from memory.core.audience import Audience
from memory.core.model import Question
from memory.core.recall.found import Limits
from memory.core.recall.recollection import GOOD, SNIPPET_BUDGET, Bookmark, Passage, Recollection
from memory.core.recall.scoring import WEIGHTS
from memory.core.settings import GuildSettings
from memory.health import Health
from memory.recall import NO_LIMITS, Looked, Recall
from memory.store.database import Database
from memory.store.errors import StoreError
from memory.store.failures import DRIVER_ERRORS
from memory.store.lexicon import Lexicon
from memory.store.members import MemberStore
from memory.store.passages import PassageStore
from memory.store.recall import RecallStore

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 4.0
"""How long an answer waits for what was said earlier. Most of the time it takes a tenth of a second."""
BESIDE_AN_ANSWER = 3
LIKELY = 0.3
"""Below the chance that is good enough for a model; quoted only if its own words speak for it as well."""

SettingsOf = Callable[[int], Awaitable[GuildSettings]]


@dataclass(frozen=True, slots=True)
class LookedBack:
    """What was found beside an answer, until it is known what the reader has before them already."""

    looked: Looked | None = None
    failed: bool = False

    def without(self, known: Collection[int]) -> tuple[Recollection, ...]:
        if self.looked is None:
            return ()
        return self.looked.chosen(WEIGHTS, k=BESIDE_AN_ANSWER, least=LIKELY, known=known, budget=SNIPPET_BUDGET)


class LookingBack:
    def __init__(
        self,
        database: Database,
        members: MemberStore,
        settings_of: SettingsOf,
        embedder: Embedder | None,
        health: Health,
    ) -> None:
        """Single words are compared on this machine, whoever makes the vectors of messages."""
        # Vectors of words have to come at once; those of a provider travel.
        words = embedder if embedder is None or isinstance(embedder, StaticVectors) else StaticVectors()
        self._recall = Recall(RecallStore(database, Lexicon()), members, _zones(settings_of), embedder, words)
        self._passages = PassageStore(database)
        self._health = health

    async def search(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        k: int,
        *,
        limits: Limits = NO_LIMITS,
        least: float = GOOD,
    ) -> tuple[Recollection, ...]:
        """Somebody who wants many reads them one after the other; no prompt has to hold them."""
        budget = max(SNIPPET_BUDGET, k * SNIPPET_BUDGET // BESIDE_AN_ANSWER)
        return await self._recall.recall(question, audience, asker, when, k, limits=limits, least=least, budget=budget)

    async def read_again(self, audience: Audience, marks: Sequence[Bookmark]) -> list[Passage]:
        return await self._passages.read(audience, marks)

    async def beside(self, question: Question, audience: Audience, seconds: float) -> LookedBack:
        """For an answer: in time, and without ever failing because of the store."""
        part = self._health.part("recall")
        try:
            async with asyncio.timeout(seconds):
                looked = await self._recall.look(
                    question.text, audience, question.asker_id, question.asked_at, language=question.language
                )
        except (StoreError, TimeoutError, *DRIVER_ERRORS) as error:
            logger.warning("an answer goes without recall", extra={"reason": type(error).__name__})
            part.failing("What was said earlier could not be looked for; answers go without it, and say so.")
            return LookedBack(failed=True)
        part.active()
        return LookedBack(looked)


def _zones(settings_of: SettingsOf) -> Callable[[int], Awaitable[tzinfo]]:
    async def zone_of(guild_id: int) -> tzinfo:
        return ZoneInfo((await settings_of(guild_id)).time_zone)

    return zone_of
