"""Knows questions that ask for one thing and nothing more particular, whatever small words stand around it."""

from collections.abc import Mapping

from memory.language.detect import Language, word_set
from memory.language.text import words_in

LONGEST = 100
"""Characters. Whoever says more asks for something more particular."""


class Phrasebook:
    def __init__(self, phrases: Mapping[Language, str], beside: str) -> None:
        """`phrases`: with commas between them; `beside`: words that may stand anywhere in such a question."""
        self._beside = word_set(beside)
        self._known: dict[str, Language] = {}
        for language, listed in phrases.items():
            for phrase in listed.split(","):
                self._known.setdefault(self._core(phrase), language)

    def language_of(self, text: str) -> Language | None:
        """Find the language of a question that asks for it; None for any other."""
        core = self._core(text) if len(text) <= LONGEST else ""
        return self._known.get(core) if core else None

    def _core(self, text: str) -> str:
        return " ".join(word.text for word in words_in(text) if word.text not in self._beside)
