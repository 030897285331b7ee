"""How alike words or texts are by their vectors, many against many."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from pgvector import HalfVector

from ai_clients.base import Embedder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix: TypeAlias = npt.NDArray[np.float32]


KNOWN_WORDS = 20_000
"""Most of what is said is said with the same words: so many keep their vectors, half a kilobyte each."""


class Closeness:
    """By an embedder whose vectors have the length 1, and which is quick with single words."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._nothing = bytes(2 * embedder.dimensions)
        self._known: dict[str, bytes] = {}

    def forget_words(self) -> None:
        # Whoever is waiting for theirs goes on with what they have.
        self._known = {}

    async def between(self, asked: str, said: Sequence[str]) -> list[float]:
        """How alike each of these texts is to what is asked; 0 where one says nothing."""
        vectors = [self._numbers(vector) for vector in await self._embedder.embed([asked, *said])]
        return [float(alike) for alike in _multiplied(vectors[:1], vectors[1:])[:, 0]]

    async def near(self, asked: Sequence[str], said: Sequence[str], least: float) -> dict[str, list[tuple[int, float]]]:
        """Of each word that was said: to which of those asked it is at least that close, by their place."""
        if not asked or not said:
            return {}
        vectors = await self._vectors([*asked, *said])
        return await asyncio.to_thread(_near, vectors[: len(asked)], vectors[len(asked) :], said, least)

    async def _vectors(self, words: Sequence[str]) -> list[bytes]:
        known = self._known
        unknown = [word for word in dict.fromkeys(words) if word not in known]
        if unknown:
            new = [self._numbers(vector) for vector in await self._embedder.embed(unknown)]
            if len(known) + len(new) > KNOWN_WORDS:
                # Whoever is waiting for theirs goes on with what they have.
                known = self._known = {word: known[word] for word in words if word in known}
            known.update(zip(unknown, new, strict=True))
        return [known[word] for word in words]

    def _numbers(self, vector: HalfVector | None) -> bytes:
        """In one piece, because thousands of them become one matrix for each question."""
        return self._nothing if vector is None else vector.to_numpy().tobytes()


def _near(
    asked: Sequence[bytes], vectors: Sequence[bytes], said: Sequence[str], least: float
) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    products = _multiplied(asked, vectors)
    rows, places = (products >= least).nonzero()
    alike = products[rows, places].tolist()
    for row, place, how in zip(rows.tolist(), places.tolist(), alike, strict=True):
        found.setdefault(said[row], []).append((place, how))
    return found


def _multiplied(asked: Sequence[bytes], said: Sequence[bytes]) -> "Matrix":
    import numpy as np

    # Not by `@`: for so little its threads cost more than they do, and keep both cores busy long after.
    products: Matrix = np.einsum("sd,ad->sa", _matrix(said), _matrix(asked))
    return products


def _matrix(vectors: Sequence[bytes]) -> "Matrix":
    import numpy as np

    return np.frombuffer(b"".join(vectors), dtype=np.float16).astype(np.float32).reshape(len(vectors), -1)
