"""How alike words are, by vectors that come with the package."""

import pytest

from ai_clients.embedding import StaticVectors

VECTORS = StaticVectors()


async def test_close_words_are_found_and_others_are_not() -> None:
    near = await VECTORS.near(["bicycle", "soup"], ["biking", "soups", "lawyer", "bicycle"], 0.3)
    assert [place for place, _ in near["biking"]] == [0]
    assert [place for place, _ in near["soups"]] == [1]
    assert "lawyer" not in near
    assert dict(near["bicycle"])[0] == pytest.approx(1.0, abs=0.01)


async def test_texts_are_compared_one_by_one() -> None:
    alike = await VECTORS.between("a bicycle ride", ["biking along the canal", "", "tax law"])
    assert alike[0] > alike[2]
    assert alike[1] == 0.0


async def test_nothing_is_close_to_nothing() -> None:
    assert await VECTORS.near([], ["soup"], 0.3) == {}
    assert await VECTORS.near(["soup"], [], 0.3) == {}
    assert await VECTORS.near([""], [""], 0.3) == {}
    assert await VECTORS.between("", [""]) == [0.0]
