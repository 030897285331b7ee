"""Reading what was said, by words and by meaning. Every read is told who will hear it, and looks nowhere else.

Words are weighed by BM25: rare ones say more, and a long message has to say more of them. Only messages with one of the
rarest terms are looked at, because that is where the best are, and there must be a bound.
"""

from collections.abc import Collection, Mapping, Sequence
from struct import unpack
from types import MappingProxyType

import asyncpg

from memory.core.audience import Audience
from memory.core.language import Language
from memory.core.model import Message
from memory.core.recall.bm25 import stretch_weight, weight
from memory.core.recall.found import Found, Limits, Term, Terms
from memory.core.recall.terms import guild_mark, main_languages, quoted, topics
from memory.store.database import Connection, Database
from memory.store.lexicon import Lexicon
from memory.store.messages import message_of
from memory.store.recall_queries import AROUND, BY_MEANING, BY_WORDS, IN_STRETCHES, MEANING, NO_MEANING
from memory.store.tail import unindexed

CANDIDATES = 3_000
FEW = 20_000
"""Messages that can be looked at one by one."""
MOST_TERMS = 40
LEAST_SHARE = 0.05
"""Of all messages, for a language in which a question is looked for as well."""
SHORTEST_RESCUED = 4
MOST_RESCUED = 5
LEAST_ALIKE = 0.4


class RecallStore:
    def __init__(self, database: Database, lexicon: Lexicon) -> None:
        self._database = database
        self._lexicon = lexicon
        self._has_vectors = False

    async def terms(self, audience: Audience, words: Sequence[str], language: Language | None) -> Terms:
        """What to look for. A word has a stem in each language that is spoken here; one that nobody ever used
        is taken for those that look like it."""
        async with self._database.transaction("store.recall.terms", readonly=True) as connection:
            channels = await connection.fetch(_CHANNELS, audience.guild_id, list(audience.sources))
            spoken: dict[str, int] = {}
            for row in channels:
                for name, count in row["languages"].items():
                    spoken[name] = spoken.get(name, 0) + count
            languages = [language, *(main_languages(spoken, LEAST_SHARE) or Language), None]
            stems = await self._stems(connection, words, list(dict.fromkeys(languages)))
            counts = await _counts(connection, audience.guild_id, {stem for _, stem in stems})
            found = [Term(stem, word, counts.get(stem, 0)) for word, stem in stems]
            found += await _lookalikes(connection, audience.guild_id, words, found)
            whole = await connection.fetchrow(_WHOLE, audience.guild_id)
        rarest = sorted(found, key=lambda term: term.messages)[:MOST_TERMS]
        return _terms(rarest, whole)

    async def _stems(
        self, connection: Connection, words: Sequence[str], languages: Sequence[Language | None]
    ) -> list[tuple[int, str]]:
        """With the position of the word; without words that carry no topic in the language of the question."""
        asked = set(topics(words, languages[0]))
        found: dict[tuple[int, str], None] = {}
        for language in languages:
            stems = await self._lexicon.stems(connection, language, asked)
            for position, word in enumerate(words):
                stem = stems.get(word)
                if stem is not None:
                    found[position, stem] = None
            if language is languages[0]:
                asked = {word for word in asked if stems[word] is not None}
        return list(found)

    async def tail(self, audience: Audience, terms: Terms, limits: Limits) -> list[tuple[Found, Message]]:
        """What is in the log and not in the index yet, as far as it has one of the words; the newest come first.

        Whoever asks for this first and for the index afterwards misses nothing, and may get some of it twice.
        """
        return await unindexed(self._database, self._lexicon, audience, _sources(audience, limits), terms, limits)

    async def by_words(self, audience: Audience, terms: Terms, limits: Limits, limit: int = 300) -> list[Found]:
        """The best by their words, with what their stretches of talk are worth."""
        sources = _sources(audience, limits)
        known = [term for term in terms.rarest_first if term.messages]
        if not known or not sources:
            return []
        async with self._database.transaction("store.recall.by_words", readonly=True) as connection:
            heard = await connection.fetchrow(_HEARD, audience.guild_id, sources)
            allowed, is_alone = (heard["messages"], heard["is_alone"]) if heard else (0, True)
            are_few = allowed <= FEW
            chosen = _rarest(known, allowed / max(terms.messages, 1) if are_few else 1.0)
            query = " | ".join(quoted(term.text) for term in chosen)
            if not are_few and not is_alone:
                query = f"({query}) & {quoted(guild_mark(audience.guild_id))}"
            rows = await connection.fetch(
                BY_WORDS[are_few],
                audience.guild_id,
                sources,
                *_searched(terms),
                *_narrowed(limits),
                query,
                CANDIDATES,
                limit,
            )
        talk = {row["stretch_id"]: row["stretch"] for row in rows if row["message_id"] is None}
        places = _places(terms)
        return [_found(row, places, talk) for row in rows if row["message_id"] is not None]

    async def by_meaning(
        self, audience: Audience, model: str, vector: bytes, limits: Limits, limit: int = 100
    ) -> list[Found]:
        """The most alike; of many, the newest of each channel are compared. Nothing where there are no vectors."""
        sources = _sources(audience, limits)
        async with self._database.transaction("store.recall.by_meaning", readonly=True) as connection:
            if not sources or not await self._can_compare(connection):
                return []
            rows = await connection.fetch(
                BY_MEANING[_narrowed(limits) != (None, None, None)],
                audience.guild_id,
                sources,
                *_narrowed(limits),
                model,
                _written(vector),
                FEW,
                limit,
            )
        return [_found(row, ()) for row in rows]

    async def around(
        self,
        audience: Audience,
        message_ids: Collection[int],
        terms: Terms,
        model: str = "",
        vector: bytes | None = None,
        reach: int = 2,
    ) -> list[Found]:
        """These messages and those before and after them in their channels, in the order in which they were said."""
        return await self._looked_at("around", AROUND, audience, list(message_ids), reach, terms, model, vector)

    async def in_stretches(
        self,
        audience: Audience,
        stretch_ids: Collection[int],
        terms: Terms,
        model: str = "",
        vector: bytes | None = None,
        limit: int = 1_000,
    ) -> list[Found]:
        """Whole stretches of talk, in the order in which it was said."""
        return await self._looked_at(
            "in_stretches", IN_STRETCHES, audience, list(stretch_ids), limit, terms, model, vector
        )

    async def _looked_at(
        self,
        name: str,
        picked: str,
        audience: Audience,
        ids: list[int],
        number: int,
        terms: Terms,
        model: str,
        vector: bytes | None,
    ) -> list[Found]:
        if not ids:
            return []
        async with self._database.transaction(f"store.recall.{name}", readonly=True) as connection:
            values = [audience.guild_id, list(audience.sources), *_searched(terms), ids, number]
            if vector is not None and await self._can_compare(connection):
                rows = await connection.fetch(picked + MEANING, *values, model, _written(vector))
            else:
                rows = await connection.fetch(picked + NO_MEANING, *values)
        places = _places(terms)
        return [_found(row, places) for row in rows]

    async def messages(self, audience: Audience, message_ids: Collection[int]) -> list[Message]:
        """What was said, word by word, in the order of ids."""
        async with self._database.transaction("store.recall.messages", readonly=True) as connection:
            rows = await connection.fetch(_MESSAGES, audience.guild_id, list(audience.sources), list(message_ids))
        return [message_of(row) for row in rows]

    async def _can_compare(self, connection: Connection) -> bool:
        if not self._has_vectors:
            self._has_vectors = await connection.fetchval("SELECT to_regclass('message_vectors') IS NOT NULL")
        return self._has_vectors


async def _counts(connection: Connection, guild_id: int, stems: Collection[str]) -> dict[str, int]:
    rows = await connection.fetch(
        "SELECT term, messages FROM term_counts WHERE guild_id = $1 AND term = ANY($2)", guild_id, list(stems)
    )
    return {row["term"]: row["messages"] for row in rows}


async def _lookalikes(connection: Connection, guild_id: int, words: Sequence[str], found: Sequence[Term]) -> list[Term]:
    known = {term.word for term in found if term.messages}
    unknown = {term.word for term in found} - known
    typed = [(words[word], word) for word in sorted(unknown) if len(words[word]) >= SHORTEST_RESCUED][:MOST_RESCUED]
    if not typed or not await connection.fetchval("SELECT to_regclass('term_counts_alike') IS NOT NULL"):
        return []
    rows = await connection.fetch(
        _LOOKALIKES, guild_id, [word for word, _ in typed], [word for _, word in typed], LEAST_ALIKE
    )
    return [Term(row["term"], row["word"], row["messages"], row["alike"]) for row in rows]


def _terms(terms: Sequence[Term], whole: asyncpg.Record | None) -> Terms:
    messages, length, stretches = (whole["messages"], whole["length"], whole["stretches"]) if whole else (0, 0, 0)
    return Terms(
        tuple(terms),
        messages=messages,
        mean_length=max(length / max(messages, 1), 1.0),
        stretches=stretches,
        mean_stretch_length=max(length / max(stretches, 1), 1.0),
    )


def _rarest(terms: Sequence[Term], share: float) -> list[Term]:
    """As many as the bound allows, and one at least."""
    chosen = [terms[0]]
    expected = terms[0].messages * share
    for term in terms[1:]:
        expected += term.messages * share
        if expected > CANDIDATES:
            break
        chosen.append(term)
    return chosen


def _sources(audience: Audience, limits: Limits) -> list[int]:
    return list(audience.sources if limits.channel_ids is None else audience.sources & limits.channel_ids)


def _searched(terms: Terms) -> tuple[object, ...]:
    """The terms, as all statements take them."""
    known = [term for term in terms.terms if term.messages]
    return (
        [quoted(term.text) for term in known],
        [term.word for term in known],
        [term.share * weight(term.messages, terms.messages) for term in known],
        [term.share * stretch_weight(term.messages, terms.stretches) for term in known],
        terms.mean_length,
        terms.mean_stretch_length,
    )


def _narrowed(limits: Limits) -> tuple[object, ...]:
    authors = None if limits.author_ids is None else list(limits.author_ids)
    return authors, limits.after, limits.before


def _written(vector: bytes) -> str:
    return f"[{','.join(f'{number:.5f}' for number in unpack(f'>{len(vector) // 2}e', vector))}]"


def _places(terms: Terms) -> list[int]:
    """The position of the word for each term that is searched."""
    return [term.word for term in terms.terms if term.messages]


def _found(row: asyncpg.Record, places: Sequence[int], talk: Mapping[int, float] = MappingProxyType({})) -> Found:
    matched: int = row["matched"] or 0
    return Found(
        row["message_id"],
        row["channel_id"],
        row["author_id"],
        row["sent_at"],
        row["stretch_id"],
        row["length"],
        words=row["words"],
        # PostgreSQL counts places from 1.
        matched=frozenset(word for place, word in enumerate(places, start=1) if matched >> place & 1),
        meaning=row["meaning"],
        stretch=talk.get(row["stretch_id"], 0.0),
    )


_CHANNELS = "SELECT languages FROM index_channels WHERE guild_id = $1 AND channel_id = ANY($2)"

_WHOLE = """
SELECT coalesce(sum(messages), 0)::bigint AS messages, coalesce(sum(length), 0)::bigint AS length,
    coalesce(sum(stretches), 0)::bigint AS stretches
FROM index_channels WHERE guild_id = $1
"""

# The index holds all guilds. Where there is but one, to ask for it again would only take time.
_HEARD = """
SELECT coalesce(sum(messages), 0)::bigint AS messages,
    NOT EXISTS (SELECT FROM index_state WHERE guild_id <> $1) AS is_alone
FROM index_channels WHERE guild_id = $1 AND channel_id = ANY ($2)
"""

_MESSAGES = """
SELECT * FROM chat_history WHERE guild_id = $1 AND channel_id = ANY($2) AND message_id = ANY($3) ORDER BY message_id
"""

_LOOKALIKES = """
SELECT alike.term, asked.position AS word, alike.messages, alike.alike
FROM unnest($2::text[], $3::int[]) AS asked (typed, position) CROSS JOIN LATERAL (
    SELECT term, messages, similarity(term, asked.typed) AS alike FROM term_counts
    WHERE guild_id = $1 AND term % asked.typed AND similarity(term, asked.typed) >= $4
    ORDER BY alike DESC, messages DESC LIMIT 3) AS alike
"""
