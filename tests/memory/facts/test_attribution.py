"""Whose word a fact is, and that it stays so in other words."""

from datetime import UTC, datetime

import pytest

from memory.core.values import Fact, Standing
from memory.facts.blob import merge
from memory.facts.matching import Hearsay, attributed, is_unattributed
from memory.language.detect import Language

SAILS = Hearsay("<@1> sails on Sundays", "Bob")
OWN = ["<@1> bakes bread"]


def fact(text: str, standing: Standing, teller: int = 2, fact_id: int = 1) -> Fact:
    return Fact(9, fact_id, 1, teller, 10, fact_id, text, standing, datetime(2026, 3, 1, tzinfo=UTC))


@pytest.mark.parametrize("language", Language)
def test_three_standings_are_told_apart(language: Language) -> None:
    own = attributed(fact("<@1> sails", Standing.SELF, 1), language)
    hearsay = attributed(fact("<@1> sails", Standing.HEARSAY), language)
    confirmed = attributed(fact("<@1> sails", Standing.CONFIRMED), language)
    assert own == "<@1> sails"
    assert hearsay.startswith("<@2> ")
    assert confirmed.startswith("<@2> ")
    assert "<@1>" in confirmed.removesuffix("<@1> sails"), "who confirmed it"
    assert len({own, hearsay, confirmed}) == 3


def test_who_speaks_of_themselves_in_it_is_not_named_twice() -> None:
    assert attributed(fact("<@2> owes <@1> a tea", Standing.HEARSAY), Language.EN) == "<@2> owes <@1> a tea"


def test_a_blob_says_whose_word_each_sentence_is() -> None:
    facts = [fact("<@1> bakes", Standing.SELF, 1, 1), fact("<@1> snores", Standing.HEARSAY, 2, 2)]
    blob = merge([*facts, fact("<@1> segelt mit dem Boot", Standing.HEARSAY, 3, 3)], 400)
    assert blob is not None
    assert blob.text == "<@1> bakes. <@2> says: <@1> snores. <@3> sagt: <@1> segelt mit dem Boot."


@pytest.mark.parametrize(
    "text",
    [
        "Bob says that Alice sails on Sundays. She bakes bread.",
        "Alice bakes bread.",
        "According to BOB she is sailing every Sunday.",
        "Alice bakes bread on the boat.",
    ],
)
def test_what_keeps_the_word_of_others_theirs(text: str) -> None:
    assert not is_unattributed(text, [SAILS], OWN)


@pytest.mark.parametrize(
    "text",
    [
        "Alice sails on Sundays.",
        "Bob is a friend. Alice sails on Sundays.",
        "Alice bakes bread and sails on Sundays.",
        "Carl says that Alice sails on Sundays.",
    ],
)
def test_what_tells_it_as_if_it_were_so(text: str) -> None:
    assert is_unattributed(text, [SAILS], OWN)
