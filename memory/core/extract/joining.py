"""Puts texts together sentence by sentence: none is cut, and none is said twice."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from memory.core.extract.sentences import sentences_of
from memory.core.text import plain_words


class Joined:
    """A text that grows by whole sentences as long as there is room."""

    def __init__(self, limit: int, said: Iterable[str] = ()) -> None:
        """`said` are sentences that stand elsewhere already."""
        self._room = limit
        self._sentences: list[str] = []
        self._said = {_key(sentence) for sentence in said}

    def add(self, sentence: str, beside: int = 0) -> bool:
        """Whether it was taken: it may not fit, or be said already. `beside` it so many characters are needed."""
        cost = len(sentence) + beside + (1 if self._sentences else 0)
        key = _key(sentence)
        if cost > self._room or key in self._said:
            return False
        self._said.add(key)
        self._sentences.append(sentence)
        self._room -= cost
        return True

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(self._sentences)

    @property
    def text(self) -> str:
        return " ".join(self._sentences)


def whole_sentences(text: str, limit: int, said: Iterable[str] = ()) -> str:
    """The first sentences that fit; one that does not is passed over."""
    joined = Joined(limit, said)
    for sentence in sentences_of(text):
        joined.add(sentence.text)
    return joined.text


def in_turns(texts: Sequence[str], limit: int) -> str:
    """Of each text the first sentence, then of each the second, while they fit; in the order of the texts again."""
    apart = [[sentence.text for sentence in sentences_of(text)] for text in texts]
    joined = Joined(limit)
    taken: set[tuple[int, int]] = set()
    for rank, row in enumerate(zip_longest(*apart)):
        taken |= {(place, rank) for place, sentence in enumerate(row) if sentence is not None and joined.add(sentence)}
    return " ".join(apart[place][rank] for place, rank in sorted(taken))


def _key(sentence: str) -> str:
    """Equal for sentences of the same words, whatever their case and punctuation."""
    return " ".join(plain_words(sentence)) or sentence
