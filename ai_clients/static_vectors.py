"""Vectors without a network: each token of a small vocabulary has one, and a text has the mean of its tokens'.

The vocabulary and its vectors come with the `wordllama` package. Its own way of making the mean pads every text to the
longest of its batch, which takes several times as long; the result is the same. Everything heavy happens in a thread,
the first time someone asks.
"""

import asyncio
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix: TypeAlias = npt.NDArray[np.float32]

TEXTS_AT_ONCE = 256
MOST_CHARACTERS = 4_000
"""Of one text. What comes later would hardly turn the mean any more."""


class StaticVectors:
    name = "wordllama-l2-supercat-256"
    dimensions = 256

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Matrix] | None = None

    async def embed(self, texts: Sequence[str]) -> list[bytes | None]:
        return await asyncio.to_thread(self._embed, texts)

    def _embed(self, texts: Sequence[str]) -> list[bytes | None]:
        with self._loading:
            if self._loaded is None:
                self._loaded = _load()
        tokenizer, matrix = self._loaded
        found: list[bytes | None] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            part = [text[:MOST_CHARACTERS] for text in texts[start : start + TEXTS_AT_ONCE]]
            found += _means(matrix, [encoded.ids for encoded in tokenizer.encode_batch_fast(part, False, False)])
        return found


def _load() -> "tuple[Any, Matrix]":
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    import wordllama

    # The package sets up logging for the whole process when it is imported; that is ours to decide.
    root.handlers[:] = handlers
    root.setLevel(level)
    package = Path(wordllama.__file__).parent
    model = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
    model.tokenizer.no_padding()
    return model.tokenizer, model.embedding


def _means(matrix: "Matrix", token_ids: list[list[int]]) -> list[bytes | None]:
    import numpy as np

    lengths = np.fromiter(map(len, token_ids), dtype=np.int64, count=len(token_ids))
    spoken = lengths > 0
    found: list[bytes | None] = [None] * len(token_ids)
    if not spoken.any():
        return found
    ends = np.cumsum(lengths)
    tokens = np.fromiter((token for ids in token_ids for token in ids), dtype=np.int64, count=int(ends[-1]))
    # A text without tokens takes no room here, so each of the others begins where the last of them ended.
    sums = np.add.reduceat(matrix[tokens], (ends - lengths)[spoken], axis=0)
    units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
    written = units.astype(">f2").tobytes()
    size = matrix.shape[1] * 2
    for place, index in enumerate(np.flatnonzero(spoken)):
        found[index] = written[place * size : (place + 1) * size]
    return found
