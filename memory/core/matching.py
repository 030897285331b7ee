"""How much two texts are about the same thing, judged by their words alone.

Words count without case, accents and endings; small words not at all, and people (`<@id>`) as words of their own.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Set

from memory.core.fleeting import fleeting
from memory.core.language import ALL_STOP_WORDS, Language, is_cyrillic, stem_in, word_set
from memory.core.text import plain_words

_MENTION = re.compile(r"<@!?(\d+)>")
_OTHER_LATIN = (Language.DE, Language.FR, Language.ES)
_SHORTEST_STEM = 3

SHORTEST_BEGINNING, LONGEST_ENDING = 4, 3
"""Letters that forms of one word share at least, and by which one is longer than another at most."""
MOST_WANTED = 100
"""Topics of what somebody wants that are looked for. Who types more is not understood any better."""


# Folding takes the breve off й, without which Russian endings are not recognised.
_FOLDED_BREVE = re.compile("(?<=[аеоуыэюя])и$")


@fleeting(20_000)
def stem(word: str) -> str:
    """What the forms of a folded word share, roughly, whichever of the five languages it is of.

    Few words do not tell their language, so each of those with Latin letters has its say, the English stem included:
    the shortest is taken. Too much is cut off rather than too little, and from all forms of a word alike.
    """
    if word.isdigit():
        return word
    if is_cyrillic(word):
        return stem_in(Language.RU, _FOLDED_BREVE.sub("й", word))
    english = stem_in(Language.EN, word)
    forms = (word,) if word == english else (word, english)
    stems = [english, *(stem_in(language, form) for language in _OTHER_LATIN for form in forms)]
    return min((one for one in stems if len(one) >= min(_SHORTEST_STEM, len(english))), key=len)


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
    return frozenset(topics_in_order(text))


def topics_in_order(text: str) -> list[str]:
    """The same, each once: first the people, then the others as they come."""
    people = [f"@{mention}" for mention in _MENTION.findall(text)]
    stems = (stem(word) for word in plain_words(_MENTION.sub(" ", text)) if word not in ALL_STOP_WORDS)
    return list(dict.fromkeys([*people, *("like" if topic in _LIKING else topic for topic in stems)]))


class WordForms:
    """Topics, as they are found again in other words: the same stem, or one that continues the other; no two people.

    A word is looked up, never compared with all of them: members decide how many there are.
    """

    def __init__(self, topics: Collection[str]) -> None:
        self._topics = frozenset(topics)
        self._begun: dict[str, list[str]] = {}
        for topic in self._topics:
            for beginning in _beginnings(topic):
                self._begun.setdefault(beginning, []).append(topic)

    def __contains__(self, word: str) -> bool:
        return word in self._topics or word in self._begun or not self._topics.isdisjoint(_beginnings(word))

    def said_with(self, word: str) -> list[str]:
        """The topics of which this is a form."""
        found = [topic for topic in (word, *_beginnings(word)) if topic in self._topics]
        return found + self._begun.get(word, [])

    def said_in(self, words: Iterable[str]) -> frozenset[str]:
        """The topics of which any of these is a form."""
        return frozenset(topic for word in words for topic in self.said_with(word))


def _beginnings(word: str) -> list[str]:
    """What a word can be a longer form of."""
    if len(word) <= SHORTEST_BEGINNING or word.startswith("@"):
        return []
    return [word[:end] for end in range(max(SHORTEST_BEGINNING, len(word) - LONGEST_ENDING), len(word))]


def coverage(wanted: Collection[str], text: WordForms) -> float:
    """Which share of what is wanted the text speaks of; 0 if nothing is wanted."""
    return sum(topic in text for topic in wanted) / len(wanted) if wanted else 0.0


def rank(wanted: Collection[str], texts: Collection[Set[str]]) -> list[float]:
    """How relevant each text is to what is wanted, between 0 and 1: rare topics weigh more than common ones.

    Rare means rare among these texts. 1 is a text that speaks of everything that is wanted.
    """
    if not wanted:
        return [0.0] * len(texts)
    forms = WordForms(wanted)
    known = {word: said for word in frozenset().union(*texts) if (said := forms.said_with(word))}
    spoken = [frozenset(topic for word in known.keys() & text for topic in known[word]) for text in texts]
    speaking = Counter(topic for said in spoken for topic in said)
    weights = {topic: _weight(speaking[topic], len(texts)) for topic in wanted}
    total = sum(weights.values())
    return [sum(weights[topic] for topic in wanted if topic in said) / total for said in spoken]


def _weight(speaking: int, texts: int) -> float:
    return math.log((texts + 1) / (speaking + 0.5)) + 0.1
