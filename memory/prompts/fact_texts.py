"""What every question needs of every fact: what it is about, and its text as data. Facts are few, and mostly the same.

All of it is begun anew every ten minutes, so that nothing that was forgotten stays here.
"""

import re
import time
from collections.abc import Callable

from memory.language.stems import topics
from memory.language.word_caches import is_forgetful
from memory.models.prompt_data import as_data

KEPT_SECONDS = 600.0
MOST = 4_096
TEXT_LIMIT = 1_000
_MENTION = re.compile(r"<@!?\d+>")


class FactTexts:
    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._begun = self._now()
        self._topics: dict[str, frozenset[str]] = {}
        self._data: dict[str, str] = {}
        self._lengths: dict[str, int] = {}
        is_forgetful(self)

    def topics(self, text: str) -> frozenset[str]:
        found = self._topics.get(text)
        if found is None:
            found = self._topics[text] = topics(text)
        return found

    def as_data(self, text: str) -> str:
        found = self._data.get(text)
        if found is None:
            found = self._data[text] = as_data(text, TEXT_LIMIT)
        return found

    def least_length(self, text: str) -> int:
        """Of a text as data, whatever those are called who are mentioned in it."""
        found = self._lengths.get(text)
        if found is None:
            found = self._lengths[text] = len(as_data(_MENTION.sub("", text), TEXT_LIMIT))
        return found

    def renew(self) -> None:
        """Once for each question."""
        is_full = max(len(self._topics), len(self._data)) > MOST
        if is_full or self._now() - self._begun > KEPT_SECONDS:
            self.forget_words()

    def forget_words(self) -> None:
        self._begun = self._now()
        self._topics.clear()
        self._data.clear()
        self._lengths.clear()
