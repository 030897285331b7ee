"""Whether what is told of somebody goes back to themselves: no message of one decides what is told of another.

Judged by words alone. In other words, or in another language, it cannot be seen whose a sentence is, and it stays.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from memory.language.sentences import sentences_of
from memory.language.stems import topics
from memory.language.text import fold

BORROWED = 0.5
"""A sentence of which this share was said by one other alone is theirs."""


@dataclass(frozen=True, slots=True)
class Writer:
    name: str
    words: frozenset[str]

    @classmethod
    def of(cls, name: str, text: str) -> "Writer":
        return cls(fold(name), topics(text))


def without_borrowed(text: str, user_id: int, writers: Mapping[int, Writer]) -> str:
    """Of what is told of somebody, the sentences that are no other's, or that say whose they are."""
    own = writers[user_id].words if user_id in writers else frozenset[str]()
    others = [writer for other_id, writer in writers.items() if other_id != user_id]
    names = topics(" ".join(writer.name for writer in writers.values()))
    kept = [one.text for one in sentences_of(text) if not _is_borrowed(one.text, own | names, others)]
    return " ".join(kept)


def _is_borrowed(sentence: str, own: frozenset[str], others: list[Writer]) -> bool:
    telling = {topic for topic in topics(sentence) if not topic.startswith("@")}
    foreign = telling - own
    folded = fold(sentence)
    return bool(foreign) and any(
        len(foreign & one.words) >= len(telling) * BORROWED and one.name not in folded for one in others
    )
