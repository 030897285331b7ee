"""Phrases as people type them, made into patterns over folded text."""

import re

from memory.core.text import fold

# What may stand between name, courtesy, verb and the words themselves.
GAP = r"[\s,:;!.…\-–—]*"
# A hyphen goes on with the word, unless a French pronoun hangs on it: "oublie-moi".
NOT_INSIDE_A_WORD = r"(?![\w']|-(?!(?:moi|ca|le|la|les|nous)\b))"


def any_of(phrases: tuple[str, ...]) -> str:
    """The longest first, so that none hides another that begins like it."""
    return "(?:" + "|".join(spelling(phrase) for phrase in sorted(phrases, key=len, reverse=True)) + ")"


def spelling(phrase: str) -> str:
    """Accents, case, hyphens and apostrophes are optional."""
    escaped = re.escape(fold(phrase)).replace(r"\ ", r"[\s,]+").replace(r"\-", r"[\s\-‐–]?")
    return escaped.replace("'", r"'?\s?")
