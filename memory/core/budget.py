"""How much of what there is fits into a prompt."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")

_LATIN = re.compile("[\x00-\u024f]+")

CHARACTERS_OF_A_TOKEN = 4
"""Of Latin script; other scripts take about a token for two characters, and are counted so."""


def tokens(text: str) -> int:
    """An estimate that rather errs on the side of more."""
    others = 0 if text.isascii() else len(_LATIN.sub("", text))
    return (len(text) - others) // CHARACTERS_OF_A_TOKEN + (others + 1) // 2 + 1


def fitting(
    items: Iterable[Item], budget: int, written: Callable[[Item], str], least: Callable[[Item], int] = lambda _: 1
) -> list[Item]:
    """The first items whose texts fit into so many tokens; one that is too long is passed over.

    `least` tells without writing it what a text takes at least: one for which there is no room is never written.
    """
    chosen: list[Item] = []
    for item in items:
        if budget < least(item):
            continue
        cost = tokens(written(item))
        if cost <= budget:
            budget -= cost
            chosen.append(item)
    return chosen
