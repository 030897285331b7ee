"""How alike words are, by vectors that come with the package."""

from collections.abc import Sequence

import pytest
from pgvector import HalfVector

from ai_clients import embedding as module
from ai_clients.embedding import Similarity, StaticVectors

VECTORS = StaticVectors()


class Counting:
    """The real vectors, and how many texts they were asked for."""

    name = VECTORS.name
    dimensions = VECTORS.dimensions

    def __init__(self) -> None:
        self.texts = 0

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        self.texts += len(texts)
        return await VECTORS.embed(texts)


async def test_close_words_are_found_and_others_are_not() -> None:
    near = await Similarity(VECTORS).near(["bicycle", "soup"], ["biking", "soups", "lawyer", "bicycle"], 0.3)
    assert [place for place, _ in near["biking"]] == [0]
    assert [place for place, _ in near["soups"]] == [1]
    assert "lawyer" not in near
    assert dict(near["bicycle"])[0] == pytest.approx(1.0, abs=0.01)


async def test_texts_are_compared_one_by_one() -> None:
    alike = await Similarity(VECTORS).between("a bicycle ride", ["biking along the canal", "", "tax law"])
    assert alike[0] > alike[2]
    assert alike[1] == 0.0


async def test_nothing_is_close_to_nothing() -> None:
    closeness = Similarity(VECTORS)
    assert await closeness.near([], ["soup"], 0.3) == {}
    assert await closeness.near(["soup"], [], 0.3) == {}
    assert await closeness.near([""], [""], 0.3) == {}
    assert await closeness.between("", [""]) == [0.0]


async def test_a_word_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting()
    closeness = Similarity(counting)
    first = await closeness.near(["soup"], ["broth", "stew"], 0.3)
    assert await closeness.near(["soup"], ["broth", "stew"], 0.3) == first
    assert counting.texts == 3
    monkeypatch.setattr(module, "COMPARED_WORDS", 3)
    await closeness.near(["soup"], ["lentil"], 0.3)
    await closeness.near(["soup"], ["broth"], 0.3)
    assert counting.texts == 5  # it had become too much, and all but what was just compared was forgotten
