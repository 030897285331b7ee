"""Reads a time as people say it, in five languages: "tomorrow at 9", "in anderthalb Stunden", "каждый понедельник".

The words of a text become signs (`dates`), the same ones in every language. Rules read stretches of signs, each
as a part of what is said: a weekday, a clock, a count of hours. Parts that do not contradict each other, and that
together use up the whole text, make up a time. Whatever is left over means that the text was not understood; where a
text has two likely meanings, it has two readings, and whoever asked has to ask back.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import accumulate
from typing import NamedTuple

from memory.language.dates import JOINTS, LEXICON, MONTHS, ORDINAL_ENDS, PHRASE_LENGTHS, PREPOSITIONS, SINCE, WEEKEND
from memory.language.detect import Language, word_set
from memory.language.text import fold_in_place
from memory.language.time_grammar import Grain, Parser, Said
from memory.language.time_meaning import Days, Reading, Understood, past_days, readings_of

LONGEST = 200
"""Characters of a time; nobody needs as many."""
MOST_TOKENS = 16
"""Words and numbers of a time."""
_PUNCTUATION = " \n\t.,;:!?-–—…"
_TOKEN = re.compile(r"[0-9]++(?: ?[/-] ?[0-9]++|[.:,][0-9]++)*+\.?+|[^\W\d_]++\.?+|[^\s,]")
_TENS = frozenset(map(str, range(20, 100, 10)))
_UNIT = re.compile("[1-9]o?")
MOST_ASKED, MOST_OF_A_DATE, MOST_TRIED = 300, 8, 24
"""Words and numbers of a question, and of a date in it; and places at which a date may begin."""
_NAMES_DAYS = re.compile(r"^(?:D-|D0|W|M|U)|20\d\d")
_A_YEAR = re.compile(r"20\d\d")
_LEADS = frozenset(("ON", "OF", "THE", "IN", "V", "ABOUT", "FOR", "AT"))
_ONLY_FRENCH = "hier"
"""German and Dutch for "here"."""
_OTHER_WORDS_TOO = word_set("may march mars jan mai dec sept dic")
_YEAR_BEFORE = SINCE | word_set("in im jahr year of en de del año année в")
_BEFORE_A_NAME = _YEAR_BEFORE | word_set(
    "on during last this early late mid until before after by avant après début fin mi jusqu"
)
_WEEKEND = re.compile(rf"\b(?:{'|'.join(WEEKEND)}|we|week end|fin de seman(?:a|aine))\b")


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    """Where it stands in what was typed."""
    is_glued: bool
    """Nothing but a hyphen stands before it."""
    is_capital: bool


def _stripped(text: str) -> str:
    """Strip the marks around a text, but not a full stop: "so." is a Sunday."""
    return text.strip(_PUNCTUATION) + "." * text.rstrip().endswith(".")


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
        start = folded.origin(one.start())
        found.append(_Token(word, start, folded.origin_of_end(one.end()), is_glued, text[start].isupper()))
        end = one.end()
    return found


def _sign(tokens: Sequence[_Token], place: int, language: Language) -> tuple[str, int]:
    """Find what the longest phrase that begins there stands for, and how many words that phrase has."""
    text = tokens[place].text
    if language is Language.FR and text.startswith("sept") and place and tokens[place - 1].text.isdigit():
        return "M9", 1  # and no seven
    lengths = PHRASE_LENGTHS[language]
    longest = max(lengths.get(text, 0), lengths.get(text.rstrip("."), 0))
    for size in range(min(longest, len(tokens) - place), 0, -1):
        words = [token.text for token in tokens[place : place + size]]
        plain = " ".join(word.rstrip(".") or word for word in words)
        if sign := LEXICON[language].get(" ".join(words)) or LEXICON[language].get(plain):
            return sign, size
    return _number(tokens[place : place + 2], language) if text[0].isdigit() else ("?", 1)


def _number(tokens: Sequence[_Token], language: Language) -> tuple[str, int]:
    """Read a number's digits, which an ending may make an ordinal: 15th, 15-го; in German a full stop does."""
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


class _Stretch:
    """Reads words of a text in one of the languages, and what they mean from one of them to another."""

    def __init__(self, tokens: Sequence[_Token], now: datetime, language: Language) -> None:
        self._tokens, self._now, self._language = tokens, now.replace(tzinfo=None), language
        signs: list[str] = []
        places: list[int] = []
        place = 0
        while place < len(tokens):
            sign, size = _sign(tokens, place, language)
            *_, ten = ["", *(one for one in signs[-2:] if one != "AND")]
            if ten in _TENS and not tokens[places[-2 if signs[-1] == "AND" else -1]].text.isalpha():
                ten = ""  # "20 two"
            if ten in _TENS and tokens[place].text == "second":
                sign = "2o"
            if ten in _TENS and sign == "N1" and (signs[-1] == "AND" or language is Language.RU):
                sign = "1"
            if ten in _TENS and _UNIT.fullmatch(sign) and tokens[place].text.isalpha():
                if signs[-1] == "AND":  # "vingt et un", "twenty five"
                    del signs[-1], places[-1]
                signs[-1] = ten[0] + sign
            elif sign.isdigit() and tokens[place].is_glued and signs and signs[-1].isdigit():
                signs[-1] += f":{sign:0>2}"  # "ten-thirty"
            else:
                places.append(place)
                signs.append(sign)
            place += size
        self._parser = Parser(" ".join(signs), language)
        lengths = accumulate((len(sign) + 1 for sign in signs), initial=0)
        self._signs = dict(zip(places, signs, strict=True))
        self._offsets = dict(zip([*places, place], lengths, strict=True))

    def sense(self, first: int, last: int, forward: bool = True) -> _Sense | None:
        if first >= last or not {first, last} <= self._offsets.keys():
            return None
        found: dict[Reading, None] = {}
        is_strong = False
        for said in self._parser.frames(self._offsets[first], self._offsets[last]):
            readings = readings_of(said, self._now, self._language, forward)
            found |= dict.fromkeys(readings)
            is_strong = is_strong or (bool(readings) and not self._is_weak(said, first, last))
        # "3 часа" is rather in three hours than at three.
        ordered = sorted(found, key=lambda reading: not reading.is_interval)
        if len(ordered) > 2 and ordered[0].is_interval:
            ordered = ordered[:2]
        return _Sense(tuple(ordered), is_strong) if 1 <= len(ordered) <= 2 else None

    def past(self) -> tuple[int, int, Days] | None:
        """Find the days of the past that are spoken of, a named month before what counts from today or from a weekday,
        and from which word to which."""
        found, tried = None, 0
        for first, token in enumerate(self._tokens):
            year = token.text.rstrip(".")
            if _A_YEAR.fullmatch(year) and not token.is_glued and self._is_year(first):
                found = found or (first, first + 1, (date(int(year), 1, 1), date(int(year) + 1, 1, 1)))
            ahead = [self._signs.get(place, "") for place in range(first, first + MOST_OF_A_DATE)]
            if ahead[0] in ("", "?") or not any(map(_NAMES_DAYS.search, ahead)) or tried == MOST_TRIED:
                continue
            tried += 1
            for last in range(min(first + MOST_OF_A_DATE, len(self._tokens)), first, -1):
                days, is_named = self._past_days(first, last) if last in self._offsets else (None, False)
                if days is None or (found is not None and not is_named):
                    continue
                while self._signs[first] in _LEADS:
                    first = next(place for place in self._offsets if place > first)
                found = first, last, days
                if is_named:
                    return found
                break
        return found

    def _is_year(self, place: int) -> bool:
        """Say whether a number that may be a year, and of which no more is known, is one."""
        behind = "".join(token.text for token in self._tokens[place + 1 : place + 2])
        return not behind.isalnum() or (place > 0 and self._tokens[place - 1].text in _YEAR_BEFORE)

    def _past_days(self, first: int, last: int) -> tuple[Days | None, bool]:
        """Find the days that a part of a question means, and whether it names their month."""
        start, end = self._offsets[first], self._offsets[last]
        signs = self._parser.signs[start:end]
        # "3/4" is rather a part of something, and a feast is rather spoken of than a time.
        may_name_month = " M" in f" {signs}" or _A_YEAR.search(signs) is not None
        words = [token.text.strip(".") for token in self._tokens[first:last]]
        is_weekend = _WEEKEND.search(" ".join(words)) is not None
        for said in self._parser.frames(start, end):
            is_named = said.month is not None
            if is_named and (
                not may_name_month or (said.year is None and said.bare_month and not self._is_month(last - 1))
            ):
                continue
            if said.year is not None and str(said.year) not in signs:
                continue  # "5 May 15 people joined"
            if words[-1].isalpha() and len(words[-1]) <= (3 if said.parts().keys() == {"weekday"} else 1):
                continue  # "sun", "jeu", "this w"
            days = past_days(said, self._now, self._language, is_weekend=is_weekend)
            if days is not None and (is_named or not self._is_weak(said, first, last)):
                return days, is_named
        return None, False

    def _is_month(self, place: int) -> bool:
        """Say whether a word is a month: for "may" and "mars" what stands before it or a capital has to tell."""
        token, before = self._tokens[place], self._tokens[place - 1].text if place else ""
        word = token.text.rstrip(".")
        is_led = before in _BEFORE_A_NAME or (place > 0 and token.is_capital)
        return word in MONTHS and (word not in _OTHER_WORDS_TOO or is_led)

    def _is_weak(self, said: Said, first: int, last: int) -> bool:
        """Say whether words and numbers often mean something else: "may", "the sun", "7", "early", "2027"."""
        parts, word = said.parts().keys(), self._tokens[last - 1].text
        if parts <= {"month", "bare_month", "year"}:
            return "bare_month" in parts or "month" not in parts
        if parts == {"weekday"}:
            is_led = self._parser.signs.startswith(("ON ", "V "), self._offsets[first])
            return len(word) <= 3 and not word.endswith(".") and not is_led
        if parts == {"part"}:
            return last - first == 1 and self._language is not Language.RU
        if said.bare is not None:
            return "part" not in parts or not self._tokens[first].text[0].isdigit()
        return parts == {"day"} and word.isdigit() and self._language is Language.EN


def when(text: str, now: datetime, language: Language | None = None, *, forward: bool = True) -> Understood | None:
    """Read a text that is a time as a whole; else None. `now` is aware, in the zone of whoever says it.

    Without a language all five are tried; those that understand it have to agree. With `forward`, which reminders
    want, a clock, a weekday or a date without a year is the next one, otherwise the latest.
    """
    if len(text) > LONGEST:
        return None
    tokens = _tokens(_stripped(text))
    if len(tokens) > MOST_TOKENS:
        return None
    stretches = [_Stretch(tokens, now, one) for one in (Language if language is None else (language,))]
    senses = [stretch.sense(0, len(tokens), forward) for stretch in stretches]
    understood = {sense.readings for sense in senses if sense is not None}
    return Understood(understood.pop()) if len(understood) == 1 else None


@dataclass(frozen=True, slots=True)
class Span:
    """Holds a time from one moment up to another, in which something was said or happened."""

    start: datetime
    end: datetime
    typed: tuple[tuple[int, int], ...] = ()
    """Where it stands in the question."""

    @property
    def told_by(self) -> datetime:
        """Say until when people speak of what happened in it: of a day for a week, of a month a little longer."""
        return self.end + (timedelta(days=7) if self.end - self.start <= timedelta(days=2) else timedelta(days=10))

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def told(self, moment: datetime) -> bool:
        """Say whether something said then may tell of the span: within it, or shortly after; plans a day ahead too."""
        return self.start - timedelta(days=1) <= moment < self.told_by


def span_in(text: str, now: datetime, zone: tzinfo, language: Language | None = None) -> Span | None:
    """Find the first time of the past that a question speaks of; None without any. `now` is when it was asked."""
    here, tokens = now.astimezone(zone), _tokens(text)[:MOST_ASKED]
    for spoken in Language if language is None else (language,):
        found = _Stretch(tokens, here, spoken).past()
        if found is None:
            continue
        first, last, (begins, ends) = found
        if language is None and last - first == 1 and tokens[first].text.rstrip(".") == _ONLY_FRENCH:
            continue
        if first > 0 and tokens[first - 1].text in SINCE:
            first, ends = first - 1, max(here.date(), begins) + timedelta(days=1)
        start, end = (datetime.combine(day, time(), tzinfo=zone).astimezone(UTC) for day in (begins, ends))
        return Span(start, end, ((tokens[first].start, tokens[last - 1].end),))
    return None


class Lead(NamedTuple):
    """Says how long before something."""

    before: timedelta
    rest: str


_BEFORE = {
    word: (language, counting)
    for language, counting, words in (
        (Language.EN, "in", "before beforehand"),
        (Language.DE, "in", "vor vorm vorher davor bevor"),
        (Language.FR, "dans", "avant"),
        (Language.ES, "en", "antes"),
        (Language.RU, "через", "до перед"),
    )
    for word in words.split()
}
"""Also what a length of time is counted with from now."""
_STARTS = re.compile(
    r"\b(?:when|once(?=.{1,100}\b(?:starts?|begins?)\b)|as soon as|wenn|sobald|quand|dès que|cuando|когда)\b(.{1,100})"
    r"\b(?:starts?|begins?|beginnt|anfängt|startet|losgeht|commence|débute|empiece|comience|начн[её]тся|начинается)\b",
    re.IGNORECASE,
)
_LONGEST_LEAD = 4
"""Words."""


def lead_in(text: str, now: datetime, language: Language) -> Lead | None:
    """Read how long before something else a text means: "an hour before the game night", "when the quiz starts"."""
    started = _STARTS.search(text[:LONGEST])
    if started is not None:
        return Lead(timedelta(0), _rest_of_lead(started[1], language))
    words = text.split()[:MOST_TOKENS]
    for place, word in enumerate(words):
        spoken, counting = _BEFORE.get(word.lower().strip(_PUNCTUATION), (language, ""))
        for size in range(min(_LONGEST_LEAD, place) if counting else 0, 0, -1):
            read = when(f"{counting} {' '.join(words[place - size : place])}", now, spoken)
            if read is not None and read.readings[0].is_interval:
                rest = " ".join([*words[: place - size], *text.split()[place + 1 :]])
                return Lead(read.readings[0].wall - now.replace(tzinfo=None), _rest_of_lead(rest, spoken))
    return None


def _rest_of_lead(text: str, language: Language) -> str:
    words = text.strip(_PUNCTUATION).split()
    while len(words) > 1 and words[0].lower() in JOINTS[language] | {"за", "del", "du"}:
        words = words[1:]
    return " ".join(words)


def within(text: str, now: datetime, language: Language | None = None) -> Understood | None:
    """Read the time at the beginning or the end of a text, and what it is for: "tomorrow at 9 to call Ann".

    The longer of two times wins, unless together they make one: "tomorrow to call Ann at 9".
    """
    text = _stripped(text)
    tokens = _tokens(text)
    ends = [_ends(text, tokens, now, one) for one in (Language if language is None else (language,))]
    found = [end for end in ends if end is not None]
    longest = {end for end in found if end[0] == max(size for size, _ in found)}
    return longest.pop()[1] if len(longest) == 1 else None


def _ends(text: str, tokens: Sequence[_Token], now: datetime, language: Language) -> tuple[int, Understood] | None:
    """Read the time at either end: what is understood, and of how many words."""
    first, begun = _longest(tokens, now, language, at_start=True)
    last, ended = _longest(tokens, now, language, at_start=False)
    if begun is not None and ended is not None and first + last < len(tokens):
        joined = [*tokens[:first], *tokens[-last:]]
        both = _Stretch(joined, now, language).sense(0, len(joined))
        if both is not None:
            return first + last, Understood(both.readings, _rest(text, tokens[first:-last], language))
    if begun is not None and first >= last:
        return first, Understood(begun.readings, _rest(text, tokens[first:], language))
    return None if ended is None else (last, Understood(ended.readings, _rest(text, tokens[:-last], language)))


def _longest(
    tokens: Sequence[_Token], now: datetime, language: Language, *, at_start: bool
) -> tuple[int, _Sense | None]:
    """Find how many words at one end are a time, and which."""
    most = min(MOST_TOKENS, len(tokens))
    end = tokens[:most] if at_start else tokens[len(tokens) - most :]
    stretch = _Stretch(end, now, language)
    for size in range(most, 0, -1):
        cut = size if at_start else len(tokens) - size
        if 0 < cut < len(tokens) and tokens[cut].is_glued and tokens[cut].text[0].isalnum():
            continue
        sense = stretch.sense(0, size) if at_start else stretch.sense(most - size, most)
        if sense is not None and sense.is_strong:
            is_meant = at_start or not _belongs(tokens, cut, sense, language)
            return (size, sense) if is_meant else (0, None)
    return 0, None


def _belongs(tokens: Sequence[_Token], cut: int, sense: _Sense, language: Language) -> bool:
    """Say whether a day belongs to what is to be done, behind a preposition: "call Ann about Friday"."""
    is_day = sense.readings[0].grain not in (Grain.SECOND, Grain.MINUTE, Grain.HOUR)
    words = tokens[max(cut - 1, 0) : cut + is_day] if cut else []
    return any(token.text in PREPOSITIONS[language] for token in words)


def _rest(text: str, tokens: Sequence[_Token], language: Language) -> str:
    """Give the rest as it was typed, without the word that joins it to the time."""
    for _ in range(2):
        if len(tokens) > 1 and (tokens[0].text in JOINTS[language] or not tokens[0].text[0].isalnum()):
            tokens = tokens[1:]
    return text[tokens[0].start : tokens[-1].end].strip(_PUNCTUATION) if tokens else ""
