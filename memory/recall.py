"""Finds what was said: by words and by meaning side by side, then by the talk around what was found.

Without an embedder it finds by words alone. Everything is read for an audience, and nothing else is ever looked at.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from ai_clients.base import Embedder
from ai_clients.closeness import Closeness
from ai_clients.errors import ModelError
from memory.core.audience import Audience
from memory.core.language import ALL_STOP_WORDS, STOP_WORDS, Language
from memory.core.model import Member, Message
from memory.core.people import keys_of, mentioned_ids, spoken_keys, with_strangers
from memory.core.recall.asked import Asked, read
from memory.core.recall.candidates import first_cut, judged, narrowings
from memory.core.recall.found import Found, Limits, Terms
from memory.core.recall.question_words import Want
from memory.core.recall.ranking import CLOSE_ENOUGH, Asking, Said, rank, shares_of
from memory.core.recall.recollection import GOOD, SNIPPET_BUDGET, Recollection, chosen
from memory.core.recall.scoring import WEIGHTS, Weights
from memory.core.recall.signs import signs_of
from memory.core.recall.words import text_of
from memory.core.text import repair
from memory.store.members import MemberStore
from memory.store.recall import RecallStore

BY_WORDS = 300
BY_MEANING = 100
REACH = 3
"""Messages read on both sides. The ones next to a message are judged too, and need neighbours of their own."""
MOST_TAIL = 200
"""Of what has no vectors yet, so many are compared by meaning here."""

ZoneOf = Callable[[int], Awaitable[tzinfo]]
NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Search:
    """A question on its way: what it asks, its terms in the index, and its vector."""

    audience: Audience
    asked: Asked
    terms: Terms
    vector: bytes | None
    model: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, with all that is needed to put it into order."""

    asking: Asking
    pool: Sequence[Said]
    rankable: Collection[int]
    closeness: Mapping[str, Sequence[tuple[int, float]]]
    texts: Mapping[int, Message]

    def chosen(
        self, weights: Weights, *, k: int, least: float, known: Collection[int] = (), budget: int = SNIPPET_BUDGET
    ) -> tuple[Recollection, ...]:
        ranked = rank(self.asking, self.pool, self.rankable, self.closeness, weights)
        return chosen(
            ranked,
            self.pool,
            self.texts,
            lambda one: weights.explained(one.parts),
            k=k,
            least=least,
            known=known,
            budget=budget,
        )


class Recall:
    def __init__(
        self,
        store: RecallStore,
        members: MemberStore,
        zone_of: ZoneOf,
        embedder: Embedder | None = None,
        word_vectors: Embedder | None = None,
        weights: Weights = WEIGHTS,
    ) -> None:
        """`word_vectors` must be quick with single words; without them words count only as they are."""
        self._store = store
        self._members = members
        self._zone_of = zone_of
        self._embedder = embedder
        self._closeness = Closeness(word_vectors) if word_vectors is not None else None
        self._weights = weights

    async def recall(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        k: int = 3,
        *,
        limits: Limits = NO_LIMITS,
        least: float = GOOD,
        known: Collection[int] = (),
        budget: int = SNIPPET_BUDGET,
        language: Language | None = None,
    ) -> tuple[Recollection, ...]:
        """The best first; nothing, where nothing is good enough. `known` is what the reader has before them already."""
        looked = await self.look(question, audience, asker, when, limits=limits, language=language)
        if looked is None:
            return ()
        return looked.chosen(self._weights, k=k, least=least, known=known, budget=budget)

    async def look(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        *,
        limits: Limits = NO_LIMITS,
        language: Language | None = None,
    ) -> "Looked | None":
        """All that may hold the answer, not in order yet; None if nothing can be looked for."""
        text = repair(question)
        named = await self._members.spoken_of(audience, text, [asker])
        members = with_strangers(named, audience.guild_id, [asker, *mentioned_ids(text)])
        by_id = {member.user_id: member for member in members}
        zone = await self._zone_of(audience.guild_id)
        asked = read(text, members, by_id[asker], when, zone, language)
        if asked.is_empty:
            return None
        search = await self._prepared(audience, asked)
        pool, rankable, texts = await self._pool(search, limits)
        closeness = await self._close_words(asked, pool)
        asking = Asking(asked, shares_of(asked, search.terms), when, audience.place_id, _names(by_id, asked.spoken_of))
        return Looked(asking, pool, rankable, closeness, texts)

    async def _prepared(self, audience: Audience, asked: Asked) -> _Search:
        terms, vector = await asyncio.gather(
            self._store.terms(audience, asked.words, asked.language), self._vector(asked.meant)
        )
        return _Search(audience, asked, terms, vector, self._embedder.name if self._embedder is not None else "")

    async def _vector(self, meant: str) -> bytes | None:
        if self._embedder is None or not meant:
            return None
        try:
            [vector] = await self._embedder.embed([meant])
        except ModelError:
            return None  # words find on their own
        return vector

    async def _pool(self, search: _Search, limits: Limits) -> tuple[list[Said], set[int], dict[int, Message]]:
        """What was found with what stands around it, in the order it was said; whom to judge; and all the texts."""
        tail = await self._store.tail(search.audience, search.terms, limits)
        legs = await asyncio.gather(*self._legs(search, limits))
        hits = first_cut(search.asked, [found for leg in legs for found in leg])
        around = await self._store.around(search.audience, hits, search.terms, search.model, search.vector, reach=REACH)
        fresh = await self._with_meaning(search, tail)
        new = {found.message_id for found, _ in fresh}
        messages = await self._store.messages(search.audience, [found.message_id for found in around])
        texts = {message.message_id: message for message in (*messages, *(message for _, message in fresh))}
        founds = [*(found for found in around if found.message_id not in new), *(found for found, _ in fresh)]
        pool = [
            _said(found, texts[found.message_id], search.asked.wants)
            for found in sorted(founds, key=lambda found: (found.channel_id, found.message_id))
            if found.message_id in texts
        ]
        return pool, judged(pool, hits | new, limits), texts

    def _legs(self, search: _Search, limits: Limits) -> Iterable[Awaitable[list[Found]]]:
        """By words and by meaning; once more among those who are named, and in the time that is named."""
        for narrowed in narrowings(search.asked, limits):
            yield self._store.by_words(search.audience, search.terms, narrowed, BY_WORDS)
            if search.vector is not None:
                yield self._store.by_meaning(search.audience, search.model, search.vector, narrowed, BY_MEANING)

    async def _with_meaning(
        self, search: _Search, tail: Sequence[tuple[Found, Message]]
    ) -> list[tuple[Found, Message]]:
        """What is not indexed yet has no vector: its meaning is compared here."""
        newest = list(tail[:MOST_TAIL])
        if self._closeness is None or not newest or not search.asked.meant:
            return newest
        try:
            alike = await self._closeness.between(search.asked.meant, [text_of(message) for _, message in newest])
        except ModelError:
            return newest
        return [(replace(found, meaning=how), message) for (found, message), how in zip(newest, alike, strict=True)]

    async def _close_words(self, asked: Asked, pool: Sequence[Said]) -> dict[str, list[tuple[int, float]]]:
        if self._closeness is None:
            return {}
        small = STOP_WORDS[asked.language] if asked.language is not None else ALL_STOP_WORDS
        words = sorted(frozenset().union(*(said.signs.words for said in pool)) - small)
        try:
            return await self._closeness.near(asked.words, words, CLOSE_ENOUGH)
        except ModelError:
            return {}  # then words count only as they are


def _said(found: Found, message: Message, wants: Collection[Want]) -> Said:
    text = text_of(message)
    return Said(found, text, signs_of(text, wants), message.reply_to)


def _names(members: Mapping[int, Member], wanted: Collection[int]) -> Callable[[str], bool]:
    """Whether a text calls one of them by a name they go by today."""
    keys = frozenset(key for user_id in wanted for key in keys_of(members[user_id]))
    return lambda text: bool(keys) and not keys.isdisjoint(spoken_keys(text))
