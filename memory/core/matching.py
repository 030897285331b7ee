"""How much two texts are about the same thing, judged by their words alone.

Words count without case, accents and endings; small words not at all, and people (`<@id>`) as words of their own.
"""

import math
import re
from collections.abc import Collection, Set

from memory.core.fleeting import fleeting
from memory.core.language import ALL_STOP_WORDS, word_set
from memory.core.text import plain_words

_MENTION = re.compile(r"<@!?(\d+)>")

# Endings of the five languages that change a word's form but not its topic, the longest first.
_ENDINGS = sorted(
    word_set(
        "ungen ung keit heit lich isch ern en er es em e n s t st et te ten"  # German
        " ing ings ed ly ies y tion tions ment ments ness"  # English
        " ions ez ent ait aient ons eux euse euses aux er ir ee ees"  # French
        " ando iendo ado ada ados adas ido ida aron ieron aba aban o a os as ar ir e en an"  # Spanish
        " ами ями ого его ому ему ыми ими ый ий ой ая яя ое ее ые ие ов ев ей ам ям ах ях ом ем ую юю ешь"  # Russian
        " ишь ет ит ут ют ат ят ал ял ил ел ла ли ло ть у ю а я о е ы и ь"
    ),
    key=lambda ending: (-len(ending), ending),
)
_SHORTEST_STEM = 3


@fleeting(20_000)
def stem(word: str) -> str:
    """The part of a folded word that its forms share, roughly."""
    if word.isdigit():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _undoubled(word[: -len(ending)])
    return word


def _undoubled(word: str) -> str:
    """ "running" is a form of "run"."""
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        return word[:-1]
    return word


# Said in many ways, and meant alike when somebody asks what another likes.
_LIKING = {
    stem(word)
    for word in word_set(
        "like likes love loves enjoy enjoys adore adores fancy mag mögen magst liebt lieben liebe aime aimer aiment"
        " gusta gustan encanta encantan ama aman люблю любит любят нравится нравятся обожает обожаю"
    )
}


def topics(text: str) -> frozenset[str]:
    """What the text is about: its stems, and the people it mentions as `@id`."""
    people = (f"@{mention}" for mention in _MENTION.findall(text))
    stems = (stem(word) for word in plain_words(_MENTION.sub(" ", text)) if word not in ALL_STOP_WORDS)
    return frozenset(people) | {"like" if topic in _LIKING else topic for topic in stems}


def speaks_of(topic: str, text: Set[str]) -> bool:
    """Whether a text with these topics speaks of this one: the same stem, or one that continues the other."""
    return topic in text or any(_alike(topic, other) for other in text)


def coverage(wanted: Collection[str], text: Set[str]) -> float:
    """Which share of what is wanted the text speaks of; 0 if nothing is wanted."""
    return sum(speaks_of(topic, text) for topic in wanted) / len(wanted) if wanted else 0.0


def rank(wanted: Collection[str], texts: Collection[Set[str]]) -> list[float]:
    """How relevant each text is to what is wanted, between 0 and 1: rare topics weigh more than common ones.

    Rare means rare among these texts. 1 is a text that speaks of everything that is wanted.
    """
    if not wanted:
        return [0.0] * len(texts)
    beginnings = tuple(topic[:_LEAST_PREFIX] for topic in wanted)
    near = [word for word in frozenset().union(*texts) if word.startswith(beginnings)]
    spoken = {topic: _spoken(topic, near, texts) for topic in wanted}
    weights = {topic: _weight(sum(speaking), len(texts)) for topic, speaking in spoken.items()}
    total = sum(weights.values())
    return [sum(weights[topic] for topic in wanted if spoken[topic][place]) / total for place in range(len(texts))]


def _spoken(topic: str, near: Collection[str], texts: Collection[Set[str]]) -> list[bool]:
    """Which of the texts speak of a topic. `near` are all words of theirs that may: each is compared only once."""
    alike = {word for word in near if word == topic or _alike(topic, word)}
    return [not alike.isdisjoint(text) for text in texts]


def _weight(speaking: int, texts: int) -> float:
    return math.log((texts + 1) / (speaking + 0.5)) + 0.1


_LEAST_PREFIX = 4


def _alike(one: str, other: str) -> bool:
    """ "programm" and "programmer", but no two people."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    if len(short) < _LEAST_PREFIX or len(long) - len(short) > 3:
        return False
    return long.startswith(short) and not short.startswith("@")
