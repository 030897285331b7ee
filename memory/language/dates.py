"""Which time a question speaks of: "on 5 May", "in March", "last week", "vor zwei Tagen", in the guild's zone.

A date without a year is the latest that has begun when the question is asked: chat looks back.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memory.language.detect import Language
from memory.language.text import Word, fold, words_in

# How days are spoken of in the five languages: months, weekdays, and the words that count back from today.
#
# Everything is written folded (no case, no accents), as `fold` leaves the text it is compared with.


# The forms of a month that people type, the short ones too; where the short one is a common word, it is left out.
_MONTHS = (
    "january jan januar jänner janvier enero январь января январе янв",
    "february feb februar februr février fevr febrero февраль февраля феврале фев",
    "march märz marz mars marzo март марта марте",
    "april apr avril avr abril апрель апреля апреле апр",
    "may mai mayo май мая мае",
    "june jun juni juin junio июнь июня июне",
    "july jul juli juillet juil julio июль июля июле",
    "august aug août agosto август августа августе авг",
    "september sep sept septembre septiembre setiembre сентябрь сентября сентябре сен",
    "october oct oktober okt octobre octubre октябрь октября октябре окт",
    "november nov novembre noviembre ноябрь ноября ноябре ноя",
    "december dec dezember dez décembre diciembre dic декабрь декабря декабре дек",
)
_WEEKDAYS = (
    "monday montag lundi lunes понедельник",
    "tuesday dienstag mardi martes вторник",
    "wednesday mittwoch mercredi miércoles среда среду",
    "thursday donnerstag jeudi jueves четверг",
    "friday freitag vendredi viernes пятница пятницу",
    "saturday samstag sonnabend samedi sábado суббота субботу",
    "sunday sonntag dimanche domingo воскресенье",
)
_NUMBERS = (
    "one a an ein eine einem einer un une uno una один одну одного",
    "two couple zwei deux dos два две двух",
    "three drei trois tres три трех",
    "four vier quatre cuatro четыре четырех",
    "five fünf cinq cinco пять пяти",
    "six sechs seis шесть шести",
    "seven sieben sept siete семь семи",
    "eight acht huit ocho восемь",
    "nine neun neuf nueve девять",
    "ten zehn dix diez десять",
)
_UNITS = {
    "day": "day days tag tage tagen tages jour jours día días день дня дней",
    "week": "week weeks woche wochen semaine semaines semana semanas неделя неделю недели недель неделе",
    "month": "month months monat monate monaten mois mes meses месяц месяца месяцев месяце",
    "year": "year years jahr jahre jahren an ans année années año años год года году лет",
}


def _numbered(lines: tuple[str, ...]) -> dict[str, int]:
    return {form: number for number, forms in enumerate(lines, start=1) for form in fold(forms).split()}


MONTHS = _numbered(_MONTHS)
WEEKDAYS = {form: number - 1 for form, number in _numbered(_WEEKDAYS).items()}
NUMBERS = _numbered(_NUMBERS)
UNITS = {form: unit for unit, forms in _UNITS.items() for form in fold(forms).split()}

DAYS_BACK = {
    fold(phrase): days
    for phrase, days in {
        "the day before yesterday": 2,
        "day before yesterday": 2,
        "yesterday": 1,
        "last night": 1,
        "today": 0,
        "this morning": 0,
        "tonight": 0,
        "vorgestern": 2,
        "gestern": 1,
        "heute": 0,
        "avant-hier": 2,
        "hier": 1,
        "aujourd'hui": 0,
        "anteayer": 2,
        "ayer": 1,
        "anoche": 1,
        "hoy": 0,
        "позавчера": 2,
        "вчера": 1,
        "сегодня": 0,
    }.items()
}
ONLY_FRENCH = frozenset({"hier"})
"""German for "here"."""

LAST = frozenset(
    fold(
        "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige vorigen"
        " voriges dernier dernière passé passée pasado pasada último última прошлый прошлая прошлое прошлую прошлой"
        " прошлом"
    ).split()
)
THIS = frozenset(
    fold("this current diese diesen dieser dieses diesem ce cette este esta этот эта эту этой этом это").split()
)
WEEKEND = frozenset(fold("weekend wochenende week-end finde выходные выходных").split())
AGO = frozenset(fold("ago назад").split())
"""Behind the number: "two weeks ago"."""
BACK = frozenset(fold("vor hace").split())
"""Before it: "vor zwei Wochen", "hace dos semanas"; French says "il y a"."""

EARLY = frozenset(fold("beginning start early first anfang beginn début principios inicio начале начало").split())
MIDDLE = frozenset(fold("middle mid mitte milieu mi mediados середине середина").split())
LATE = frozenset(fold("end late last ende fin finales final конце конец").split())
SINCE = frozenset(fold("since seit depuis desde с").split())


_YEARS = range(2000, 2100)
_MOST_BACK = 1_000
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|го)?")
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")
_YEAR_BEFORE = frozenset(("in", "im", "jahr", "year", "of", "en", "de", "del", "ano", "annee", "в"))
_MONTH_BEFORE = frozenset(
    ("in", "on", "of", "since", "during", "last", "this", "early", "late", "mid", "until", "before", "after", "by")
)
_FRENCH_BEFORE = frozenset(("en", "avant", "apres", "depuis", "debut", "fin", "mi", "jusqu", "de"))


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment up to another, in which something was said or happened."""

    start: datetime
    end: datetime
    typed: tuple[tuple[int, int], ...] = ()
    """Where it stands in the question."""

    @property
    def told_by(self) -> datetime:
        """Until when people speak of what happened in it: of a day for a week, of a month a little longer."""
        return self.end + (timedelta(days=7) if self.end - self.start <= timedelta(days=2) else timedelta(days=10))

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment < self.end

    def told(self, moment: datetime) -> bool:
        """Whether it may have been told then: within the span, or shortly after; plans a day ahead count too."""
        return self.start - timedelta(days=1) <= moment < self.told_by


@dataclass(frozen=True, slots=True)
class _Days:
    """Whole days, the last one not included, and the words they were read from."""

    first: date
    end: date
    words: tuple[int, int]


def span_in(text: str, now: datetime, zone: tzinfo, language: Language | None = None) -> Span | None:
    """The first time the question speaks of, or None. `now` is when it was asked."""
    today = now.astimezone(zone).date()
    numeric = _numeric(text, language)
    if numeric is not None:
        day, where = numeric
        return _span(day, day + timedelta(days=1), zone, where)
    words = words_in(text)
    reader = _Reader([word.text for word in words], text, words, today, language)
    days = reader.days()
    if days is None:
        return None
    first, last = days.words
    where = (words[first].start, words[last].end)
    end = days.end
    if first > 0 and words[first - 1].text in SINCE:
        end, where = today + timedelta(days=1), (words[first - 1].start, where[1])
    return _span(days.first, max(end, days.first + timedelta(days=1)), zone, where)


def _span(first: date, end: date, zone: tzinfo, where: tuple[int, int]) -> Span:
    start, stop = (datetime.combine(day, time(), tzinfo=zone).astimezone(UTC) for day in (first, end))
    return Span(start, stop, (where,))


def _numeric(text: str, language: Language | None) -> tuple[date, tuple[int, int]] | None:
    if found := _ISO.search(text):
        parts = (found[1], found[2], found[3])
    elif found := _DOTTED.search(text):
        parts = (found[3], found[2], found[1])
    elif found := _SLASHED.search(text):
        # Only in America the month comes first, and English may be America's.
        month_first = language in (None, Language.EN) and int(found[1]) <= 12
        parts = (found[3], found[1], found[2]) if month_first else (found[3], found[2], found[1])
    else:
        return None
    day = _date(*map(int, parts))
    return (day, found.span()) if day is not None else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if year in _YEARS else None
    except ValueError:
        return None


class _Reader:
    """Reads the folded words of a question from left to right."""

    def __init__(
        self, words: Sequence[str], text: str, places: Sequence[Word], today: date, language: Language | None
    ) -> None:
        self._words = words
        self._text = text
        self._places = places
        self._today = today
        self._language = language

    def days(self) -> _Days | None:
        """A named day before a month, a month before what counts from today, a lone year last."""
        for read in (self._day_of_month, self._month, self._counted_back, self._relative, self._year):
            for place in range(len(self._words)):
                found = read(place)
                if found is not None:
                    return found
        return None

    def _word(self, place: int) -> str:
        return self._words[place] if 0 <= place < len(self._words) else ""

    def _number(self, place: int) -> int | None:
        found = _ORDINAL.fullmatch(self._word(place))
        return int(found[1]) if found else None

    def _year_at(self, place: int) -> int | None:
        word = self._word(place)
        return int(word) if len(word) == 4 and word.isdigit() and int(word) in _YEARS else None

    def _year_behind(self, place: int) -> tuple[int | None, int]:
        """A year right behind a month, "de" or "of" between them at most, and the last word that was used."""
        for ahead in (1, 2):
            year = self._year_at(place + ahead)
            if year is not None and (ahead == 1 or self._word(place + 1) in _YEAR_BEFORE):
                return year, place + ahead
        return None, place

    def _is_month(self, place: int) -> bool:
        """ "May" and "mars" are other words as well: then a preposition, a number or a capital has to tell."""
        word = self._word(place)
        if word not in MONTHS:
            return False
        if word not in ("may", "march", "mars", "jan", "mai", "dec", "sept", "dic"):
            return True
        is_dated = self._word(place - 1) in _MONTH_BEFORE or self._year_at(place + 1) is not None
        is_dated = is_dated or (word in ("mars", "mai") and self._word(place - 1) in _FRENCH_BEFORE)
        is_capital = place > 0 and self._text[self._places[place].start].isupper()
        return is_dated or is_capital or self._number(place - 1) is not None

    def _day_of_month(self, place: int) -> _Days | None:
        if self._word(place) not in MONTHS:
            return None
        month = MONTHS[self._word(place)]
        before = place - 2 if self._word(place - 1) in ("of", "de") else place - 1
        number, first = self._number(before), before
        year, last = self._year_behind(place)
        if number is None:
            number, first = self._number(place + 1), place
            last = place + 1
            year = self._year_at(place + 2)
            last += year is not None
        if number is None:
            return None
        day = _date(year, month, number) if year is not None else self._latest_day(month, number)
        return None if day is None else _Days(day, day + timedelta(days=1), (first, last))

    def _latest_day(self, month: int, number: int) -> date | None:
        days = (_date(year, month, number) for year in (self._today.year, self._today.year - 1))
        return next((day for day in days if day is not None and day <= self._today), None)

    def _month(self, place: int) -> _Days | None:
        if not self._is_month(place):
            return None
        month = MONTHS[self._word(place)]
        year, last = self._year_behind(place)
        if year is None:
            year = self._today.year if month <= self._today.month else self._today.year - 1
        first_day, end = _month_of(year, month)
        return self._part_of_month(place, first_day, end, last)

    def _part_of_month(self, place: int, first: date, end: date, last: int) -> _Days:
        """ "the last week of August", "Anfang Januar"."""
        for back in (1, 2, 3):
            word, behind = self._word(place - back), self._word(place - back + 1)
            in_weeks = UNITS.get(behind) in ("week", "day")
            if word in EARLY and (word not in ("first",) or in_weeks):
                return _Days(first, first + timedelta(days=7 if in_weeks else 10), (place - back, last))
            if word in LATE and (word not in ("last",) or in_weeks):
                return _Days(end - timedelta(days=7 if in_weeks else 10), end, (place - back, last))
            if word in MIDDLE:
                return _Days(first + timedelta(days=9), first + timedelta(days=20), (place - back, last))
        return _Days(first, end, (place, last))

    def _counted_back(self, place: int) -> _Days | None:
        """ "two weeks ago", "vor zwei Wochen", "il y a deux jours", "hace dos meses", "две недели назад"."""
        unit = UNITS.get(self._word(place))
        if unit is None:
            return None
        word = self._word(place - 1)
        number = int(word) if word.isdigit() and len(word) < 4 else NUMBERS.get(word)
        first = place - 1
        if word == "of" and self._word(place - 2) == "couple":
            number, first = 2, place - 2
        if number is None and self._word(place + 1) in AGO:
            number, first = 1, place
        if number is None or number > _MOST_BACK:
            return None
        if self._word(place + 1) in AGO:
            return self._ago(number, unit, (first, place + 1))
        if self._word(first - 1) in BACK:
            return self._ago(number, unit, (first - 1, place))
        if [self._word(first - back) for back in (3, 2, 1)] == ["il", "y", "a"]:
            return self._ago(number, unit, (first - 3, place))
        return None

    def _ago(self, number: int, unit: str, words: tuple[int, int]) -> _Days:
        """The further back, the less exactly people count."""
        if unit == "day":
            day = self._today - timedelta(days=number)
            return _Days(day, day + timedelta(days=1), words)
        if unit == "week":
            day = self._today - timedelta(weeks=number)
            return _Days(day - timedelta(days=3), day + timedelta(days=4), words)
        months = number * (12 if unit == "year" else 1)
        year, month = divmod(self._today.year * 12 + self._today.month - 1 - months, 12)
        if unit == "year":
            return _Days(date(year, 1, 1), date(year + 1, 1, 1), words)
        return _Days(*_month_of(year, month + 1), words)

    def _relative(self, place: int) -> _Days | None:
        for length in (4, 3, 2, 1):
            phrase = " ".join(self._words[place : place + length])
            if len(self._words) - place >= length and phrase in _DAYS_BACK and self._is_meant(phrase):
                day = self._today - timedelta(days=_DAYS_BACK[phrase])
                return _Days(day, day + timedelta(days=1), (place, place + length - 1))
        for unit_at, side in ((place + 1, place), (place, place + 1)):
            found = self._last_or_this(self._word(unit_at), self._word(side), (place, place + 1))
            if found is not None:
                return found
        word = self._word(place)
        return self._weekday(WEEKDAYS[word], (place, place)) if word in WEEKDAYS else None

    def _is_meant(self, phrase: str) -> bool:
        return phrase not in ONLY_FRENCH or self._language is Language.FR

    def _last_or_this(self, what: str, which: str, words: tuple[int, int]) -> _Days | None:
        is_last = which in LAST
        if not is_last and which not in THIS:
            return None
        if what in WEEKDAYS:
            return self._weekday(WEEKDAYS[what], words)
        monday = self._today - timedelta(days=self._today.weekday())
        if what in WEEKEND:
            saturday = monday + timedelta(days=5)
            back = (is_last and saturday <= self._today) or self._today < saturday
            saturday -= timedelta(days=7 if back else 0)
            return _Days(saturday, saturday + timedelta(days=2), words)
        match UNITS.get(what):
            case "week":
                monday -= timedelta(days=7 if is_last else 0)
                return _Days(monday, monday + timedelta(days=7), words)
            case "month":
                year, month = divmod(self._today.year * 12 + self._today.month - 1 - is_last, 12)
                return _Days(*_month_of(year, month + 1), words)
            case "year":
                year = self._today.year - is_last
                return _Days(date(year, 1, 1), date(year + 1, 1, 1), words)
        return None

    def _weekday(self, weekday: int, words: tuple[int, int]) -> _Days:
        """The latest one before today."""
        day = self._today - timedelta(days=(self._today.weekday() - weekday - 1) % 7 + 1)
        return _Days(day, day + timedelta(days=1), words)

    def _year(self, place: int) -> _Days | None:
        year = self._year_at(place)
        if year is None or (self._word(place - 1) not in _YEAR_BEFORE | SINCE and place + 1 != len(self._words)):
            return None
        return _Days(date(year, 1, 1), date(year + 1, 1, 1), (place, place))


def _month_of(year: int, month: int) -> tuple[date, date]:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following


def _phrases() -> Iterator[tuple[str, int]]:
    for phrase, days in DAYS_BACK.items():
        yield " ".join(word.text for word in words_in(phrase)), days


_DAYS_BACK = dict(_phrases())


def shown_day(day: date) -> str:
    """As Discord shows it to whoever reads it, in their language: its noon is the same day nearly everywhere."""
    return f"<t:{int(datetime.combine(day, time(12), UTC).timestamp())}:D>"
