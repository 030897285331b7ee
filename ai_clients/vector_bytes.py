"""Vectors as the rest of the house knows them: of length 1, as half floats, the high byte first."""

from collections.abc import Sequence


def written(vectors: Sequence[Sequence[float]]) -> list[bytes | None]:
    """All of one size. None for one that points nowhere, or holds something that is no number."""
    import numpy as np

    if not vectors:
        return []
    matrix = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        halves = (matrix / lengths).astype(">f2")
    is_sound = np.isfinite(matrix).all(axis=1) & (lengths[:, 0] > 0) & np.isfinite(lengths[:, 0])
    return [row.tobytes() if sound else None for row, sound in zip(halves, is_sound, strict=True)]
