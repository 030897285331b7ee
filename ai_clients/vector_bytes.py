"""Vectors as the rest of the house knows them: of length 1, as half floats."""

from collections.abc import Sequence

from pgvector import HalfVector

WHOLE = 8
"""Numbers of a vector come in groups of so many, filled up with zeros, which changes no angle and no distance.

On some processors the pgvector that is shipped breaks off at the odd ones at the end, and the whole server with it.
"""


def width(numbers: int) -> int:
    """How many numbers a vector of so many has once it is written."""
    return numbers + -numbers % WHOLE


def written(vectors: Sequence[Sequence[float]]) -> list[HalfVector | None]:
    """All of one size. None for one that points nowhere, or holds something that is no number."""
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
