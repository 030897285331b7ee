"""Questions for a day, and questions that only name one."""

from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest

from memory.answers.about_days import AskedDay, asked_day, may_ask_for_a_day
from memory.core.values import Member

ALICE = Member(1, 1, "alice", global_name="Alice")
BOB = Member(1, 2, "bob", global_name="Bob")
NOW = datetime(2026, 3, 11, 15, tzinfo=UTC)
TODAY, YESTERDAY, FRIDAY = date(2026, 3, 11), date(2026, 3, 10), date(2026, 3, 6)


def asked(text: str, zone: str = "UTC") -> AskedDay | None:
    return asked_day(text, [ALICE, BOB], ALICE, NOW, zone)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("what happened today?", TODAY),
        ("What happened on Friday?", FRIDAY),
        ("what did we talk about yesterday?", YESTERDAY),
        ("tell me about yesterday", YESTERDAY),
        ("what did I miss yesterday?", YESTERDAY),
        ("what happened on 9 March 2026?", date(2026, 3, 9)),
        ("was ist gestern passiert?", YESTERDAY),
        ("was war heute los?", TODAY),
        ("qu'est-ce qui s'est passé hier ?", YESTERDAY),
        ("¿qué pasó ayer?", YESTERDAY),
        ("что случилось вчера?", YESTERDAY),
        ("что было сегодня?", TODAY),
    ],
)
def test_a_day_is_asked_for(text: str, day: date) -> None:
    assert may_ask_for_a_day(text, NOW)
    assert asked(text) == AskedDay(day, frozenset())


@pytest.mark.parametrize(
    "text",
    ["what did Bob do yesterday?", "what did <@2> do yesterday", "was hat Bob gestern gemacht?", "que hizo Bob ayer?"],
)
def test_a_members_day_is_asked_for(text: str) -> None:
    assert asked(text) == AskedDay(YESTERDAY, frozenset((2,)))


@pytest.mark.parametrize(
    "text",
    [
        "what happened last week?",
        "was ist letzte Woche passiert?",
        "qu'est-ce qui s'est passé la semaine dernière ?",
        "¿qué pasó la semana pasada?",
        "что случилось на прошлой неделе?",
    ],
)
def test_a_week_is_asked_for(text: str) -> None:
    assert may_ask_for_a_day(text, NOW)
    assert asked(text) == AskedDay(date(2026, 3, 2), frozenset(), days=7)


def test_a_week_ends_today() -> None:
    assert asked("what did Bob do this week?") == AskedDay(date(2026, 3, 9), frozenset((2,)), days=3)


def test_ones_own_day_is_asked_for() -> None:
    assert asked("what did I do yesterday?") == AskedDay(YESTERDAY, frozenset((1,)))


@pytest.mark.parametrize(
    "text",
    [
        "where did Bob eat pizza yesterday?",
        "when does the bakery open today?",
        "who won yesterday?",
        "why is the printer down today?",
        "what happened to the cat?",
        "what is the wifi password?",
    ],
)
def test_anything_more_particular_is_a_question_like_any_other(text: str) -> None:
    assert asked(text) is None


def test_today_is_the_guilds() -> None:
    found = asked("what happened today?", "Pacific/Auckland")
    assert found is not None
    assert found.date == date(2026, 3, 12)


@pytest.mark.parametrize(
    "text", ["what happened in March 2023?", "what happened last month?", "what is new this year?"]
)
def test_a_time_that_is_much_longer_than_a_day_is_known_at_once(text: str) -> None:
    assert not may_ask_for_a_day(text, NOW)
    assert asked(text) is None


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Apia", "UTC", "Europe/Berlin", "Etc/GMT+12"])
@pytest.mark.parametrize("text", ["what happened today?", "what happened on Monday?", "what happened since {day}?"])
def test_whatever_the_zone_no_day_is_missed_at_the_first_look(text: str, zone: str) -> None:
    days = ["today", "yesterday", "Monday", "Saturday", "12 March", "15 March"]
    for hour, day in product(range(0, 24 * 7, 3), days):
        when, said = NOW + timedelta(hours=hour), text.format(day=day)
        if asked_day(said, [ALICE, BOB], ALICE, when, zone) is not None:
            assert may_ask_for_a_day(said, when)
