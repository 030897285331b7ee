"""Guards the model that makes vectors like those that write.

There is one and no other behind it: vectors of different models do not compare, so what it cannot do now waits.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from pgvector import HalfVector

from ai_clients.base import Embedder, OnCall, Purpose, Usage, estimated_tokens
from ai_clients.guard import Guard, ModelRequest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class _Vectors:
    found: list[HalfVector | None]
    usage: Usage


@dataclass(frozen=True, slots=True)
class GuardedEmbedder:
    """Guards an `Embedder`, and is one itself, to whoever needs no more of it."""

    embedder: Embedder
    guard: Guard
    seconds: float
    """The longest that one request may take."""
    texts_at_once: int = 100
    """In one request."""

    @property
    def name(self) -> str:
        return self.guard.model

    @property
    def dimensions(self) -> int:
        return self.embedder.dimensions

    async def embed(
        self,
        texts: Sequence[str],
        *,
        live: bool = False,
        seconds: float | None = None,
        on_call: OnCall | None = None,
    ) -> list[HalfVector | None]:
        """Embed the texts. Raises `ModelError` if one of the requests fails, each in `seconds` or else our own limit.

        Indexing is background work; whoever waits for an answer says so.
        """
        found: list[HalfVector | None] = []
        for start in range(0, len(texts), self.texts_at_once):
            batch = texts[start : start + self.texts_at_once]
            tokens = sum(estimated_tokens(text) for text in batch)
            vectors = await self.guard.ask(
                partial(self._request, batch, Usage(tokens, 0, is_estimated=True)),
                ModelRequest(Purpose.EMBED, tokens, live, on_call),
                self.seconds if seconds is None else seconds,
            )
            found += vectors.found
        return found

    async def _request(self, texts: Sequence[str], usage: Usage) -> _Vectors:
        return _Vectors(await self.embedder.embed(texts), usage)


# Vectors without a network: each token of a small vocabulary has one, and a text has the mean of its tokens'.
#
# The vocabulary and its vectors come with the `wordllama` package. We make the mean ourselves: its own way pads every
# text to the longest of a batch and splits the same words again and again, which takes ten times as long. Everything
# heavy happens in a thread, the first time someone asks; a question is so little that a thread would take longer.


if TYPE_CHECKING:
    Matrix: TypeAlias = npt.NDArray[np.float32]

TEXTS_AT_ONCE = 100
"""Then whoever else waits has their turn: a question does not wait for all that the indexer is busy with."""
WORDS_AT_ONCE = 3_000
"""Words at once, which take much less."""
FEW_CHARACTERS = 200
MOST_CHARACTERS = 4_000
"""Of one text. What comes later would hardly turn the mean any more."""
KNOWN_WORDS = 30_000
COMPARED_WORDS = 60_000
"""To split a word takes longer than to compare it."""
LONGEST_KNOWN = 30


class StaticVectors:
    name = "wordllama-l2-supercat-256"
    dimensions = 256
    # One for a process, whoever asks: loading it takes half a second and tens of megabytes.
    _turn: ClassVar = threading.Lock()
    _vocabulary: "ClassVar[_Vocabulary | None]" = None

    def forget_words(self) -> None:
        """Drop what is kept of how words are taken apart. Whoever is just at it drops it by themselves later."""
        if self._vocabulary is not None and self._turn.acquire(blocking=False):
            try:
                self._vocabulary.forget_words()
            finally:
                self._turn.release()

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        if not texts:
            return []
        if (
            sum(map(len, texts)) <= FEW_CHARACTERS
            and self._vocabulary is not None
            and self._turn.acquire(blocking=False)
        ):
            try:
                return _halves(self._vocabulary.means(self._vocabulary.tokens(texts)))
            finally:
                self._turn.release()
        return await asyncio.to_thread(self._embed, texts)

    async def between(self, asked: str, said: Sequence[str]) -> list[float]:
        """Tell how alike each of these texts is to what is asked; 0 where one says nothing."""
        means = await asyncio.to_thread(self._means, [asked, *said])
        return [float(alike) for alike in (means[1:] * means[0]).sum(axis=1)]

    async def near(self, asked: Sequence[str], said: Sequence[str], least: float) -> dict[str, list[tuple[int, float]]]:
        """Find for each word that was said to which of those asked it is at least that close, by their place."""
        return await asyncio.to_thread(self._near, asked, said, least) if asked and said else {}

    def _embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        return _halves(self._means(texts))

    def _near(self, asked: Sequence[str], said: Sequence[str], least: float) -> dict[str, list[tuple[int, float]]]:
        found: dict[str, list[tuple[int, float]]] = {}
        words = [word[:LONGEST_KNOWN] for word in asked]
        for start in range(0, len(said), WORDS_AT_ONCE):
            some = said[start : start + WORDS_AT_ONCE]
            with self._turn:
                alike = self._load().alike(words, [word[:LONGEST_KNOWN] for word in some])
            rows, places = (alike >= least).nonzero()
            for row, place, how in zip(rows.tolist(), places.tolist(), alike[rows, places].tolist(), strict=True):
                found.setdefault(some[row], []).append((place, how))
        return found

    def _means(self, texts: Sequence[str]) -> "Matrix":
        import numpy as np

        found: list[Matrix] = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            with self._turn:
                vocabulary = self._load()
                tokens = vocabulary.tokens(texts[start : start + TEXTS_AT_ONCE])
            found.append(vocabulary.means(tokens))
        return np.concatenate(found)

    def _load(self) -> "_Vocabulary":
        if StaticVectors._vocabulary is None:
            StaticVectors._vocabulary = _Vocabulary()
        return StaticVectors._vocabulary


class _Compared:
    """Keeps words that were compared before, as numbers: their tokens in a row, and how long the sum of each is.

    To look them up one by one in Python took longer than to compare them.
    """

    def __init__(self) -> None:
        import numpy as np

        self.places: dict[str, int] = {}
        self.starts = self.counts = self.tokens = np.empty(0, dtype=np.intp)
        self.lengths: Matrix = np.empty(0, dtype=np.float32)

    def add(self, words: Sequence[str], tokens: Sequence[list[int]], lengths: "Matrix") -> None:
        """Add the words that are new, each with its tokens and how long their sum is."""
        import numpy as np

        counts = np.array([len(ids) for ids in tokens], dtype=np.intp)
        self.places.update(zip(words, range(len(self.places), len(self.places) + len(words)), strict=True))
        self.starts = np.concatenate((self.starts, len(self.tokens) + np.cumsum(counts) - counts))
        self.counts = np.concatenate((self.counts, counts))
        self.tokens = np.concatenate((self.tokens, np.array([one for ids in tokens for one in ids], dtype=np.intp)))
        self.lengths = np.concatenate((self.lengths, np.where(lengths > 0, lengths, 1).astype(np.float32)))


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
        self._compared = _Compared()

    def forget_words(self) -> None:
        self._known.clear()
        self._compared = _Compared()
        self._tokenizer.model._clear_cache()

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        split = [text[:MOST_CHARACTERS].split() for text in texts]
        tokens_of = self._split({word for words in split for word in words})
        return [[token for word in words for token in tokens_of[word]] for words in split]

    def means(self, tokens: Sequence[list[int]]) -> "Matrix":
        """Make a row of length 1 for each text, and zeros for one that says nothing."""
        import numpy as np

        sums = self._sums(tokens)
        found: Matrix = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
        return found

    def _sums(self, tokens: Sequence[list[int]]) -> "Matrix":
        import numpy as np

        found: Matrix = np.zeros((len(tokens), self._matrix.shape[1]), dtype=np.float32)
        places: dict[int, list[int]] = {}
        for place, ids in enumerate(tokens):
            places.setdefault(len(ids), []).append(place)
        # Texts of as many tokens are added up together: of single words that takes a third of the time.
        for alike in (alike for count, alike in places.items() if count):
            found[alike] = self._matrix.take([tokens[place] for place in alike], axis=0).sum(axis=1)
        return found

    def alike(self, asked: Sequence[str], said: Sequence[str]) -> "Matrix":
        """Tell how alike each word that was said (a row) is to each one asked (a column); 0 where one says nothing.

        Not by their vectors: many words have the same tokens, and each of those is compared once. What is left of a
        word is how long the sum of its tokens is, which does not change.
        """
        import numpy as np

        compared = self._with_words(said)
        rows = np.fromiter(map(compared.places.__getitem__, said), dtype=np.intp, count=len(said))
        counts = compared.counts[rows]
        words = np.repeat(np.arange(len(said)), counts)
        within = np.arange(len(words)) - np.repeat(np.cumsum(counts) - counts, counts)
        tokens = compared.tokens[np.repeat(compared.starts[rows], counts) + within]
        each, places = np.unique(tokens, return_inverse=True)
        # Not by `@`: for so little its threads cost more than they do, and keep both cores busy long after.
        products = np.einsum("td,ad->ta", self._matrix[each], self.means(self.tokens(asked)))
        found: Matrix = np.zeros((len(said), len(asked)), dtype=np.float32)
        np.add.at(found, words, products[places])
        found /= compared.lengths[rows, None]
        return found

    def _with_words(self, words: Sequence[str]) -> _Compared:
        import numpy as np

        if len(self._compared.places) > COMPARED_WORDS:
            self._compared = _Compared()
        unknown = list(dict.fromkeys(word for word in words if word not in self._compared.places))
        if unknown:
            tokens = self._encoded(unknown)
            self._compared.add(unknown, tokens, np.linalg.norm(self._sums(tokens), axis=1))
        return self._compared

    def _split(self, words: set[str]) -> dict[str, list[int]]:
        """Split each word into its tokens; no token reaches beyond a space."""
        if len(self._known) > KNOWN_WORDS:
            self._known.clear()
        unknown = [word for word in words if word not in self._known]
        new = dict(zip(unknown, self._encoded(unknown), strict=True))
        self._known.update({word: ids for word, ids in new.items() if len(word) <= LONGEST_KNOWN})
        return {word: new.get(word) or self._known.get(word, []) for word in words}

    def _encoded(self, words: Sequence[str]) -> list[list[int]]:
        return [found.ids for found in self._tokenizer.encode_batch_fast(words, False, False)]


# Vectors as the rest of the house knows them: of length 1, as half floats.


async def spoken(
    texts: Sequence[str], embed: Callable[[list[str]], Awaitable[list[HalfVector | None]]]
) -> list[HalfVector | None]:
    """Embed the texts that say something, each in its place; None for the others."""
    words = [text for text in texts if text.strip()]
    vectors = iter(await embed(words) if words else [])
    return [next(vectors) if text.strip() else None for text in texts]


WHOLE = 8
"""Numbers of a vector come in groups of so many, filled up with zeros, which changes no angle and no distance.

On some processors the pgvector that is shipped breaks off at the odd ones at the end, and the whole server with it.
"""


def width(numbers: int) -> int:
    """Tell how many numbers a vector of so many has once it is written."""
    return numbers + -numbers % WHOLE


def written(vectors: Sequence[Sequence[float]]) -> list[HalfVector | None]:
    """Write vectors, all of one size. None for one that points nowhere, or holds something that is no number."""
    import numpy as np

    if not vectors:
        return []
    matrix = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        halves = (matrix / lengths).astype(np.float16)
    is_sound = np.isfinite(matrix).all(axis=1) & (lengths[:, 0] > 0) & np.isfinite(lengths[:, 0])
    halves = np.pad(halves, ((0, 0), (0, width(halves.shape[1]) - halves.shape[1])))
    return [HalfVector(row) if sound else None for row, sound in zip(halves, is_sound, strict=True)]


def _halves(means: "Matrix") -> list[HalfVector | None]:
    """Write each row as a vector of half precision; None where there is nothing to say."""
    import numpy as np

    return [HalfVector(row) if row.any() else None for row in means.astype(np.float16)]
