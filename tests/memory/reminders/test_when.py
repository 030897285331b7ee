"""Times as people say them: what is understood, what has two meanings, and what is no time."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.language.detect import Language
from memory.reminders.values import Every, Grain, Reading, Repeat, for_reminder
from memory.reminders.when import when, within

EN, DE, FR, ES, RU = Language.EN, Language.DE, Language.FR, Language.ES, Language.RU
NOW = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)
"""A Wednesday."""

MEANT: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "times.toml").read_text(encoding="utf-8"))


def table() -> list[tuple[Language, str, datetime]]:
    rows = []
    for language, moment, phrases in ((one, *row) for one, said in MEANT.items() for row in said.items()):
        day, _, clock = (moment if moment.startswith("20") else f"2026-{moment}").partition(" ")
        meant = datetime.fromisoformat(f"{day} {clock or '00:00'}")
        rows += [(Language(language), phrase, meant) for phrase in phrases.split(" | ")]
    return rows


@pytest.mark.parametrize("language", Language)
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
