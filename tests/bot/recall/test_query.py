"""Days as people type them behind `before` and `after`."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.recall import days_meant, shown
from memory.language.detect import Language
from tests.memory.world import there

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)  # a Sunday
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("typed", "first", "last"),
    [
        ("2026-03-01", "2026-03-01", "2026-03-02"),
        ("1.3.2026", "2026-03-01", "2026-03-02"),
        ("2026-03", "2026-03-01", "2026-03-02"),
        ("2025", "2025-01-01", "2026-01-01"),
        ("yesterday", "2026-11-14", "2026-11-15"),
        ("last week", "2026-11-02", "2026-11-09"),
        ("in March", "2026-03-01", "2026-04-01"),
        ("may", "2026-05-01", "2026-06-01"),
        ("gestern", "2026-11-14", "2026-11-15"),
        ("vorgestern", "2026-11-13", "2026-11-14"),
        ("anteayer", "2026-11-13", "2026-11-14"),
        ("letzte Woche", "2026-11-02", "2026-11-09"),
        ("la semaine dernière", "2026-11-02", "2026-11-09"),
        ("ayer", "2026-11-14", "2026-11-15"),
        ("вчера", "2026-11-14", "2026-11-15"),
    ],
)
def test_what_is_meant(typed: str, first: str, last: str) -> None:
    span = days_meant(typed, NOW, BERLIN, Language.EN)
    assert span is not None
    assert (shown(span.start, BERLIN), shown(span.end, BERLIN)) == (first, last)


@pytest.mark.parametrize(
    "typed", ["", "soon", "2026-02-31", "2026-13", "31.2.2026", "12345678", "99-99-9999", "-", "1"]
)
def test_what_is_no_day(typed: str) -> None:
    assert days_meant(typed, NOW, BERLIN, Language.EN) is None


@pytest.mark.parametrize(
    ("typed", "spoken", "first"),
    [("two weeks ago", "de", "2026-10-29"), ("last night", "de", "2026-11-14"), ("hier", "fr", "2026-11-14")],
)
def test_whoever_types_may_speak_another_language_than_their_discord(typed: str, spoken: str, first: str) -> None:
    assert shown(there(days_meant(typed, NOW, BERLIN, Language(spoken))).start, BERLIN) == first


def test_a_day_begins_at_midnight_in_the_guilds_zone() -> None:
    span = days_meant("2026-03-01", NOW, BERLIN, Language.EN)
    assert span is not None
    assert span.start == datetime(2026, 2, 28, 23, tzinfo=UTC)


@given(st.text(max_size=60), st.sampled_from(Language))
def test_whatever_is_typed_is_a_time_or_nothing(typed: str, language: Language) -> None:
    span = days_meant(typed, NOW, BERLIN, language)
    assert span is None or span.start < span.end
