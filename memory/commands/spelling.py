"""Reads what is typed in haste: letters that are repeated, and a table of common misspellings of the words we look for.

What stands where is still known: the words behind a verb come out as they were typed.
"""

import re
from collections.abc import Sequence

from memory.language.text import Folded, fold

_FIRST_WORDS = 10
_RUN = re.compile(r"([^\W\d_])\1{2,}+")
_WORD = re.compile(r"[^\W\d_]++")

_MISSPELT = dict(
    pair.split(":")
    for pair in fold(
        "u:you ur:your r:are wat:what wut:what wot:what abt:about bout:about q:que че:что шо:что чо:что"
        " rember:remember remeber:remember remmeber:remember remmember:remember rememeber:remember rememver:remember"
        " remembr:remember forgt:forget froget:forget forgett:forget foget:forget frgt:forget mekr:merk mekren:merken"
        " vergis:vergiss vergess:vergiss souvien:souviens retien:retiens oubli:oublie recuedra:recuerda"
        " recureda:recuerda olvdiar:olvidar зопомни:запомни запомнии:запомни запмони:запомни забуть:забудь"
    ).split()
)


def as_meant(folded: Folded) -> Folded:
    """With its first words as they are spelt."""
    folded = squeezed(folded)
    words = [word for _, word in zip(range(_FIRST_WORDS), _WORD.finditer(folded.text), strict=False)]
    meant = [(*word.span(), _MISSPELT[word[0]]) for word in words if word[0] in _MISSPELT]
    return _exchanged(folded, meant)


def in_plain_spelling(word: str) -> str:
    """Spells a folded word as it is meant."""
    word = shrunk(word)
    return _MISSPELT.get(word, word)


def squeezed(folded: Folded) -> Folded:
    """With one letter where three or more of a kind stand: "botttt", but not "Boot"."""
    return _exchanged(folded, [(*run.span(), run[1]) for run in _RUN.finditer(folded.text)])


def shrunk(text: str) -> str:
    """Shortens runs of a letter in a text whose places do not matter."""
    return _RUN.sub(r"\1", text)


def _exchanged(folded: Folded, changes: Sequence[tuple[int, int, str]]) -> Folded:
    """Other words in the place of some, each standing where the other began."""
    if not changes:
        return folded
    pieces: list[str] = []
    origins: list[int] = []
    place = 0
    for start, end, word in changes:
        pieces += [folded.text[place:start], word]
        origins += [*folded.origins[place:start], *[folded.origins[start]] * len(word)]
        place = end
    return Folded(folded.original, "".join(pieces) + folded.text[place:], (*origins, *folded.origins[place:]))
