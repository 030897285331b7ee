"""Finds the topics of a conversation without a model: where it turns, what comes back, and what was said of something.

Between every two messages, what was said before is compared with what is said behind, by words and pauses. Where that
falls far below what is usual in this conversation, a new topic begins.
What a question brings back is judged by its words and vectors, and by a scale that was fitted to how often that is
right (`benchmarks/channels.py`).
"""

import asyncio
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from statistics import fmean, pstdev
from typing import NamedTuple

from ai_clients.embedding import StaticVectors
from memory.channels.prompt import MOST_QUOTES, TEXT_LIMIT, Told, cited
from memory.channels.values import HISTORY_LASTS
from memory.core.values import Message, Source, text_of
from memory.language.dates import NUMBERS as NUMBERS_IN_WORDS
from memory.language.detect import ALL_STOP_WORDS, word_set
from memory.language.question_words import SAYING, SCAFFOLD
from memory.language.sensitive import is_sensitive
from memory.language.stems import MOST_WANTED, WordForms, stem, topics, topics_in_order
from memory.language.text import own_words, plain_words, words_in
from memory.log.reading import PAUSE
from memory.summaries.extractive import CHATTER, SAMENESS, Candidate, Quote, alike, candidates, happenings
from memory.summaries.extractive import LONGEST as LONGEST_SENTENCE

REACH, LEAST_REACH = 1_200, 20
"""Words on each side that are compared; of a shorter talk an eighth, but not less than that."""
SMOOTHED = 4
"""Places on each side that a value is the mean of: one message is no topic. Of a shorter talk, of 30 messages one."""
DEEP = 1.2
"""Deviations below what is usual in this conversation."""
LEAST_DEPTH = 0.02
"""Of what is compared by as many words as `REACH`; fewer words differ more by chance."""
APART = 60
"""Messages between two turns, at least; of a shorter talk an eighth."""
SILENCE = timedelta(hours=3)
"""After which people speak of something else: several days in a quiet channel would be one topic else."""
MOST_WEIGHED = 20
"""Messages of a topic whose sentences are weighed against each other: the longest."""
LONGEST_QUOTE = 300
"""Characters of a message that stands for a topic."""
PAUSED = 0.1
"""What a long pause takes from how alike two sides are: people come back for something else."""

MOST_TAGS = 3
SHORTEST_TAG, LONGEST_TAG = 3, 30

NEAR = 8
"""Messages on each side that a message is judged together with."""
SATED = 2.0
"""Times a word is said near a message for half of what it can weigh."""
RELEVANT = 0.7
MOST_RETURNED = 10
LAST_SAID = 3
"""Messages that say what a question is about which does not say it itself."""
PRIORITY_STEP = 0.05
HIGHEST_PRIORITY = 5
LEAST_TOLD = 0.3
"""Relevance of what is quoted when somebody asks for all that was said of something."""
MOST_LOOKED_AT = 100

_MARKUP = re.compile(r"<[^<>\s]{1,80}>")
_ASKING = word_set(
    "summarise summarize summary sum recap think thinks thought opinion opinions discussion conversation channel"
    " zusammenfassen zusammenfassung fasse meinung gespräch diskussion kanal denkt dachte"
    " résume résumer résumé avis discussion conversation salon pense pensait"
    " resume resumir resumen opinión discusión conversación canal piensa pensaba"
    " итоги подведи резюме мнение обсуждение обсуждали разговор канал думает думал думают"
)
_SMALL = SAYING | _ASKING | frozenset().union(*SCAFFOLD.values())
_NO_TAGS = ALL_STOP_WORDS | CHATTER | _SMALL | NUMBERS_IN_WORDS.keys() | word_set("nobody niemand personne nadie никто")


@dataclass(frozen=True, slots=True)
class Topic:
    """Describes what was talked about from one turn to the next."""

    first_id: int
    messages: int
    people: tuple[int, ...]
    """Whoever said most of it first."""
    quote: Quote | None
    """What tells most of it, as somebody wrote it; None where nothing of it may be quoted."""
    began_at: datetime


@dataclass(frozen=True, slots=True)
class Returned:
    """Holds an earlier message of a topic that has come back."""

    message: Message
    priority: int
    """From 1 to 5, which is the most."""
    relevance: float
    """How probably it belongs to the topic that is asked about."""
    tags: tuple[str, ...]
    """What it says of the topic, in its own words."""
    expires_at: datetime


class Parts(NamedTuple):
    """Weighs what speaks for it that a message is about something."""

    holds: int
    """How many of its words it has."""
    near: float
    """How much of it is said in and around it; rare words weigh more."""
    alike: float
    """By its vector."""

    @property
    def relevance(self) -> float:
        return 1 / (1 + math.exp(-(BIAS + BY_WORDS * self.near + BY_MEANING * self.alike)))


# Fitted by `python -m benchmarks.channels --fit` on the questions of 40 meetings: of messages that hold a word of the
# question, which are of the topic that it is about.
BIAS, BY_WORDS, BY_MEANING = -1.56, 2.91, 1.97


async def turns(messages: Sequence[Message]) -> list[int]:
    """Find the places in a conversation where a new topic begins, in their order."""
    return await asyncio.to_thread(_turns, messages)


async def has_turned(messages: Sequence[Message], since: datetime) -> bool:
    """Say whether a new topic has begun in a conversation later than that."""
    return any(messages[place].sent_at > since for place in await turns(messages))


async def topics_of(messages: Sequence[Message], shown: Collection[int] = ()) -> list[Topic]:
    """List what was talked about, one after the other. Messages that are shown elsewhere are not quoted."""
    return await asyncio.to_thread(_topics_of, messages, shown)


def _topics_of(messages: Sequence[Message], shown: Collection[int]) -> list[Topic]:
    silent = (
        place for place, (one, other) in enumerate(pairwise(messages), 1) if other.sent_at - one.sent_at >= SILENCE
    )
    cuts = sorted({0, *_turns(messages), *silent, len(messages)})
    return [_topic(messages[first:last], shown) for first, last in pairwise(cuts)]


def _topic(span: Sequence[Message], shown: Collection[int]) -> Topic:
    people = tuple(user_id for user_id, _ in Counter(one.author_id for one in span).most_common())
    quotable = [one for one in span if one.message_id not in shown and not is_sensitive(text_of(one))]
    longest = sorted(quotable, key=lambda one: -len(one.text))[:MOST_WEIGHED]
    quote = next(iter(happenings([longest], 1)), None)
    if quote is None and (said := next(iter(longest), None)) is not None:
        source = Source(said.channel_id, said.message_id)
        quote = Quote(said.author_id, text_of(said)[:LONGEST_QUOTE], source, said.sent_at)
    return Topic(span[0].message_id, len(span), people, quote, span[0].sent_at)


async def returning(
    asked: str,
    recent: Sequence[Message],
    mid_term: Sequence[Message],
    vectors: StaticVectors,
    now: datetime,
) -> list[Returned]:
    """Find what belongs to the topic of a question among what was said before the recent messages, the best first.

    Names of people in the question would find whatever they said: whoever asks takes them out.
    """
    if not wanted_in(asked):
        asked = "\n".join(_texts(recent[-LAST_SAID:]))
    wanted = wanted_in(asked)
    # How rare a word is, is judged by all that is in view.
    weighed = await parts_of(asked, [*mid_term, *recent], vectors)
    found = [
        (parts.relevance, message)
        for message, parts in zip(mid_term, weighed, strict=False)
        if parts.holds and parts.relevance >= RELEVANT
    ]
    found = sorted(found, key=lambda one: (-one[0], -one[1].message_id))[:MOST_RETURNED]
    forms = WordForms(wanted)
    # As long as the history of a channel lasts: by then a busy one has moved on, and each question looks anew anyway.
    expires_at = now + HISTORY_LASTS
    return [
        Returned(
            message,
            min(1 + int((relevance - RELEVANT) / PRIORITY_STEP), HIGHEST_PRIORITY),
            relevance,
            tuple(form for one, form in _taggable(message).items() if forms.said_with(one))[:MOST_TAGS],
            expires_at,
        )
        for relevance, message in found
    ]


async def told_about(messages: Sequence[Message], about: str, vectors: StaticVectors) -> Told | None:
    """Quote and cite the sentences that say most about something; None where nobody spoke of it."""
    parts = await parts_of(about, messages, vectors)
    return await asyncio.to_thread(_told, messages, parts, wanted_in(about))


async def parts_of(about: str, messages: Sequence[Message], vectors: StaticVectors) -> list[Parts]:
    """Weigh for each message, in their order, what speaks for it that it is about something."""
    wanted, texts = wanted_in(about), _texts(messages)
    if not wanted or not texts:
        return [Parts(0, 0.0, 0.0)] * len(texts)
    meant = await vectors.between(about[:TEXT_LIMIT], texts)
    said = await asyncio.to_thread(_said_near, wanted, texts)
    return [Parts(holds, near, one) for (holds, near), one in zip(said, meant, strict=True)]


def wanted_in(asked: str) -> frozenset[str]:
    """Find what is asked about: not who, and not that it is asked."""
    words = plain_words(_MARKUP.sub(" ", asked[:TEXT_LIMIT]))
    return frozenset(topics_in_order(" ".join(word for word in words if word not in _SMALL))[:MOST_WANTED])


def _texts(messages: Iterable[Message]) -> list[str]:
    """List texts without ids of people, roles and emoji: where the talk turns would depend on their digits."""
    return [_MARKUP.sub(" ", text_of(message)[:TEXT_LIMIT]) for message in messages]


def _turns(messages: Sequence[Message]) -> list[int]:
    texts = _texts(messages)
    words = [0, *accumulate(len(text.split()) for text in texts)]
    reach = max(min(REACH, words[-1] // 8), LEAST_REACH)
    by_words = _cohesion([topics(text) for text in texts], words, reach)
    # Where hardly anything was said on one side, both sides always differ.
    places = [place for place in range(1, len(messages)) if 2 * min(words[place], words[-1] - words[place]) >= reach]
    alike_at = [
        by_words[place - 1] - (PAUSED if messages[place].sent_at - messages[place - 1].sent_at >= PAUSE else 0.0)
        for place in places
    ]
    smoothed = max(min(SMOOTHED, len(messages) // 30), 1)
    least = LEAST_DEPTH * math.sqrt(REACH / reach)
    return [places[one] for one in deepest(alike_at, smoothed, least, apart=min(APART, len(messages) // 8))]


def deepest(alike_at: Sequence[float], smoothed: int, least: float, apart: int) -> list[int]:
    """Find the places whose sides differ most, given how alike both sides of each place are."""
    if not alike_at:
        return []
    smooth = [fmean(alike_at[max(place - smoothed, 0) : place + smoothed + 1]) for place in range(len(alike_at))]
    least_alike = fmean(smooth) - max(DEEP * pstdev(smooth), least)
    found: list[int] = []
    for place in sorted(range(len(smooth)), key=lambda one: smooth[one]):
        if smooth[place] > least_alike:
            break
        if all(abs(place - other) >= apart for other in found):
            found.append(place)
    return sorted(found)


class _Stretch:
    """Counts the topics of messages in a row, and moves on by what comes and what goes."""

    def __init__(self, spoken: Sequence[frozenset[str]]) -> None:
        self._spoken, self._first, self._last = spoken, 0, 0
        self.topics: Counter[str] = Counter()

    def move(self, first: int, last: int) -> None:
        for spoken in self._spoken[self._last : last]:
            self.topics.update(spoken)
        for spoken in self._spoken[self._first : first]:
            self.topics.subtract(spoken)
            for topic in spoken:
                if not self.topics[topic]:
                    del self.topics[topic]
        self._first, self._last = first, last


def _cohesion(spoken: Sequence[frozenset[str]], words: Sequence[int], reach: int) -> list[float]:
    """Compute between each two messages how alike the topics of both sides are, `reach` words on each.

    `words` were said before each message, and in all. What is said often counts more, but not as much as it is said.
    """
    before, behind = _Stretch(spoken), _Stretch(spoken)
    found: list[float] = []
    for place in range(1, len(spoken)):
        first = min(max(bisect_right(words, words[place] - reach) - 1, 0), place - 1)
        last = min(max(bisect_left(words, words[place] + reach), place + 1), len(spoken))
        before.move(first, place)
        behind.move(place, last)
        found.append(_cosine(before.topics, behind.topics))
    return found


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = math.fsum(math.log1p(one[topic]) * math.log1p(other[topic]) for topic in one.keys() & other.keys())
    sizes = [math.fsum(math.log1p(times) ** 2 for times in each.values()) for each in (one, other)]
    return shared / math.sqrt(sizes[0] * sizes[1]) if all(sizes) else 0.0


def _taggable(message: Message) -> dict[str, str]:
    """List each word of a message that may be a tag, by its stem, as it is written there."""
    text = message.text[:TEXT_LIMIT]
    if is_sensitive(text):
        return {}
    own = _MARKUP.sub(" ", own_words(text))
    return {
        stem(word.text): own[word.start : word.end]
        for word in words_in(own)
        if word.text not in _NO_TAGS
        and not any(map(str.isdigit, word.text))
        and SHORTEST_TAG <= len(word.text) <= LONGEST_TAG
    }


def _said_near(wanted: frozenset[str], texts: Sequence[str]) -> list[tuple[int, float]]:
    forms = WordForms(wanted)
    said = [forms.said_in(topics(text)) for text in texts]
    saying = Counter(one for some in said for one in some)
    weights = {one: math.log((len(texts) + 1) / (saying[one] + 0.5)) + 0.1 for one in sorted(wanted)}
    total = sum(weights.values())
    around = _Stretch(said)
    found: list[tuple[int, float]] = []
    for place, own in enumerate(said):
        around.move(max(place - NEAR, 0), min(place + NEAR + 1, len(said)))
        near = sum(weights[one] * times / (times + SATED) for one, times in sorted(around.topics.items()))
        found.append((len(own), near / total))
    return found


def _told(messages: Sequence[Message], parts: Sequence[Parts], wanted: frozenset[str]) -> Told | None:
    taken: list[tuple[int, Candidate]] = []
    for place in sorted(range(len(messages)), key=lambda one: (-parts[one].relevance, one))[:MOST_LOOKED_AT]:
        if len(taken) == MOST_QUOTES or parts[place].relevance < LEAST_TOLD:
            break
        sentence = _sentence_about(messages[place], wanted) if parts[place].holds else None
        if sentence is not None and all(alike({*sentence.stems}, {*one.stems}) < SAMENESS for _, one in taken):
            taken.append((place, sentence))
    return cited((messages[place], sentence.text) for place, sentence in sorted(taken, key=lambda one: one[0]))


def _sentence_about(message: Message, wanted: frozenset[str]) -> Candidate | None:
    """Choose the sentence that says most of what is asked about; None where none that may be quoted does."""
    forms = WordForms(wanted)
    said = [one for one in candidates(message) if len(one.text) <= LONGEST_SENTENCE and forms.said_in(one.stems)]
    return max(said, key=lambda one: (len(forms.said_in(one.stems)), -one.place), default=None)
