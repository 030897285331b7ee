"""How much of what there is fits into a prompt."""

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")

_LATIN = re.compile("[\x00-\u024f]+")

_CHARACTERS_OF_A_TOKEN = 4
"""Of Latin script; other scripts take about a token for two characters, and are counted so."""


def tokens(text: str) -> int:
    """An estimate that rather errs on the side of more."""
    others = 0 if text.isascii() else len(_LATIN.sub("", text))
    return (len(text) - others) // _CHARACTERS_OF_A_TOKEN + (others + 1) // 2 + 1


def fitting(items: Iterable[Item], budget: int, written: Callable[[Item], str], least: int = 1) -> list[Item]:
    """The first items whose texts fit into so many tokens; one that is too long is passed over.

    `least` is what every text takes: where there is no more room for that, nobody looks any further.
    """
    chosen: list[Item] = []
    for item in items:
        if budget < least:
            break
        cost = tokens(written(item))
        if cost <= budget:
            budget -= cost
            chosen.append(item)
    return chosen
