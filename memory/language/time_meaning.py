"""Reads what the parts of a time (`time_grammar`) mean, seen from now: one reading, or the two that are likely."""

from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from memory.language.detect import Language
from memory.language.time_grammar import Amount, Every, Grain, Repeat, Said, date_in

REMINDER_HOUR = 9


class Shift(StrEnum):
    """Names what the change of clocks does to a time."""

    SKIPPED = "skipped"
    """It does not exist on that day, and is moved forward by what the clocks leave out."""
    DOUBLED = "doubled"
    """It comes twice, and the first is meant."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Holds what a text may mean, by the clock of the one who said it."""

    wall: datetime
    """Without a zone: the start of what was said, or, of an interval, just as long after now as was said."""
    grain: Grain
    is_interval: bool = False
    """ "in 3 hours" is counted by real time; days, weeks and months that are counted keep the clock."""
    repeat: Repeat | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    readings: tuple[Reading, ...]
    """One, or the two that are likely, the likelier first."""
    rest: str = ""
    """What is no time, as it was typed."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Holds a moment, and what the clock shows then."""

    at: datetime
    wall: datetime
    shifted: Shift | None = None


def for_reminder(reading: Reading) -> Reading:
    """Take nine in the morning for a whole day, and for the first day of what is longer."""
    if reading.is_interval or reading.grain in (Grain.SECOND, Grain.MINUTE, Grain.HOUR):
        return reading
    return replace(reading, wall=reading.wall.replace(hour=REMINDER_HOUR), grain=Grain.HOUR)


def moment_of(reading: Reading, now: datetime, zone: ZoneInfo) -> Resolved:
    """Work out when it is, in that zone. Hours and less are counted from now, whatever the clocks do meanwhile."""
    if reading.is_interval and reading.grain in (Grain.SECOND, Grain.MINUTE):
        here = now.astimezone(zone)
        at = now.astimezone(UTC) + (reading.wall - here.replace(tzinfo=None))
        return Resolved(at, at.astimezone(zone).replace(tzinfo=None))
    return _resolved(reading.wall, zone)


def _resolved(wall: datetime, zone: ZoneInfo) -> Resolved:
    first = wall.replace(tzinfo=zone, fold=0)
    at = first.astimezone(UTC)
    shown = at.astimezone(zone).replace(tzinfo=None, fold=0)
    if shown != wall:
        return Resolved(at, shown, Shift.SKIPPED)
    is_doubled = first.utcoffset() != first.replace(fold=1).utcoffset()
    return Resolved(at, shown, Shift.DOUBLED if is_doubled else None)


def next_of(reading: Reading, after: datetime, zone: ZoneInfo) -> Resolved:
    """Find the next time of a repeated reading after `after`: hours keep their distance, all else keeps the clock."""
    if reading.repeat is None:
        raise ValueError("it is not repeated")
    every, count = reading.repeat.every, reading.repeat.count
    start = _resolved(reading.wall, zone)
    if every is Every.HOURS:
        step = timedelta(hours=count)
        passed = max(0, (after - start.at) // step + 1)
        at = start.at + passed * step
        return Resolved(at, at.astimezone(zone).replace(tzinfo=None))
    days = max(0, (after - start.at).days - 1)
    number = days // {Every.WEEK: 7 * count, Every.MONTH: 31 * count, Every.DAY: count}.get(every, 1)
    while True:
        wall = _occurrence(reading.wall, reading.repeat, number)
        is_meant = every is not Every.WEEKDAY or wall.weekday() < 5
        if is_meant and (found := _resolved(wall, zone)).at > after:
            return found
        number += 1


def _occurrence(start: datetime, repeat: Repeat, number: int) -> datetime:
    if repeat.every is Every.MONTH:
        return months_later(start, number * repeat.count)
    return start + timedelta(days=number * repeat.count * (7 if repeat.every is Every.WEEK else 1))


def months_later(wall: datetime, months: int) -> datetime:
    """Count months on, to the same day, or the last of a month that is too short for it."""
    years, month = divmod(wall.year * 12 + wall.month - 1 + months, 12)
    return wall.replace(year=years, month=month + 1, day=min(wall.day, monthrange(years, month + 1)[1]))


# What is said becomes readings.


_YEARS = range(1900, 2200)
_ASKED_YEARS = range(2000, 2100)
_SEARCHED_DAYS = 366 * 2
_PARTS: dict[str, tuple[int, tuple[range, ...]]] = {
    "morning": (9, (range(1, 720),)),
    "noon": (12, (range(11 * 60, 15 * 60),)),
    "afternoon": (15, (range(12 * 60 + 1, 21 * 60),)),
    "evening": (19, (range(16 * 60, 24 * 60 + 60),)),
    "night": (22, (range(6 * 60), range(18 * 60, 24 * 60 + 60))),
}
"""The hour of each part of a day, and the minutes that belong to it."""
_AWAKE = range(7, 23)
_SMALL_HOURS = 6


def readings_of(said: Said, now: datetime, language: Language, forward: bool) -> list[Reading]:
    """Work out what it may mean, the likelier first; nothing where it contradicts itself."""
    if not _is_whole(said) or now.year not in _YEARS[1:-20]:
        return []
    if said.now is not None:
        return [Reading(now, Grain.SECOND)] if said.parts().keys() <= {"now", "days"} and not said.days else []
    if said.every is not None:
        return _repeated(said, said.every, now, language)
    if said.amounts is not None:
        return _counted(said, said.amounts, now)
    dates = _dates(said, now.date(), language, forward)
    minutes = _minutes(said)
    if dates is None:
        return _by_clock(said, minutes, now, forward)
    days, grain = dates
    if said.clock is None and said.part is None:
        return [Reading(datetime.combine(day, time()), grain) for day in days]
    return _on_days(said, days, minutes, now) if grain is Grain.DAY else []


Days = tuple[date, date]
"""The first day, and the one behind the last."""


def past_days(said: Said, now: datetime, language: Language, *, is_weekend: bool) -> Days | None:
    """Find the days of the past that a question means: of a weekday or a date without a year the latest."""
    parts, today = said.parts().keys(), now.date()
    if said.amounts is not None:
        return _counted_back(said.amounts[0], now) if parts == {"amounts"} and len(said.amounts) == 1 else None
    if parts & {"every", "now", "easter", "bare"} or not parts & {
        "days",
        "weekday",
        "week",
        "month",
        "months",
        "years",
        "year",
    }:
        return None
    if is_weekend and said.month is None:
        if said.which not in (0, -1):
            return None
        saturday = _monday(today) + timedelta(days=5)
        saturday -= timedelta(days=7 if said.which == -1 or today < saturday else 0)
        return saturday, saturday + timedelta(days=2)
    said = replace(said, which=None) if said.which == 0 else said
    for reading in readings_of(said, now, language, forward=False):
        first = reading.wall.date()
        if (first <= today or said.year is not None) and first.year in _ASKED_YEARS:
            return first, _end_of(first, reading.grain) + timedelta(days=is_weekend)
    return None


def _counted_back(amount: Amount, now: datetime) -> Days | None:
    """Read "two weeks ago". The further back, the less exactly people count."""
    wall = _added(now, {amount.unit: amount.size}) if amount.size < 0 else None
    match amount.unit:
        case _ if wall is None:
            return None
        case "day":
            return wall.date(), _end_of(wall.date(), Grain.DAY)
        case "week":
            return wall.date() - timedelta(days=3), wall.date() + timedelta(days=4)
        case "month" | "year":
            first = wall.date().replace(day=1, month=wall.month if amount.unit == "month" else 1)
            return first, _end_of(first, Grain(amount.unit))
    return None


def _end_of(first: date, grain: Grain) -> date:
    match grain:
        case Grain.MONTH | Grain.YEAR:
            months = 1 if grain is Grain.MONTH else 12
            return months_later(datetime.combine(first, time()), months).date()
        case Grain.WEEK:
            return first + timedelta(days=7)
    return first + timedelta(days=1)


def _is_whole(said: Said) -> bool:
    """Say whether bare numbers make sense: an hour alone or beside a day or a part of it, a count alone, no ordinal."""
    others = said.parts().keys() - {"clock", "bare"}
    match said.bare:
        case 1:
            return not others or bool(others & {"part", "days", "every"})
        case 2:
            return others == {"amounts"}
        case 3:
            return others != {"day"}
    return True


def _minutes(said: Said) -> list[int]:
    """List the minutes of the day that may be meant."""
    if said.clock is None:
        return [] if said.part is None else [_PARTS[said.part][0] * 60]
    minutes = said.clock.minutes
    if said.part is None:
        return [minutes % 720, minutes % 720 + 720] if said.clock.is_open else [minutes]
    either = [minutes % 720, minutes % 720 + 720] if said.clock.may_flip else [minutes]
    if said.part in ("evening", "night"):
        either = [one + 1440 if one < 60 and minutes >= 720 else one for one in either]
    return [one for one in either if any(one in span for span in _PARTS[said.part][1])]


def _at(day: date, minutes: int, second: int = 0) -> datetime:
    return datetime.combine(day, time()) + timedelta(minutes=minutes, seconds=second)


def _clock_grain(said: Said) -> Grain:
    return Grain.HOUR if said.clock is None else said.clock.grain


def _by_clock(said: Said, minutes: Sequence[int], now: datetime, forward: bool) -> list[Reading]:
    """Find when a clock next shows a time. Both halves of a day are likely only where the next is in the night."""
    second = 0 if said.clock is None else said.clock.second
    days = [now.date() + timedelta(days=days) for days in ((-1, 0, 1) if forward else (1, 0, -1))]
    moments = [next(moment for day in days if ((moment := _at(day, one, second)) > now) is forward) for one in minutes]
    moments.sort(reverse=not forward)
    if len(moments) == 2:
        moments = moments[:1] if moments[0].hour in _AWAKE else moments[::-1]
    return [Reading(moment, _clock_grain(said)) for moment in moments]


def _on_days(said: Said, days: Sequence[date], minutes: Sequence[int], now: datetime) -> list[Reading]:
    """Put a clock or a part of the day on a day; where there are two such days, only what is still to come counts."""
    second = 0 if said.clock is None else said.clock.second
    if said.part == "night" and minutes and minutes[0] < _SMALL_HOURS * 60 and said.days is not None:
        # "tonight at 2" is tomorrow's date, unless the night has begun; which night "tomorrow night" is, nobody knows.
        days = [day + timedelta(days=now.hour >= _SMALL_HOURS) for day in days if said.days == 0]
    if said.clock is not None and said.clock.minutes >= 1440 and said.part is None and said.days != 0:
        minutes = [*minutes, *(one - 1440 for one in minutes)]
    moments = [_at(day, one, second) for day in days for one in _likelier(minutes)]
    if said.days == 0 or len(days) > 1:
        ahead = [moment for moment in moments if moment > now]
        if len(days) > 1:  # which day is the question then, and not which half of it
            ahead = list({moment.date(): moment for moment in reversed(ahead)}.values())[::-1]
        ahead = sorted(ahead) if now.date() in days else ahead
        if said.days == 0 and len(ahead) == 2 and ahead[0].hour in _AWAKE:
            ahead = ahead[:1]
        if said.clock is None and not ahead and now.hour < 23:
            ahead = [now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)]
        moments = ahead or moments[-1:]
    return [Reading(moment, _clock_grain(said)) for moment in moments]


def _likelier(minutes: Sequence[int]) -> list[int]:
    """Choose of the two halves of a day: from eight to one nobody asks, at seven the morning comes first."""
    if len(minutes) != 2 or minutes[1] - minutes[0] != 720:
        return list(minutes)
    early, late = minutes
    if 8 * 60 <= early < 12 * 60:
        return [early]
    if early < 60:
        return [late]
    return [early, late] if early >= 7 * 60 else [late, early]


def _dates(said: Said, today: date, language: Language, forward: bool) -> tuple[list[date], Grain] | None:
    """Find the days that may be meant, or the first of what is longer; None if nothing of the kind was said."""
    if said.days is not None:
        days = [today + timedelta(days=said.days)]
    elif (found := _calendar(said, today, forward)) is not None:
        days, grain = found
        if grain is not Grain.DAY:
            return (days, grain) if said.weekday is None and said.which is None and said.week is None else ([], grain)
    elif said.weekday is not None:
        return _weekdays(said, said.weekday, today, language, forward), Grain.DAY
    elif said.week is not None:
        return [_monday(today) + timedelta(weeks=said.week)], Grain.WEEK
    else:
        return None
    is_alone = said.which is None and said.ahead is None and said.week is None
    return [day for day in days if is_alone and _agrees(said, day)], Grain.DAY


def _agrees(said: Said, day: date) -> bool:
    wanted = ((said.weekday, day.weekday()), (said.day, day.day), (said.month, day.month), (said.year, day.year))
    is_swapped = said.swapped is not None
    return all(one in (None, other) for one, other in (wanted[:1] if is_swapped else wanted)) or said.nth is not None


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _calendar(said: Said, today: date, forward: bool) -> tuple[list[date], Grain] | None:
    """List days by the calendar: of a month, of a year, counted from Easter."""
    month, year = said.month, said.year
    if said.years is not None:
        year = today.year + said.years
    if said.months is not None:
        year, month = divmod(today.year * 12 + today.month - 1 + said.months, 12)
        month += 1
    if year is not None and year not in _YEARS:
        return [], Grain.DAY

    def coming(make: Callable[[int], date | None]) -> list[date]:
        """Find the day in that year, or the next of its kind; without `forward` the latest."""
        step = 1 if forward else -1
        years = [year] if year is not None else range(today.year, today.year + 9 * step, step)
        made = (make(one) for one in years)
        return [day for day in made if day is not None and (year is not None or (day - today).days * step >= 0)][:1]

    easter, nth, number = said.easter, said.nth, said.day
    if easter is not None:
        return coming(lambda y: _easter(y) + timedelta(days=easter)), Grain.DAY
    if month is not None and nth is not None and number is None:
        return coming(lambda y: _nth(nth, said.weekday, y, month)), Grain.DAY
    if month is not None and number is not None and nth is None:
        days = coming(lambda y: date_in(y, month, number))
        return days + (coming(lambda y: date_in(y, number, month)) if said.swapped else []), Grain.DAY
    if nth is not None or number is not None:
        is_meant = number is not None and year is None and nth is None
        return _days_of_month(said, number or 0, today, forward) if is_meant else [], Grain.DAY
    if month is not None:
        today = today.replace(day=1)
        return coming(lambda y: date(y, month, 1)), Grain.MONTH
    return None if year is None else ([date(year, 1, 1)], Grain.YEAR)


def _nth(nth: int, weekday: int | None, year: int, month: int) -> date | None:
    days = [date(year, month, day) for day in range(1, monthrange(year, month)[1] + 1)]
    days = [day for day in days if weekday in (None, day.weekday())]
    place = nth - 1 if nth > 0 else len(days) + nth
    return days[place] if 0 <= place < len(days) else None


def _easter(year: int) -> date:
    """Count Easter by the calendar of Gregory, as Butcher does."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    rest = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    month, day = divmod(h + rest - 7 * ((a + 11 * h + 22 * rest) // 451) + 114, 31)
    return date(year, month, day + 1)


def _days_of_month(said: Said, number: int, today: date, forward: bool) -> list[date]:
    """Find the next month with such a day, on that weekday if one is said; today's number may mean today too."""
    step = 1 if forward else -1
    days = (today + timedelta(days=step * away) for away in range(_SEARCHED_DAYS))
    found = [day for day in days if day.day == number and said.weekday in (None, day.weekday())]
    if found and found[0] == today and said.weekday is None:
        return found[1::-1]
    return found[:1]


def _weekdays(said: Said, weekday: int, today: date, language: Language, forward: bool) -> list[date]:
    """Find the coming weekday; on the same weekday that may be today. "Next" may be that one or the one after."""
    if said.week is not None:
        return [_monday(today) + timedelta(weeks=said.week, days=weekday)] if said.which is None else []
    ahead = (weekday - today.weekday()) % 7
    coming = today + timedelta(days=ahead or 7)
    match said.which, said.ahead:
        case None, None:
            nearest = coming if forward else coming - timedelta(days=7 if ahead else 14)
            return [nearest] if ahead else [nearest, today]
        case 0, None:
            return [coming] if ahead else [today, coming]
        case 4, None:
            return [coming]
        case -1, None:
            return [coming - timedelta(days=7 if ahead else 14)]
        case 2, None:
            return [coming + timedelta(days=7)]
        case 3, int(count):
            return [coming + timedelta(weeks=count - 1)] if 0 < count < 60 else []
        case None, int(count):
            return [today + timedelta(days=ahead, weeks=count)]
        case 1, None:
            following = _monday(today) + timedelta(weeks=1, days=weekday)
            if following == coming or (language is Language.EN and ahead == 1):
                return [following]
            return [following, coming] if language in (Language.EN, Language.ES) else [coming, following]
    return []


_TIMES = ("second", "minute", "hour")


def _counted(said: Said, amounts: Sequence[Amount], now: datetime) -> list[Reading]:
    """Count from now. Hours are real ones; what is longer keeps the clock, and may be given another."""
    by_unit = {amount.unit: amount.size for amount in amounts}
    others = said.parts().keys() - {"amounts", "bare"}
    wall = _added(now, by_unit)
    if wall is None:
        return []
    if by_unit.keys() & set(_TIMES) and "day" not in by_unit:
        is_today = others <= {"days"} and (said.days is None or wall.date() == now.date() + timedelta(days=said.days))
        is_exact = by_unit.keys() != {"hour"} or by_unit["hour"] % 1
        return [Reading(wall, Grain.SECOND if is_exact else Grain.MINUTE, is_interval=True)] if is_today else []
    if said.weekday is not None:
        return _weekday_in_weeks(said, by_unit, now) if others <= {"weekday", "clock", "part"} else []
    if others & {"clock", "part"}:
        minutes = _minutes(said) if others <= {"clock", "part"} and "year" not in by_unit else []
        return _on_days(said, [wall.date()], minutes, now)
    if others == {"days"} and by_unit.keys() == {"week"}:
        return [Reading(datetime.combine(wall, time()) + timedelta(days=said.days or 0), Grain.DAY)]
    if said.whole_days is not None and others == {"whole_days"}:
        return [Reading(datetime.combine(wall, time()), Grain.DAY)]
    if others:
        return []
    grain = Grain.MONTH if "year" in by_unit else Grain.DAY if by_unit.keys() & {"week", "month"} else Grain.HOUR
    return [Reading(wall, Grain.MINUTE if by_unit.keys() & set(_TIMES) else grain, is_interval=True)]


def _added(now: datetime, by_unit: dict[str, float]) -> datetime | None:
    months = int(by_unit.get("year", 0) * 12 + by_unit.get("month", 0))
    if abs(months) > 12 * 200 or abs(by_unit.get("week", 0)) > 5_000:
        return None
    lengths = {f"{unit}s": by_unit.get(unit, 0) for unit in (*_TIMES, "day", "week")}
    wall = months_later(now, months) + timedelta(**lengths)
    return wall if wall.year in _YEARS else None


def _weekday_in_weeks(said: Said, by_unit: dict[str, float], now: datetime) -> list[Reading]:
    """Read "Monday in two weeks", which is counted from the coming Monday, or from this week."""
    if by_unit.keys() != {"week"} or by_unit["week"] <= 0:
        return []
    weeks, weekday = int(by_unit["week"]), said.weekday or 0
    this_week = _monday(now.date()) + timedelta(weeks=weeks, days=weekday)
    coming = now.date() + timedelta(weeks=weeks, days=(weekday - now.weekday()) % 7)
    days = list(dict.fromkeys((this_week, coming)))
    if said.clock is None and said.part is None:
        return [Reading(datetime.combine(day, time()), Grain.DAY) for day in days]
    return _on_days(said, days, _minutes(said), now)


def _repeated(said: Said, repeat: Repeat, now: datetime, language: Language) -> list[Reading]:
    """Find the first time of a repetition that is still to come."""
    others = said.parts().keys() - {"every", "bare"}
    may = {Every.WEEK: {"weekday"}, Every.MONTH: {"day"}, Every.HOURS: set[str]()}.get(repeat.every, {"days"})
    if others - may - ({"clock", "part"} if repeat.every is not Every.HOURS else set()):
        return []
    unit = {Every.HOURS: "hour", Every.WEEK: "week", Every.MONTH: "month"}.get(repeat.every, "day")
    is_daily = repeat.every is Every.WEEKDAY or repeat == Repeat(Every.DAY)
    if not others and not is_daily:
        wall = _added(now, {unit: repeat.count})
        grain = Grain.MINUTE if unit == "hour" else Grain.DAY
        return [] if wall is None else [Reading(wall, grain, is_interval=True, repeat=repeat)]
    dates = _dates(replace(said, every=None), now.date(), language, forward=True)
    days = [now.date() + timedelta(days=away) for away in range(5)] if dates is None else sorted(dates[0])
    if repeat.every is Every.WEEKDAY:
        days = [day for day in days if day.weekday() < 5]
    grain = _clock_grain(said) if said.clock or said.part else Grain.DAY
    minutes = [REMINDER_HOUR * 60] if grain is Grain.DAY else _likelier(_minutes(said))
    firsts = [next((at for day in days if (at := _at(day, one)) > now), None) for one in minutes]
    walls = [at.replace(hour=0, minute=0) if grain is Grain.DAY else at for at in firsts if at is not None]
    return [Reading(wall, grain, repeat=repeat) for wall in walls]
