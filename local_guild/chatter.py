"""Invented chat: sentences put together from a small vocabulary, the same for the same random source."""

import random

_OPENINGS = (
    "Honestly,", "I think", "Did you know that", "Last night", "For Saturday", "By the way,",
    "If you ask me,", "Somebody said", "Today", "As far as I remember,", "Next week", "It turns out",
)  # fmt: skip
_SUBJECTS = (
    "the soup", "my neighbour's dog", "the new board game", "our garden", "that film", "the old bicycle",
    "the train to Leipzig", "the sourdough", "the router", "her birthday", "the hiking trip", "the choir",
    "the broken printer", "his tomato plants", "the reading group", "the kitchen table",
)  # fmt: skip
_VERBS = (
    "needs more time than", "goes well with", "was cheaper than", "reminds me of", "has nothing to do with",
    "was finished before", "looks better than", "depends on", "will be ready after", "makes no sense without",
)  # fmt: skip
_ENDINGS = (".", ".", ".", "!", "?", " 😄", ", doesn't it?", ", I promise.", " 🍞", ", as always.")


def sentence(rng: random.Random) -> str:
    subject, other = rng.sample(_SUBJECTS, 2)
    return f"{rng.choice(_OPENINGS)} {subject} {rng.choice(_VERBS)} {other}{rng.choice(_ENDINGS)}"


def remark(rng: random.Random) -> str:
    """What one message says: mostly one sentence, at times a few."""
    return " ".join(sentence(rng) for _ in range(rng.choice((1, 1, 1, 2, 3))))
