"""Phrases as people type them, made into patterns over folded text.

Whatever somebody writes is read in time that grows with its length alone: what is repeated is never given back
(`++`, `*+`, `(?>…)`), or stands before something that it cannot be.
"""

import re

from memory.core.text import fold

# What may stand between name, courtesy, verb and the words themselves.
GAP = r"[\s,:;!.…\-–—]*+"
# A hyphen goes on with the word, unless a French pronoun hangs on it: "oublie-moi".
NOT_INSIDE_A_WORD = r"(?![\w']|-(?!(?:moi|ca|le|la|les|nous)\b))"


def any_of(phrases: tuple[str, ...]) -> str:
    """The longest first, so that none hides another that begins like it; each spelling once."""
    spelt = dict.fromkeys(spelling(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    return f"(?:{'|'.join(spelt)})"


def words_of(phrases: tuple[str, ...]) -> str:
    """One of the phrases as whole words, and what may stand behind it; taken or left, never taken in another way."""
    return rf"(?>{any_of(phrases)}{NOT_INSIDE_A_WORD}){GAP}"


def pause_of(marks: str) -> str:
    """One of the marks and its neighbours, with the space around; looked for only where such a stretch begins."""
    return rf"(?:(?<!\s)[^\S{marks}]++|(?<![\s{marks}]))[{marks}]++\s*+"


def spelling(phrase: str) -> str:
    """Accents, case, hyphens and apostrophes are optional."""
    escaped = re.escape(fold(phrase)).replace(r"\ ", r"[\s,]++").replace(r"\-", r"[\s\-‐–]?")
    return escaped.replace("'", r"'?\s?")
