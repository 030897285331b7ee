"""Verbs typed in haste: those of a short table are taken, and what follows is as typed; real words are left alone."""

import pytest

from memory.commands.addressing import Addressed, address
from memory.core.values import Intent
from tests.loop_steps import quickest


def read(text: str) -> Addressed:
    addressed = address(text, names=["Bot"], bot_id=1)
    assert addressed is not None
    return addressed


@pytest.mark.parametrize(
    ("text", "intent", "body"),
    [
        ("Bot remmeber that  I like TEA", Intent.REMEMBER, "I like TEA"),
        ("Bot, pls rember that I like tea", Intent.REMEMBER, "I like tea"),
        ("Bot rember my birthday is in May", Intent.REMEMBER, "my birthday is in May"),
        ("Bot can you rememver that I like tea?", Intent.REMEMBER, "I like tea"),
        ("Bot rememberrrr aaalice likes u", Intent.REMEMBER, "aaalice likes u"),
        ("Bot remmeber u like tea", Intent.REMEMBER, "u like tea"),
        ("Bot froget abt the raid", Intent.FORGET, "the raid"),
        ("Bot mekr dir ich bin Linkshänder", Intent.REMEMBER, "ich bin Linkshänder"),
        ("Bot kannst du dir das mekren?", Intent.REMEMBER, "das"),
        ("Bot souvien toi que j'ai cours", Intent.REMEMBER, "j'ai cours"),
        ("Bot puedes olvdiar q me gusta el reguetón", Intent.FORGET, "me gusta el reguetón"),
        ("Bot apunta porfa q el torneo es a las 22h", Intent.REMEMBER, "el torneo es a las 22h"),
        ("Bot зопомни: Ира любит чай", Intent.REMEMBER, "Ира любит чай"),
        ("Bot wat do u know abt me", Intent.KNOWLEDGE, "me"),
        ("Bot wer is eig Mia", Intent.KNOWLEDGE, "Mia"),
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
        "Bot, remembers that I like tea",
        "Bot, uremember that I like tea",
        "Bot, mark dir das Buch",
        "Bot, vergisst du das?",
        "Bot, publie que je suis là",
        "Bot, recuerdo que llovía",
        "Bot, напиши что-нибудь",
        "Bot, mémorise pas",
        "Bot, effacé ou pas",
        "Bot, запомнил что-нибудь?",
        "Bot, the remmeber thing",
    ],
)
def test_any_other_word_is_no_verb(text: str) -> None:
    assert read(text).intent is Intent.QUESTION


def test_no_long_message_takes_long_to_spell() -> None:
    texts = ["Bot " + "remembex " * 400, "Bot " + "a" * 3900, "Bot " + "q u wat " * 480, "Bot " + "забуты что " * 350]
    assert quickest(lambda: [read(text) for text in texts]) < 0.8
