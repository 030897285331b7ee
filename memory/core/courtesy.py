"""The phrases of all languages taken together, and the courtesies that may stand before what is said."""

import re
from functools import cache

from memory.core.language import Language
from memory.core.phrase_patterns import GAP, NOT_INSIDE_A_WORD, any_of, words_of
from memory.core.verbs import PHRASES


@cache
def phrases_of(kind: str) -> tuple[str, ...]:
    """Of one kind, a field of `Phrases`, in every language."""
    return tuple(dict.fromkeys(phrase for language in Language for phrase in getattr(PHRASES[language], kind)))


@cache
def courtesies() -> str:
    """As many as anybody says, as part of a pattern."""
    return rf"(?:{words_of(phrases_of('greetings') + phrases_of('polite'))}){{0,9}}"


@cache
def opening(words: tuple[str, ...]) -> re.Pattern[str]:
    """One of these words behind courtesies; without words, the courtesies alone."""
    behind = rf"{any_of(words)}{NOT_INSIDE_A_WORD}" if words else ""
    return re.compile(rf"{GAP}[¿¡]?{courtesies()}{behind}")


def behind_courtesies(text: str) -> int:
    """Where what is said begins."""
    found = opening(()).match(text)
    return 0 if found is None else found.end()
