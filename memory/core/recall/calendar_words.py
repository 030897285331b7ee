"""How days are spoken of in the five languages: months, weekdays, and the words that count back from today.

Everything is written folded (no case, no accents), as `fold` leaves the text it is compared with.
"""

from memory.core.text import fold

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
