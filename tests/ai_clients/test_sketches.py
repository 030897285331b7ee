"""Sketches find what differs in the fewest signs, and look only where they may."""

import random
import struct
from collections.abc import Sequence

import pytest

from ai_clients.sketches import Sketches, record_bytes

HALL, LOUNGE, CELLAR = 1, 2, 3
DIMENSIONS = (8, 64, 200, 256)


def vector_of(chance: random.Random, dimensions: int) -> list[float]:
    return [chance.uniform(-1, 1) for _ in range(dimensions)]


def sign_bytes(vector: Sequence[float]) -> bytes:
    """As PostgreSQL writes them: the first number is the highest bit."""
    bits = "".join("1" if number > 0 else "0" for number in vector)
    return int(bits, 2).to_bytes(len(bits) // 8, "big")


def record(message_id: int, author_id: int, at: int, vector: Sequence[float]) -> bytes:
    return struct.pack(">qqq", message_id, author_id, at) + sign_bytes(vector)


def asked(vector: Sequence[float]) -> bytes:
    return struct.pack(f">{len(vector)}e", *vector)


def differing(one: Sequence[float], two: Sequence[float]) -> int:
    return sum((first > 0) != (second > 0) for first, second in zip(one, two, strict=True))


class Said:
    """Four hundred messages in three channels by five authors, one a second."""

    def __init__(self, dimensions: int) -> None:
        self.chance = random.Random(dimensions)
        self.vectors = {known: vector_of(self.chance, dimensions) for known in range(1, 401)}
        self.channel = {known: self.chance.choice((HALL, LOUNGE, CELLAR)) for known in self.vectors}
        self.author = {known: self.chance.randrange(5) for known in self.vectors}
        self.sketches = Sketches(
            {
                channel: b"".join(
                    record(known, self.author[known], known, vector)
                    for known, vector in self.vectors.items()
                    if self.channel[known] == channel
                )
                for channel in (HALL, LOUNGE, CELLAR)
            },
            dimensions,
        )

    def by_hand(self, question: Sequence[float], messages: Sequence[int], most: int) -> list[int]:
        """How far the nearest are, because some are equally far."""
        return sorted(differing(self.vectors[known], question) for known in messages)[:most]


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_it_finds_what_differs_least(dimensions: int) -> None:
    said = Said(dimensions)
    assert len(said.sketches) == 400
    for channels in ((HALL,), (HALL, LOUNGE), (HALL, CELLAR), (CELLAR, LOUNGE, HALL, 99)):
        question = vector_of(said.chance, dimensions)
        found = said.sketches.nearest(asked(question), channels, 30)
        heard = [known for known in said.vectors if said.channel[known] in channels]
        assert said.by_hand(question, found, 30) == said.by_hand(question, heard, 30)
        assert set(found) <= set(heard)
        assert len(set(found)) == 30
        assert said.sketches.among(channels) == len(heard)


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_it_looks_only_among_authors_and_times(dimensions: int) -> None:
    said = Said(dimensions)
    question = vector_of(said.chance, dimensions)
    found = said.sketches.nearest(asked(question), [HALL, CELLAR], 10, author_ids={1, 3}, after=50, before=300)
    meant = [
        known
        for known in said.vectors
        if said.channel[known] != LOUNGE and said.author[known] in (1, 3) and 50 <= known < 300
    ]
    assert set(found) <= set(meant)
    assert said.by_hand(question, found, 10) == said.by_hand(question, meant, 10)


def test_of_few_it_gives_all() -> None:
    said = Said(64)
    question = asked(vector_of(said.chance, 64))
    few = [known for known in said.vectors if said.channel[known] == HALL and said.author[known] == 2]
    assert sorted(said.sketches.nearest(question, [HALL], 1_000, author_ids={2})) == few
    assert said.sketches.nearest(question, [HALL], 10, author_ids=()) == []


def test_nothing_is_near_where_nobody_spoke() -> None:
    question = asked(vector_of(random.Random(1), 64))
    assert Sketches({}, 64).nearest(question, [HALL], 10) == []
    assert Sketches({HALL: b""}, 64).nearest(question, [HALL], 10) == []
    assert Said(64).sketches.nearest(question, [], 10) == []
    assert Said(64).sketches.nearest(question, [99], 10) == []


def test_a_vector_of_another_size_is_like_nothing() -> None:
    assert Said(64).sketches.nearest(asked(vector_of(random.Random(1), 256)), [HALL], 10) == []


def test_they_take_little_room() -> None:
    said = Said(256)
    assert record_bytes(256) == 56
    assert said.sketches.size == 400 * 56
