"""Rules how signs of time (`dates`) become parts of what is said: a weekday, a clock, some hours."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from memory.language.detect import Language

_MOST_COUNTED, _MOST_REPEATED = 10_000, 1_000


class Grain(StrEnum):
    """Says how exactly a time was said."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


class Every(StrEnum):
    HOURS = "hours"
    DAY = "day"
    WEEKDAY = "weekday"
    """Monday to Friday."""
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Repeat:
    every: Every
    count: int = 1
    """0 hours: minutes or seconds, or no whole hours. No reminder is repeated like that, and its owner is told so."""


class Clock(NamedTuple):
    minutes: int
    """Of the day, up to those behind midnight."""
    second: int
    may_flip: bool
    """A part of the day may make it the other of the two halves of the day."""
    is_open: bool
    """Both halves of the day may be meant."""
    grain: Grain


class Amount(NamedTuple):
    size: float
    unit: str


@dataclass(frozen=True, slots=True)
class Said:
    """Holds parts of a time. What was not said is None."""

    now: int | None = None
    days: int | None = None
    weekday: int | None = None
    which: int | None = None
    """Of the weekday: 0 this, 1 next, 2 the one after next, -1 last, 3 so many ahead, 4 the coming one."""
    ahead: int | None = None
    """Weeks behind the coming weekday."""
    week: int | None = None
    day: int | None = None
    month: int | None = None
    year: int | None = None
    months: int | None = None
    """Counted from this month; likewise the years."""
    years: int | None = None
    nth: int | None = None
    """Of the weekdays of a month, or, without a weekday, of its days; below zero they are counted from its end."""
    swapped: int | None = None
    """Day and month may be the other way round."""
    easter: int | None = None
    clock: Clock | None = None
    part: str | None = None
    amounts: tuple[Amount, ...] | None = None
    whole_days: int | None = None
    """What is counted is counted from today, not from now."""
    every: Repeat | None = None
    bare: int | None = None
    """It may be something else: 1 an hour without a word, 2 a count, 3 an ordinal."""
    bare_month: int | None = None

    def merged(self, other: "Said") -> "Said | None":
        """Merge two readings, unless they say the same thing twice."""
        own, more = self.parts(), other.parts()
        return None if own.keys() & more.keys() else replace(self, **more)

    def parts(self) -> dict[str, Any]:
        return {name: value for name in _PARTS if (value := getattr(self, name)) is not None}


_PARTS = tuple(field.name for field in fields(Said))


# The builders of parts: what a rule has found, by name, becomes a part of what is said.


def _int(written: str) -> int:
    return int(written.strip("No"))


def _year(written: str) -> int:
    return int(written) + (2000 if len(written) == 2 else 0)


def _plain(found: dict[str, str], _language: Language) -> Said | None:
    """Make the part that each group is named after."""
    readers: dict[str, Callable[[str], int | str]] = {"part": str, "year": _year}
    said: dict[str, Any] = {name: readers.get(name, _int)(value) for name, value in found.items()}
    return Said(**said)


def _clock(found: dict[str, str], language: Language) -> Said | None:
    hour = {"NOON": 12, "MIDNIGHT": 24}.get(found["hour"]) or _int(found["hour"])
    minute, past, half = int(found.get("minute", "0")), int(found.get("past", "0")), found.get("half")
    if (
        hour > 24
        or minute > 59
        or past > 59
        or (half in ("AM", "N1") and hour > 12)
        or (half is not None and hour == 0)
    ):
        return None
    joined = past * (1 if found.get("side") == "PAST" else -1)
    joined += int(found.get("plus", "0")) - int(found.get("minus", "0")) + 30 * ("plushalf" in found)
    total = hour * 60 + minute + joined
    if half is not None and hour <= 12:
        total = total % 720 + (720 if half in ("PM", "Uday") else 0)
    second = int(found["second"]) if "second" in found else None
    if not 0 <= total < 25 * 60 or (second or 0) > 59:
        return None
    may_flip = half is None and 1 <= hour <= 12 and found["hour"] != "NOON"
    is_open = may_flip and (found.get("exact", "") != "h") and ("exact" not in found or language is Language.EN)
    grain = Grain.SECOND if second is not None else Grain.MINUTE if joined or "minute" in found else Grain.HOUR
    bare = int(found["bare"]) if "bare" in found else None
    return Said(clock=Clock(total, second or 0, may_flip, is_open, grain), bare=bare)


def _amounts(found: dict[str, str], language: Language) -> Said | None:
    written = found["amounts"] + (" Uminute" if "minutes" in found else "")
    read = [_amount(one, -1 if "ago" in found else 1) for one in _AMOUNT.finditer(written)]
    amounts = tuple(one for one in read if one is not None)
    if len({one.unit for one in amounts}) != len(read):
        return None
    if "bare" in found and written.endswith(" h") and amounts[0].size in range(13, 24) and language is not Language.EN:
        return None  # an hour of the day
    bare, whole_days = (2 if "bare" in found else None), (1 if "today" in found else None)
    return Said(amounts=amounts, whole_days=whole_days, bare=bare)


def _amount(found: re.Match[str], sign: int) -> Amount | None:
    over, _, under = (found["count"] or "1").removeprefix("N").replace(",", ".").partition("/")
    if float(under or 1) == 0 or float(over) > _MOST_COUNTED:
        return None
    size = float(over) / float(under or 1) + (0.5 if found["half"] or found["too"] else 0)
    unit = "hour" if found["unit"] == "h" else found["unit"][1:]
    return Amount(sign * size, unit) if unit in ("hour", "minute") or size == int(size) else None


_IN_MINUTES = {"hour": 60.0, "minute": 1.0, "second": 1 / 60}


def _every(found: dict[str, str], _language: Language) -> Said | None:
    if found.get("unit") in _IN_MINUTES:
        minutes = float(found.get("fraction") or found.get("count", "1").strip("No")) * _IN_MINUTES[found["unit"]]
        if not 0 < minutes <= 60 * _MOST_REPEATED:
            return None
        return Said(every=Repeat(Every.HOURS, 0 if minutes % 60 else int(minutes) // 60))
    units = {"day": Every.DAY, "week": Every.WEEK, "month": Every.MONTH, "workdays": Every.WEEKDAY}
    every, count = units.get(found.get("unit", "day" if "part" in found else "week")), _int(found.get("count", "1"))
    if every is None or not 1 <= count <= _MOST_REPEATED:
        return None
    weekday = int(found["weekday"]) if "weekday" in found else None
    return Said(every=Repeat(every, count), weekday=weekday, part=found.get("part"))


def _numeric(found: dict[str, str], language: Language) -> Said | None:
    """Read a date in figures. Only in America the month comes first, and English may be America's."""
    first, second, year = int(found["first"]), int(found["then"]), found.get("year")
    month_first = language is Language.EN and found["mark"] != "." and first <= 12
    month, day = (first, second) if month_first else (second, first)
    if date_in(2000, month, day) is None:
        return None
    swapped = 1 if month_first and day <= 12 and day != month else None
    return Said(day=day, month=month, year=None if year is None else _year(year), swapped=swapped)


# The rules: what builds the part, the signs, the languages if not all (a dash), and what they say besides. {name} is
# one of these stretches; <name> is found under that name, and looks as stated here or behind the name; or is a number.

_STRETCHES = {
    "lead": r"(?:(?:ON|OF|THE|IN|V|ABOUT|FOR|AT) ){0,3}",
    "at": r"(?:(?:AT|V|ABOUT|FOR) ){1,3}(?:THE )?",
    "h": r"(?:h|Uhour)",
    "half": r"(?: OCLOCK)?(?: <half=AM|PM|N1|Uday>)?(?: ABOUT)?",
    "of": r"(?= (?:OF|IN|ON|V|R|M))",
    "year": r"(?: OF)?(?: THE)? <year>",
    "count": r"(?:\d{1,8}(?:[.,/]\d{1,4})?|N[\d.]{1,4})(?: HALF)? (?:(?:FROMNOW|OF) )?",
    "unit": r"(?:U[a-z]{3,6}|h)(?: HALF)?",
    "amounts": r"{count}{unit}(?:(?: AND)? {count}{unit}){0,3}",
}
_SHAPES = {
    "day": r"\d\d?o?",
    "dd": r"\d\d?",
    "nth": r"\d\d?o",
    "part": "[a-z]{3,9}",
    "hour": r"\d\d?|N1",
}
_SHAPES |= {"year": r"\d{4}|\d\d(?! (?:OCLOCK|h|AM|PM|U|PAST|TO))", "minute": r"\d\d?", "past": r"\d\d?"}
_SHAPES |= {"mm": r"[0-5]\d", "count": r"\d{1,4}o?|N\d", "first": r"\d\d?", "then": r"\d\d?", "unit": "[a-z]{3,9}"}
_ALIASES = {"dd": "day", "mm": "minute"}
_GRAMMAR = r"""
plain  NOW  -  now=1
plain  {lead}D<days>
plain  {lead}W<weekday>
plain  {lead}R<which> W<weekday>
plain  {lead}W<weekday> R<which>
plain  {lead}RC W<weekday>  -  which=4
plain  {lead}W<weekday> RC  -  which=4
plain  {lead}W<weekday> A<ahead>
plain  {lead}N?<ahead> (?:EVERY )?W<weekday> FROMNOW  -  which=3
plain  {lead}<nth> W<weekday>{of}
plain  {lead}Usecond W<weekday>{of}  -  nth=2
plain  {lead}R-1 (?:W<weekday>|Uday){of}  -  nth=-1
plain  {lead}R<week> Uweek
plain  {lead}Uweek R<week>
plain  {lead}(?:RC Uweek|Uweek RC)  -  week=1
plain  {lead}R<months> Umonth
plain  {lead}Umonth R<months>
plain  {lead}(?:RC Umonth|Umonth RC)  -  months=1
plain  {lead}R<years> Uyear
plain  {lead}Uyear R<years>
plain  {lead}(?:RC Uyear|Uyear RC)  -  years=1
plain  {lead}<day>(?: DAYTH)?(?: Uday)?(?: OF)?(?: THE)? M<month>
plain  {lead}<day>(?: DAYTH)?(?: Uday)?(?: OF)?(?: THE)? M<month>{year}
plain  {lead}M<month> (?:THE )?<day>
plain  {lead}M<month> (?:THE )?<day>{year}
plain  {lead}(?:THE|ON|V|AT) <day=\d\d?o>(?: DAYTH)?(?: Uday)?
plain  <day=\d\d?o>(?: Uday)?  -  bare=3
plain  <day=\d\d?o>(?: DAYTH)?  ru
plain  {lead}(?:THE|ON) <dd>
plain  {lead}<dd>(?: DAYTH| OF(?= (?:THE )?(?:R-?\d|EVERY) Umonth))
plain  {lead}Uday <dd>  es
plain  {lead}W<weekday> <dd>(?! (?:h|Uhour|\d))  fr,es
plain  {lead}<dd> <month=0?\d|1[0-2]>(?: <year>)?  fr
plain  (?:IN|V) (?:THE )?M<month>(?:(?: OF)?(?: THE)? <year=\d{4}>)?
plain  {lead}M<month>(?:(?: OF)?(?: THE)? <year=\d{4}>)?  -  bare_month=1
plain  (?:IN|OF|V|THE) (?:THE )?(?:Uyear )?<year=\d{4}>
plain  {lead}X<month>-<dd>(?: (?:OF )?<year=\d{4}>)?
plain  {lead}E<easter>(?: (?:OF )?<year=\d{4}>)?
plain  {lead}<year=\d{4}>[-/]<month>[-/]<dd>(?: T(?= ))?
plain  {lead}P<part>
numeric  {lead}<first><mark=[./-]><then>(?P=mark)<year=\d{4}|\d\d>
numeric  {lead}<first><mark=[/-]><then>
numeric  {lead}<first><mark=\.><then>o?(?! (?:OCLOCK|h))  de,ru,fr
clock  {at}?<hour=\d\d?>:<mm>(?::<second=\d\d>)?(?: {h})?{half}  -  exact=colon
clock  {at}?<hour=\d\d?>\.<mm>{half}  en,es  exact=colon
clock  {at}<hour=\d\d?>\.<mm>{half}  de,fr,ru  exact=colon
clock  <hour=\d\d?>\.<mm> (?:OCLOCK|h)  -  exact=colon
clock  {at}?<hour=\d\d?> 0 <minute=\d>{half}
clock  {at}?<hour> OCLOCK(?: <minute>)?(?: Uminute)?{half}
clock  {at}?<hour> {h} <mm>{half}  -  exact=h
clock  {at}<hour> {h} <mm> Uminute{half}  -  exact=h
clock  {at}<hour> h{half}  en,es,fr  exact=h
clock  {at}<hour> h{half}  de,ru
clock  {at}<hour> Uhour{half}
clock  <hour> h  fr,de,es  exact=h
clock  <hour=1[3-9]|2[0-3]> h  en
clock  <hour> Uhour{half}  fr,es,ru
clock  {at}<hour>(?: <mm>)?{half}
clock  {at}<hour=\d\d?><mm>{half}
clock  <hour=\d\d?>(?: ?<mm>)?(?: ABOUT)? <half=AM|PM|N1>(?: ABOUT)?
clock  {at}?<past>(?: Uminute)? <side=PAST|TO> <hour=\d\d?o?|NOON|MIDNIGHT>{half}
clock  {at}?<past>(?: Uminute)? <side=PAST|TO> 30 TO <hour=\d\d?>{half}  -  minus=30
clock  {at}?<past> Uminute <hour=\d\d?o>{half}  ru  side=PAST minus=60
clock  {at}?BEFORE <past>(?: Uminute)? <hour=\d\d?>{half}
clock  {at}?<hour=\d\d?|N1|NOON|MIDNIGHT>(?: (?:OCLOCK|h|Uhour))? (?:PLUS|AND) <plus=\d\d?>{half}
clock  {at}?<hour=\d\d?|N1|NOON|MIDNIGHT>(?: (?:OCLOCK|h|Uhour))? MINUS (?:THE )?<minus=\d\d?>{half}
clock  {at}?<hour=\d\d?|N1|NOON|MIDNIGHT>(?: (?:OCLOCK|h|Uhour))? <plushalf=HALF>{half}
clock  {lead}<hour=NOON|MIDNIGHT>(?: <minute>)?
clock  <hour=\d\d?>(?: OCLOCK)?  -  bare=1
amounts  (?:ABOUT )?IN (?:ABOUT )?<amounts={amounts}>
amounts  IN <amounts=U[a-z]{3,6}>  ru
amounts  <amounts={amounts}> FROMNOW
amounts  <amounts={count}U(?:day|week|month|year)> <today=FROMTODAY>
amounts  <amounts={amounts}> <ago=AGO>
amounts  <amounts=U[a-z]{3,6}> <ago=AGO>  ru
amounts  <ago=BEFORE|TO> <amounts={amounts}>  de,fr,es
amounts  <amounts={amounts}>  -  bare=2
amounts  <amounts=[1-4] h <minutes=[0-5]\d>>  -  bare=2
amounts  IN <amounts=\d\d? h <minutes=[0-5]\d>>
every  {lead}EVERY (?:<count> )?U<unit>
every  {lead}EVERY N<fraction=[\d.]{1,4}> U<unit=hour|minute>
every  {lead}(?:EVERY ){1,2}(?:THE )?(?:<count> )?(?:EVERY )?W<weekday>
every  {lead}EVERY P<part>
every  {lead}(?:EVERY )?WORKDAYS  -  unit=workdays
"""


class _Rule(NamedTuple):
    build: Callable[[dict[str, str], Language], Said | None]
    pattern: re.Pattern[str]
    languages: frozenset[Language]
    besides: dict[str, str]

    def said(self, signs: str, place: int, language: Language) -> tuple[int, Said] | None:
        """Apply the rule: give where what it reads ends, and what it says."""
        if (found := self.pattern.match(signs, place)) is None:
            return None
        groups = {name: value for name, value in found.groupdict().items() if value is not None}
        said = self.build(groups | self.besides, language)
        return None if said is None else (found.end() + 1, said)


def _rules() -> Iterator[_Rule]:
    builders = {"plain": _plain, "numeric": _numeric, "clock": _clock, "amounts": _amounts, "every": _every}
    for line in _GRAMMAR.strip().splitlines():
        builder, signs, spoken, besides = (*line.split("  "), "-", "")[:4]
        languages = frozenset(Language) if spoken == "-" else frozenset(map(Language, spoken.split(",")))
        constants = dict(pair.split("=") for pair in besides.split() if "=" in pair)
        yield _Rule(builders[builder], re.compile(rf"(?:{_written(signs)})(?= |$)"), languages, constants)


def _written(signs: str) -> str:
    """Write the pattern of a rule, or of a stretch."""
    for name, stretch in reversed(_STRETCHES.items()):
        signs = signs.replace(f"{{{name}}}?", f"(?:{stretch})?").replace(f"{{{name}}}", stretch)
    while found := _NAMED.search(signs):
        name, shape = found["name"], found["shape"] or _SHAPES.get(found["name"], r"-?\d{1,4}")
        signs = f"{signs[: found.start()]}(?P\0{_ALIASES.get(name, name)}\1{shape}){signs[found.end() :]}"
    return signs.replace("\0", "<").replace("\1", ">")


_NAMED = re.compile(r"<(?P<name>[a-z_]+)(?:=(?P<shape>[^<>]*+))?>")
_AMOUNT = re.compile(
    _written(
        r"(?:<count=\d{1,8}(?:[.,/]\d{1,4})?|N[\d.]{1,4}><half= HALF>? (?:(?:FROMNOW|OF) )?)?"
        r"<unit=U[a-z]{3,6}|h><too= HALF>?"
    )
)
_EVERY_RULE = tuple(_rules())
_RULES = {language: [rule for rule in _EVERY_RULE if language in rule.languages] for language in Language}


_NOTHING = Said()


class Parser:
    """Reads signs; what a rule finds at a place is looked for once."""

    def __init__(self, signs: str, language: Language) -> None:
        self.signs = signs
        self._language = language
        self._parts: dict[int, list[tuple[int, Said]]] = {}

    def frames(self, start: int, end: int, before: Said = _NOTHING) -> Iterator[Said]:
        """Find every way in which rules use up all signs between two places without saying a thing twice."""
        if start == end:
            yield before
            return
        if start not in self._parts:
            parts = (rule.said(self.signs, start, self._language) for rule in _RULES[self._language])
            self._parts[start] = [part for part in parts if part is not None]
        for stop, said in self._parts[start]:
            if stop <= end and (both := before.merged(said)) is not None:
                yield from self.frames(stop, end, both)


def date_in(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None
