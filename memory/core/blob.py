"""The readable merge of what was told about a member, as it is made without a model."""

from collections.abc import Sequence
from dataclasses import dataclass

from memory.core.attribution import attributed
from memory.core.telling import statement_key
from memory.core.values import Fact, Standing
from memory.language.detect import Language, language_of

RULES_VERSION = 2
"""Of how it is written: blobs of another one are made anew."""

_BEST_FIRST = (Standing.SELF, Standing.CONFIRMED, Standing.HEARSAY)
_ENDS = (".", "!", "?", "…", "”", "。")


@dataclass(frozen=True, slots=True)
class Blob:
    text: str
    source_channels: frozenset[int]
    """Whoever reads it must be able to read these; what everyone may know needs none."""
    is_complete: bool = True
    """Nothing was left out for want of room."""


def merge(facts: Sequence[Fact], aim: int) -> Blob | None:
    """Whole facts up to about `aim` characters, in the order they were told, each with whose word it is; None if there
    are none.

    Better standing goes first and newer before older; of literal duplicates the newest is kept. A single fact longer
    than the aim is kept whole: nothing is ever cut inside a sentence.
    """
    ranked = sorted(facts, key=lambda fact: (_BEST_FIRST.index(fact.standing), -fact.fact_id))
    chosen: list[Fact] = []
    stated: set[str] = set()
    length = 0
    is_complete = True
    for fact in ranked:
        if statement_key(fact.text) in stated:
            continue
        added = len(sentence_of(fact)) + (1 if chosen else 0)
        if chosen and length + added > aim:
            is_complete = False
            continue
        chosen.append(fact)
        stated.add(statement_key(fact.text))
        length += added
    if not chosen:
        return None
    chosen.sort(key=lambda fact: fact.fact_id)
    text = " ".join(sentence_of(fact) for fact in chosen)
    return Blob(text, frozenset(fact.channel_id for fact in chosen if not fact.everywhere), is_complete)


def sentence_of(fact: Fact) -> str:
    """A fact as a sentence that says whose word it is."""
    text = attributed(fact, language_of(fact.text) or Language.EN)
    return text if text.endswith(_ENDS) else text + "."
