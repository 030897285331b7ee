"""Finds what was said: by words and by meaning side by side, then by the talk around what was found.

Where the question has no vector it finds by words alone. Everything is read for an audience, and nothing else is ever
looked at.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from functools import partial

from cachetools import TTLCache
from pgvector import HalfVector

from ai_clients.embedding import StaticVectors
from ai_clients.errors import ModelError
from memory.core.values import Member, text_of
from memory.db.database import Database
from memory.language.detect import ALL_STOP_WORDS, STOP_WORDS, Language
from memory.language.question_words import meanings_of, signs_of
from memory.language.stems import MOST_WANTED, WordForms, topics, topics_in_order
from memory.language.text import repair
from memory.language.word_caches import register_cache
from memory.log.reading import message_of
from memory.models.usage import Requester
from memory.people.names import keys_of, names_one_of
from memory.people.store import MemberStore
from memory.places.view import Audience
from memory.recall.pieces import PieceFound
from memory.recall.query import AskedFor, Found, Heard, Limits, Terms, read_question
from memory.recall.ranking import CLOSE_ENOUGH, Asking, Said, shares_of
from memory.recall.results import Looked
from memory.recall.store import NOT_COMPARED, Meant, RecallReading, RecallStore, heard_in_tail, itself
from memory.recall.vectors import Embedders, VectorStore

# Where to look for what is asked, and which of what was found is worth reading with what stands around it.


LOOKED_INTO = 40
"""Of all that was found, so many are read with what was said around them."""
LOOKED_INTO_FOR_FEW = 30
"""So many are read where only the best few are wanted: those are nearly always among the first of them."""
LOOKED_INTO_FOR_MODEL = 85
"""So many are read for a model, which takes a second or more itself, and reads all that may be of use."""


def first_cut(asked: AskedFor, found: Sequence[Found], most: int, of_speakers: int = 0) -> set[int]:
    """Cut to the ids of the most promising, by what the legs alone can tell, and to so many more by named speakers."""
    best: dict[int, Found] = {}
    for one in found:
        other = best.get(one.message_id)
        if other is None:
            best[one.message_id] = one
        else:
            meaning = max(one.meaning or 0.0, other.meaning or 0.0)
            words = max(one.words, other.words)
            best[one.message_id] = one._replace(
                meaning=meaning, words=words, conversation=max(one.conversation, other.conversation)
            )
    most_words = max((one.words for one in best.values()), default=0.0) or 1.0
    most_talk = max((one.conversation for one in best.values()), default=0.0) or 1.0

    def promise(one: Found) -> float:
        score = one.words / most_words + (one.meaning or 0.0) + 0.6 * one.conversation / most_talk
        score *= 2.0 if one.author_id in asked.speakers else 1.0
        return score * (2.0 if asked.span is not None and asked.span.told(one.sent_at) else 1.0)

    ordered = sorted(best.values(), key=lambda one: (-promise(one), -one.message_id))
    own = [one for one in ordered[most:] if one.author_id in asked.speakers]
    return {one.message_id for one in (*ordered[:most], *own[:of_speakers])}


BY_WORDS = 100
BY_MEANING = 60
BY_FILES = 5
"""Messages whose files say it."""
MOST_NAMES = 12
BY_NAME = 30
"""What calls somebody by name, before a model."""
OF_SPEAKERS = 30
"""What those said who are named, before a model, whatever else is more promising."""
REACH = 2
"""Messages read on both sides."""
REACH_OF_QUESTION = 8
"""Messages read on both sides of what is followed, where what was found goes before a model: people reply to it."""
QUESTIONS_FOLLOWED = 8
BEST_FOLLOWED = 3
"""Of what fits best, whether it asks or tells, so many are followed as well: "the concert is on the 21st" is answered
by whoever comes."""
MOST_TAIL = 200
"""Of what has no vectors yet, so many are compared by meaning here."""
MOST_COMPARED = 10_000
"""Words of what was found that are compared with those of the question; mostly they are a third of that."""

NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Search:
    """Holds a question on its way: what it asks, what the asker narrowed it down to, and its vector."""

    reading: RecallReading
    asked: AskedFor
    limits: Limits
    meant: Meant
    looked_into: int
    with_replies: bool
    names: tuple[str, ...] = ()
    """The words of the names that those go by whom the question names."""

    @property
    def narrowings(self) -> list[Limits]:
        """List where to look: everywhere; once more among those who are named, and in the time that is named. The
        asker's own limits hold in each."""
        asked, limits = self.asked, self.limits
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


PATIENCE_SECONDS = 1.0
"""Then words find alone."""
KEPT = 500
"""Questions with their vectors, up to 6 kB each."""
KEPT_SECONDS = 3_600


class QuestionVectors:
    def __init__(self, embedders: Embedders, database: Database) -> None:
        self._embedders = embedders
        self._store = VectorStore(database)
        self._kept: TTLCache[tuple[str, str], HalfVector | None] = TTLCache(KEPT, KEPT_SECONDS)
        register_cache(self)

    def forget_words(self) -> None:
        self._kept.clear()

    async def of(self, guild_id: int, text: str, by: Requester | None = None) -> Meant:
        """Make a question's vector for `by`; without them, or beyond their limit, words have to do without a model."""
        here = self._embedders.here
        if self._embedders.is_here:
            return Meant(here.name, (await here.embed([text]))[0])
        serving = await self._store.serving(guild_id)
        if serving is None:
            return NOT_COMPARED
        if serving.model == here.name:
            vector = (await here.embed([text]))[0]
        elif serving.model == self._embedders.chosen.name:
            vector = await self._asked(guild_id, text, by)
        else:
            return NOT_COMPARED
        # A server may have another model by the same name; until all is made anew nothing compares with it.
        fits = vector is not None and vector.dimensions() == serving.dimensions
        return Meant(serving.model, vector if fits else None)

    async def _asked(self, guild_id: int, text: str, by: Requester | None) -> HalfVector | None:
        chosen = self._embedders.chosen
        key = chosen.name, text
        if key not in self._kept and by is not None:
            try:
                [vector] = await self._embedders.embed(
                    guild_id, chosen, [text], by=by, live=True, seconds=PATIENCE_SECONDS
                )
            except ModelError:
                return None
            self._kept[key] = vector
        return self._kept.get(key)


class Recall:
    def __init__(
        self,
        store: RecallStore,
        members: MemberStore,
        meaning: QuestionVectors | None = None,
        word_vectors: StaticVectors | None = None,
    ) -> None:
        """Take the store and what knows words; without `word_vectors` words count only as they are."""
        self._store = store
        self._members = members
        self._meaning = meaning
        self._word_vectors = word_vectors

    async def look(
        self,
        question: str,
        audience: Audience,
        asker: int,
        when: datetime,
        zone: tzinfo,
        *,
        limits: Limits = NO_LIMITS,
        language: Language | None = None,
        members: Sequence[Member] | None = None,
        looked_into: int = LOOKED_INTO,
        with_replies: bool = False,
        by: Requester | None = None,
    ) -> Looked | None:
        """Look for all that may hold the answer, not in order yet; None if nothing can be looked for.

        `by`: on whose behalf a model is asked for the meaning of the question; without them none is.
        `members`: everybody whom the question may mean, and the asker, if they are known already. `looked_into`: how
        many finds are read with what was said around them; `with_replies`: of those that ask, also what was replied.
        """
        text = repair(question)
        if members is None:
            members = await self._members.meant_by(audience, text, [asker])
        by_id = {member.user_id: member for member in members}
        asked = await asyncio.to_thread(read_question, text, members, by_id[asker], when, zone, language)
        if asked.is_empty:
            return None
        meant = NOT_COMPARED
        if self._meaning is not None and asked.meant:
            meant = await self._meaning.of(audience.guild_id, asked.meant, by)
        people = asked.speakers | asked.spoken_of
        names = _name_words(by_id, people - {asker})
        search = _Search(self._store.reading(audience), asked, limits, meant, looked_into, with_replies, names)
        try:
            terms, pool, rankable = await self._pool(search)
        except BaseExceptionGroup as several:
            raise several.exceptions[0] from None  # the others were only stopped because of it
        closeness = await self._close_words(asked, [said for said in pool if said.found.message_id in rankable])
        # Whoever says "I" may ask for anything; but for their own home or age nobody else's answers.
        if not meanings_of(topics(asked.meant)):
            people -= {asker}
        asking = Asking(
            asked,
            shares_of(asked, terms),
            when,
            audience.place_id,
            _names(by_id, asked.spoken_of),
            people,
            _names(by_id, people),
        )
        return Looked(asking, pool, rankable, closeness)

    async def _pool(self, search: _Search) -> tuple[Terms, list[Said], set[int]]:
        """Find messages with what stands around them, in the order they were said; and which to judge."""
        asked, limits, reading = search.asked, search.limits, search.reading
        async with asyncio.TaskGroup() as side_by_side:
            meant = [
                side_by_side.create_task(reading.by_meaning(search.meant, narrowed, BY_MEANING))
                for narrowed in search.narrowings
            ]
            terms, tail = await self._terms(search)
            said = [
                side_by_side.create_task(reading.by_words(terms, narrowed, BY_WORDS)) for narrowed in search.narrowings
            ]
            named = side_by_side.create_task(self._named(search))
            filed = side_by_side.create_task(reading.by_pieces(terms, limits, BY_FILES))
        # No connection is held while another is waited for: as many questions as there are connections would wait for
        # each other.
        found = [one for leg in (*said, *meant) for one in leg.result()]
        hits = first_cut(asked, found, search.looked_into, OF_SPEAKERS if search.with_replies else 0)
        hits |= {one.message_id for one in named.result()} | {one.row["message_id"] for one in filed.result()}
        around = await reading.around(hits, terms, search.meant, reach=REACH)
        posts = [one.found.message_id for one in around if one.found.is_post and one.found.message_id in hits]
        outcomes = await reading.outcomes(posts, terms, search.meant)
        fresh = await self._with_meaning(search, tail)
        pieces = (
            await asyncio.to_thread(_with_pieces, (*around, *fresh), filed.result(), asked) if filed.result() else ()
        )
        pool = await asyncio.to_thread(_said, (*around, *outcomes, *fresh, *pieces), asked)
        if search.with_replies:
            followed = _worth_following(pool, hits)
            replies = await reading.replies(followed, terms, search.meant, reach=REACH_OF_QUESTION)
            pool = await asyncio.to_thread(_said, replies, asked, pool) if replies else pool
        # What stands around what was found is judged too: it may have no word of the question.
        return terms, pool, {said.found.message_id for said in pool if limits.hold(said.found)}

    async def _terms(self, search: _Search) -> tuple[Terms, list[Heard]]:
        """Find the terms that the words are here, and what is not indexed yet of what has them."""
        tail = await search.reading.tail(search.limits)
        terms = await search.reading.terms(search.asked.words, search.asked.language)
        return terms, heard_in_tail(tail, terms)

    async def _named(self, search: _Search) -> list[Found]:
        """Find what calls those by name whom the question names: in a large channel people answer so."""
        if not search.names or not search.with_replies:
            return []
        terms = await search.reading.terms([*search.names, *search.asked.words], search.asked.language)
        return await search.reading.by_words(terms, search.limits, BY_NAME)

    async def _with_meaning(self, search: _Search, tail: Sequence[Heard]) -> list[Heard]:
        """Compare here the meaning of what is not indexed yet, and so has no vector.

        Only if the others are compared by the same model: how alike two say that texts are is not the same scale, and
        what was said last would come first or last for no reason of its own. By words it is found in any case.
        """
        newest = list(tail[:MOST_TAIL])
        vectors = self._word_vectors
        if vectors is None or not newest or search.meant.vector is None or search.meant.model != vectors.name:
            return newest
        alike = await vectors.between(search.asked.meant, [one.text for one in newest])
        return [one._replace(found=one.found._replace(meaning=how)) for one, how in zip(newest, alike, strict=True)]

    async def _close_words(self, asked: AskedFor, rankable: Sequence[Said]) -> dict[str, list[tuple[int, float]]]:
        if self._word_vectors is None:
            return {}
        small = STOP_WORDS[asked.language] if asked.language is not None else ALL_STOP_WORDS
        words = await asyncio.to_thread(_words_in, rankable, small)
        return await self._word_vectors.near(asked.words, words, CLOSE_ENOUGH)


def _said(heard: Iterable[Heard], asked: AskedFor, known: Iterable[Said] = ()) -> list[Said]:
    """Put what was heard in the order of channel and id, each once, with what is known already."""
    about = frozenset(asked.words)
    said = {one.found.message_id: one for one in known}
    fresh = {one.found.message_id: one for one in heard if one.found.message_id not in said}
    said |= {message_id: Said(one, signs_of(one.text, asked.wants, about)) for message_id, one in fresh.items()}
    return sorted(said.values(), key=lambda one: (one.found.channel_id, one.found.message_id))


def _with_pieces(heard: Sequence[Heard], pieces: Sequence[PieceFound], asked: AskedFor) -> list[Heard]:
    """Add what was found in files, each as its message with that piece of the file."""
    known = {one.found.message_id: one for one in heard}
    wanted = WordForms(topics_in_order(asked.meant)[:MOST_WANTED])
    found: list[Heard] = []
    for one in pieces:
        log = message_of(one.row)
        before = known.get(log.message_id)
        message = one.shown_in(log, wanted)
        text = text_of(message)
        # What is in the index no longer, or not yet, is found all the same.
        at = (log.message_id, log.channel_id, log.author_id, log.sent_at)
        place = Found(*at, None, len(text.split())) if before is None else before.found
        matched = place.matched | one.matched
        found.append(Heard(place._replace(matched=matched), text, message.reply_to, partial(itself, message)))
    return found


def _worth_following(pool: Sequence[Said], hits: Collection[int]) -> list[int]:
    """List, of what was found, that which asks, and the most alike of all: others may have answered it long after."""
    found = [said for said in pool if said.found.message_id in hits]
    found.sort(key=lambda said: (len(said.found.matched), said.found.meaning or 0.0), reverse=True)
    asking = [said for said in found if said.signs.asks][:QUESTIONS_FOLLOWED]
    return list({said.found.message_id: None for said in (*asking, *found[:BEST_FOLLOWED])})


def _words_in(rankable: Sequence[Said], small: Set[str]) -> list[str]:
    """List words; of too many, those of the first messages: members decide how much is said."""
    words: set[str] = set()
    for said in rankable:
        words |= said.signs.words - small
        if len(words) > MOST_COMPARED:
            break
    return sorted(words)[:MOST_COMPARED]


def _name_words(members: Mapping[int, Member], wanted: Collection[int]) -> tuple[str, ...]:
    """List the words of members' names and mentions, as they stand in the index."""
    keys = (key for user_id in sorted(wanted) for key in (str(user_id), *sorted(keys_of(members[user_id]))))
    return tuple(dict.fromkeys(word for key in keys for word in key.split()))[:MOST_NAMES]


def _names(members: Mapping[int, Member], wanted: Collection[int]) -> Callable[[str], bool]:
    """Make a test that says whether a text calls one of these members by a name they go by today."""
    keys = frozenset(key for user_id in wanted for key in keys_of(members[user_id]))
    return lambda text: names_one_of(keys, text)
