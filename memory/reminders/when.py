"""Reads a time as people say it, in five languages: "tomorrow at 9", "in anderthalb Stunden", "каждый понедельник".

The words of a text become signs (`when_words`), the same ones in every language. Rules read stretches of signs, each
as a part of what is said: a weekday, a clock, a count of hours. Parts that do not contradict each other, and that
together use up the whole text, make up a time. Whatever is left over means that the text was not understood; where a
text has two likely meanings, it has two readings, and whoever asked has to ask back.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memory.language.detect import Language
from memory.language.text import fold_in_place
from memory.reminders.moments import (
    Every,
    Grain,
    Reading,
    Repeat,
    Resolved,
    Shift,
    Understood,
    for_reminder,
    moment_of,
    next_of,
)
from memory.reminders.when_grammar import Said, frames
from memory.reminders.when_meaning import readings_of
from memory.reminders.when_words import JOINTS, LEXICON, LONGEST_PHRASE, ORDINAL_ENDS, PREPOSITIONS

__all__ = [
    "Every",
    "Grain",
    "Reading",
    "Repeat",
    "Resolved",
    "Shift",
    "Understood",
    "for_reminder",
    "moment_of",
    "next_of",
    "when",
    "within",
]

LONGEST = 200
"""Characters of a time; nobody needs as many."""
MOST_TOKENS = 20
_PUNCTUATION = " \n\t.,;:!?-–—…"
_TOKEN = re.compile(r"[0-9]++(?: ?[/-] ?[0-9]++|[.:,][0-9]++)*+\.?+|[^\W\d_]++\.?+|[^\s,]")


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    """Where it stands in what was typed."""
    is_glued: bool
    """Nothing but a hyphen stands before it."""


def _tokens(text: str) -> list[_Token]:
    folded = fold_in_place(text)
    found: list[_Token] = []
    hyphen_at, end = -1, -1
    for one in _TOKEN.finditer(folded.text):
        word = one.group()
        between_letters = (
            word in ("-", "'") and 0 < one.start() == end and folded.text[one.end() : one.end() + 1].isalnum()
        )
        if between_letters and (word == "-" or folded.text[one.start() - 1].isalpha()):
            hyphen_at = end = one.end()
            continue
        is_glued = one.start() in (end, hyphen_at)
        found.append(_Token(word, folded.origin(one.start()), folded.origin_of_end(one.end()), is_glued))
        end = one.end()
    return found


def _signs(tokens: Sequence[_Token], language: Language) -> str | None:
    """The signs of all the words; None if one of them has nothing to do with time."""
    signs: list[str] = []
    place = 0
    while place < len(tokens):
        sign, size = _sign(tokens, place, language)
        if sign == "":
            return None
        if sign.isdigit() and tokens[place].is_glued and signs and signs[-1].isdigit() and "AT" not in signs:
            signs.insert(len(signs) - 1, "AT")  # "ten-thirty"
        signs.append(sign)
        place += size
    return " ".join(signs)


def _sign(tokens: Sequence[_Token], place: int, language: Language) -> tuple[str, int]:
    """What the longest phrase that begins there stands for, and how many words that phrase has."""
    text = tokens[place].text
    if language is Language.FR and text.startswith("sept") and place and tokens[place - 1].text.isdigit():
        return "M9", 1  # and no seven
    for size in range(min(LONGEST_PHRASE, len(tokens) - place), 0, -1):
        words = [token.text for token in tokens[place : place + size]]
        plain = " ".join(word.rstrip(".") or word for word in words)
        if sign := LEXICON[language].get(" ".join(words)) or LEXICON[language].get(plain):
            return sign, size
    return _number(tokens[place : place + 2], language) if text[0].isdigit() else ("", 1)


def _number(tokens: Sequence[_Token], language: Language) -> tuple[str, int]:
    """Digits, which an ending may make an ordinal: 15th, 15-го; in German a full stop does."""
    text, behind = tokens[0].text, tokens[1:]
    plain = text.rstrip(".").replace(" ", "")
    if plain.isdigit() and behind and behind[0].is_glued and behind[0].text.rstrip(".") in ORDINAL_ENDS[language]:
        return f"{plain}o", 2
    is_ordinal = plain.isdigit() and text.endswith(".") and behind and language is Language.DE
    return f"{plain}o" if is_ordinal else plain, 1


class _Sense(NamedTuple):
    readings: tuple[Reading, ...]
    is_strong: bool
    """People mean a time by it in the midst of other words too."""


def _sense(tokens: Sequence[_Token], now: datetime, language: Language, forward: bool = True) -> _Sense | None:
    if not tokens or len(tokens) > MOST_TOKENS or (signs := _signs(tokens, language)) is None:
        return None
    found: dict[Reading, None] = {}
    is_strong = False
    for said in frames(signs, language):
        readings = readings_of(said, now.replace(tzinfo=None), language, forward)
        found |= dict.fromkeys(readings)
        is_strong = is_strong or (bool(readings) and not _is_weak(said, signs, tokens, language))
    # "3 часа" is rather in three hours than at three.
    ordered = sorted(found, key=lambda reading: not reading.is_interval)
    return _Sense(tuple(ordered), is_strong) if 1 <= len(found) <= 2 else None


def _is_weak(said: Said, signs: str, tokens: Sequence[_Token], language: Language) -> bool:
    """Words and numbers that often mean something else: "may", "the sun", "7", "early", "2027"."""
    parts, last = said.parts().keys(), tokens[-1].text
    if parts <= {"month", "bare_month", "year"}:
        return "bare_month" in parts or "month" not in parts
    if parts == {"weekday"}:
        return len(last) <= 3 and not last.endswith(".") and not signs.startswith(("ON ", "V "))
    if parts == {"part"}:
        return len(tokens) == 1 and language is not Language.RU
    return said.bare is not None or (parts == {"day"} and last.isdigit() and language is Language.EN)


def when(text: str, now: datetime, language: Language | None = None, *, forward: bool = True) -> Understood | None:
    """The time that the whole of the text is, or None. `now` is aware, in the zone of whoever says it.

    Without a language all five are tried; those that understand it have to agree. With `forward`, which reminders
    want, a clock, a weekday or a date without a year is the next one, otherwise the latest.
    """
    if len(text) > LONGEST:
        return None
    tokens = _tokens(text.strip(_PUNCTUATION))
    languages = Language if language is None else (language,)
    senses = {sense.readings for one in languages if (sense := _sense(tokens, now, one, forward)) is not None}
    return Understood(senses.pop()) if len(senses) == 1 else None


def within(text: str, now: datetime, language: Language | None = None) -> Understood | None:
    """The time at the beginning or the end of a text, and what it is for: "tomorrow at 9 to call Ann".

    The longer of two times wins, unless together they make one: "tomorrow to call Ann at 9".
    """
    text = text.strip(_PUNCTUATION)
    tokens = _tokens(text)
    ends = [_ends(text, tokens, now, one) for one in (Language if language is None else (language,))]
    found = [end for end in ends if end is not None]
    longest = {end for end in found if end[0] == max(size for size, _ in found)}
    return longest.pop()[1] if len(longest) == 1 else None


def _ends(text: str, tokens: Sequence[_Token], now: datetime, language: Language) -> tuple[int, Understood] | None:
    """What is understood, and of how many words."""
    first = _longest(tokens, now, language, at_start=True)
    last = _longest(tokens, now, language, at_start=False)
    if first and last and first + last < len(tokens):
        both = _sense([*tokens[:first], *tokens[-last:]], now, language)
        if both is not None:
            return first + last, Understood(both.readings, _rest(text, tokens[first:-last], language))
    size = max(first, last)
    time_of, rest = (tokens[:size], tokens[size:]) if first == size else (tokens[-size:], tokens[:-size])
    sense = _sense(time_of, now, language)
    return None if sense is None else (size, Understood(sense.readings, _rest(text, rest, language)))


def _longest(tokens: Sequence[_Token], now: datetime, language: Language, *, at_start: bool) -> int:
    """How many words at one end are a time."""
    for size in range(min(MOST_TOKENS, len(tokens)), 0, -1):
        cut = size if at_start else len(tokens) - size
        if 0 < cut < len(tokens) and tokens[cut].is_glued and tokens[cut].text[0].isalnum():
            continue
        part = tokens[:size] if at_start else tokens[cut:]
        sense = _sense(part, now, language)
        if sense is not None and sense.is_strong and (at_start or not _belongs(tokens, cut, sense, language)):
            return size
    return 0


def _belongs(tokens: Sequence[_Token], cut: int, sense: _Sense, language: Language) -> bool:
    """A day behind a preposition is part of what is to be done: "call Ann about Friday", "pack for tomorrow"."""
    is_day = sense.readings[0].grain not in (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
    before = [token.text for token in (tokens[cut - 1 : cut] if cut else ())]
    return any(word in PREPOSITIONS[language] for word in [*before, *([tokens[cut].text] if is_day and cut else [])])


def _rest(text: str, tokens: Sequence[_Token], language: Language) -> str:
    """As it was typed, without the word that joins it to the time."""
    for _ in range(2):
        if len(tokens) > 1 and (tokens[0].text in JOINTS[language] or not tokens[0].text[0].isalnum()):
            tokens = tokens[1:]
    return text[tokens[0].start : tokens[-1].end].strip(_PUNCTUATION) if tokens else ""
