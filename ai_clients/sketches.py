"""Sketches of vectors: of each number only its sign, one bit, compared by how many of them differ.

Among hundreds of thousands they tell in milliseconds which are worth a closer look. How near those really are, their
vectors have to say.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Bits: TypeAlias = npt.NDArray[np.uint64]
    Counts: TypeAlias = npt.NDArray[np.uint16]
    Rows: TypeAlias = npt.NDArray[np.intp]

HEAD_BYTES = 24
"""Before the bits of a record: whose vector it is, by whom that was said, and when, each a big-endian number."""


def record_bytes(dimensions: int) -> int:
    return HEAD_BYTES + dimensions // 8


class Sketches:
    """Of what was said in some channels. Nothing in it changes: another look at the store makes another one."""

    def __init__(self, records: Mapping[int, bytes], dimensions: int) -> None:
        """`records`: of each channel, one after the other. `dimensions` is a multiple of eight."""
        import numpy as np

        size = record_bytes(dimensions)
        rows = sum(len(of_channel) // size for of_channel in records.values())
        self._messages, self._authors, self._moments = (np.empty(rows, dtype=np.int64) for _ in range(3))
        # Column by column: to count bits in a row of four words takes several times as long.
        self._columns: list[Bits] = [np.empty(rows, dtype=np.uint64) for _ in range(-(-dimensions // 64))]
        self._spans: dict[int, tuple[int, int]] = {}
        start = 0
        for channel_id, of_channel in records.items():
            table = np.frombuffer(of_channel, dtype=np.uint8).reshape(-1, size)
            stop = start + len(table)
            head = np.ascontiguousarray(table[:, :HEAD_BYTES]).view(">i8")
            for place, numbers in enumerate((self._messages, self._authors, self._moments)):
                numbers[start:stop] = head[:, place]
            for column, words in zip(self._columns, _words(table[:, HEAD_BYTES:]).T, strict=True):
                column[start:stop] = words
            self._spans[channel_id] = start, stop
            start = stop

    def __len__(self) -> int:
        return len(self._messages)

    @property
    def size(self) -> int:
        """In bytes."""
        kept = (self._messages, self._authors, self._moments, *self._columns)
        return sum(one.nbytes for one in kept)

    def among(self, channel_ids: Collection[int]) -> int:
        """How many there are of these channels."""
        spans = [self._spans[known] for known in channel_ids if known in self._spans]
        return sum(stop - start for start, stop in spans)

    def nearest(
        self,
        vector: bytes,
        channel_ids: Collection[int],
        most: int,
        *,
        author_ids: Collection[int] | None = None,
        after: int | None = None,
        before: int | None = None,
    ) -> list[int]:
        """Messages of these channels that differ least from a vector, in no order; times as the records have them."""
        import numpy as np

        sketch = _words(np.packbits(np.frombuffer(vector, dtype=">f2") > 0)[np.newaxis])[0]
        spans = _joined(sorted(self._spans[known] for known in channel_ids if known in self._spans))
        if not spans or len(sketch) != len(self._columns):
            return []
        rows: Rows = np.concatenate([np.arange(*span) for span in spans])
        if author_ids is not None:
            rows = rows[np.isin(self._authors[rows], np.array(list(author_ids), dtype=np.int64))]
        if after is not None:
            rows = rows[self._moments[rows] >= after]
        if before is not None:
            rows = rows[self._moments[rows] < before]
        if len(rows) > most:
            # Of all of a channel the bits lie side by side; of some of it they have to be gathered.
            whole = author_ids is None and after is None and before is None
            differing = self._differing(sketch, [slice(*span) for span in spans] if whole else [rows])
            rows = rows[_least(differing, most)]
        found: list[int] = self._messages[rows].tolist()
        return found

    def _differing(self, sketch: "Bits", places: "Sequence[slice | Rows]") -> "Counts":
        import numpy as np

        found: list[Counts] = []
        for place in places:
            bits = self._columns[0][place] ^ sketch[0]
            counts = np.bitwise_count(bits)
            differing = counts.astype(np.uint16)
            for column, word in zip(self._columns[1:], sketch[1:], strict=True):
                np.bitwise_xor(column[place], word, out=bits)
                differing += np.bitwise_count(bits, out=counts)
            found.append(differing)
        return np.concatenate(found)


def _least(differing: "Counts", most: int) -> "Rows":
    """Where the smallest are. Because they are small numbers, to count them takes half as long as to sort them."""
    import numpy as np

    limit = np.searchsorted(np.cumsum(np.bincount(differing)), most)
    below = np.flatnonzero(differing < limit)
    equal: Rows = np.flatnonzero(differing == limit)[: most - len(below)]
    return np.concatenate([below, equal])


def _words(bits: "npt.NDArray[np.uint8]") -> "Bits":
    """Eight bytes each; what is missing of the last one is the same in all."""
    import numpy as np

    missing = -bits.shape[1] % 8
    padded = np.pad(bits, ((0, 0), (0, missing))) if missing else np.ascontiguousarray(bits)
    return padded.view(np.uint64)


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that follow upon each other as one: most people hear most channels."""
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = joined[-1][0], stop
        elif stop > start:
            joined.append((start, stop))
    return joined
