"""How well a message answers a question: what speaks for it, added up with one set of weights for every question.

Each part is a number between 0 and about 1, and does not depend on what else was found, so that a sum means the same
for every question. A logistic curve makes a chance of the sum and of how far it stands out from the other sums: it was
fitted to questions with known answers, and to the same questions asked where nobody had spoken of it. How, and where
the weights come from: docs/decisions/recall.md.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter, mul

COMPARED = 20
"""Sums beyond these hardly matter, and how many there are depends on how far was looked."""
LEAST_SHARE = 1e-9


@dataclass(frozen=True, slots=True)
class Parts:
    """What speaks for a message."""

    said: float = 0.0
    """Which share of what is asked it says itself, rare words counting more, close words a little."""
    said_with_before: float = 0.0
    """The same, together with the message before it."""
    topic: float = 0.0
    """The same, of the best three messages in a row of its stretch of talk."""
    meaning: float = 0.0
    """How alike it is in meaning."""
    meaning_around: float = 0.0
    """How alike its neighbours are: half of each beside it, a quarter of each beyond."""
    answers: float = 0.0
    """The message before it asks, and asks for this."""
    speaker: float = 0.0
    """Its author is whom the question names."""
    spoken_of: float = 0.0
    """It mentions, or replies to, whom the question is about."""
    in_time: float = 0.0
    """It was said in the time the question names, or soon after."""
    tells_time: float = 0.0
    tells_place: float = 0.0
    """It holds what the question wants to know: a time, a place."""
    asks: float = 0.0
    """It is a question itself."""
    opens: float = 0.0
    """It opens a stretch of talk: there people tell their news."""
    here: float = 0.0
    """It was said where the question is asked."""
    recent: float = 0.0
    """1 for what was said just now, half of it a month ago."""


@dataclass(frozen=True, slots=True)
class Weights(Parts):
    """How much each part counts, and how a sum becomes a chance."""

    said: float = 2.0
    said_with_before: float = 2.0
    topic: float = 4.0
    meaning: float = 4.0
    meaning_around: float = 4.0
    answers: float = 1.0
    speaker: float = 2.0
    spoken_of: float = 1.0
    in_time: float = 3.5
    tells_time: float = 1.5
    tells_place: float = 1.0
    asks: float = -0.5
    opens: float = 1.0
    here: float = 0.2
    recent: float = 0.2
    of_total: float = 0.3
    of_share: float = 0.8
    offset: float = -3.0
    """The curve: of the sum, of the logarithm of its share among all that was found, and where it stands."""

    def total(self, parts: Parts) -> float:
        return sumprod(values_of(self), values_of(parts))

    def chance(self, total: float, share: float = 1.0) -> float:
        """That the message holds what was asked for. `share` is what `shares_of_totals` says of it."""
        return 1 / (1 + math.exp(-(self.of_total * total + self.of_share * math.log(share) + self.offset)))

    def explained(self, parts: Parts) -> dict[str, float]:
        """What each part added, those that added nothing left out."""
        named = zip(_NAMES, values_of(self), values_of(parts), strict=True)
        return {name: weight * amount for name, weight, amount in named if weight * amount}

    def without(self, *names: str) -> "Weights":
        """The same, with some parts counting nothing: to see what they are worth."""
        unknown = set(names) - set(_NAMES)
        if unknown:
            raise ValueError(f"no such parts: {', '.join(sorted(unknown))}")
        return replace(self, **dict.fromkeys(names, 0.0))


def sumprod(weights: Sequence[float], amounts: Sequence[float]) -> float:
    """Python 3.12 has it in `math`."""
    products: Iterable[float] = map(mul, weights, amounts)
    return sum(products)


def shares_of_totals(totals: Sequence[float]) -> list[float]:
    """How far each stands out: together the best ones have 1."""
    if not totals:
        return []
    best = sorted(totals, reverse=True)[:COMPARED]
    whole = sum(math.exp(total - best[0]) for total in best)
    return [max(math.exp(total - best[0]) / whole, LEAST_SHARE) for total in totals]


_NAMES = tuple(field.name for field in fields(Parts))
_every: Callable[[Parts], tuple[float, ...]] = attrgetter(*_NAMES)


def values_of(parts: Parts) -> tuple[float, ...]:
    return _every(parts)


WEIGHTS = Weights()
