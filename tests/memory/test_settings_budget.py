"""How much fits: an estimate of tokens, and the choice of what there is room for."""

from hypothesis import given
from hypothesis import strategies as st

from memory.settings import fitting, tokens


@given(st.text())
def test_other_scripts_count_twice_as_much(text: str) -> None:
    others = sum(ord(character) > 0x24F for character in text)

    assert tokens(text) == (len(text) - others) // 4 + (others + 1) // 2 + 1


def test_what_is_too_long_is_passed_over() -> None:
    assert fitting(["a" * 40, "b" * 400, "c" * 40], 30, str) == ["a" * 40, "c" * 40]


@given(st.lists(st.text("xyz", min_size=8, max_size=80)), st.integers(-5, 120))
def test_knowing_the_least_that_a_text_takes_changes_nothing_but_the_work(texts: list[str], budget: int) -> None:
    written: list[str] = []

    def write(text: str) -> str:
        written.append(text)
        return text

    assert fitting(texts, budget, write, least=lambda text: len(text) // 4) == fitting(texts, budget, str)
    assert all(len(text) // 4 <= budget for text in written)
