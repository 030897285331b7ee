"""Finds what was said: by words and by meaning side by side, then by the talk around what was found.

Without an embedder it finds by words alone. Everything is read for an audience, and nothing else is ever looked at.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from ai_clients.base import Embedder
from ai_clients.closeness import Closeness
from ai_clients.errors import ModelError
from memory.core.audience import Audience
from memory.core.language import ALL_STOP_WORDS, STOP_WORDS, Language
from memory.core.model import Member, Message
from memory.core.people import keys_of, mentioned_ids, spoken_keys, with_strangers
from memory.core.recall.asked import Asked, read
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
LOOKED_INTO = 60
"""Of all that was found, so many are read with what was said around them."""
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
        text = repair(question)
        named = await self._members.spoken_of(audience, text, [asker])
        members = with_strangers(named, audience.guild_id, [asker, *mentioned_ids(text)])
        by_id = {member.user_id: member for member in members}
        zone = await self._zone_of(audience.guild_id)
        asked = read(text, members, by_id[asker], when, zone, language)
        if asked.is_empty or k < 1:
            return ()
        search = await self._prepared(audience, asked)
        pool, rankable, texts = await self._pool(search, limits)
        closeness = await self._close_words(asked, pool)
        asking = Asking(asked, shares_of(asked, search.terms), when, audience.place_id, _names(by_id, asked.spoken_of))
        ranked = rank(asking, pool, rankable, closeness, self._weights)
        return chosen(
            ranked,
            pool,
            texts,
            lambda one: self._weights.explained(one.parts),
            k=k,
            least=least,
            known=known,
            budget=budget,
        )

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
        hits = _first_cut(search.asked, [found for leg in legs for found in leg])
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
        return pool, _judged(pool, hits | new, limits), texts

    def _legs(self, search: _Search, limits: Limits) -> Iterable[Awaitable[list[Found]]]:
        """By words and by meaning; once more among those who are named, and in the time that is named."""
        for narrowed in _narrowings(search.asked, limits):
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
        alike = await self._closeness.between(search.asked.meant, [text_of(message) for _, message in newest])
        return [(replace(found, meaning=how), message) for (found, message), how in zip(newest, alike, strict=True)]

    async def _close_words(self, asked: Asked, pool: Sequence[Said]) -> dict[str, list[tuple[int, float]]]:
        if self._closeness is None:
            return {}
        small = STOP_WORDS[asked.language] if asked.language is not None else ALL_STOP_WORDS
        words = sorted(frozenset().union(*(said.signs.words for said in pool)) - small)
        return await self._closeness.near(asked.words, words, CLOSE_ENOUGH)


def _said(found: Found, message: Message, wants: Collection[Want]) -> Said:
    text = text_of(message)
    return Said(found, text, signs_of(text, wants), message.reply_to)


def _narrowings(asked: Asked, limits: Limits) -> list[Limits]:
    """The asker's own limits hold in each."""
    found = [limits] if asked.words else []
    authors = asked.speakers if limits.author_ids is None else asked.speakers & limits.author_ids
    if authors:
        found.append(replace(limits, author_ids=authors))
    if asked.span is not None:
        after = asked.span.start - timedelta(days=1)
        before = asked.span.told_by
        found.append(
            replace(
                limits,
                after=after if limits.after is None else max(after, limits.after),
                before=before if limits.before is None else min(before, limits.before),
                author_ids=authors or limits.author_ids,
            )
        )
    return found or [limits]


def _first_cut(asked: Asked, found: Sequence[Found]) -> set[int]:
    """The ids of the most promising, by what the legs alone can tell."""
    best: dict[int, Found] = {}
    for one in found:
        other = best.get(one.message_id)
        if other is None:
            best[one.message_id] = one
        else:
            meaning = max(one.meaning or 0.0, other.meaning or 0.0)
            words = max(one.words, other.words)
            best[one.message_id] = replace(one, meaning=meaning, words=words, stretch=max(one.stretch, other.stretch))
    most_words = max((one.words for one in best.values()), default=0.0) or 1.0
    most_talk = max((one.stretch for one in best.values()), default=0.0) or 1.0

    def promise(one: Found) -> float:
        score = one.words / most_words + (one.meaning or 0.0) + 0.6 * one.stretch / most_talk
        score *= 2.0 if one.author_id in asked.speakers else 1.0
        return score * (2.0 if asked.span is not None and asked.span.told(one.sent_at) else 1.0)

    ordered = sorted(best.values(), key=lambda one: (-promise(one), -one.message_id))
    return {one.message_id for one in ordered[:LOOKED_INTO]}


def _judged(pool: Sequence[Said], hits: Collection[int], limits: Limits) -> set[int]:
    """What was found, and what stands right beside it: an answer may have none of the words of its question."""
    judged: set[int] = set()
    for place, said in enumerate(pool):
        if said.found.message_id in hits:
            judged |= {near.found.message_id for near in pool[max(place - 1, 0) : place + 2] if _within(near, limits)}
    return judged


def _within(said: Said, limits: Limits) -> bool:
    found = said.found
    return (
        (limits.author_ids is None or found.author_id in limits.author_ids)
        and (limits.channel_ids is None or found.channel_id in limits.channel_ids)
        and (limits.after is None or found.sent_at >= limits.after)
        and (limits.before is None or found.sent_at < limits.before)
    )


def _names(members: Mapping[int, Member], wanted: Collection[int]) -> Callable[[str], bool]:
    """Whether a text calls one of them by a name they go by today."""
    keys = frozenset(key for user_id in wanted for key in keys_of(members[user_id]))
    return lambda text: bool(keys) and not keys.isdisjoint(spoken_keys(text))
