"""Whether somebody says of what they tell that it may be known everywhere, not only where they tell it.

Either right behind the verb, where the words themselves must be set off ("remember everywhere that …", "everywhere:
…", but not "everywhere I go …"), or as a sentence of its own at the end ("…, everyone may know this").
"""

import re
from functools import cache

from memory.core.language import Language
from memory.core.phrase_patterns import GAP, NOT_INSIDE_A_WORD, any_of, pause_of, spelling
from memory.core.verbs import PHRASES

_THIS = r"(?:this|that|it|das|dies|dieses|es|ca|cela|ceci|esto|eso|это)"
_AND = r"(?:and|und|et|y|и)"
_LONGEST = 80
"""No sentence of `for_all_to_know` is longer, however it is spelt."""


def without_the_word(text: str, start: int, end: int, language: Language) -> tuple[int, int, bool]:
    """The stretch of folded text that is left when the word has been taken off, and whether it was there."""
    this = _this_everywhere(language).fullmatch(text, start, end)
    if this is not None:
        return (*this.span("this"), True)
    before = _before(language).match(text, start, end)
    if before is not None:
        start = before.end("word")
    behind = _behind(language).search(text, max(start, end - _LONGEST), end)
    if behind is None or not text[start : behind.start()].strip():
        return start, end, before is not None
    return start, behind.start(), True


@cache
def _before(language: Language) -> re.Pattern[str]:
    phrases = PHRASES[language]
    conjunctions = "|".join(
        spelling(word) + (r"(?=[\s,:])" if not word.endswith("'") else "") for word in phrases.conjunctions
    )
    set_off = rf"(?:\s*+[,:]|\s++(?:{conjunctions})|\s++{_THIS}\b)"
    return re.compile(rf"{GAP}(?P<word>{any_of(phrases.everywhere)}){NOT_INSIDE_A_WORD}(?={set_off})")


@cache
def _this_everywhere(language: Language) -> re.Pattern[str]:
    """ "Remember this everywhere": with more words before it, it would say where something happens."""
    return re.compile(rf"{GAP}(?P<this>{_THIS})\s++{any_of(PHRASES[language].everywhere)}[\s.!]*+")


@cache
def _behind(language: Language) -> re.Pattern[str]:
    known = any_of(PHRASES[language].for_all_to_know)
    pause = rf"{pause_of(',;.!(–—-')}(?:{_AND}\s++)?|(?<!\s)\s++{_AND}\s++"
    return re.compile(rf"(?:{pause}){known}[\s.!?)]*+$")
