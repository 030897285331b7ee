"""Which of two facts about somebody cannot both hold, told without a model: only where that is beyond doubt.

Either both say something that is true of a person once at a time (where they live, what they work as), or one is the
other with a denial. What only looks like a contradiction stays: both are told, each with its date.
"""

import re
from collections.abc import Callable

from memory.core.telling import statement_key
from memory.core.values import Standing
from memory.language.sentences import sentences_of
from memory.language.stems import topics
from memory.language.text import fold

_WHO = r"<@(?P<who>\d+)>"
_NOW = r"(?:now |currently |jetzt |maintenant |ahora |сейчас |теперь )?"
_AT_A_TIME = {
    "home": (
        rf"{_WHO} {_NOW}(?:lives|is living|resides) {_NOW}(?:in|at) ",
        rf"{_WHO} {_NOW}(?:has )?moved (?:back )?to ",
        rf"{_WHO} (?:wohnt|lebt) {_NOW}(?:in|bei) ",
        rf"{_WHO} ist (?:\w+ )?nach .+ (?:um)?gezogen",
        rf"{_WHO} (?:habite|vit) {_NOW}(?:a|en|au|aux|dans) ",
        rf"{_WHO} a demenage (?:a|en|au|aux|dans) ",
        rf"{_WHO} {_NOW}vive {_NOW}en ",
        rf"{_WHO} se (?:mudo|ha mudado) a ",
        rf"{_WHO} {_NOW}живет {_NOW}(?:в|во) ",
        rf"{_WHO} переехала? (?:в|во) ",
    ),
    "name": (
        rf"{_WHO} is (?:really )?(?:called|named) ",
        rf"{_WHO}'s (?:real )?name is ",
        rf"{_WHO} heisst ",
        rf"{_WHO} s'appelle ",
        rf"{_WHO} se llama ",
        rf"{_WHO} зовут ",
    ),
    "work": (
        rf"{_WHO} {_NOW}(?:works|is working) {_NOW}as ",
        rf"{_WHO} arbeitet {_NOW}als ",
        rf"{_WHO} travaille {_NOW}comme ",
        rf"{_WHO} {_NOW}trabaja {_NOW}(?:como|de) ",
        rf"{_WHO} {_NOW}работает {_NOW}(?!в |во |на |с |по |у )",
    ),
    "age": (
        rf"{_WHO} is (?:now )?\d+(?: years old)?\W*$",
        rf"{_WHO} ist (?:jetzt )?\d+(?: jahre alt)?\W*$",
        rf"{_WHO} a \d+ ans\W*$",
        rf"{_WHO} tiene \d+ anos\W*$",
        rf"{_WHO} \d+ (?:лет|год|года)\W*$",
    ),
    "birthday": (
        rf"{_WHO}'s birthday is ",
        rf"{_WHO} (?:was born|has (?:his|her|their) birthday) on ",
        rf"{_WHO} hat am .+ geburtstag",
    ),
    "favourite": (
        rf"{_WHO}'s favou?rite (?P<what>\w+(?: \w+)?) (?:is|are) ",
        rf"{_WHO}s lieblings(?P<what>\w+) (?:ist|sind) ",
    ),
}
_PATTERNS = [(thing, re.compile(pattern)) for thing, patterns in _AT_A_TIME.items() for pattern in patterns]

_DENIAL = re.compile(
    r"\b(?:not|never|no longer|cannot)\b|n't\b"
    r"|\b(?:nicht|nie|niemals|kein(?:e|en|em|er|es)?)\b"
    r"|\b(?:ne\b|n')(?:(?!\b(?:ne\b|n')).)*?\b(?:pas|plus|jamais)\b"
    r"|\b(?:no|nunca|tampoco)\b"
    r"|\bне\b|\bникогда\b"
)
_OF_DENIAL = topics("longer anymore more never cannot mehr niemals nie plus jamais nunca tampoco больше никогда")

_RANK = {Standing.HEARSAY: 0, Standing.CONFIRMED: 1, Standing.SELF: 2}


def contradicts(new: str, old: str) -> bool:
    """Whether the old statement does not hold any more if the new one does. People are ids in both."""
    return contradicted_by(new)(old)


def contradicted_by(new: str) -> Callable[[str], bool]:
    """The same for many old ones: the new one is read once, and most others are told apart by few looks."""
    said, key = _said_once(new), statement_key(new)
    is_denied, without_denial = _is_denied(new), _without_denial(new)

    def contradicts(old: str) -> bool:
        if _is_denied(old) == is_denied:
            may_be_over = said is not None and said == _said_once(old)
        else:
            may_be_over = (said is None or said != _said_once(old)) and _without_denial(old) == without_denial
        # Of several sentences only one would be over.
        return may_be_over and statement_key(old) != key and len(sentences_of(old)) == 1

    return contradicts


def thing_of(text: str) -> str | None:
    """What a statement says of a person that holds once at a time: their home, their work, …"""
    said = _said_once(text)
    return None if said is None else said[1]


def may_overturn(new: Standing, old: Standing) -> bool:
    """The newest wins within a standing; a better one is never overturned by a lesser."""
    return _RANK[new] >= _RANK[old]


def _said_once(text: str) -> tuple[str, str, str] | None:
    """Of whom, and what of them, if it is something that holds once at a time."""
    folded = fold(text)
    if not folded.startswith("<@"):
        return None
    for thing, pattern in _PATTERNS:
        found = pattern.match(folded)
        if found is not None:
            return found["who"], thing, found.groupdict().get("what") or ""
    return None


def _is_denied(text: str) -> bool:
    return _DENIAL.search(fold(text)) is not None


def _without_denial(text: str) -> frozenset[str]:
    return topics(text) - _OF_DENIAL
