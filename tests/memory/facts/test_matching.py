"""The rules about facts that need no model: contradictions, names from facts, and what counts as invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.facts.matching import contradicts
from memory.people.names import aliases_in

PEOPLE_AND_WORDS = st.lists(
    st.sampled_from(["<@1>", "<@2>", "is", "not", "lives in", "Paris", "tea", "s'appelle", "."])
)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("<@1> lives in Lyon", "<@1> lives in Paris"),
        ("<@1> moved to Lyon. <@1> loves it there", "<@1> lives in Paris"),
        ("<@1> wohnt jetzt in Köln", "<@1> lebt in Bonn"),
        ("<@1> habite à Lyon", "<@1> vit en Suisse"),
        ("<@1> vive en Sevilla", "<@1> vive en Madrid"),
        ("<@1> живёт в Москве", "<@1> живёт в Казани"),
        ("<@1> works as a cook", "<@1> works as a baker"),
        ("<@1> is called Anna", "<@1>'s name is Hanna"),
        ("<@1> is 31", "<@1> is 30 years old"),
        ("<@1> doesn't like pizza anymore", "<@1> likes pizza"),
        ("<@1> mag keine Pizza", "<@1> mag Pizza"),
        ("<@1> n'aime pas le thé", "<@1> aime le thé"),
        ("<@1> больше не любит чай", "<@1> любит чай"),
        ("<@1> no longer lives in Paris", "<@1> lives in Paris"),
    ],
)
def test_what_cannot_both_hold(new: str, old: str) -> None:
    assert contradicts(new, old)
    assert not contradicts(new, new)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("<@1> likes tea", "<@1> likes pizza"),
        ("<@1> lives in Lyon", "<@2> lives in Paris"),
        ("<@1> lives in Lyon", "<@1> lives in Paris. <@1> has a cat"),
        ("<@1> is 31", "<@1> is 30 minutes late"),
        ("<@1> does not like tea", "<@1> likes pizza"),
        ("<@1> LIVES in Paris!", "<@1> lives in Paris"),
        ("<@1> is Sergey", "<@1> is tall"),
        ("<@1> won the concert tickets", "<@1> has the concert tickets"),
        ("<@1> has a dog, Don", "<@1> has a dog"),
        ("<@1> ne mange que du poisson", "<@1> mange du poisson"),
    ],
)
def test_what_may_both_hold(new: str, old: str) -> None:
    assert not contradicts(new, old)


@given(PEOPLE_AND_WORDS.map(" ".join), PEOPLE_AND_WORDS.map(" ".join))
def test_nothing_contradicts_itself_nor_breaks_the_rules(one: str, other: str) -> None:
    assert not contradicts(one, one)
    contradicts(one, other)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<@3> is Sergey", ["sergey"]),
        ("<@3> is Sergey Petrov.", ["sergey petrov"]),
        ("<@3>'s real name is Sergey", ["sergey"]),
        ("<@3> is called “the Count”", ["the count"]),
        ("<@3> goes by gruz", ["gruz"]),
        ("<@3> heißt Sergej", ["sergej"]),
        ("<@3> s'appelle Serge", ["serge"]),
        ("<@3> se llama Sergio", ["sergio"]),
        ("<@3> зовут Олег", ["олег"]),
        ("<@3> is tall", []),
        ("<@3> is German", []),
        ("<@3> ist Lehrer", []),
        ("<@3> is Sergey and likes tea", []),
        ("somebody is Sergey", []),
        ("<@3> is called I", []),
    ],
)
def test_names_from_facts(text: str, names: list[str]) -> None:
    assert aliases_in(text) == [(3, name) for name in names]
