"""What is asked in one language and told in another means the same."""

from itertools import pairwise

import pytest

from memory.language.question_words import meanings_of
from memory.language.stems import topics
from tests.memory.tables import tables_of

SAID = tables_of(__file__)
ALIKE: list[list[str]] = SAID["alike"]


@pytest.mark.parametrize("sentences", ALIKE, ids=[one[0] for one in ALIKE])
def test_five_languages_mean_the_same(sentences: list[str]) -> None:
    for one, other in pairwise(meanings_of(topics(sentence)) for sentence in sentences):
        assert one & other


def test_what_is_not_the_same_means_something_else() -> None:
    meant = [meanings_of(topics(sentences[0])) for sentences in ALIKE]
    assert sum(map(len, meant)) == len(frozenset().union(*meant))


@pytest.mark.parametrize("text", SAID["others"])
def test_most_words_have_no_such_meaning(text: str) -> None:
    assert not meanings_of(topics(text))
