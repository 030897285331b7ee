"""How much of what there is fits into a prompt."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")

_CHARACTERS_OF_A_TOKEN = 4
"""Of Latin script; other scripts take about a token for two characters, and are counted so."""


def tokens(text: str) -> int:
    """An estimate that rather errs on the side of more."""
    others = 0 if text.isascii() else sum(character > "\u024f" for character in text)
    return (len(text) - others) // _CHARACTERS_OF_A_TOKEN + (others + 1) // 2 + 1


def fitting(items: Iterable[Item], budget: int, written: Callable[[Item], str]) -> list[Item]:
    """The first items whose texts fit into so many tokens; one that is too long is passed over."""
    chosen: list[Item] = []
    for item in items:
        cost = tokens(written(item))
        if cost <= budget:
            budget -= cost
            chosen.append(item)
    return chosen
