"""Kind words, which want no more than a nod; and what only looks like them."""

import pytest

from memory.commands.small_talk import asks_the_same, chatter_in
from memory.language.detect import Language


@pytest.mark.parametrize("said", ["", "👍", "bad", "thanks?", "thanks " * 20])
def test_what_says_nothing_or_too_much_is_not_kind(said: str) -> None:
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
