"""What counts as decided, planned or announced, in five languages, and the moment it speaks of."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memory.core.values import AuthorKind, Message
from memory.daily.values import moment_back
from memory.language.detect import Language
from memory.summaries.happenings import decided

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 17, 10, tzinfo=UTC)
"""A Tuesday, 11 o'clock in Berlin."""


def found(text: str) -> tuple[str, bool] | None:
    lines = decided([Message(1, 10, 1, 101, AuthorKind.PERSON, text, NOW)], BERLIN)
    if not lines:
        return None
    when = "" if lines[0].when is None else f"{lines[0].when.astimezone(BERLIN):%d.%m. %H:%M}"
    return when, lines[0].is_day


@pytest.mark.parametrize(
    ("text", "when", "is_day"),
    [
        ("We decided to use the blue logo.", "", False),
        ("Let's meet on Friday at 8pm at Ann's place", "20.11. 20:00", False),
        ("The party starts tomorrow at 19:00, bring cake", "18.11. 19:00", False),
        ("On Friday we'll start baking the bread at 20:00", "20.11. 20:00", False),
        ("the deadline of the bakery is March 3", "03.03. 12:00", True),
        ("@everyone the bakery moves house, bring boxes", "", False),
        ("Dann machen wir das Fest am Samstag um 15 Uhr", "21.11. 15:00", False),
        ("Wir haben uns auf den blauen Ofen geeinigt.", "", False),
        ("On se retrouve demain à 18h au café", "18.11. 18:00", False),
        ("Decidimos comprar el horno azul.", "", False),
        ("quedamos el viernes a las 20:00 en casa", "20.11. 20:00", False),
        ("Решили взять синий логотип", "", False),
        ("встречаемся завтра в 18:00 у кафе", "18.11. 18:00", False),
    ],
)
def test_a_plan_and_its_moment(text: str, when: str, is_day: bool) -> None:
    assert found(text) == (when, is_day)


@pytest.mark.parametrize(
    "text",
    [
        "We have not decided yet which oven to buy.",
        "noch nicht entschieden wer das Mehl holt",
        "Shall we meet on Friday at the bakery?",
        "We met on Friday and the bread was fun",
        "it will rain 3 times on the bakery roof",
        "the bread tastes good with butter",
    ],
)
def test_what_is_open_asked_or_over_is_no_plan(text: str) -> None:
    assert found(text) is None


@pytest.mark.parametrize(
    ("typed", "language", "expected"),
    [
        ("3 h", Language.EN, "17.11. 08:00"),
        ("2 days", Language.EN, "15.11. 11:00"),
        ("yesterday", Language.EN, "16.11. 00:00"),
        ("monday at 9", Language.EN, "16.11. 09:00"),
        ("gestern", Language.DE, "16.11. 00:00"),
        ("gestern", Language.EN, "16.11. 00:00"),
        ("hier", Language.FR, "16.11. 00:00"),
        ("ayer", Language.ES, "16.11. 00:00"),
        ("вчера", Language.RU, "16.11. 00:00"),
        ("tomorrow", Language.EN, None),
        ("some day", Language.EN, None),
        ("every day", Language.EN, None),
    ],
)
def test_when_somebody_was_last_there(typed: str, language: Language, expected: str | None) -> None:
    at = moment_back(typed, NOW.astimezone(BERLIN), BERLIN, language)
    assert (None if at is None else f"{at.astimezone(BERLIN):%d.%m. %H:%M}") == expected
