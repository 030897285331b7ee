"""Puts what was found into order: each message is judged together with the talk it stands in.

Works on a pool of messages that were found, with their neighbours; whatever was not loaded counts as silence.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache, partial
from itertools import pairwise
from math import exp, log
from operator import attrgetter, mul
from typing import NamedTuple

from memory.language.question_words import AGE_WORDS, Signs, Want
from memory.log.reading import PAUSE
from memory.people.names import mentioned_ids
from memory.recall.query import AskedFor, Found, Heard, Terms

# How well a message answers a question: what speaks for it, added up with one set of weights for every question.
#
# Each part is a number between 0 and about 1, and does not depend on what else was found, so that a sum means the same
# for every question. A logistic curve makes a chance of the sum and of how far it stands out from the other sums: it
# was fitted to questions with known answers, and to the same questions asked where nobody had spoken of it. How, and
# where the weights come from: docs/decisions/recall.md.


COMPARED = 20
"""Sums beyond these hardly matter, and how many there are depends on how far was looked."""
LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Parts:
    """Holds what speaks for a message."""

    said: float = 0.0
    """Which share of what is asked it says itself, rare words counting more, close words a little."""
    said_all: float = 0.0
    """It says every one of several words that are asked."""
    said_with_before: float = 0.0
    """What `said` is, together with the message before it."""
    topic: float = 0.0
    """What `said` is of the best three messages in a row of its conversation."""
    meaning: float = 0.0
    """How alike it is in meaning."""
    meaning_around: float = 0.0
    """How alike its neighbours are: half of each beside it, a quarter of each beyond."""
    answers: float = 0.0
    """The message before it asks, and asks for this."""
    speaker: float = 0.0
    """Its author is whom the question names."""
    spoken_of: float = 0.0
    """It mentions, or replies to, whom the question is about."""
    calls: float = 0.0
    """Somebody else calls, mentions or answers whom the question names."""
    in_time: float = 0.0
    """It was said in the time the question names, or soon after."""
    tells_time: float = 0.0
    tells_place: float = 0.0
    tells_number: float = 0.0
    tells_person: float = 0.0
    """It holds what the question wants to know: a time, a place, a number, a person."""
    asks: float = 0.0
    """It is a question itself."""
    opens: float = 0.0
    """It opens a conversation: there people tell their news."""
    here: float = 0.0
    """It was said where the question is asked."""
    recent: float = 0.0
    """1 for what was said just now, half of it a month ago."""


@dataclass(frozen=True, slots=True)
class Weights(Parts):
    """Says how much each part counts, and how a sum becomes a chance."""

    said: float = 2.0
    said_all: float = 0.5
    said_with_before: float = 2.0
    topic: float = 4.0
    meaning: float = 4.0
    meaning_around: float = 4.0
    answers: float = 1.0
    speaker: float = 2.0
    spoken_of: float = 1.0
    calls: float = 1.0
    in_time: float = 3.5
    tells_time: float = 1.5
    tells_place: float = 1.0
    tells_number: float = 1.0
    tells_person: float = 1.0
    asks: float = -0.5
    opens: float = 1.0
    here: float = 0.2
    recent: float = 0.2
    of_total: float = 0.3
    of_share: float = 0.8
    offset: float = -3.0
    """The curve: of the sum, of the logarithm of its share among all that was found, and where it stands."""

    def chance(self, total: float, share: float = 1.0) -> float:
        """Work out the chance that the message holds what was asked for. `share`: see `shares_of_totals`."""
        return 1 / (1 + math.exp(-(self.of_total * total + self.of_share * math.log(share) + self.offset)))

    def explained(self, parts: Parts) -> dict[str, float]:
        """Explain what each part added, those that added nothing left out."""
        named = zip(_NAMES, values_of(self), values_of(parts), strict=True)
        return {name: weight * amount for name, weight, amount in named if weight * amount}


def sumprod(weights: Sequence[float], amounts: Sequence[float]) -> float:
    """Sum products; Python 3.12 has it in `math`."""
    products: Iterable[float] = map(mul, weights, amounts)
    return sum(products)


def shares_of_totals(totals: Sequence[float]) -> list[float]:
    """Work out how far each total stands out: together the best ones have 1."""
    if not totals:
        return []
    best = sorted(totals, reverse=True)[:COMPARED]
    whole = sum(math.exp(total - best[0]) for total in best)
    return [max(math.exp(total - best[0]) / whole, LEAST_SHARE) for total in totals]


_NAMES = tuple(field.name for field in fields(Parts))
_every: Callable[[Parts], tuple[float, ...]] = attrgetter(*_NAMES)


def values_of(parts: Parts) -> tuple[float, ...]:
    return _every(parts)


WEIGHTS = Weights()


# BM25, the weighing of words: `memory.recall.queries` says the same once more in SQL.


SATURATION = 1.2
"""How soon more of the same says nothing new."""
LENGTH_OF_MESSAGE = 0.4
"""How much more a long message has to say."""
LENGTH_OF_CONVERSATION = 0.75
MOST_COUNTED = 4
"""How often a term occurs is kept up to here."""


def weight(messages: int, of_all: int) -> float:
    """Weigh how much it says that a message has a term which so many of all have."""
    return log(1 + (max(of_all - messages, 0) + 0.5) / (messages + 0.5))


def conversation_weight(messages: int, conversations: int) -> float:
    """Weigh a term among conversations. In how many it occurs is guessed from messages, which come in bunches."""
    return weight(round(conversations * (1 - exp(-0.7 * messages / max(conversations, 1)))), conversations)


def of_message(weights: Mapping[str, float], counts: Mapping[str, int], length: int, mean_length: float) -> float:
    spread = SATURATION * (1 - LENGTH_OF_MESSAGE + LENGTH_OF_MESSAGE * length / mean_length)
    score = 0.0
    for term, its_weight in weights.items():
        often = min(counts.get(term, 0), MOST_COUNTED)
        score += its_weight * often * (SATURATION + 1) / (often + spread)
    return score


CLOSE_ENOUGH = 0.3
"""Words less alike than this have nothing to do with each other; from here on they count more and more."""
RECENT = timedelta(days=30)
TELLING = 6
"""Words that say something, of a message that tells of whoever said it."""
AS_GOOD = 1.5
"""Totals this close are equally good when the newest is asked for."""

Closeness = Mapping[str, Sequence[tuple[int, float]]]
"""Of a word that was said: to which of the words that were asked, by their place, it is close, and how close."""
Cover = tuple[float, ...]
"""Of each word that was asked: which share of all that is meant is said with it."""


class Said(NamedTuple):
    """Holds a message of the pool: as it was found, and what can be seen of it."""

    heard: Heard
    signs: Signs

    @property
    def found(self) -> Found:
        return self.heard.found


@dataclass(frozen=True, slots=True)
class Ranked:
    said: Said
    parts: Parts
    total: float
    chance: float


@dataclass(frozen=True, slots=True)
class Asking:
    """Holds a question with what the store knows about its words."""

    asked: AskedFor
    shares: tuple[float, ...]
    """How much each of its words says about what is meant; together 1."""
    when: datetime
    channel_id: int
    named: Callable[[str], bool] = lambda _: False
    """Whether a text names somebody whom the question is about."""
    people: frozenset[int] = frozenset()
    """Everybody else whom the question names, in whatever role."""
    people_named: Callable[[str], bool] = lambda _: False
    """Whether a text names one of those."""


def shares_of(asked: AskedFor, terms: Terms) -> tuple[float, ...]:
    """Share out what words say: rare ones more; one nobody said is the rarest; one without a term is no topic."""
    heard: dict[int, int] = {}
    for term in terms.terms:
        heard[term.word] = max(heard.get(term.word, 0), term.messages if term.share == 1.0 else 0)
    weights = [weight(heard[place], terms.messages) if place in heard else 0.0 for place in range(len(asked.words))]
    total = sum(weights)
    return tuple(weight / total for weight in weights) if total else ()


def rank(
    asking: Asking,
    pool: Sequence[Said],
    rankable: Collection[int],
    closeness: Closeness,
    weights: Weights = WEIGHTS,
) -> list[Ranked]:
    """Rank the pool, the best first. `pool` is in the order of channel and id; only ids in `rankable` are judged."""
    judged = parts_of(asking, pool, rankable, closeness)
    of_each = values_of(weights)
    totals = [sumprod(of_each, values_of(parts)) for _, parts in judged]
    # Where no topic is asked for, nothing has to stand out: all that somebody said yesterday is the answer.
    shares = shares_of_totals(totals) if asking.asked.words else [1.0] * len(totals)
    ranked = [
        Ranked(said, parts, total, weights.chance(total, share))
        for (said, parts), total, share in zip(judged, totals, shares, strict=True)
    ]
    ranked.sort(key=lambda one: (-one.total, -one.said.found.message_id))
    return _newest_first(ranked) if asking.asked.latest else ranked


def parts_of(
    asking: Asking, pool: Sequence[Said], rankable: Collection[int], closeness: Closeness
) -> list[tuple[Said, Parts]]:
    """Find what speaks for each message, before it is weighed."""
    talk = _Talk(asking, pool, closeness)
    return [(said, talk.parts(place)) for place, said in enumerate(pool) if said.found.message_id in rankable]


def _newest_first(ranked: list[Ranked]) -> list[Ranked]:
    """Put the newest first of those that fit about as well as the best."""
    if not ranked:
        return ranked
    good = [one for one in ranked if ranked[0].total - one.total <= AS_GOOD]
    good.sort(key=lambda one: one.said.found.message_id, reverse=True)
    return good + ranked[len(good) :]


class _Talk:
    """Reads the pool as talk: who is next to whom, and what each says of what is asked."""

    def __init__(self, asking: Asking, pool: Sequence[Said], closeness: Closeness) -> None:
        self._asking = asking
        self._pool = pool
        self._found = [said.heard.found for said in pool]
        self._place_of = {found.message_id: place for place, found in enumerate(self._found)}
        self._joined = [False, *(in_one_talk(one, two) for one, two in pairwise(self._found)), False]
        self._meanings = [max(found.meaning or 0.0, 0.0) for found in self._found]
        self._covers = self._covered(_weighed(closeness, asking.shares))
        self._alone = [sum(cover) for cover in self._covers]
        self._conversation_of = self._conversations()
        self._topics = self._best_of_conversations()

    def parts(self, place: int) -> Parts:
        found, signs, asked = self._found[place], self._pool[place].signs, self._asking.asked
        before = self._before(place)
        # Where no topic is asked for, who spoke and when is all there is to fit; and "thanks!" says nothing of anybody.
        fits = min(found.length / TELLING, 1.0) if not asked.words and self._fits(place) else 0.0
        return Parts(
            said=fits or self._alone[place],
            said_all=float(len(found.matched) == len(asked.words) > 1),
            said_with_before=fits or self._share((place,) if before is None else (before, place)),
            topic=fits or self._topics[self._conversation_of[place]],
            meaning=self._meanings[place],
            meaning_around=self._meaning_around(place),
            answers=0.0 if before is None else self._answers(before),
            speaker=float(found.author_id in asked.speakers),
            spoken_of=float(self._speaks_of(place)),
            calls=float(self._calls(place)),
            in_time=float(asked.span is not None and asked.span.told(found.sent_at)),
            tells_time=float(Want.TIME in signs.tells),
            tells_place=float(Want.PLACE in signs.tells),
            tells_number=float(Want.NUMBER in signs.tells),
            tells_person=float(Want.PERSON in signs.tells),
            asks=float(signs.asks),
            opens=float(not self._joined[place]),
            here=float(found.channel_id == self._asking.channel_id),
            recent=_recent(self._asking.when - found.sent_at),
        )

    def _covered(self, close: Mapping[str, Cover]) -> list[Cover]:
        """Work out how much of what is meant each message says with each of the words that were asked."""
        matching = cache(partial(_matching, self._asking.shares))
        ages = self._ages()
        if ages:
            close = {word: tuple(0.0 if n in ages else share for n, share in enumerate(c)) for word, c in close.items()}
        covers: list[Cover] = []
        for said in self._pool:
            matched = said.heard.found.matched
            if ages:
                matched = matched | ages if Want.AGE in said.signs.tells else matched - ages
            cover = matching(matched)
            near = [close[word] for word in said.signs.words if word in close]
            covers.append(tuple(map(max, cover, *near)) if near else cover)
        return covers

    def _ages(self) -> frozenset[int]:
        """Find the words of the question that only an age answers: "old" is said in many ways."""
        asked = self._asking.asked
        return frozenset(n for n, word in enumerate(asked.words) if Want.AGE in asked.wants and word in AGE_WORDS)

    def _share(self, places: Sequence[int]) -> float:
        """Work out which share of what is asked these messages say together."""
        if len(places) == 1:
            return self._alone[places[0]]
        together: Iterable[float] = map(max, *[self._covers[place] for place in places])
        return sum(together)

    def _before(self, place: int) -> int | None:
        """Find what a message answers: the one it replies to, otherwise the one said right before it."""
        replied_to = self._place_of.get(self._pool[place].heard.reply_to or 0)
        if replied_to is not None:
            return replied_to
        return place - 1 if self._joined[place] else None

    def _answers(self, before: int) -> float:
        return self._alone[before] + self._meanings[before] if self._pool[before].signs.asks else 0.0

    def _meaning_around(self, place: int) -> float:
        joined, meanings, around = self._joined, self._meanings, 0.0
        if joined[place]:
            around += meanings[place - 1] / 2
            around += meanings[place - 2] / 4 if joined[place - 1] else 0.0
        if joined[place + 1]:
            around += meanings[place + 1] / 2
            around += meanings[place + 2] / 4 if joined[place + 2] else 0.0
        return around

    def _conversations(self) -> list[int]:
        """Number the conversation each belongs to; what is not indexed yet is joined to its neighbours."""
        numbers: list[int] = []
        of_conversation: dict[int, int] = {}
        for place, found in enumerate(self._found):
            conversation_id = found.conversation_id
            if conversation_id is not None and conversation_id in of_conversation:
                number = of_conversation[conversation_id]
            else:
                number = numbers[-1] if conversation_id is None and self._joined[place] else place
            if conversation_id is not None:
                of_conversation[conversation_id] = number
            numbers.append(number)
        return numbers

    def _best_of_conversations(self) -> dict[int, float]:
        """Work out for each conversation what its best three in a row say."""
        topics: dict[int, float] = {}
        for place, conversation in enumerate(self._conversation_of):
            first = place - 1 if self._joined[place] else place
            last = place + 1 if self._joined[place + 1] else place
            share = self._share(range(first, last + 1))
            if share >= topics.get(conversation, 0.0):
                topics[conversation] = share
        return topics

    def _fits(self, place: int) -> bool:
        asked, found = self._asking.asked, self._found[place]
        is_one_of_them = found.author_id in asked.speakers or not asked.speakers
        is_then = asked.span is None or asked.span.holds(found.sent_at)
        return is_one_of_them and is_then and (self._speaks_of(place) or not asked.spoken_of)

    def _speaks_of(self, place: int) -> bool:
        """Say whether a message speaks of them: by mention, by name, or as an answer to them."""
        wanted = self._asking.asked.spoken_of
        return bool(wanted) and turns_to(wanted, self._asking.named, self._pool[place], self._replied_to(place))

    def _calls(self, place: int) -> bool:
        people, said = self._asking.people, self._pool[place]
        if not people or said.found.author_id in people:
            return False
        return turns_to(people, self._asking.people_named, said, self._replied_to(place))

    def _replied_to(self, place: int) -> Said | None:
        replied_to = self._place_of.get(self._pool[place].heard.reply_to or 0)
        return None if replied_to is None else self._pool[replied_to]


def turns_to(people: Set[int], named: Callable[[str], bool], said: Said, replied_to: Said | None) -> bool:
    """Say whether a message answers, mentions or names one of them."""
    answers_them = replied_to is not None and replied_to.found.author_id in people
    text = said.heard.text
    return answers_them or not people.isdisjoint(mentioned_ids(text)) or named(text)


def _weighed(closeness: Closeness, shares: Cover) -> dict[str, Cover]:
    """Weigh closeness: instead of how close a word is, give how much of what is meant it says."""
    weighed: dict[str, Cover] = {}
    for word, near in closeness.items():
        cover = [0.0] * len(shares)
        for place, alike in near:
            if place < len(shares):
                cover[place] = shares[place] * (alike - CLOSE_ENOUGH) / (1 - CLOSE_ENOUGH)
        weighed[word] = tuple(cover)
    return weighed


def _matching(shares: Cover, words: frozenset[int]) -> Cover:
    return tuple([share if place in words else 0.0 for place, share in enumerate(shares)])


def in_one_talk(first: Found, second: Found) -> bool:
    """Say whether two that follow upon each other belong together; what is not indexed yet is judged by the pause."""
    if first.channel_id != second.channel_id:
        return False
    if first.conversation_id is not None and second.conversation_id is not None:
        return first.conversation_id == second.conversation_id
    return second.sent_at - first.sent_at < PAUSE


def _recent(age: timedelta) -> float:
    return math.pow(0.5, max(age, timedelta()) / RECENT)
