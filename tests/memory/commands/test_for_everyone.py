"""The word that everyone may know something: heard in five languages, and only where it is meant."""

import pytest

from memory.commands.addressing import Addressed, address
from memory.commands.phrases import PHRASES
from memory.core.values import Intent
from memory.language.detect import Language


def heard(text: str) -> Addressed:
    addressed = address(text, names=["Bot"], bot_id=1)
    assert addressed is not None
    return addressed


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("Bot, please remember for everyone: I like tea", "I like tea"),
        ("Bot can you remember everywhere that I like tea?", "I like tea"),
        ("Bot remember this everywhere", "this"),
        ("Bot merk dir das überall", "das"),
        ("Bot souviens-toi partout que j’aime le thé", "j’aime le thé"),
        ("Bot запомни это везде", "это"),
    ],
)
def test_the_word_is_heard_and_taken_off(text: str, body: str) -> None:
    addressed = heard(text)
    assert (addressed.intent, addressed.body, addressed.everywhere) == (Intent.REMEMBER, body, True)


@pytest.mark.parametrize(
    "text",
    [
        "Bot remember everywhere I go I take my cat",
        "Bot remember that I take my cat everywhere",
        "Bot remember for all my friends that I love them",
        "Bot remember that I like tea, everyone may know this",
        "Bot remember everywhere",
        "Bot merk dir, dass ich überall friere",
        "Bot forget everywhere that I like tea",
        "Bot what do you know about everyone?",
    ],
)
def test_what_only_sounds_like_it_is_not(text: str) -> None:
    assert not heard(text).everywhere


@pytest.mark.parametrize("language", Language)
def test_every_phrase_of_the_table_works(language: Language) -> None:
    phrases = PHRASES[language]
    for word in phrases["everywhere"]:
        said = heard(f"Bot {phrases['remember'][0]} {word}: xyz abc")
        assert (said.everywhere, said.body) == (True, "xyz abc"), word
