"""Measures how much two texts are about the same thing, judged by their words alone.

Words count without case, accents and endings; small words not at all, and people (`<@id>`) as words of their own.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from itertools import pairwise

from memory.language.detect import ALL_STOP_WORDS, Language, is_cyrillic, stem_in, word_set
from memory.language.text import plain_words
from memory.language.word_caches import word_cache

_MENTION = re.compile(r"<@!?(\d+)>")
_OTHER_LATIN = (Language.DE, Language.FR, Language.ES)
_SHORTEST_STEM = 3

SHORTEST_BEGINNING, LONGEST_ENDING = 4, 3
"""Letters that forms of one word share at least, and by which one is longer than another at most."""
MOST_WANTED = 100
"""Topics of what somebody wants that are looked for. Who types more is not understood any better."""


# Folding takes the breve off й, without which Russian endings are not recognised.
_FOLDED_BREVE = re.compile("(?<=[аеоуыэюя])и$")


@word_cache(20_000)
def stem(word: str) -> str:
    """Find what the forms of a folded word share, roughly, whichever of the five languages it is of.

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
    """Find what the text is about: its stems, and the people it mentions as `@id`."""
    return frozenset(topics_in_order(text))


def topics_in_order(text: str) -> list[str]:
    """List the topics of a text, each once: first the people, then the others as they come."""
    people = [f"@{mention}" for mention in _MENTION.findall(text)]
    stems = (stem(word) for word in plain_words(_MENTION.sub(" ", text)) if word not in ALL_STOP_WORDS)
    return list(dict.fromkeys([*people, *("like" if topic in _LIKING else topic for topic in stems)]))


class WordForms:
    """Finds topics again in other words: the same stem, or one that continues the other; no two people.

    A word is looked up, never compared with all of them: members decide how many there are.
    """

    def __init__(self, topics: Collection[str]) -> None:
        self._topics = frozenset(topics)
        self._begun: dict[str, list[str]] = {}
        self._first_letters = {topic[:2] for topic in self._topics}
        self._starts = tuple(topic[: min(len(topic) - 1, SHORTEST_BEGINNING)] or topic for topic in self._topics)
        for topic in self._topics:
            for beginning in _beginnings(topic):
                self._begun.setdefault(beginning, []).append(topic)

    def __contains__(self, word: str) -> bool:
        return word in self._topics or word in self._begun or not self._topics.isdisjoint(_beginnings(word))

    def said_with(self, word: str) -> list[str]:
        """List the topics of which this is a form."""
        found = [topic for topic in (word, *_beginnings(word)) if topic in self._topics]
        return found + self._begun.get(word, [])

    def said_in(self, words: Iterable[str]) -> frozenset[str]:
        """List the topics of which any of these is a form."""
        return frozenset(topic for word in words for topic in self.said_with(word))

    def count_in(self, text: str) -> int:
        """Count the topics that stand in a long text. Words are brought to their stems only if they begin like one."""
        begun = {
            word for word in plain_words(text) if word[:2] in self._first_letters and word.startswith(self._starts)
        }
        return len(self.said_in(map(stem, begun - ALL_STOP_WORDS)))


def _beginnings(word: str) -> list[str]:
    """List what a word can be a longer form of."""
    if len(word) <= SHORTEST_BEGINNING or word.startswith("@"):
        return []
    return [word[:end] for end in range(max(SHORTEST_BEGINNING, len(word) - LONGEST_ENDING), len(word))]


def coverage(wanted: Collection[str], text: WordForms) -> float:
    """Compute which share of what is wanted the text speaks of; 0 if nothing is wanted."""
    return sum(topic in text for topic in wanted) / len(wanted) if wanted else 0.0


def rank(wanted: Collection[str], texts: Collection[Set[str]]) -> list[float]:
    """Score how relevant each text is to what is wanted, between 0 and 1: rare topics weigh more than common ones.

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


# The words of a text as recall compares them: the same for what was said and for what is asked.
#
# Case, accents, compatibility forms and invisible characters do not matter. Where a script has no spaces, every two
# neighbouring characters are taken for a word: whatever is asked is found, at the cost of some that is not meant.


MOST_WORDS = 2_000
"""Of one message. More is a file that somebody pasted."""
LONGEST_WORD = 40

_OF_LINKS = frozenset(("http", "https", "www"))
_PLAIN_WORD = re.compile("[a-z0-9]+")

# й is a letter of its own, not an и with an accent: the endings of Russian words depend on it.
_ACCENTS = re.compile("(?<!и)[\u0300-\u036f]+")
# Vowel signs of Hebrew and Arabic, which are hardly ever written, and the stroke that lengthens Arabic words.
_POINTS = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+")

_BASIC_PLANE = range(0x80, 0x10000)
_MARKS = "".join(chr(code) for code in _BASIC_PLANE if unicodedata.category(chr(code)) in ("Mn", "Mc"))
_INVISIBLE = re.compile(f"[{''.join(chr(code) for code in _BASIC_PLANE if unicodedata.category(chr(code)) == 'Cf')}]+")
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")

# Dashes, quotation marks, emoji: what most texts have that are not plain otherwise, and no word begins or ends with.
_SIGNS = re.compile("[\u2010-\u2027\U0001f300-\U0001faff]+")

# Thai, Lao, Burmese, Khmer; kana, Chinese characters, Korean syllables.
_WITHOUT_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
_RUN = re.compile(f"[{_WITHOUT_SPACES}]+|[^{_WITHOUT_SPACES}]+")
_HAS_RUN = re.compile(f"[{_WITHOUT_SPACES}]")


def words_of(text: str) -> list[str]:
    """List words in the order in which they stand there."""
    if not text.isascii():
        text = _SIGNS.sub(" ", text)
    words = _PLAIN_WORD.findall(text.lower()) if text.isascii() else list(_words_of_any_script(text))
    return [word[:LONGEST_WORD] for word in words[:MOST_WORDS] if word not in _OF_LINKS]


def _words_of_any_script(text: str) -> Iterator[str]:
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text)).casefold())
    folded = unicodedata.normalize("NFC", _POINTS.sub("", _ACCENTS.sub("", apart)))
    if _HAS_RUN.search(folded) is None:
        yield from _WORD.findall(folded)
        return
    for word in _WORD.findall(folded):
        if _HAS_RUN.search(word) is None:
            yield word
            continue
        for run in _RUN.findall(word):
            if _HAS_RUN.match(run) is None or len(run) == 1:
                yield run
            else:
                yield from map("".join, pairwise(run))
