"""Which time a question speaks of."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.dates import span_in
from memory.language.detect import Language

# A Thursday.
NOW = datetime(2023, 9, 21, 10, tzinfo=UTC)
MOMENTS = st.integers(0, 75 * 365 * 24).map(lambda hours: datetime(2015, 1, 1, tzinfo=UTC) + timedelta(hours=hours))
EN, DE, FR, ES, RU = Language.EN, Language.DE, Language.FR, Language.ES, Language.RU


def days(text: str, language: Language = EN, now: datetime = NOW) -> tuple[date, date] | None:
    """The first day and the last."""
    span = span_in(text, now, UTC, language)
    return None if span is None else (span.start.date(), span.end.date() - timedelta(days=1))


def day(month: int, number: int, year: int = 2023) -> tuple[date, date]:
    return date(year, month, number), date(year, month, number)


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("what did we decide on 5 May?", EN, day(5, 5)),
        ("on May 5th, 2022", EN, day(5, 5, 2022)),
        ("the 3rd of February 2021", EN, day(2, 3, 2021)),
        ("was haben wir am 5. Mai beschlossen?", DE, day(5, 5)),
        ("qu'a-t-on dit le 1er juin 2023 ?", FR, day(6, 1)),
        ("el 5 de mayo de 2022", ES, day(5, 5, 2022)),
        ("что было 5 мая 2023?", RU, day(5, 5)),
        ("2023-02-28 please", EN, day(2, 28)),
        ("am 03.04.2023", DE, day(4, 3)),
        ("3/4/2023", EN, day(3, 4)),
        ("3/4/2023", FR, day(4, 3)),
        ("31/12/2022", EN, day(12, 31, 2022)),
    ],
)
def test_a_day_by_its_date(text: str, language: Language, meant: tuple[date, date]) -> None:
    assert days(text, language) == meant


@pytest.mark.parametrize(
    ("text", "language", "back"),
    [
        ("yesterday", EN, 1),
        ("the day before yesterday", EN, 2),
        ("last night", EN, 1),
        ("three days ago", EN, 3),
        ("10 days ago", EN, 10),
        ("on Monday", EN, 3),
        ("last Thursday", EN, 7),
        ("gestern", DE, 1),
        ("vorgestern", DE, 2),
        ("vor drei Tagen", DE, 3),
        ("letzten Freitag", DE, 6),
        ("hier", FR, 1),
        ("avant-hier", FR, 2),
        ("il y a trois jours", FR, 3),
        ("lundi dernier", FR, 3),
        ("ayer", ES, 1),
        ("hace tres días", ES, 3),
        ("вчера", RU, 1),
        ("три дня назад", RU, 3),
        ("в понедельник", RU, 3),
    ],
)
def test_days_counted_back(text: str, language: Language, back: int) -> None:
    meant = NOW.date() - timedelta(days=back)
    assert days(text, language) == (meant, meant)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("last week", EN),
        ("letzte Woche", DE),
        ("la semaine dernière", FR),
        ("la semana pasada", ES),
        ("на прошлой неделе", RU),
    ],
)
def test_last_week_is_the_week_before_this_one(text: str, language: Language) -> None:
    assert days(text, language) == (date(2023, 9, 11), date(2023, 9, 17))


@pytest.mark.parametrize(
    ("text", "language"), [("in March", EN), ("im März", DE), ("en mars 2023", FR), ("en marzo", ES), ("в марте", RU)]
)
def test_a_month(text: str, language: Language) -> None:
    assert days(text, language) == (date(2023, 3, 1), date(2023, 3, 31))


def test_parts_of_a_month_and_longer_times() -> None:
    assert days("the last week of August 2023") == (date(2023, 8, 25), date(2023, 8, 31))
    assert days("at the beginning of January 2023") == (date(2023, 1, 1), date(2023, 1, 10))
    assert days("Ende Mai", DE) == (date(2023, 5, 22), date(2023, 5, 31))
    assert days("last month") == (date(2023, 8, 1), date(2023, 8, 31))
    assert days("last year") == (date(2022, 1, 1), date(2022, 12, 31))
    assert days("in 2021") == (date(2021, 1, 1), date(2021, 12, 31))
    assert days("last weekend") == (date(2023, 9, 16), date(2023, 9, 17))
    assert days("since June") == (date(2023, 6, 1), NOW.date())


def test_a_date_without_a_year_is_the_latest_that_has_begun() -> None:
    assert days("in December") == (date(2022, 12, 1), date(2022, 12, 31))
    assert days("on 22 September") == day(9, 22, 2022)
    assert days("on 21 September") == day(9, 21)
    in_january = datetime(2024, 1, 2, tzinfo=UTC)
    assert days("last month", now=in_january) == (date(2023, 12, 1), date(2023, 12, 31))


@pytest.mark.parametrize(
    "text",
    ["may I ask?", "who will march with us", "es ist hier", "2023-02-30", "99 problems", "", "in 12345"],
)
def test_words_that_are_no_dates(text: str) -> None:
    assert span_in(text, NOW, UTC, DE if "hier" in text else EN) is None


def test_a_day_that_never_was_still_tells_the_month() -> None:
    assert days("on 31 February") == (date(2023, 2, 1), date(2023, 2, 28))


def test_days_begin_and_end_in_the_zone_of_the_guild() -> None:
    tokyo = ZoneInfo("Asia/Tokyo")
    late = datetime(2023, 9, 21, 16, tzinfo=UTC)  # already the 22nd there
    span = span_in("yesterday", late, tokyo)
    assert span is not None
    assert span.start == datetime(2023, 9, 21, tzinfo=tokyo)
    assert span.end == datetime(2023, 9, 22, tzinfo=tokyo)
    assert span.holds(datetime(2023, 9, 20, 15, tzinfo=UTC))
    assert not span.holds(datetime(2023, 9, 20, 14, 59, tzinfo=UTC))


def test_a_day_of_changing_clocks_is_whole() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    span = span_in("on 26 March 2023", NOW, berlin)
    assert span is not None
    assert span.end - span.start == timedelta(hours=23)


def test_people_tell_of_a_day_for_a_week() -> None:
    span = span_in("on 5 May", NOW, UTC)
    assert span is not None
    assert span.told(datetime(2023, 5, 12, tzinfo=UTC))
    assert not span.told(datetime(2023, 5, 14, tzinfo=UTC))
    assert not span.told(datetime(2023, 5, 3, tzinfo=UTC))


def test_it_says_where_the_date_stands() -> None:
    text = "What happened on 5 May 2023 in the park?"
    span = span_in(text, NOW, UTC)
    assert span is not None
    assert [text[start:end] for start, end in span.typed] == ["5 May 2023"]


@given(st.text(max_size=80), MOMENTS)
def test_whatever_is_typed_gives_a_sound_span_or_none(text: str, now: datetime) -> None:
    span = span_in(text, now, ZoneInfo("America/New_York"))
    assert span is None or (span.start < span.end < span.told_by)


@given(st.sampled_from(["ago", "week", "last", "5", "may", "2023", "vor", "il", "y", "a", "of", "monday", "первый"]))
def test_pieces_of_dates_alone_do_no_harm(piece: str) -> None:
    for text in (piece, f"{piece} {piece}", f"999 {piece} ago", f"{piece} 31"):
        span_in(text, NOW, UTC)
