"""How much a sentence tells about its author's day: what speaks for it, added up with one set of weights.

Each part is a number between 0 and about 1. Where the weights come from: docs/decisions/without-a-model.md.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter

from memory.core.extract.telling_words import CHATTER, DECIDED, FELT, HAPPENED, PLANNED
from memory.core.extract.worth_quoting import Candidate
from memory.language.detect import word_set
from memory.language.question_words import Want, signs_of
from memory.language.text import fold
from memory.people.names import FIRST_PERSON

_ASKING = re.compile(r"[?？؟][^\w?？؟]*+$")
_NAMED = re.compile(r"(?<=[\w,;:)] )[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]+")
_NUMBER = re.compile(r"\d")
_ENGLISH_I = re.compile(r"\bI(?:['’](?:m|d|ll|ve))?\b")
_OF_ONESELF = frozenset().union(*FIRST_PERSON.values()) | word_set(
    "we us our ours wir uns unser unsere nous notre nos nosotros nuestro nuestra мы нас нам наш наша наши"
)
_OF_OTHERS = word_set(
    "you your yours u ur du dich dir dein deine ihr euch tu te toi ton ta vous votre vos tú ti tu tus usted ustedes"
    " ты тебя тебе твой твоя вы вас вам ваш"
)
# A sentence that begins with these is hardly understood without the one before it.
_POINTING_BACK = word_set(
    "it its it's that that's this they he she those these so then but and because or es das dies dieser sie er und aber"
    " weil ca c'est cela ceci il elle ils elles et mais eso esto esos el ella ellos y pero porque это он она они и но"
)
_FIRST_WORD = re.compile(r"[\w']+")
_ENOUGH_WORDS = 6
"""Rare words beyond these add nothing: a long list is not more telling than a short statement."""
_GOOD_LENGTH = 90
"""Characters at which a sentence is long enough to be understood alone."""
_FIRST_LETTERS = 20
_MANY = 4
"""Replies and reactions from which on more say nothing new."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What speaks for a sentence, and what against it."""

    rare: float = 0.0
    """How rare its words are on this day of the guild, and in what was said before."""
    topic: float = 0.0
    """How much its author spoke of the same in other messages of the day."""
    of_oneself: float = 0.0
    of_others: float = 0.0
    """It speaks to somebody: "you"."""
    happened: float = 0.0
    planned: float = 0.0
    decided: float = 0.0
    felt: float = 0.0
    named: float = 0.0
    """It names something or somebody, or a number."""
    in_time: float = 0.0
    in_place: float = 0.0
    asks: float = 0.0
    chatter: float = 0.0
    """Which share of its words any conversation has."""
    long: float = 0.0
    answered: float = 0.0
    """Others replied, or reacted."""
    points_back: float = 0.0
    """It begins with "it" or "that", and says by itself not of what."""
    late: float = 0.0
    """How far behind the beginning of its message it stands."""


@dataclass(frozen=True, slots=True)
class Weights(Parts):
    def total(self, parts: Parts) -> float:
        return sum(weight * part for weight, part in zip(_values(self), _values(parts), strict=True))


_values: Callable[[Parts], tuple[float, ...]] = attrgetter(*(part.name for part in fields(Parts)))


WEIGHTS = Weights(
    rare=2.0,
    topic=0.3,
    of_oneself=0.6,
    of_others=-0.6,
    happened=0.6,
    planned=0.3,
    decided=0.6,
    felt=0.2,
    named=0.4,
    in_time=0.8,
    in_place=0.3,
    asks=-1.5,
    chatter=-1.5,
    long=1.0,
    answered=0.5,
    points_back=-0.5,
    late=-0.2,
)


@dataclass(frozen=True, slots=True)
class Background:
    """How common words are in what was said on other days."""

    messages: int = 0
    with_word: Mapping[str, int] = field(default_factory=dict)
    """By stem, as `memory.language.stems.stem` has them: how many of the messages have it."""


class DayOfWords:
    """Who said which words on a day, so that rare ones can be told from common ones."""

    def __init__(self, said: Iterable[Candidate], background: Background | None = None) -> None:
        background = background or Background()
        by_message: dict[int, set[str]] = {}
        author_of: dict[int, int] = {}
        for candidate in said:
            by_message.setdefault(candidate.message_id, set()).update(candidate.stems)
            author_of[candidate.message_id] = candidate.author_id
        self._messages = len(by_message) + background.messages
        self._with_stem = Counter(stem for stems in by_message.values() for stem in stems)
        self._of_author = Counter((author_of[one], stem) for one, stems in by_message.items() for stem in stems)
        self._background = background.with_word
        self._rarest = math.log(self._messages + 1) or 1.0

    def rarity(self, stem: str) -> float:
        """Between 0, in every message, and 1, in one alone."""
        having = max(self._with_stem[stem], 1) + self._background.get(stem, 0)
        return max(math.log((self._messages + 1) / having), 0.0) / self._rarest

    def is_topic_of(self, author_id: int, stem: str) -> bool:
        return self._of_author[author_id, stem] > 1


def parts_of(candidate: Candidate, day: DayOfWords, reactions: int = 0) -> Parts:
    """`reactions`: how many replies and reactions its message got."""
    text, words, stems = candidate.text, candidate.words, candidate.stems
    signs = signs_of(text, (Want.TIME, Want.PLACE))
    rarest = sorted((day.rarity(stem) for stem in stems), reverse=True)[:_ENOUGH_WORDS]
    topical = sum(day.rarity(stem) for stem in stems if day.is_topic_of(candidate.author_id, stem))
    is_of_oneself = not words.isdisjoint(_OF_ONESELF) or _ENGLISH_I.search(text) is not None
    return Parts(
        rare=sum(rarest) / _ENOUGH_WORDS,
        topic=min(topical / 2, 1.0),
        of_oneself=float(is_of_oneself),
        of_others=float(not words.isdisjoint(_OF_OTHERS)),
        happened=float(not words.isdisjoint(HAPPENED)),
        planned=float(not words.isdisjoint(PLANNED)),
        decided=float(not words.isdisjoint(DECIDED)),
        felt=float(not words.isdisjoint(FELT)),
        named=float(_NAMED.search(text) is not None or _NUMBER.search(text) is not None),
        in_time=float(Want.TIME in signs.tells),
        in_place=float(Want.PLACE in signs.tells),
        asks=float(_ASKING.search(text) is not None),
        chatter=len(words & CHATTER) / len(words),
        long=min(len(text) / _GOOD_LENGTH, 1.0),
        answered=min(reactions / _MANY, 1.0),
        points_back=float(_points_back(text)),
        late=min(candidate.place / 4, 1.0),
    )


def _points_back(text: str) -> bool:
    first = _FIRST_WORD.search(fold(text[:_FIRST_LETTERS]))
    return first is not None and first.group() in _POINTING_BACK
