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
EN, DE = Language.EN, Language.DE


def days(text: str, language: Language = EN, now: datetime = NOW) -> tuple[date, date] | None:
    """The first day and the last."""
    span = span_in(text, now, UTC, language)
    return None if span is None else (span.start.date(), span.end.date() - timedelta(days=1))


# The language, what is typed, the first day and, where it is another one, the last.
SAID = """
en | what did we decide on 5 May? | 2023-05-05
en | on May 5th, 2022 | 2022-05-05
en | the 3rd of February 2021 | 2021-02-03
de | was haben wir am 5. Mai beschlossen? | 2023-05-05
fr | qu'a-t-on dit le 1er juin 2023 ? | 2023-06-01
es | el 5 de mayo de 2022 | 2022-05-05
ru | что было 5 мая 2023? | 2023-05-05
en | 2023-02-28 please | 2023-02-28
de | am 03.04.2023 | 2023-04-03
en | 3/4/2023 | 2023-03-04
fr | 3/4/2023 | 2023-04-03
en | 31/12/2022 | 2022-12-31
en | yesterday | 2023-09-20
en | the day before yesterday | 2023-09-19
en | last night | 2023-09-20
en | three days ago | 2023-09-18
en | 10 days ago | 2023-09-11
en | a couple of days ago | 2023-09-19
en | on Monday | 2023-09-18
en | last Thursday | 2023-09-14
de | gestern | 2023-09-20
de | vorgestern | 2023-09-19
de | vor drei Tagen | 2023-09-18
de | letzten Freitag | 2023-09-15
fr | hier | 2023-09-20
fr | avant-hier | 2023-09-19
fr | il y a trois jours | 2023-09-18
fr | lundi dernier | 2023-09-18
es | ayer | 2023-09-20
es | hace tres días | 2023-09-18
ru | вчера | 2023-09-20
ru | три дня назад | 2023-09-18
ru | в понедельник | 2023-09-18
en | a week ago | 2023-09-11 | 2023-09-17
en | last week | 2023-09-11 | 2023-09-17
de | letzte Woche | 2023-09-11 | 2023-09-17
fr | la semaine dernière | 2023-09-11 | 2023-09-17
es | la semana pasada | 2023-09-11 | 2023-09-17
ru | на прошлой неделе | 2023-09-11 | 2023-09-17
en | in March | 2023-03-01 | 2023-03-31
de | im März | 2023-03-01 | 2023-03-31
fr | en mars 2023 | 2023-03-01 | 2023-03-31
es | en marzo | 2023-03-01 | 2023-03-31
ru | в марте | 2023-03-01 | 2023-03-31
en | on 31 February | 2023-02-01 | 2023-02-28
en | at the beginning of January 2023 | 2023-01-01 | 2023-01-31
de | Ende Mai | 2023-05-01 | 2023-05-31
en | last month | 2023-08-01 | 2023-08-31
es | hace dos meses | 2023-07-01 | 2023-07-31
en | last year | 2022-01-01 | 2022-12-31
en | in 2021 | 2021-01-01 | 2021-12-31
en | last weekend | 2023-09-16 | 2023-09-17
en | since June | 2023-06-01 | 2023-09-21
"""


@pytest.mark.parametrize("line", SAID.strip().splitlines())
def test_the_days_that_are_meant(line: str) -> None:
    language, text, *meant = line.split(" | ")
    assert days(text, Language(language)) == (date.fromisoformat(meant[0]), date.fromisoformat(meant[-1]))


def test_a_date_without_a_year_is_the_latest_that_has_begun() -> None:
    assert days("in December") == (date(2022, 12, 1), date(2022, 12, 31))
    assert days("on 22 September") == (date(2022, 9, 22), date(2022, 9, 22))
    assert days("on 21 September") == (date(2023, 9, 21), date(2023, 9, 21))
    in_january = datetime(2024, 1, 2, tzinfo=UTC)
    assert days("last month", now=in_january) == (date(2023, 12, 1), date(2023, 12, 31))


@pytest.mark.parametrize(
    "text",
    ["may I ask?", "who will march with us", "es ist hier", "2023-02-30", "99 problems", "", "in 12345"],
)
def test_words_that_are_no_dates(text: str) -> None:
    assert span_in(text, NOW, UTC, DE if "hier" in text else EN) is None


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
