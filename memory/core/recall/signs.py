"""What a message looks like, whatever it is about: does it ask, does it name a time or a place?"""

import re
from collections.abc import Collection
from typing import NamedTuple

from memory.core.language import word_set
from memory.core.recall.calendar_words import AGO, DAYS_BACK, LAST, MONTHS, UNITS, WEEKDAYS, WEEKEND
from memory.core.recall.question_words import Want
from memory.core.recall.words import words_of

# "May" and "an" are other words far more often than they are times; a day alone says little.
_TIMES = (
    frozenset(MONTHS)
    | frozenset(WEEKDAYS)
    | frozenset(UNITS)
    | frozenset(phrase for phrase in DAYS_BACK if " " not in phrase)
    | LAST
    | AGO
    | WEEKEND
    | word_set(
        "next tomorrow since recently now morning nächste nächsten morgen seit kürzlich neulich jetzt demain prochain"
        " prochaine depuis récemment maintenant mañana próximo próxima desde recientemente ahora завтра следующий"
        " следующей недавно сейчас"
    )
) - word_set("may an mars mai hier day days tag dia jour con dec jan")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_PLACES = word_set(
    "here place park house home city town country beach studio cafe restaurant shop store museum hier haus stadt land"
    " strand laden ici maison ville pays plage magasin aquí casa ciudad país playa tienda здесь дом город страна пляж"
)
_INTO_A_NAME = re.compile(
    r"\b(?:in|at|to|near|from|nach|aus|bei|à|au|en|chez|a|de|в|на|из|от)\s+"
    r"(?:(?:the|a|my|der|die|das|dem|la|le|el|los)\s+)?[A-ZÀ-ÖØ-ÞА-Я][\w'-]+"
)
_ASKING = ("?", "？", "؟")
_NOTHING: frozenset[Want] = frozenset()


class Signs(NamedTuple):
    words: frozenset[str]
    """Folded, small ones too."""
    asks: bool
    tells: frozenset[Want]
    """What is wanted, as far as it is there."""


def signs_of(text: str, wants: Collection[Want]) -> Signs:
    """Looks only for what is wanted."""
    words = frozenset(words_of(text))
    tells = frozenset([want for want in wants if _TELLS[want](text, words)]) if wants else _NOTHING
    return Signs(words, text.rstrip().endswith(_ASKING), tells)


def _tells_time(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(_TIMES) or _YEAR.search(text) is not None


def _tells_place(text: str, words: frozenset[str]) -> bool:
    return not words.isdisjoint(_PLACES) or _INTO_A_NAME.search(text) is not None


_TELLS = {Want.TIME: _tells_time, Want.PLACE: _tells_place}
