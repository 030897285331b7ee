"""BM25, the weighing of words: `memory.store.recall_queries` says the same once more in SQL."""

from collections.abc import Mapping
from math import exp, log

SATURATION = 1.2
"""How soon more of the same says nothing new."""
LENGTH_OF_MESSAGE = 0.4
"""How much more a long message has to say."""
LENGTH_OF_STRETCH = 0.75
MOST_COUNTED = 4
"""How often a term occurs is kept up to here."""


def weight(messages: int, of_all: int) -> float:
    """How much it says that a message has a term which so many of all have."""
    return log(1 + (max(of_all - messages, 0) + 0.5) / (messages + 0.5))


def stretch_weight(messages: int, stretches: int) -> float:
    """The same for stretches. In how many of them a term occurs is guessed from the messages, which come in bunches."""
    return weight(round(stretches * (1 - exp(-0.7 * messages / max(stretches, 1)))), stretches)


def of_message(weights: Mapping[str, float], counts: Mapping[str, int], length: int, mean_length: float) -> float:
    spread = SATURATION * (1 - LENGTH_OF_MESSAGE + LENGTH_OF_MESSAGE * length / mean_length)
    score = 0.0
    for term, its_weight in weights.items():
        often = min(counts.get(term, 0), MOST_COUNTED)
        score += its_weight * often * (SATURATION + 1) / (often + spread)
    return score
