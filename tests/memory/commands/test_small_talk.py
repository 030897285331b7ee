"""Kind words, which want no more than a nod; and what only looks like them."""

import pytest

from memory.commands.small_talk import Kindness, chatter_in, kindness_of
from memory.language.detect import Language


@pytest.mark.parametrize(
    ("said", "language", "kindness"),
    [
        ("thanks!", Language.EN, Kindness.THANKS),
        ("Thank you so much 🙏", Language.EN, Kindness.THANKS),
        ("hello there", Language.EN, Kindness.GREETING),
        ("good night", Language.EN, Kindness.FAREWELL),
        ("good bot", Language.EN, Kindness.OTHER),
        ("haha nice", Language.EN, Kindness.OTHER),
        ("vielen Dank für die Hilfe", Language.DE, Kindness.THANKS),
        ("Tschüss!", Language.DE, Kindness.FAREWELL),
        ("merci beaucoup", Language.FR, Kindness.THANKS),
        ("bonjour à tous", Language.FR, Kindness.GREETING),
        ("muchas gracias", Language.ES, Kindness.THANKS),
        ("hasta luego", Language.ES, Kindness.FAREWELL),
        ("спасибо большое", Language.RU, Kindness.THANKS),
        ("Добрый вечер", Language.RU, Kindness.GREETING),
    ],
)
def test_a_kind_word(said: str, language: Language, kindness: Kindness) -> None:
    assert chatter_in(said) is language
    assert kindness_of(said, language) is kindness


@pytest.mark.parametrize(
    "said",
    [
        "thanks, who won?",
        "thanks?",
        "nice pizza",
        "hello from Rome",
        "thanks for nothing",
        "thank Anna for me",
        "danke, aber das ist falsch",
        "",
        "👍",
        "you",
        "thanks " * 20,
        "гороскоп на завтра",
    ],
)
def test_what_says_more_is_none(said: str) -> None:
    assert chatter_in(said) is None
