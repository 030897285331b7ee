"""Kind words, which want no more than a nod; and what only looks like them."""

import pytest

from memory.commands.small_talk import Kindness, asks_the_same, chatter_in, kindness_of
from memory.language.detect import Language


@pytest.mark.parametrize(
    ("said", "language", "kindness"),
    [
        ("thanks!", Language.EN, Kindness.THANKS),
        ("hello there", Language.EN, Kindness.GREETING),
        ("good night", Language.EN, Kindness.FAREWELL),
        ("good bot", Language.EN, Kindness.OTHER),
        ("vielen Dank für die Hilfe", Language.DE, Kindness.THANKS),
        ("muchas gracias", Language.ES, Kindness.THANKS),
        ("merci", Language.FR, Kindness.THANKS),
        ("lmaooo ur the best", Language.EN, Kindness.OTHER),
        ("jajajaja eres un crack", Language.ES, Kindness.OTHER),
        ("How does one use you? Is there a list of commands?", Language.EN, Kindness.HELP),
        ("was kannst du eigentlich alles", Language.DE, Kindness.HELP),
        ("чё умеешь", Language.RU, Kindness.HELP),
        ("what did I miss?", Language.EN, Kindness.MISSED),
        ("Was habe ich verpasst?", Language.DE, Kindness.MISSED),
        ("Qu'est-ce que j'ai raté ?", Language.FR, Kindness.MISSED),
        ("¿Qué me perdí?", Language.ES, Kindness.MISSED),
        ("Что я пропустила?", Language.RU, Kindness.MISSED),
        ("never remember what I say", Language.EN, Kindness.NOTHING_KEPT),
        ("don't remember this pls, but I will quit", Language.EN, Kindness.NOTHING_KEPT),
        ("merk dir das nicht", Language.DE, Kindness.NOTHING_KEPT),
        ("retiens pas ça", Language.FR, Kindness.NOTHING_KEPT),
        ("no recuerdes esto", Language.ES, Kindness.NOTHING_KEPT),
        ("никогда не запоминай, что я говорю", Language.RU, Kindness.NOTHING_KEPT),
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
        "what did I miss about the oven?",
        "thanks?",
        "hello from Rome",
        "thanks for nothing",
        "danke, aber das ist falsch",
        "",
        "👍",
        "thanks " * 20,
        "гороскоп на завтра",
        "remind me what Tom said",
        "rappelle-moi quand on joue ?",
        "напомни, что сказал Том",
        "don't you remember me?",
        "bad",
    ],
)
def test_what_says_more_is_none(said: str) -> None:
    assert chatter_in(said) is None


def test_of_a_word_that_several_have_the_guess_is_taken() -> None:
    assert chatter_in("merci", Language.DE) is Language.DE
    assert chatter_in("merci", Language.EN) is Language.FR
    assert chatter_in("thanks", Language.RU) is Language.EN


@pytest.mark.parametrize(
    ("said", "asked", "is_same"),
    [
        ("Evening! Who brings the cards on Friday?", "who brings the cards?", True),
        ("Who brings the cards on Friday? I can.", "who brings the cards?", False),
        ("When is the quiz on Friday?", "when is the quiz?", True),
        ("Is the quiz on Friday?", "when is the quiz?", False),
        ("How was the race last Saturday, Mel?", "when did <@7> run the race?", False),
        ("Tom, do you still play the cello?", "what does <@7> play?", False),
        ("anyone know the wifi password of the guest network", "what is the wifi password?", True),
        ("Ist die Leiter im Schuppen?", "wo ist die Leiter?", False),
        ("Кто-нибудь знает, где лестница?", "где лестница?", True),
        ("", "who?", False),
        ("who brings the cards? " * 50, "who brings the cards?", False),
    ],
)
def test_what_asks_the_same_and_what_answers(said: str, asked: str, is_same: bool) -> None:
    assert asks_the_same(said, asked) is is_same
