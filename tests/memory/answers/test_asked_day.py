"""Questions for a day, and questions that only name one."""

from datetime import UTC, date, datetime

import pytest

from memory.answers.about_days import AskedDay, asked_day
from memory.core.values import Member, Question

ALICE = Member(1, 1, "alice", global_name="Alice")
BOB = Member(1, 2, "bob", global_name="Bob")
NOW = datetime(2026, 3, 11, 15, tzinfo=UTC)
TODAY, YESTERDAY, FRIDAY, MONDAY = (date(2026, 3, day) for day in (11, 10, 6, 2))


def asked(text: str, zone: str = "UTC") -> AskedDay | None:
    return asked_day(Question(1, 1, 1, 1, text, NOW), [ALICE, BOB], zone)


@pytest.mark.parametrize(
    ("text", "day", "days", "people"),
    [
        ("what happened today?", TODAY, 1, []),
        ("What happened on Friday?", FRIDAY, 1, []),
        ("what did we talk about yesterday?", YESTERDAY, 1, []),
        ("tell me about yesterday", YESTERDAY, 1, []),
        ("what did I miss yesterday?", YESTERDAY, 1, []),
        ("what happened on 9 March 2026?", date(2026, 3, 9), 1, []),
        ("was war heute los?", TODAY, 1, []),
        ("qu'est-ce qui s'est passé hier ?", YESTERDAY, 1, []),
        ("¿qué pasó ayer?", YESTERDAY, 1, []),
        ("что случилось вчера?", YESTERDAY, 1, []),
        ("what did I do yesterday?", YESTERDAY, 1, [1]),
        ("what did <@2> do yesterday", YESTERDAY, 1, [2]),
        ("was hat Bob gestern gemacht?", YESTERDAY, 1, [2]),
        ("que hizo Bob ayer?", YESTERDAY, 1, [2]),
        ("what happened last week?", MONDAY, 7, []),
        ("was ist letzte Woche passiert?", MONDAY, 7, []),
        ("qu'est-ce qui s'est passé la semaine dernière ?", MONDAY, 7, []),
        ("¿qué pasó la semana pasada?", MONDAY, 7, []),
        ("что случилось на прошлой неделе?", MONDAY, 7, []),
        ("what did Bob do this week?", date(2026, 3, 9), 3, [2]),
    ],
)
def test_a_day_or_a_week_is_asked_for(text: str, day: date, days: int, people: list[int]) -> None:
    assert asked(text) == AskedDay(day, frozenset(people), days)


@pytest.mark.parametrize(
    "text",
    [
        "where did Bob eat pizza yesterday?",
        "when does the bakery open today?",
        "who won yesterday?",
        "why is the printer down today?",
        "what happened to the cat?",
        "what happened in March 2023?",
        "what happened last month?",
    ],
)
def test_anything_more_particular_is_a_question_like_any_other(text: str) -> None:
    assert asked(text) is None


def test_today_is_the_guilds() -> None:
    found = asked("what happened today?", "Pacific/Auckland")
    assert found is not None
    assert found.date == date(2026, 3, 12)
