"""Verbs typed in haste: those of a short table are taken, and what follows is as typed; real words are left alone."""

import pytest

from memory.commands.addressing import Addressed, address
from memory.core.values import Intent


def read(text: str) -> Addressed:
    addressed = address(text, names=["Bot"], bot_id=1)
    assert addressed is not None
    return addressed


@pytest.mark.parametrize(
    ("text", "intent", "body"),
    [
        ("Bot remmeber that  I like TEA", Intent.REMEMBER, "I like TEA"),
        ("Bot rember my birthday is in May", Intent.REMEMBER, "my birthday is in May"),
        ("Bot rememberrrr aaalice likes u", Intent.REMEMBER, "aaalice likes u"),
        ("Bot froget abt the raid", Intent.FORGET, "the raid"),
        ("Bot mekr dir ich bin Linkshänder", Intent.REMEMBER, "ich bin Linkshänder"),
        ("Bot apunta porfa q el torneo es a las 22h", Intent.REMEMBER, "el torneo es a las 22h"),
        ("Bot зопомни: Ира любит чай", Intent.REMEMBER, "Ира любит чай"),
        ("Bot wat do u know abt me", Intent.KNOWLEDGE, "me"),
        ("Bot чё знаешь про Диму", Intent.KNOWLEDGE, "Диму"),
    ],
)
def test_what_is_often_mistyped_is_understood_and_what_follows_is_as_typed(
    text: str, intent: Intent, body: str
) -> None:
    addressed = read(text)
    assert (addressed.intent, addressed.body) == (intent, body)


@pytest.mark.parametrize(
    "text",
    [
        "Bot, forgot that",
        "Bot, uremember that I like tea",
        "Bot, vergisst du das?",
        "Bot, effacé ou pas",
        "Bot, запомнил что-нибудь?",
        "Bot, the remmeber thing",
    ],
)
def test_any_other_word_is_no_verb(text: str) -> None:
    assert read(text).intent is Intent.QUESTION
