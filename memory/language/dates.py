"""Finds which time a question speaks of: "on 5 May", "in March", "last week", "vor zwei Tagen", in the guild's zone.

A date without a year is the latest that has begun when the question is asked: chat looks back.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memory.language.detect import Language, word_set
from memory.language.text import fold, plain_words, words_in

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
    " ".join(plain_words(phrase)): days
    for days, phrases in enumerate(
        (
            "today, this morning, tonight, heute, aujourd'hui, hoy, сегодня",
            "yesterday, last night, gestern, hier, ayer, anoche, вчера",
            "the day before yesterday, day before yesterday, vorgestern, avant-hier, anteayer, позавчера",
        )
    )
    for phrase in phrases.split(",")
}
ONLY_FRENCH = "hier"
"""German for "here"."""

LAST = word_set(
    "last past previous letzte letzten letzter letztes letztem vergangene vergangenen vergangenes vorige vorigen"
    " voriges dernier dernière passé passée pasado pasada último última прошлый прошлая прошлое прошлую прошлой прошлом"
)
THIS = word_set("this current diese diesen dieser dieses diesem ce cette este esta этот эта эту этой этом это")
WEEKEND = word_set("weekend wochenende finde выходные выходных")
AGO = word_set("ago назад")
"""Behind the number: "two weeks ago"; before it stand "vor", "hace" and "il y a"."""
SINCE = word_set("since seit depuis desde с")
_Days = tuple[date, date]
"""The first day, and the one behind the last."""
_DAY = timedelta(days=1)
_YEARS = range(2000, 2100)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)")
_YEAR_BEFORE = word_set("in im jahr year of en de del año année в")
_OTHER_WORDS_TOO = word_set("may march mars jan mai dec sept dic")
_MONTH_BEFORE = word_set(
    "in on of since during last this early late mid until before after by en avant après depuis début fin mi jusqu de"
)


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
    """Find the first time the question speaks of; None without any. `now` is when it was asked."""
    today = now.astimezone(zone).date()
    numeric = _numeric(text, language)
    if numeric is not None:
        day, where = numeric
        return _span((day, day + _DAY), zone, where)
    words = words_in(text)
    found = _Reader(" ".join(word.text for word in words), [text[word.start] for word in words], today, language).days()
    if found is None:
        return None
    (begins, ends), first, last = found
    if first > 0 and words[first - 1].text in SINCE:
        first, ends = first - 1, today + _DAY
    return _span((begins, max(ends, begins + _DAY)), zone, (words[first].start, words[last].end))


def _span(days: _Days, zone: tzinfo, where: tuple[int, int]) -> Span:
    start, stop = (datetime.combine(day, time(), tzinfo=zone).astimezone(UTC) for day in days)
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


def _any(*tables: Iterable[str]) -> str:
    """Match any of the words or phrases, the longest first."""
    return "|".join(sorted({re.escape(word) for table in tables for word in table}, key=len, reverse=True))


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


_NUMBER = r"\d{1,2}(?:st|nd|rd|th|er|го)?"
_YEAR = r"20\d\d"
_MONTH = rf"(?:{_any(MONTHS)})"
_AND_YEAR = rf"(?: (?:(?:{_any(_YEAR_BEFORE)}) )?(?P<year>{_YEAR}))?"
_COUNT = rf"(?:\d{{1,3}}|couple of|{_any(NUMBERS)})"
_LONG = _any(WEEKDAYS, WEEKEND, (unit for unit, of in UNITS.items() if of != "day"))
_WHICH = _any(LAST, THIS)

_DAY_OF_MONTH = _words(rf"{_NUMBER} (?:(?:of|de) )?{_MONTH}{_AND_YEAR}|{_MONTH} {_NUMBER}(?: {_YEAR})?")
_OF_MONTH = _words(rf"(?P<month>{_MONTH}){_AND_YEAR}")
_COUNTED_BACK = _words(
    rf"(?:(?P<ago>{_COUNT}) )?(?P<unit>{_any(UNITS)}) (?:{_any(AGO)})"
    rf"|(?:vor|hace|il y a) (?P<back>{_COUNT}) (?P<of>{_any(UNITS)})"
)
_RELATIVE = _words(rf"(?P<back>{_any(DAYS_BACK)})|(?:{_WHICH}) (?:{_LONG})|(?:{_LONG}) (?:{_WHICH})|{_any(WEEKDAYS)}")
_A_YEAR = _words(_YEAR)
_YEAR_BEHIND = re.compile(rf" {_YEAR}(?!\S)")
_DAY_NUMBER = re.compile(_NUMBER)


class _Reader:
    """Reads the folded words of a question; `initials` are their first letters as they were typed."""

    def __init__(self, said: str, initials: Sequence[str], today: date, language: Language | None) -> None:
        self._said = said
        self._initials = initials
        self._today = today
        self._language = language

    def days(self) -> tuple[_Days, int, int] | None:
        """Read a named day before a month, a month before what counts from today, a lone year last; and the places of
        the first and the last word of it."""
        for pattern, read in (
            (_DAY_OF_MONTH, self._day_of_month),
            (_OF_MONTH, self._month),
            (_COUNTED_BACK, self._counted_back),
            (_RELATIVE, self._relative),
            (_A_YEAR, self._year),
        ):
            for found in pattern.finditer(self._said):
                days = read(found)
                if days is not None:
                    return days, self._place(found.start()), self._place(found.end())
        return None

    def _place(self, at: int) -> int:
        return self._said.count(" ", 0, at)

    def _before(self, at: int) -> str:
        return self._said[:at].rpartition(" ")[0].rpartition(" ")[2]

    def _day_of_month(self, found: re.Match[str]) -> _Days | None:
        numbers = [int(number) for number in re.findall(r"\d+", found[0])]
        month = next(MONTHS[word] for word in found[0].split() if word in MONTHS)
        years = numbers[1:] or [self._today.year, self._today.year - 1]
        days = (_date(year, month, numbers[0]) for year in years)
        day = next((day for day in days if day is not None and (len(numbers) > 1 or day <= self._today)), None)
        return None if day is None else (day, day + _DAY)

    def _month(self, found: re.Match[str]) -> _Days | None:
        if not self._is_month(found):
            return None
        month, year = MONTHS[found["month"]], found["year"]
        return _month_of(int(year) if year else self._today.year - (month > self._today.month), month)

    def _is_month(self, found: re.Match[str]) -> bool:
        """Say whether a word is a month: for "may" and "mars" a preposition, a number or a capital has to tell."""
        month, at = found["month"], found.start("month")
        if month not in _OTHER_WORDS_TOO or _YEAR_BEHIND.match(self._said, at + len(month)):
            return True
        before, place = self._before(at), self._place(at)
        is_dated = before in _MONTH_BEFORE or _DAY_NUMBER.fullmatch(before) is not None
        return is_dated or (place > 0 and self._initials[place].isupper())

    def _counted_back(self, found: re.Match[str]) -> _Days:
        """Read "two weeks ago", "vor zwei Wochen". The further back, the less exactly people count."""
        count, unit = found["ago"] or found["back"] or "1", UNITS[found["unit"] or found["of"]]
        number = int(count) if count.isdigit() else NUMBERS[count.split(" ")[0]]
        match unit:
            case "day":
                return self._today - number * _DAY, self._today - (number - 1) * _DAY
            case "week":
                day = self._today - 7 * number * _DAY
                return day - 3 * _DAY, day + 4 * _DAY
        return self._back(number, unit)

    def _back(self, number: int, unit: str) -> _Days:
        """Find the month or the year so many before this one."""
        if unit == "year":
            return date(self._today.year - number, 1, 1), date(self._today.year - number + 1, 1, 1)
        year, month = divmod(self._today.year * 12 + self._today.month - 1 - number, 12)
        return _month_of(year, month + 1)

    def _relative(self, found: re.Match[str]) -> _Days | None:
        if found["back"] is not None:
            day = self._today - DAYS_BACK[found["back"]] * _DAY
            is_meant = found["back"] != ONLY_FRENCH or self._language is Language.FR
            return (day, day + _DAY) if is_meant else None
        words = found[0].split(" ")
        is_last = not LAST.isdisjoint(words)
        what = next(word for word in words if word in WEEKDAYS or word in WEEKEND or word in UNITS)
        monday = self._today - self._today.weekday() * _DAY
        if what in WEEKDAYS:  # the latest one before today
            day = self._today - ((self._today.weekday() - WEEKDAYS[what] - 1) % 7 + 1) * _DAY
            return day, day + _DAY
        if what in WEEKEND:
            saturday = monday + 5 * _DAY
            if is_last or self._today < saturday:
                saturday -= 7 * _DAY
            return saturday, saturday + 2 * _DAY
        if UNITS[what] == "week":
            monday -= 7 * is_last * _DAY
            return monday, monday + 7 * _DAY
        return self._back(int(is_last), UNITS[what])

    def _year(self, found: re.Match[str]) -> _Days | None:
        if self._before(found.start()) not in _YEAR_BEFORE | SINCE and found.end() != len(self._said):
            return None
        return date(int(found[0]), 1, 1), date(int(found[0]) + 1, 1, 1)


def _month_of(year: int, month: int) -> _Days:
    return date(year, month, 1), date(year + month // 12, month % 12 + 1, 1)


def shown_day(day: date) -> str:
    """Show a day as Discord does, in the reader's language: its noon is the same day nearly everywhere."""
    return f"<t:{int(datetime.combine(day, time(12), UTC).timestamp())}:D>"
