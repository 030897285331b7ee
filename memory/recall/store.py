"""Reads what was said, by words and by meaning. Every read is for those who will hear it, and looks nowhere else.

Words are weighed by BM25: rare ones say more, and a long message has to say more of them. Only messages with one of the
rarest terms are looked at, because that is where the best are, and there must be a bound.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import MappingProxyType

from pgvector import HalfVector

from memory.core.values import Message, text_of
from memory.db.database import LEAST_ALIKE, Database, Reading, Reads, Record
from memory.language.detect import Language
from memory.log.reading import MOST_MESSAGES, PAUSE, message_of, not_pending_removal
from memory.places.view import Audience
from memory.recall.index_store import CONVERSATION, spoken_in
from memory.recall.pieces import PieceFound, find_pieces
from memory.recall.queries import (
    AROUND,
    AROUND_WITH_MEANING,
    BY_WORDS,
    MEANING_IN_TIME,
    MEANING_OF_ALL,
    MEANING_OF_AUTHORS,
)
from memory.recall.query import (
    Entry,
    Found,
    Heard,
    Limits,
    Term,
    Terms,
    guild_mark,
    main_languages,
    quoted,
    read_text,
    stem_of,
    topics,
    with_beginnings,
)
from memory.recall.ranking import conversation_weight, of_message, weight

# The end of the log that the index has not reached: read as it is, so that a message is found once it is stored.


MOST_LOOKED_AT = 5_000
MOST_READ = 1_000
"""Of more, only what was said last is read: the index is busy with a long history then, and says how far it is."""


def heard_in_tail(entries: Sequence[Entry], terms: Terms) -> list[Heard]:
    """Find the messages not indexed yet that have one of the words."""
    weights = {term.text: term.share * weight(term.messages, terms.messages) for term in terms.terms}
    found = ((_found_in_tail(entry, terms, weights), entry.message) for entry in entries)
    return [
        Heard(one, text_of(message), message.reply_to, partial(itself, message))
        for one, message in found
        if one.matched
    ]


def itself(message: Message) -> Message:
    return message


def _found_in_tail(entry: Entry, terms: Terms, weights: Mapping[str, float]) -> Found:
    message = entry.message
    return Found(
        message.message_id,
        message.channel_id,
        message.author_id,
        message.sent_at,
        conversation_id=None,
        length=entry.length,
        words=of_message(weights, entry.counts, entry.length, terms.mean_length),
        matched=frozenset(term.word for term in terms.terms if term.text in entry.counts),
    )


# What was stored last, whatever the channel: only its number is bounded by the index over seq. Where there is more, a
# long history is being stored, and what was said last is somewhere in between: it is looked for by its ids.
_UNINDEXED = f"""
WITH reached AS MATERIALIZED (
    SELECT coalesce((SELECT words_through FROM index_state WHERE guild_id = $1), 0) AS through
), beyond AS MATERIALIZED (
    SELECT through, (
        SELECT seq FROM chat_history WHERE guild_id = $1 AND seq > through ORDER BY seq DESC OFFSET $6 LIMIT 1) AS seq
    FROM reached
)
SELECT said.* FROM (
    (SELECT * FROM chat_history
     WHERE guild_id = $1 AND seq > (SELECT through FROM reached) ORDER BY seq DESC LIMIT $6)
    UNION ALL
    SELECT last_said.* FROM beyond CROSS JOIN LATERAL (
        SELECT * FROM chat_history
        WHERE guild_id = $1 AND beyond.seq IS NOT NULL ORDER BY message_id DESC LIMIT $6) AS last_said
    WHERE last_said.seq > beyond.through AND last_said.seq <= beyond.seq
    UNION ALL
    SELECT again.* FROM index_again JOIN chat_history AS again USING (guild_id, message_id) WHERE guild_id = $1
) AS said
WHERE said.channel_id = ANY ($2) AND ($3::bigint[] IS NULL OR said.author_id = ANY ($3))
    AND ($4::timestamptz IS NULL OR said.sent_at >= $4) AND ($5::timestamptz IS NULL OR said.sent_at < $5)
    AND {CONVERSATION} AND {not_pending_removal("said")}
ORDER BY said.message_id DESC LIMIT $7
"""  # noqa: S608 - made of constants


CANDIDATES = 2_000
FEW = 8_000
"""Messages whose words can be looked at one by one."""
COMPARED = 6_000
"""Vectors that are compared with what is meant."""
COMPARED_WITHIN_LIMITS = 2_000
"""Vectors that are compared where each has to be looked for."""
MOST_TERMS = 40
LEAST_SHARE = 0.05
"""Of all messages, for a language in which a question is looked for as well."""
SHORTEST_RESCUED = 4
MOST_RESCUED = 5
FEW_WORDS = 3_000
"""Messages whose words can be looked at one by one; the index of letters has those of all guilds, and takes as long as
there are many."""
LONGEST_CONVERSATION = PAUSE * MOST_MESSAGES

REPLIES_WITHIN = 200
"""Messages of its channel behind one, among which replies to it are looked for."""

Matched = Callable[[int | None], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Meant:
    """Holds a question's vector, and whose it is."""

    model: str = ""
    vector: HalfVector | None = None
    """None: words have to do."""


NOT_COMPARED = Meant()


class RecallStore:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._has_vectors = False

    def reading(self, audience: Audience) -> "RecallReading":
        return RecallReading(Reading(self._database, "store.recall"), audience, self._vectors_are_there)

    async def _vectors_are_there(self) -> bool:
        """Say whether there are vectors; once they are there, they stay."""
        if not self._has_vectors:
            [row] = await self._database.read("store.recall", "SELECT to_regclass('message_vectors') IS NOT NULL")
            if row[0]:
                await self._database.learn_vectors()
            self._has_vectors = row[0]
        return self._has_vectors


class RecallReading:
    """Reads for a question what one audience may hear."""

    def __init__(self, store: Reads, audience: Audience, has_vectors: Callable[[], Awaitable[bool]]) -> None:
        self._store = store
        self._audience = audience
        self._has_vectors = has_vectors

    async def terms(self, words: Sequence[str], language: Language | None) -> Terms:
        """Find the terms to look for. A word has a stem in each language that is spoken here; one that nobody ever used
        is taken for those that look like it."""
        [readable] = await self._store.fetch(_READABLE, self._audience.guild_id, list(self._audience.sources))
        spoken = readable["languages"] or {}
        languages = [language, *(main_languages(spoken, LEAST_SHARE) or Language), None]
        stems = _stems(words, list(dict.fromkeys(languages)))
        counts = await _counts(self._store, self._audience, {stem for _, stem in stems})
        found = [Term(stem, word, counts.get(stem, 0)) for word, stem in stems]
        if readable["finds_alike"]:
            found += await _lookalikes(self._store, self._audience, words, found, readable["said_in_all"])
        rarest = sorted(found, key=lambda term: term.messages)[:MOST_TERMS]
        return _terms(rarest, readable)

    async def tail(self, limits: Limits) -> list[Entry]:
        """Read what is in the log and not in the index yet; the newest come first.

        Whoever asks for this first, and for terms and the index afterwards, misses nothing, and may get some of it
        twice: a word that was counted before is not looked for in what was indexed since.
        """
        guild_id, sources = self._audience.guild_id, _sources(self._audience, limits)
        rows = await self._store.fetch(_UNINDEXED, guild_id, sources, *_narrowed(limits), MOST_LOOKED_AT, MOST_READ)
        if not rows:
            return []
        usual = await spoken_in(self._store, guild_id, sources)
        return await asyncio.to_thread(read_text, [message_of(row) for row in rows], usual)

    async def by_words(self, terms: Terms, limits: Limits, limit: int = 300) -> list[Found]:
        """Find the messages that fit best by their words, with what their conversations are worth."""
        sources = _sources(self._audience, limits)
        known = [term for term in terms.terms if term.messages]
        if not known or not sources:
            return []
        allowed = await self._allowed(terms, limits, sources)
        are_few = allowed <= FEW
        chosen = _rarest(known, allowed / max(terms.messages, 1) if are_few else 1.0)
        query = " | ".join(quoted(term.text) for term in chosen)
        if not are_few and not terms.is_only_guild:
            query = f"({query}) & {quoted(guild_mark(self._audience.guild_id))}"
        rows = await self._store.fetch(
            BY_WORDS[are_few],
            self._audience.guild_id,
            sources,
            *_searched(terms),
            *_narrowed(limits),
            query,
            CANDIDATES,
            limit,
        )
        talk = {row["conversation_id"]: row["conversation"] for row in rows if row["message_id"] is None}
        matched = _matched(terms)
        return [_found(row, matched, talk) for row in rows if row["message_id"] is not None]

    async def by_pieces(self, terms: Terms, limits: Limits, most: int) -> list[PieceFound]:
        """Find the messages whose files say most of the words, best first."""
        return await find_pieces(self._store, self._audience, terms, limits, _sources(self._audience, limits), most)

    async def _allowed(self, terms: Terms, limits: Limits, sources: list[int]) -> int:
        """Count the messages that may be heard; whom and when a question names does not change it."""
        if limits.channel_ids is None:
            return terms.messages
        [row] = await self._store.fetch(_HEARD, self._audience.guild_id, sources)
        allowed: int = row[0]
        return allowed

    async def by_meaning(self, meant: Meant, limits: Limits, limit: int = 100) -> list[Found]:
        """Find the messages most alike in meaning, among the newest. Nothing where there are no vectors."""
        sources = _sources(self._audience, limits)
        if meant.vector is None or not sources or not await self._has_vectors():
            return []
        authors, after, before = _narrowed(limits)
        is_narrowed = authors is not None or after is not None or before is not None
        most = COMPARED_WITHIN_LIMITS if is_narrowed else COMPARED
        values = [self._audience.guild_id, sources, meant.model, meant.vector, most, limit]
        if not is_narrowed:
            rows = await self._store.fetch(MEANING_OF_ALL, *values)
        elif authors is not None:
            rows = await self._store.fetch(MEANING_OF_AUTHORS, *values, authors, after, before)
        else:
            rows = await self._store.fetch(MEANING_IN_TIME, *values, after, before, LONGEST_CONVERSATION)
        return [_found(row, _nothing_matched) for row in rows]

    async def around(
        self, message_ids: Collection[int], terms: Terms, meant: Meant = NOT_COMPARED, reach: int = 2
    ) -> list[Heard]:
        """Read these messages and those before and after them in their channels, in the order in which they were said.

        With the words they have and how alike they are, not with BM25.
        """
        if not message_ids:
            return []
        texts, *_ = _searched(terms)
        values = [self._audience.guild_id, list(self._audience.sources), texts, list(message_ids), reach]
        if meant.vector is not None and await self._has_vectors():
            rows = await self._store.fetch(AROUND_WITH_MEANING, *values, meant.model, meant.vector)
        else:
            rows = await self._store.fetch(AROUND, *values)
        matched = _matched(terms)
        return [_heard(row, matched) for row in rows]

    async def replies(self, message_ids: Collection[int], terms: Terms, meant: Meant, reach: int) -> list[Heard]:
        """Read what was said around these messages, and what replies to them however much later."""
        if not message_ids:
            return []

        async def linked() -> list[Heard]:
            values = [self._audience.guild_id, list(self._audience.sources), list(message_ids), REPLIES_WITHIN]
            rows = await self._store.fetch(_REPLIES, *values)
            return await self.around([row[0] for row in rows], terms, meant, reach=0)

        around, later = await asyncio.gather(self.around(message_ids, terms, meant, reach=reach), linked())
        return [*around, *later]

    async def outcomes(self, threads: Collection[int], terms: Terms, meant: Meant) -> list[Heard]:
        """Read what was said last in each of these threads: it answers the post that a forum's thread begins with."""
        if not threads:
            return []
        rows = await self._store.fetch(_OUTCOMES, self._audience.guild_id, list(self._audience.sources), list(threads))
        return await self.around([row[0] for row in rows], terms, meant, reach=0)


def _stems(words: Sequence[str], languages: Sequence[Language | None]) -> list[tuple[int, str]]:
    """List stems with their word's position; without words that carry no topic in the language of the question."""
    meant = set(topics(words, languages[0]))
    found = {
        (position, stem_of(word, language)): None
        for language in languages
        for position, word in enumerate(words)
        if word in meant
    }
    return list(found)


async def _counts(store: Reads, audience: Audience, stems: Collection[str]) -> dict[str, int]:
    """Count stems in what the audience can read: what is said behind doors must not show in how words are weighed."""
    rows = await store.fetch(_TERM_COUNTS, audience.guild_id, list(audience.sources), list(stems))
    return {row["term"]: row["messages"] for row in rows}


async def _lookalikes(
    store: Reads, audience: Audience, words: Sequence[str], found: Sequence[Term], said_in_all: int
) -> list[Term]:
    known = {term.word for term in found if term.messages}
    unknown = {term.word for term in found} - known
    typed = [(words[word], word) for word in sorted(unknown) if len(words[word]) >= SHORTEST_RESCUED][:MOST_RESCUED]
    if not typed:
        return []
    rows = await store.fetch(
        _LOOKALIKES[said_in_all <= FEW_WORDS],
        audience.guild_id,
        list(audience.sources),
        [word for word, _ in typed],
        [word for _, word in typed],
    )
    return [Term(row["term"], row["word"], row["messages"], row["alike"]) for row in rows]


def _terms(terms: Sequence[Term], readable: Record) -> Terms:
    messages, length, conversations = readable["messages"], readable["length"], readable["conversations"]
    return Terms(
        tuple(terms),
        messages=messages,
        mean_length=max(length / max(messages, 1), 1.0),
        conversations=conversations,
        mean_conversation_length=max(length / max(conversations, 1), 1.0),
        is_only_guild=readable["is_alone"],
    )


def _rarest(terms: Sequence[Term], share: float) -> list[Term]:
    """Choose the rarest terms, as many as the bound allows, and one at least."""
    chosen = [terms[0]]
    expected = terms[0].messages * share
    for term in terms[1:]:
        expected += term.messages * share
        if expected > CANDIDATES:
            break
        chosen.append(term)
    return chosen


def _sources(audience: Audience, limits: Limits) -> list[int]:
    return list(limits.among(audience.sources))


def _searched(terms: Terms) -> tuple[list[str], list[float], list[float], float, float]:
    """Write the terms as statements take them."""
    known = [term for term in terms.terms if term.messages]
    return (
        [quoted(term.text) for term in known],
        [term.share * weight(term.messages, terms.messages) for term in known],
        [term.share * conversation_weight(term.messages, terms.conversations) for term in known],
        terms.mean_length,
        terms.mean_conversation_length,
    )


def _narrowed(limits: Limits) -> tuple[object, object, object]:
    authors = None if limits.author_ids is None else list(limits.author_ids)
    return authors, limits.after, limits.before


def _matched(terms: Terms) -> Matched:
    """Map the bits of a row to the positions of words; few of all that could be ever come."""
    # PostgreSQL counts places from 1.
    words = list(enumerate((term.word for term in terms.terms if term.messages), start=1))
    return cache(lambda bits: frozenset(word for place, word in words if (bits or 0) >> place & 1))


def _nothing_matched(_: int | None) -> frozenset[int]:
    return frozenset()


def _found(row: Record, matched: Matched, talk: Mapping[int, float] = MappingProxyType({})) -> Found:
    return Found(
        row["message_id"],
        row["channel_id"],
        row["author_id"],
        row["sent_at"],
        row["conversation_id"],
        row["length"],
        row["words"],
        matched(row["matched"]),
        row["meaning"],
        talk.get(row["conversation_id"], 0.0),
    )


def _heard(row: Record, matched: Matched) -> Heard:
    found = _found(row, matched)
    if row["extras"] is None:
        return Heard(found, row["text"], row["reply_to"], partial(message_of, row))
    message = with_beginnings(message_of(row))
    return Heard(found, text_of(message), message.reply_to, partial(itself, message))


# The index holds all guilds. Where there is but one, to ask for it again would only take time.
_READABLE = """
SELECT coalesce(sum(messages), 0)::bigint AS messages, coalesce(sum(length), 0)::bigint AS length,
    coalesce(sum(conversations), 0)::bigint AS conversations, to_regclass('spellings_alike') IS NOT NULL AS finds_alike,
    NOT EXISTS (SELECT FROM index_state WHERE guild_id <> $1) AS is_alone,
    (SELECT coalesce(sum(messages), 0) FROM index_channels WHERE guild_id = $1)::bigint AS said_in_all,
    (SELECT jsonb_object_agg(language, messages) FROM (
        SELECT language, sum(spoken::int) AS messages
        FROM index_channels, jsonb_each_text(languages) AS said (language, spoken)
        WHERE guild_id = $1 AND channel_id = ANY($2) GROUP BY language) AS counted) AS languages
FROM index_channels WHERE guild_id = $1 AND channel_id = ANY($2)
"""

_TERM_COUNTS = """
SELECT term, sum(messages)::bigint AS messages FROM term_counts
WHERE guild_id = $1 AND term = ANY($3) AND channel_id = ANY($2) GROUP BY term
"""

_REPLIES = """
SELECT later.message_id FROM unnest($3::bigint[]) AS replied_to CROSS JOIN LATERAL (
    SELECT channel_id FROM message_index WHERE guild_id = $1 AND message_id = replied_to LIMIT 1
) AS centre CROSS JOIN LATERAL (
    SELECT message_id, reply_to FROM chat_history
    WHERE guild_id = $1 AND channel_id = centre.channel_id AND message_id > replied_to
    ORDER BY message_id LIMIT $4) AS later
WHERE centre.channel_id = ANY ($2) AND later.reply_to = replied_to
"""

_OUTCOMES = """
SELECT newest.message_id FROM unnest($3::bigint[]) AS thread (channel_id) CROSS JOIN LATERAL (
    SELECT message_id FROM chat_history AS said
    WHERE guild_id = $1 AND said.channel_id = thread.channel_id AND author_kind = 'person' AND NOT EXISTS (
        SELECT 1 FROM addressed a WHERE a.guild_id = $1 AND a.message_id = said.message_id)
    ORDER BY message_id DESC LIMIT 1) AS newest
WHERE thread.channel_id = ANY ($2) AND newest.message_id > thread.channel_id
"""

_HEARD = """
SELECT coalesce(sum(messages), 0)::bigint FROM index_channels WHERE guild_id = $1 AND channel_id = ANY ($2)
"""


def _lookalikes_in(words: str) -> str:
    """Write the query for lookalikes: the guild's are counted where they may be heard; what is not does not count."""
    return f"""
    SELECT alike.term, asked.position AS word, alike.messages, alike.alike
    FROM unnest($3::text[], $4::int[]) AS asked (typed, position) CROSS JOIN LATERAL (
        SELECT term, counted.messages, similarity(term, asked.typed) AS alike
        FROM (SELECT * FROM spellings
            WHERE {words} term % asked.typed AND similarity(term, asked.typed) >= {LEAST_ALIKE} OFFSET 0
        ) AS similar_ones CROSS JOIN LATERAL (
            SELECT sum(messages)::bigint AS messages FROM term_counts
            WHERE guild_id = $1 AND term_counts.term = similar_ones.term AND channel_id = ANY($2)) AS counted
        WHERE guild_id = $1 AND counted.messages > 0
        ORDER BY alike DESC, messages DESC LIMIT 3) AS alike
    """  # noqa: S608 - made of constants


_LOOKALIKES = {True: _lookalikes_in("guild_id = $1 AND"), False: _lookalikes_in("")}
"""Whether the guild has few words."""
