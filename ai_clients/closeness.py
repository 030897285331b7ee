"""How alike words or texts are by their vectors, many against many."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

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
        self._known: dict[str, bytes | None] = {}

    async def between(self, asked: str, said: Sequence[str]) -> list[float]:
        """How alike each of these texts is to what is asked; 0 where one says nothing."""
        vectors = await self._embedder.embed([asked, *said])
        products = await asyncio.to_thread(_multiplied, vectors[:1], vectors[1:])
        return [0.0] * len(said) if products is None else [float(alike) for alike in products[:, 0]]

    async def near(self, asked: Sequence[str], said: Sequence[str], least: float) -> dict[str, list[tuple[int, float]]]:
        """Of each word that was said: to which of those asked it is at least that close, by their place."""
        found: dict[str, list[tuple[int, float]]] = {}
        if not asked or not said:
            return found
        vectors = await self._vectors([*asked, *said])
        products = await asyncio.to_thread(_multiplied, vectors[: len(asked)], vectors[len(asked) :])
        if products is None:
            return found
        for row, place in zip(*(products >= least).nonzero(), strict=True):
            found.setdefault(said[row], []).append((int(place), float(products[row, place])))
        return found

    async def _vectors(self, words: Sequence[str]) -> list[bytes | None]:
        found = {word: self._known[word] for word in words if word in self._known}
        unknown = [word for word in dict.fromkeys(words) if word not in found]
        if unknown:
            new = dict(zip(unknown, await self._embedder.embed(unknown), strict=True))
            found |= new
            if len(self._known) + len(new) > KNOWN_WORDS:
                self._known.clear()
            self._known.update(new)
        return [found[word] for word in words]


def _multiplied(asked: Sequence[bytes | None], said: Sequence[bytes | None]) -> "Matrix | None":
    size = next((len(vector) for vector in (*asked, *said) if vector is not None), 0)
    return _matrix(said, size) @ _matrix(asked, size).T if size else None


def _matrix(vectors: Sequence[bytes | None], size: int) -> "Matrix":
    import numpy as np

    nothing = bytes(size)
    written = b"".join(nothing if vector is None else vector for vector in vectors)
    return np.frombuffer(written, dtype=">f2").astype(np.float32).reshape(len(vectors), -1)
