"""Which sentences are taken when there is room for some: the most telling, each of them saying something new."""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

Item = TypeVar("Item")

SAMENESS = 0.6
"""Two texts that share as much of their words say the same."""
DULLNESS = 1.5
"""What a total loses for saying entirely what is said already."""


def alike(one: Set[str], other: Set[str]) -> float:
    """Which share of the shorter one's words both have."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def chosen(
    items: Sequence[Item],
    room: int,
    *,
    total: Callable[[Item], float],
    stems: Callable[[Item], Set[str]],
    size: Callable[[Item], int],
    least: float = 0.0,
    may_follow: Callable[[Item, Sequence[Item]], bool] = lambda _item, _taken: True,
) -> list[Item]:
    """The best first; at equal totals, the earlier one. What is worth no more than `least` is left.

    `may_follow` can refuse one because of those taken already.
    """
    left = [_Open(item, total(item), place) for place, item in enumerate(items)]
    taken: list[Item] = []
    while left := [
        one for one in left if one.says_more_than(least) and size(one.item) <= room and may_follow(one.item, taken)
    ]:
        best = max(left, key=lambda one: (one.worth, -one.place))
        taken.append(best.item)
        room -= size(best.item)
        left.remove(best)
        for other in left:
            other.sameness = max(other.sameness, alike(stems(best.item), stems(other.item)))
    return taken


@dataclass(slots=True, eq=False)
class _Open(Generic[Item]):
    """One that was not decided upon yet."""

    item: Item
    total: float
    place: int
    sameness: float = 0.0
    """How much of it is said already."""

    @property
    def worth(self) -> float:
        return self.total - DULLNESS * self.sameness

    def says_more_than(self, least: float) -> bool:
        return self.sameness < SAMENESS and self.worth > least
