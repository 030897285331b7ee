"""Names that were nearly typed right. A guess is only ever asked about, never taken for what was meant."""

from memory.core.people import MENTION
from memory.language.detect import ALL_STOP_WORDS
from memory.language.text import words_in

SHORTEST, LONGEST = 4, 64
"""Letters of a name that may be mistyped; Discord's have 32, and a few letters are written as several."""
LONG = 7
"""From here on two letters may be wrong."""
MOST_WORDS = 2


def slips_allowed(key: str) -> int:
    if not SHORTEST <= len(key) <= LONGEST:
        return 0
    return 2 if len(key) >= LONG else 1


def opening_names(text: str) -> list[tuple[str, str]]:
    """What might be a misspelt name at the beginning of a text, as a key and as typed, the longest first."""
    if MENTION.match(text.lstrip()):
        return []
    words = words_in(text)[:MOST_WORDS]
    if not words or words[0].text in ALL_STOP_WORDS:
        return []
    return [
        (" ".join(word.text for word in words[:length]), text[words[0].start : words[length - 1].end])
        for length in range(len(words), 0, -1)
    ]


def is_slip(typed: str, name: str) -> bool:
    """Whether a name was meant and mistyped: a few letters wrong, missing, too many or exchanged."""
    allowed = slips_allowed(min(typed, name, key=len))
    if not allowed or typed == name or abs(len(typed) - len(name)) > allowed:
        return False
    return _slips(typed, name, allowed) <= allowed


def _slips(one: str, other: str, most: int) -> int:
    """The optimal string alignment distance, given up once it is more than `most`.

    Only the places near the diagonal are looked at: further away it is more in any case.
    """
    too_many = most + 1
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        current = [too_many] * (len(other) + 1)
        current[0] = row
        for column in range(max(row - most, 1), min(row + most, len(other)) + 1):
            facing = other[column - 1]
            cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != facing))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == facing:
                cost = min(cost, before[column - 2] + 1)
            current[column] = cost
        if min(current) > most:
            return too_many
        before, last = last, current
    return last[-1]
