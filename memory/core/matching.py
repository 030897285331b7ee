"""How much two texts are about the same thing, judged by their words alone.

Words count without case, accents and endings; small words not at all, and people (`<@id>`) as words of their own.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from memory.core.language import ALL_STOP_WORDS, word_set
from memory.core.text import words_in

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


def topics(text: str) -> Counter[str]:
    """What the text is about: its stems, and the people it mentions as `@id`."""
    found = Counter(f"@{mention}" for mention in _MENTION.findall(text))
    spoken = _MENTION.sub(" ", text)
    stems = (stem(word.text) for word in words_in(spoken) if word.text not in ALL_STOP_WORDS)
    found.update("like" if topic in _LIKING else topic for topic in stems)
    return found


def coverage(asked: Iterable[str], text: Iterable[str]) -> float:
    """Which share of what is asked the text speaks of; 0 if nothing is asked."""
    wanted, offered = set(asked), set(text)
    if not wanted:
        return 0.0
    return sum(any(_alike(topic, other) for other in offered) for topic in wanted) / len(wanted)


def rank(question: str, texts: Sequence[str]) -> list[float]:
    """How relevant each text is to the question, between 0 and 1: rare words weigh more than common ones.

    Rare means rare among these texts. 1 would be a text that speaks of everything the question asks.
    """
    wanted = set(topics(question))
    offered = [set(topics(text)) for text in texts]
    if not wanted:
        return [0.0] * len(texts)
    weights = {topic: _weight(topic, offered) for topic in wanted}
    total = sum(weights.values())
    return [
        sum(weight for topic, weight in weights.items() if any(_alike(topic, other) for other in text)) / total
        for text in offered
    ]


def _weight(topic: str, texts: Sequence[set[str]]) -> float:
    speaking = sum(any(_alike(topic, other) for other in text) for text in texts)
    return math.log((len(texts) + 1) / (speaking + 0.5)) + 0.1


_LEAST_PREFIX = 4


def _alike(one: str, other: str) -> bool:
    """The same stem, or one that continues the other ("programm" and "programmer")."""
    if one == other:
        return True
    if "@" in (one[:1], other[:1]):
        return False
    short, long = sorted((one, other), key=len)
    return len(short) >= _LEAST_PREFIX and long.startswith(short) and len(long) - len(short) <= 3
