"""Vectors without a network: each token of a small vocabulary has one, and a text has the mean of its tokens'.

The vocabulary and its vectors come with the `wordllama` package. We make the mean ourselves: its own way pads every
text to the longest of a batch and splits the same words again and again, which takes ten times as long. Everything
heavy happens in a thread, the first time someone asks; a question is so little that a thread would take longer.
"""

import asyncio
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pgvector import HalfVector

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix: TypeAlias = npt.NDArray[np.float32]

TEXTS_AT_ONCE = 100
"""Then whoever else waits has their turn: a question does not wait for all that the indexer is busy with."""
FEW_CHARACTERS = 200
MOST_CHARACTERS = 4_000
"""Of one text. What comes later would hardly turn the mean any more."""
KNOWN_WORDS = 30_000
LONGEST_KNOWN = 30


class StaticVectors:
    name = "wordllama-l2-supercat-256"
    dimensions = 256

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._vocabulary: _Vocabulary | None = None

    def forget_words(self) -> None:
        """How words are taken apart is kept; here it is dropped. Whoever is just at it drops it by themselves later."""
        if self._vocabulary is not None and self._turn.acquire(blocking=False):
            try:
                self._vocabulary.forget_words()
            finally:
                self._turn.release()

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        if (
            sum(map(len, texts)) <= FEW_CHARACTERS
            and self._vocabulary is not None
            and self._turn.acquire(blocking=False)
        ):
            try:
                return self._vocabulary.means([text.split() for text in texts])
            finally:
                self._turn.release()
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        found: list[HalfVector | None] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            split = [text[:MOST_CHARACTERS].split() for text in texts[start : start + TEXTS_AT_ONCE]]
            with self._turn:
                if self._vocabulary is None:
                    self._vocabulary = _Vocabulary()
                found += self._vocabulary.means(split)
        return found


class _Vocabulary:
    def __init__(self) -> None:
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        import wordllama

        # The package sets up logging for the whole process when it is imported; that is not its to decide.
        root.handlers[:] = handlers
        root.setLevel(level)
        model = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
        self._tokenizer: Any = model.tokenizer
        self._tokenizer.no_padding()
        self._matrix: Matrix = model.embedding
        self._known: dict[str, list[int]] = {}

    def forget_words(self) -> None:
        self._known.clear()
        self._tokenizer.model._clear_cache()

    def means(self, texts: list[list[str]]) -> list[HalfVector | None]:
        import numpy as np

        tokens_of = self._split({word for words in texts for word in words})
        token_ids = [[token for word in words for token in tokens_of[word]] for words in texts]
        places: dict[int, list[int]] = {}
        for place, ids in enumerate(token_ids):
            places.setdefault(len(ids), []).append(place)
        found: list[HalfVector | None] = [None] * len(token_ids)
        # Texts of as many tokens are added up together: of single words that takes a third of the time.
        for alike in (alike for tokens, alike in places.items() if tokens):
            sums = self._matrix.take([token_ids[place] for place in alike], axis=0).sum(axis=1)
            sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
            for place, row in zip(alike, sums.astype(np.float16), strict=True):
                found[place] = HalfVector(row)
        return found

    def _split(self, words: set[str]) -> dict[str, list[int]]:
        """The tokens of each word; no token reaches beyond a space."""
        if len(self._known) > KNOWN_WORDS:
            self._known.clear()
        unknown = [word for word in words if word not in self._known]
        encoded = self._tokenizer.encode_batch_fast(unknown, False, False)
        new = {word: list(found.ids) for word, found in zip(unknown, encoded, strict=True)}
        self._known.update({word: ids for word, ids in new.items() if len(word) <= LONGEST_KNOWN})
        return {word: new.get(word) or self._known.get(word, []) for word in words}
