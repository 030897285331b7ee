"""Texts are compared with a question by an index of their words; what comes out is what word by word would give."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.stems import WordForms, rank, stem, topics
from memory.language.text import plain_words
from tests.memory.tables import tables_of

# Few letters and shared beginnings, so that many of them continue one another.
WORDS = st.one_of(
    st.text("ab", min_size=1, max_size=9),
    st.text("ab", max_size=5).map(lambda end: f"prog{end}"),
    st.integers(1, 2_000).map(lambda number: f"@{number}"),
)
TEXTS = st.lists(st.frozensets(WORDS, max_size=6), max_size=8)


@pytest.mark.parametrize("forms", tables_of(__file__)["forms"])
def test_forms_of_a_word_have_one_stem_whatever_their_language(forms: str) -> None:
    assert len(set(map(stem, plain_words(forms)))) == 1


@given(words=st.text(min_size=1).map(plain_words).filter(bool))
def test_every_word_has_a_stem(words: list[str]) -> None:
    assert all(map(stem, words))


def speaks_of(topic: str, text: frozenset[str]) -> bool:
    """Word by word: the same, or one of at least four letters that another continues by up to three; no two people."""
    return topic in text or any(_continues(topic, other) or _continues(other, topic) for other in text)


def _continues(long: str, short: str) -> bool:
    is_word = len(short) >= 4 and not short.startswith("@")
    return is_word and long.startswith(short) and len(long) - len(short) <= 3


@given(word=WORDS, text=st.frozensets(WORDS, max_size=6))
def test_a_word_is_looked_up_as_it_would_be_compared(word: str, text: frozenset[str]) -> None:
    forms = WordForms(text)
    assert (word in forms) == speaks_of(word, text)
    assert forms.said_in([word]) == {topic for topic in text if speaks_of(topic, frozenset([word]))}


@given(wanted=st.frozensets(WORDS, min_size=1, max_size=5), texts=TEXTS)
def test_a_text_scores_exactly_where_it_speaks_of_something_wanted(
    wanted: frozenset[str], texts: list[frozenset[str]]
) -> None:
    scores = rank(wanted, texts)
    spoken = [{topic for topic in wanted if speaks_of(topic, text)} for text in texts]
    assert [score > 0 for score in scores] == [bool(topics) for topics in spoken]
    for score, one in zip(scores, spoken, strict=True):
        for other_score, other in zip(scores, spoken, strict=True):
            assert one != other or score == other_score
            assert not one < other or score < other_score


def test_a_longer_or_shorter_form_counts_but_never_another_member() -> None:
    texts = [topics("she is a programmer"), topics("<@1234567> sings"), topics("their program is old")]
    assert rank({"programm"}, texts) == [pytest.approx(1.0), 0.0, pytest.approx(1.0)]
    assert rank({"@123456"}, texts) == [0.0, 0.0, 0.0]


def test_rare_topics_weigh_more() -> None:
    cat, dog, both = frozenset({"cat"}), frozenset({"dog"}), frozenset({"cat", "dog"})
    scores = rank(["cat", "dog"], [cat, cat, cat, dog, both])
    assert scores[4] == pytest.approx(1.0)
    assert scores[3] > scores[0] > 0
