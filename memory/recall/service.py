"""Offers recall to others: for somebody who searches, and beside an answer, which it must never cost anything.

An answer gets what can be found in good time, or the word that nothing could be looked for.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from memory.core.links import linked_ids
from memory.core.values import Member, Message, Question
from memory.db.database import Database, Reading
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.health import Health
from memory.log.reading import MessageStore
from memory.models.usage import Requester
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.policy.settings import SettingsOf
from memory.recall.coverage import Excerpt, Room, covering
from memory.recall.pieces import with_pieces_for
from memory.recall.query import Limits
from memory.recall.results import Bookmark, Kind, Looked, Passage, PassageStore, Recollection, linked_in
from memory.recall.search import LOOKED_INTO_FOR_FEW, LOOKED_INTO_FOR_MODEL, NO_LIMITS, QuestionVectors, Recall
from memory.recall.store import RecallStore
from memory.recall.vectors import Embedders

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 4.0
"""How long an answer waits for what was said earlier. Most of the time it takes a tenth of a second."""
MOST_QUOTED = 3


@dataclass(frozen=True, slots=True)
class RecallOutcome:
    """Holds what was found beside an answer, until it is known what the reader has before them already."""

    looked: Looked | None = None
    failed: bool = False

    @property
    def about(self) -> str:
        """Give the words that the question is about."""
        return "" if self.looked is None else " ".join(self.looked.asking.asked.words)

    def quotable(self, known: Collection[int]) -> tuple[Recollection, ...]:
        """Choose what answers the question in somebody's own words."""
        return () if self.looked is None else self.looked.quotable(k=MOST_QUOTED, known=known)


def filling(outcomes: Sequence[RecallOutcome], room: Room, known: Collection[int]) -> tuple[Excerpt, ...]:
    """Fill the room for a model with what may answer, as much as fits, chosen from all that was looked for."""
    looks = [outcome.looked for outcome in outcomes if outcome.looked is not None]
    return covering(looks, known=known, room=room)


class RecallService:
    def __init__(
        self,
        database: Database,
        members: MemberStore,
        settings_of: SettingsOf,
        embedders: Embedders | None,
        settled: Callable[[int], Awaitable[None]],
        health: Health,
    ) -> None:
        """Single words are compared on this machine, whoever makes the vectors of messages.

        `settled`: until what was said before in a guild is in the log.
        """
        self._settled = settled
        self._settings_of = settings_of
        meaning = QuestionVectors(embedders, database) if embedders is not None else None
        # Vectors of words have to come at once; those of a provider travel.
        words = embedders.here if embedders is not None else None
        self._recall = Recall(
            RecallStore(database),
            members,
            meaning,
            words,
        )
        self._passages = PassageStore(database)
        self._messages = MessageStore(database)
        self._reading = Reading(database, "store.recall.files")
        self._health = health
        self._asking = 0

    @property
    def is_asked(self) -> bool:
        """Say whether an answer waits for what is being looked for."""
        return self._asking > 0

    async def search(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        k: int = 3,
        *,
        limits: Limits = NO_LIMITS,
        request_id: int | None = None,
    ) -> tuple[Recollection, ...]:
        """Find what was said that may answer a question, the best first, for somebody who reads all of it.

        `request_id`: in which interaction, so that a model is asked for them once at most, and within their limit.
        """
        await self._settled(audience.guild_id)
        by = None if request_id is None else Requester(asker, request_id)
        zone = ZoneInfo((await self._settings_of(audience.guild_id)).time_zone)
        looked = await self._recall.look(question, audience, asker, when, zone, limits=limits, by=by)
        return () if looked is None else await self._linked(audience, await asyncio.to_thread(looked.chosen, k=k))

    async def read_again(self, audience: Audience, marks: Sequence[Bookmark], question: str = "") -> list[Passage]:
        """Read what was found before, as it is now; what is gone, or may not be heard any longer, is left out.
        `question`: what was looked for, so that a file shows where it says it."""
        if not marks:
            return []
        await self._settled(audience.guild_id)
        passages = await self._passages.read(audience, marks)
        if question:
            messages = [one.message for one in passages]
            shown = await with_pieces_for(self._reading, audience, messages, question, is_find=True)
            passages = [replace(one, message=message) for one, message in zip(passages, shown, strict=True)]
        return [*await self._linked(audience, passages)]

    async def _linked(self, audience: Audience, passages: Sequence[Kind]) -> tuple[Kind, ...]:
        """Complete passages with what they link to, as far as this audience may read it."""
        said = [one for passage in passages for one in passage.messages]
        ids = [one for message in said for one in linked_ids(message.text, message.guild_id)]
        found = await self._messages.linked(audience, ids) if ids else []
        return tuple(linked_in(passage, found) for passage in passages) if found else tuple(passages)

    async def with_files(self, audience: Audience, messages: Sequence[Message], question: str) -> tuple[Message, ...]:
        """Show, of messages that a question is about, as much of their files as fits it."""
        return await with_pieces_for(self._reading, audience, messages, question)

    async def for_answer(
        self,
        question: Question,
        audience: Audience,
        seconds: float,
        time_zone: str,
        members: Sequence[Member] | None = None,
        *,
        for_model: bool = False,
    ) -> RecallOutcome:
        """Look for an answer: in time, and without ever failing because of the store. For a model it looks further.

        `members`: whom it may mean, if they are known already.
        """
        part = self._health.part("recall")
        self._asking += 1
        try:
            async with asyncio.timeout(seconds):
                looked = await self._recall.look(
                    question.text,
                    audience,
                    question.asker_id,
                    question.asked_at,
                    ZoneInfo(time_zone),
                    language=question.language,
                    members=members,
                    looked_into=LOOKED_INTO_FOR_MODEL if for_model else LOOKED_INTO_FOR_FEW,
                    with_replies=for_model,
                    by=Requester.of(question),
                )
        except (StoreError, TimeoutError, *DRIVER_ERRORS) as error:
            logger.warning("answering without recall", extra={"reason": type(error).__name__})
            part.failing("What was said earlier could not be looked for; answers go without it, and say so.")
            return RecallOutcome(failed=True)
        finally:
            self._asking -= 1
        part.active()
        return RecallOutcome(looked)
