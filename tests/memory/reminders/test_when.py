"""Times as people say them: what is understood, what has two meanings, and what is no time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.language.detect import Language
from memory.reminders.values import Every, Grain, Reading, Repeat, for_reminder
from memory.reminders.when import when, within

EN, DE, FR, ES, RU = Language.EN, Language.DE, Language.FR, Language.ES, Language.RU
NOW = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)
"""A Wednesday."""

# By language: the day and the clock that each phrase means, with the year where it is another.
MEANT = {
    EN: """
03-11 15:20: now | right now
03-11: today
03-12: tomorrow | tmrw
03-13: the day after tomorrow | this friday | on friday | fri | coming Friday | Friday the 13th
03-11 15:40: in 20 minutes | 20 minutes from now | in 20 more minutes | in twenty minutes | 20m | in about 20 min
03-11 17:50: in two and a half hours | in 2.5 hours | in 2 hours and 30 minutes | 2h30m
03-11 15:50: in half an hour | in 1/2 hour | in a half hour
03-11 16:05: in three-quarters of an hour
03-11 17:20: 2 hours from now | in a couple of hours | 2h
03-14 15:20: in 3 days | in a few days | 3 days from now
03-14 12:00: in 3 days at noon | noon in 3 days
03-25 15:20: in a fortnight | in two weeks
05-11 15:20: in two months
03-18: a week from today | next wednesday
03-20: friday after next | two fridays from now | friday next week
03-16: monday | next monday | monday of next week
2027-05-05: May 5th, 2027 | 5 may 2027 | 2027-05-05 | the fifth of May 2027
2027-02-03: the 3rd of February | feb 3
05-31: 5/31 | 31/5 | on May 31
03-24: the 24th | 24th of this month | on the 24
04-20: the 20th of next month
03-12 09:00: 9am | tomorrow at 9 | at 9 tomorrow morning | tomorrow morning | in the morning
03-11 21:30: at 9:30pm | 9:30 p.m. | half past nine tonight | tonight at 930 | 21h30 | nine thirty pm
03-11 16:45: quarter to five | 16:45 | a quarter to 5
03-11 20:00: 8 this evening | tonight at 8 | at eight in the evening
03-12 12:00: at noon | midday
03-12 00:00: midnight | at 12am
03-14 22:00: saturday night
03-13 15:00: Friday the 13th at 3 pm | 3pm on friday | Fri, Mar 13 at 15:00
10-31: last day of october | halloween
05-25: last monday of may
12-24 18:00: christmas eve at 6pm
04-06: easter monday
03-31: end of the month
""",
    DE: """
03-11 15:20: jetzt
03-13 15:00: übermorgen um 15 Uhr | uebermorgen um 15h | Freitag gegen 15 Uhr
03-11 15:35: in einer Viertelstunde | in 15 Minuten | in fünfzehn Minuten
03-11 16:50: in anderthalb Stunden | in eineinhalb Stunden | in 1,5 Stunden
03-14 09:00: in 3 Tagen um 9 | Samstag Vormittag | Samstagmorgen | am Sa. um 9 Uhr
03-25 15:20: in vierzehn Tagen | in zwei Wochen
03-13 09:30: am Freitag um halb zehn | Freitag um 9.30 Uhr
03-18: heute in einer Woche
03-15: so. | am Sonntag
03-16: kommenden Montag | Montag | Montag nächster Woche | nächsten Montag
03-20: übernächsten Freitag | Freitag nächste Woche
12-31: am 31.12. | 31. Dezember | Silvester | am 31.12.2026 | am einunddreißigsten Dezember
2027-12-31 23:59: 31.12.2027 um 23:59
04-01: der erste April | am 1. April
03-24: am 24. | am vierundzwanzigsten
03-11 20:00: heute Abend um 8 | 20 Uhr | um acht Uhr abends
03-11 17:15: Viertel nach fünf nachmittags | 17:15
03-11 20:50: zehn vor neun abends
03-12 15:25: morgen um fünf vor halb vier nachmittags
03-13 19:00: Freitagabend | Freitag Abend
03-12 09:00: morgen früh | morgen um neun
03-12 00:00: um Mitternacht
05-29: letzter Freitag im Mai
12-24: Heiligabend
""",
    FR: """
03-11 15:20: maintenant | tout de suite
03-13 09:00: après-demain à 9 h | vendredi à 9h | vendredi 13 à 9h | vendredi à neuf heures du matin
03-11 15:35: dans un quart d'heure
03-11 16:50: dans une heure et demie | dans 1h30
03-26 12:00: dans quinze jours à midi
03-23: lundi en huit
03-16: lundi | lundi prochain | lundi de la semaine prochaine | ce lundi
12-31: le 31/12 | le 31 décembre
2027-05-01: le 1er mai 2027 | premier mai 2027
03-13 18:30: vendredi 13 mars à 18h30
03-11 21:15: à neuf heures et quart du soir | 21h15
03-11 17:45: six heures moins le quart
03-12 09:00: demain matin | demain à 9h
03-11 19:00: ce soir
09-21 09:00: 21 sept. à 9h
05-04: premier lundi de mai
12-25: Noël
""",
    ES: """
03-11 15:20: ahora mismo
03-13 09:00: pasado mañana a las 9 | el viernes a las nueve
03-11 16:50: dentro de hora y media | en una hora y media
03-11 17:20: dentro de dos horas
03-26 10:00: en quince días a las 10
03-13 21:00: el viernes a las 9 de la noche
03-16: el lunes que viene | este lunes | el lunes de la semana que viene
2027-05-05: el 5 de mayo de 2027
03-24: el día 24 | el 24 | martes 24
03-12 09:00: mañana por la mañana | mañana a las 9
03-11 18:00: esta tarde a las seis | a las seis de la tarde
03-11 20:45: a las nueve menos cuarto de la noche
03-12 10:20: las diez y veinte de la mañana
03-12 12:00: al mediodía
05-04: primer lunes de mayo
12-24: Nochebuena
""",
    RU: """
03-11 15:20: сейчас
03-13 09:00: послезавтра в 9 утра | в пятницу в девять утра
03-11 15:50: через полчаса
03-11 16:50: через полтора часа
03-25 15:20: через две недели
03-14 12:00: через 3 дня в полдень
03-13: в пятницу | в эту пятницу | пт
03-16: в понедельник на следующей неделе
12-31: 31.12 | 31 декабря
04-25: двадцать пятого апреля | 25-го апреля
03-24: 24-го числа | 24-го
03-12 09:00: завтра утром | завтра в 9
03-11 21:00: в 9 вечера | в 21:00 | сегодня в 9 вечера
03-11 17:30: в половине шестого вечера | в полшестого вечера
03-11 17:45: без четверти шесть
03-12 13:00: в час дня
05-04: первый понедельник мая
""",
}


def table() -> list[tuple[Language, str, datetime]]:
    lines = [(language, line) for language, text in MEANT.items() for line in text.strip().splitlines()]
    rows = []
    for language, line in lines:
        moment, _, phrases = line.partition(": ")
        day, _, clock = (moment if moment.startswith("20") else f"2026-{moment}").partition(" ")
        meant = datetime.fromisoformat(f"{day} {clock or '00:00'}")
        rows += [(language, phrase, meant) for phrase in phrases.split(" | ")]
    return rows


@pytest.mark.parametrize("language", MEANT)
def test_every_phrase_means_what_people_mean(language: Language) -> None:
    for spoken, phrase, meant in table():
        if spoken is language:
            understood = when(phrase, NOW, language)
            assert understood is not None, phrase
            assert [reading.wall for reading in understood.readings] == [meant], phrase


@pytest.mark.parametrize(
    ("language", "phrase", "walls"),
    [
        (EN, "wednesday", ["03-18 00:00", "03-11 00:00"]),
        (EN, "wednesday at 6pm", ["03-11 18:00", "03-18 18:00"]),
        (EN, "wednesday at 7", ["03-11 19:00", "03-18 07:00"]),
        (EN, "next friday at 7", ["03-20 07:00", "03-13 07:00"]),
        (EN, "next friday", ["03-20 00:00", "03-13 00:00"]),
        (DE, "nächsten Freitag", ["03-13 00:00", "03-20 00:00"]),
        (EN, "tomorrow at 7", ["03-12 07:00", "03-12 19:00"]),
        (EN, "tomorrow at 3", ["03-12 15:00", "03-12 03:00"]),
        (EN, "at 3", ["03-12 15:00", "03-12 03:00"]),
        (EN, "5/6", ["05-06 00:00", "06-05 00:00"]),
        (DE, "Montag in einer Woche", ["03-16 00:00", "03-23 00:00"]),
        (RU, "3 часа", ["03-11 18:20", "03-12 15:00"]),
        (FR, "2h", ["03-11 17:20", "03-12 02:00"]),
        (EN, "tomorrow at midnight", ["03-13 00:00", "03-12 00:00"]),
    ],
)
def test_two_likely_meanings_are_both_told(language: Language, phrase: str, walls: list[str]) -> None:
    understood = when(phrase, NOW, language)
    assert understood is not None
    assert [f"{reading.wall:%m-%d %H:%M}" for reading in understood.readings] == walls


@pytest.mark.parametrize(
    "phrase",
    [
        *("", "soon", "25", "3 30", "this one", "at a few", "tomorrow maybe", "tomorrow at 25", "february 30", "next"),
        *("2027-02-30", "at 650-650-6500", "monday, march 17", "13:30 am", "3pm in the morning", "tomorrow yesterday"),
        *("in 0/0 hours", "in 99999999 days", "in 9999 years", "every year", "tomorrow 🎂", "the"),
        *("every morning at 8pm", "3 at 4", "noon at 3", "in an hour at 5", "next week at 9", "march at 9"),
        "x" * 201,
    ],
)
def test_what_is_no_time_is_not_understood(phrase: str) -> None:
    assert when(phrase, NOW) is None
    assert when(phrase, NOW, EN) is None


@pytest.mark.parametrize(
    ("language", "phrase", "repeat", "first"),
    [
        (EN, "every day at 9", Repeat(Every.DAY), "03-12 09:00"),
        (EN, "daily", Repeat(Every.DAY), "03-12 09:00"),
        (EN, "every morning", Repeat(Every.DAY), "03-12 09:00"),
        (EN, "every weekday at 5pm", Repeat(Every.WEEKDAY), "03-11 17:00"),
        (EN, "every friday", Repeat(Every.WEEK), "03-13 09:00"),
        (EN, "every 2 weeks on monday at 10", Repeat(Every.WEEK, 2), "03-16 10:00"),
        (EN, "every other day at 8am", Repeat(Every.DAY, 2), "03-12 08:00"),
        (EN, "every 3 hours", Repeat(Every.HOURS, 3), "03-11 18:20"),
        (EN, "the 5th of every month at noon", Repeat(Every.MONTH), "04-05 12:00"),
        (EN, "every week", Repeat(Every.WEEK), "03-18 15:20"),
        (DE, "täglich um 18 Uhr", Repeat(Every.DAY), "03-11 18:00"),
        (DE, "montags um 9", Repeat(Every.WEEK), "03-16 09:00"),
        (DE, "alle zwei Stunden", Repeat(Every.HOURS, 2), "03-11 17:20"),
        (DE, "jeden Werktag um 8:30", Repeat(Every.WEEKDAY), "03-12 08:30"),
        (DE, "am 5. jedes Monats", Repeat(Every.MONTH), "04-05 09:00"),
        (FR, "tous les lundis à 9h", Repeat(Every.WEEK), "03-16 09:00"),
        (FR, "toutes les 2 heures", Repeat(Every.HOURS, 2), "03-11 17:20"),
        (FR, "le 5 de chaque mois", Repeat(Every.MONTH), "04-05 09:00"),
        (ES, "todos los días a las 8 de la mañana", Repeat(Every.DAY), "03-12 08:00"),
        (ES, "cada dos semanas", Repeat(Every.WEEK, 2), "03-25 15:20"),
        (ES, "entre semana a las 9", Repeat(Every.WEEKDAY), "03-12 09:00"),
        (RU, "каждый день в 9 утра", Repeat(Every.DAY), "03-12 09:00"),
        (RU, "по понедельникам в 10:00", Repeat(Every.WEEK), "03-16 10:00"),
        (RU, "каждые 3 часа", Repeat(Every.HOURS, 3), "03-11 18:20"),
        (RU, "по будням в 8:30", Repeat(Every.WEEKDAY), "03-12 08:30"),
    ],
)
def test_a_time_may_come_again_and_again(language: Language, phrase: str, repeat: Repeat, first: str) -> None:
    understood = when(phrase, NOW, language)
    assert understood is not None
    (reading,) = understood.readings
    assert reading.repeat == repeat
    assert f"{for_reminder(reading).wall:%m-%d %H:%M}" == first


@pytest.mark.parametrize(
    ("language", "text", "wall", "rest"),
    [
        (EN, "tomorrow at 9 to call Ann", "03-12 09:00", "call Ann"),
        (EN, "to call Ann tomorrow at 9.", "03-12 09:00", "call Ann"),
        (EN, "tomorrow to call Ann at 9", "03-12 09:00", "call Ann"),
        (EN, "of the oven in 20 minutes", "03-11 15:40", "the oven"),
        (EN, "in 20 minutes: the Oven!", "03-11 15:40", "the Oven"),
        (EN, "plan the Oct party on Oct 31st", "10-31 00:00", "plan the Oct party"),
        (EN, "every friday at 5pm that the bins go out", "03-13 17:00", "the bins go out"),
        (EN, "tomorrow", "03-12 00:00", ""),
        (DE, "an den Ofen in 20 Minuten", "03-11 15:40", "den Ofen"),
        (DE, "morgen um 9, dass Ann wartet", "03-12 09:00", "Ann wartet"),
        (FR, "d'appeler Ann demain à 9h", "03-12 09:00", "appeler Ann"),
        (ES, "mañana a las 9 que llame a Ana", "03-12 09:00", "llame a Ana"),
        (RU, "о встрече через полчаса", "03-11 15:50", "встрече"),
        (None, "завтра в 9 утра позвонить Ане", "03-12 09:00", "позвонить Ане"),
        (None, "in 20 Minuten an den Ofen", "03-11 15:40", "den Ofen"),
    ],
)
def test_a_time_is_found_at_either_end(language: Language | None, text: str, wall: str, rest: str) -> None:
    understood = within(text, NOW, language)
    assert understood is not None
    assert [f"{reading.wall:%m-%d %H:%M}" for reading in understood.readings] == [wall]
    assert understood.rest == rest


@pytest.mark.parametrize(
    "text",
    [
        *(
            "call Ann about March",
            "call Ann about Friday",
            "pack for tomorrow",
            "enjoy the sun",
            "buy 7",
            "",
            "who sat",
        ),
        *("tomorrow's meeting", "meet tomorrow in the pub", "the photos from last monday", "you may", "get up early"),
    ],
)
def test_words_that_belong_to_what_is_to_be_done_are_no_time(text: str) -> None:
    assert within(text, NOW, EN) is None


def test_looking_back_the_latest_is_meant() -> None:
    assert [r.wall.day for r in _readings("friday")] == [6]
    assert [r.wall.day for r in _readings("at 9am")] == [11]
    assert [r.wall.year for r in _readings("october 31")] == [2025]


def _readings(phrase: str) -> tuple[Reading, ...]:
    understood = when(phrase, NOW, EN, forward=False)
    assert understood is not None
    return understood.readings


PHRASES = [(language, phrase) for language, phrase, _ in table()]
WORDS = st.lists(st.sampled_from([word for _, phrase in PHRASES for word in phrase.split()]), max_size=12).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=60), WORDS), st.sampled_from([None, *Language]), st.booleans())
def test_no_text_breaks_it(text: str, language: Language | None, forward: bool) -> None:
    for understood in (when(text, NOW, language, forward=forward), within(text, NOW, language)):
        for reading in () if understood is None else understood.readings:
            assert 1900 <= reading.wall.year < 2200
            assert reading.wall.tzinfo is None
            assert for_reminder(reading).grain in (*list(Grain)[:3], reading.grain)


def test_a_long_text_takes_no_time() -> None:
    texts = ("in 1 h " * 600, "at 9 " * 800, "1 " * 2_000, "every " * 700, "a" * 4_000, "9-" * 2_000)
    for text in texts:
        assert when(text[:200], NOW) is None
        within(text, NOW)
