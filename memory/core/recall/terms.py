"""From words to the terms of the index: which language a message speaks, and how its stems are written down."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory.core.values import Message, text_of
from memory.language.detect import STOP_WORDS, Language, language_of, stem_in
from memory.language.stems import words_of

_SECOND_AND_MORE = "DCBA"
"""The labels that PostgreSQL has for a weight, by how often a term occurs."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A message as it stands in the index."""

    message: Message
    language: Language | None
    counts: Counter[str]

    @property
    def length(self) -> int:
        return self.counts.total()


def read_text(messages: Iterable[Message], spoken_in: Mapping[int, Language]) -> list[Entry]:
    """`spoken_in` is what each channel usually speaks: few words do not tell their language by themselves."""
    entries = []
    for message in messages:
        text = text_of(message)
        language = language_of(text, spoken_in.get(message.channel_id))
        counts = Counter(stem_of(word, language) for word in topics(words_of(text), language))
        entries.append(Entry(message, language, counts))
    return entries


def topics(words: Iterable[str], language: Language | None) -> list[str]:
    """Without the small words that nobody can do without."""
    small = STOP_WORDS[language] if language is not None else frozenset[str]()
    # Small words were folded, and й with them, which words of the index keep.
    return [word for word in words if word.replace("й", "и") not in small]


def stem_of(word: str, language: Language | None) -> str:
    """A word of no language, or of one we cannot tell, is its own stem."""
    return word if language is None else stem_in(language, word)


def written(guild_id: int, counts: Mapping[str, int]) -> str:
    """As PostgreSQL reads a tsvector. Stems are letters, digits and their marks, so nothing needs to be escaped."""
    terms = [f"'{stem}':1{_SECOND_AND_MORE[min(count, 4) - 1]}" for stem, count in counts.items()]
    return " ".join((quoted(guild_mark(guild_id)), *terms))


def guild_mark(guild_id: int) -> str:
    """No word begins like this."""
    return f"#{guild_id}"


def quoted(term: str) -> str:
    return f"'{term}'"


def main_languages(counts: Mapping[str, int], least_share: float) -> list[Language]:
    """Those in which at least a share of all messages is written, the most spoken first."""
    total = sum(counts.values())
    known = [(count, Language(name)) for name, count in counts.items() if count >= least_share * total]
    return [language for _, language in sorted(known, reverse=True)]
