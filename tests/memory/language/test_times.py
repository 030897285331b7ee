"""Times as people say them: what is understood, what has two meanings, what is no time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.language.detect import Language
from memory.language.time_grammar import Every, Grain, Repeat
from memory.language.time_meaning import Reading, for_reminder
from memory.language.times import lead_in, when, within
from tests.memory.tables import tables_of
from tests.memory.world import there

EN = Language.EN
NOW = datetime(2026, 3, 11, 15, 20, tzinfo=UTC)
"""A Wednesday."""

MEANT: dict[str, dict[str, str]] = tables_of(__file__, "times")
SAID = tables_of(__file__)


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


@pytest.mark.parametrize(("language", "phrase", "walls"), SAID["two"])
def test_two_likely_meanings_are_both_told(language: str, phrase: str, walls: list[str]) -> None:
    understood = there(when(phrase, NOW, Language(language)))
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


@pytest.mark.parametrize(("language", "phrase", "repeat", "first"), SAID["again"])
def test_a_time_may_come_again_and_again(language: str, phrase: str, repeat: tuple[str, int], first: str) -> None:
    understood = there(when(phrase, NOW, Language(language)))
    (reading,) = understood.readings
    assert reading.repeat == Repeat(Every(repeat[0]), repeat[1])
    assert f"{for_reminder(reading).wall:%m-%d %H:%M}" == first


@pytest.mark.parametrize(("language", "text", "wall", "rest"), SAID["ends"])
def test_a_time_is_found_at_either_end(language: str, text: str, wall: str, rest: str) -> None:
    understood = there(within(text, NOW, Language(language) if language else None))
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


def test_eleven_in_spanish_is_no_english_once() -> None:
    assert lead_in("a las once antes de que empiece la reunión", NOW, Language.ES) is None
    assert there(lead_in("once the quiz starts", NOW, EN)).rest == "the quiz"


def test_looking_back_the_latest_is_meant() -> None:
    assert [r.wall.day for r in _readings("friday")] == [6]
    assert [r.wall.day for r in _readings("at 9am")] == [11]
    assert [r.wall.year for r in _readings("october 31")] == [2025]


def _readings(phrase: str) -> tuple[Reading, ...]:
    return there(when(phrase, NOW, EN, forward=False)).readings


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
