"""Whether what a member let on is known already, in whatever words.

Two statements are compared word by word. Vectors of whole sentences do not tell them apart: "has an exam on Monday" is
closer to the exam on Tuesday than "likes tea more than coffee" is to "prefers tea". Vectors of single words do: "film"
is close to "movie" and "bike" to "bicycle", but "tea" not to "coffee" nor "Paris" to "London". In doubt both are kept.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ai_clients.embedding import StaticVectors
from memory.facts.others import DENYING
from memory.facts.statement import statement_key
from memory.language.detect import ALL_STOP_WORDS, STOP_WORDS, language_of, word_set
from memory.language.stems import LONGEST_ENDING, SHORTEST_BEGINNING, stem, topics
from memory.language.text import plain_words, words_in
from memory.people.names import MENTION

NEAR = 0.75
"""How close the vectors of two words that mean the same are at least. Husband and wife are 0.70, vegan and vegetarian
0.71."""
Nearness = Mapping[str, Collection[str]]
"""Of a word, those that are near to it."""

_GROUPS = tuple(
    frozenset(map(stem, word_set(words)))
    for words in (
        "live reside dwell wohnt lebt habite vit vive reside живет проживает",
        "called named namens heisst nommé appelle llamado llamada llama зовут",
    )
)
"""Said in many ways, and meant alike; the vectors know hardly any language but English."""
_LIGHT = frozenset(map(stem, word_set("work own got go goes currently arbeitet travaille trabaja работает")))
"""Of somebody who "is a nurse at the clinic" they say no more."""
_WAYS = word_set(
    "than over from to before after instead als lieber statt von nach zu que plutôt pour avant après más antes desde"
    " hasta чем от до из"
)
"""Beside one of these it matters what comes first."""
_PAST = word_set(
    "was were had did used war waren hatte hatten wurde wurden était étaient avait avais estaba era eran fue tenía"
    " был была были было"
)
_AWAY = word_set("without from ohne aus sans depuis sin desde без из от")
_PAST_ENDING = re.compile(r"(?:ed|te|ten|ait|aient|ia|aba|aron|io|л|ла|ли)$")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    topic: str
    is_name: bool

    def means(self, other: "_Word", near: Nearness) -> bool:
        if self.is_name or other.is_name:  # the stems of "Milo" and "Mila" are the same
            return _are_forms(*sorted((self.text, other.text), key=len))
        if _are_forms(*sorted((self.topic, other.topic), key=len)):
            is_past, was_past = (_PAST_ENDING.search(one.text) is not None for one in (self, other))
            return self.text == other.text or is_past == was_past
        are_affixed = self.text.endswith(other.text) or other.text.endswith(self.text)  # "legal", "illegal"
        is_near = other.text in near.get(self.text, ()) or self.text in near.get(other.text, ())
        return is_near and not are_affixed


class Statement:
    """What is known of a member, or is let on, ready to be compared."""

    def __init__(self, text: str, speaker_id: int) -> None:
        text = MENTION.sub(lambda found: " " if int(found[1]) == speaker_id else f" @{found[1]} ", text)
        self.key = statement_key(text)
        self._plain = frozenset(plain_words(text))
        language = language_of(text)
        small = (ALL_STOP_WORDS if language is None else STOP_WORDS[language]) | DENYING
        self._words = [
            _Word(word.text, _topic(word.text), is_name=word.start > 0 and typed[:1].isupper())
            for word in words_in(text)
            if (typed := text[word.start : word.end]) == "May" or word.text not in small
        ]

    @property
    def words(self) -> list[str]:
        return [word.text for word in self._words]

    def is_said_by(self, known: "Statement", near: Nearness = MappingProxyType({})) -> bool:
        """Whether `known` says the same, or all of it and more; without `near`, judged by forms alone."""
        if self.key == known.key:
            return True
        together = self._plain | known._plain
        if any(self._plain.isdisjoint(some) != known._plain.isdisjoint(some) for some in (DENYING, _PAST, _AWAY)):
            return False
        places = [_place(word, known._words, near) for word in self._words]
        found = [place for place in places if place is not None]
        if not found or (found != sorted(found) and not _WAYS.isdisjoint(together)):
            return False
        missing = [word for word, place in zip(self._words, places, strict=True) if place is None]
        beyond = [word for word in known._words if _place(word, self._words, near) is None]
        if not missing and not beyond:
            return True
        if len(set(found)) < 2 or (missing and beyond):
            return False
        # What stands before all they share says something else of it: "sold the red car", "wants to move to Lyon".
        ahead = known._words[: min(found)]
        return all(word.topic in _LIGHT for word in (missing or ahead))


def is_said(text: str, known: Iterable[str], speaker_id: int) -> bool:
    """Whether one of these says it already, judged without vectors: for those who cannot wait."""
    new = Statement(text, speaker_id)
    return any(new.is_said_by(Statement(one, speaker_id)) for one in known)


async def unsaid(texts: Sequence[str], known: Sequence[str], speaker_id: int, vectors: StaticVectors) -> list[int]:
    """The places of those that neither what is known nor one before them says."""
    new, before = await asyncio.to_thread(
        lambda: [[Statement(one, speaker_id) for one in said] for said in (texts, known)]
    )
    asked, said = ({word for one in some for word in one.words} for some in (new, (*before, *new)))
    near = await nearness(sorted(asked), sorted(said), vectors)

    def judged() -> list[int]:
        kept: list[int] = []
        for place, one in enumerate(new):
            if not any(one.is_said_by(other, near) for other in (*before, *(new[earlier] for earlier in kept))):
                kept.append(place)
        return kept

    return await asyncio.to_thread(judged)


async def nearness(asked: Sequence[str], said: Sequence[str], vectors: StaticVectors) -> Nearness:
    found = await vectors.near(asked, said, NEAR)
    return {word: {asked[place] for place, _ in places} for word, places in found.items()}


def _place(word: _Word, words: Sequence[_Word], near: Nearness) -> int | None:
    return next((place for place, other in enumerate(words) if word.means(other, near)), None)


def _are_forms(short: str, long: str) -> bool:
    """As `WordForms` has it, for a single pair."""
    is_likely = len(short) >= SHORTEST_BEGINNING and len(long) - len(short) <= LONGEST_ENDING
    return short == long or (is_likely and long.startswith(short))


def _topic(word: str) -> str:
    found = next(iter(topics(word)), "") or stem(word)
    return next((min(group) for group in _GROUPS if found in group), found)
