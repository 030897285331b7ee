"""Which time a question speaks of."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.detect import Language
from memory.language.times import span_in
from tests.memory.tables import tables_of
from tests.memory.world import there

# A Thursday.
NOW = datetime(2023, 9, 21, 10, tzinfo=UTC)
MOMENTS = st.integers(0, 75 * 365 * 24).map(lambda hours: datetime(2015, 1, 1, tzinfo=UTC) + timedelta(hours=hours))
EN, DE = Language.EN, Language.DE


def days(text: str, language: Language = EN, now: datetime = NOW) -> tuple[date, date] | None:
    """The first day and the last."""
    span = span_in(text, now, UTC, language)
    return None if span is None else (span.start.date(), span.end.date() - timedelta(days=1))


SAID: dict[str, dict[str, list[str]]] = tables_of(__file__, "dates")


@pytest.mark.parametrize(
    ("language", "text", "meant"), [(one, *row) for one, said in SAID.items() for row in said.items()]
)
def test_the_days_that_are_meant(language: str, text: str, meant: list[str]) -> None:
    assert days(text, Language(language)) == (date.fromisoformat(meant[0]), date.fromisoformat(meant[-1]))


def test_a_date_without_a_year_is_the_latest_that_has_begun() -> None:
    assert days("in December") == (date(2022, 12, 1), date(2022, 12, 31))
    assert days("on 22 September") == (date(2022, 9, 22), date(2022, 9, 22))
    assert days("on 21 September") == (date(2023, 9, 21), date(2023, 9, 21))
    in_january = datetime(2024, 1, 2, tzinfo=UTC)
    assert days("last month", now=in_january) == (date(2023, 12, 1), date(2023, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "may I ask?",
        "who will march with us",
        "es ist hier",
        "2023-02-30",
        "99 problems",
        "",
        "in 12345",
        "3/4 of it",
        "the last 2000 messages",
    ],
)
def test_words_that_are_no_dates(text: str) -> None:
    assert span_in(text, NOW, UTC, DE if "hier" in text else EN) is None


def test_only_in_french_hier_is_yesterday() -> None:
    assert span_in("hier", NOW, UTC) is None
    assert days("hier soir", Language.FR) == (date(2023, 9, 20), date(2023, 9, 20))


def test_days_begin_and_end_in_the_zone_of_the_guild() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    late = datetime(2023, 9, 21, 16, tzinfo=UTC)  # already the 22nd there
    span = there(span_in("yesterday", late, tokyo))
    assert span.start == datetime(2023, 9, 21, tzinfo=tokyo)
    assert span.end == datetime(2023, 9, 22, tzinfo=tokyo)
    assert span.holds(datetime(2023, 9, 20, 15, tzinfo=UTC))
    assert not span.holds(datetime(2023, 9, 20, 14, 59, tzinfo=UTC))


def test_a_day_of_changing_clocks_is_whole() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    span = there(span_in("on 26 March 2023", NOW, berlin))
    assert span.end - span.start == timedelta(hours=23)


def test_people_tell_of_a_day_for_a_week() -> None:
    span = there(span_in("on 5 May", NOW, UTC))
    assert span.told(datetime(2023, 5, 12, tzinfo=UTC))
    assert not span.told(datetime(2023, 5, 14, tzinfo=UTC))
    assert not span.told(datetime(2023, 5, 3, tzinfo=UTC))


def test_it_says_where_the_date_stands() -> None:
    text = "What happened on 5 May 2023 in the park?"
    span = there(span_in(text, NOW, UTC))
    assert [text[start:end] for start, end in span.typed] == ["5 May 2023"]


@given(st.text(max_size=80), MOMENTS)
def test_whatever_is_typed_gives_a_sound_span_or_none(text: str, now: datetime) -> None:
    span = span_in(text, now, ZoneInfo("America/New_York"))
    assert span is None or (span.start < span.end < span.told_by)


def test_a_long_question_is_read_in_little_time() -> None:
    for piece in ("in 1 h ", "may ", "1 ", "last week ", "one year ago in the ", "2 may 3 march "):
        span_in(piece * (4_000 // len(piece)), NOW, UTC)


@given(st.sampled_from(["ago", "week", "last", "5", "may", "2023", "vor", "il", "y", "a", "of", "monday", "первый"]))
def test_pieces_of_dates_alone_do_no_harm(piece: str) -> None:
    for text in (piece, f"{piece} {piece}", f"999 {piece} ago", f"{piece} 31"):
        span_in(text, NOW, UTC)
