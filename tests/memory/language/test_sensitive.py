"""Topics that are left out, as far as their words tell, and everyday words that are not mistaken for them."""

import pytest

from memory.language.sensitive import WORDS, is_sensitive
from tests.memory.tables import tables_of

SAID = tables_of(__file__)


@pytest.mark.parametrize("text", SAID["sensitive"])
def test_topics_are_known_by_their_words(text: str) -> None:
    assert is_sensitive(text)


@pytest.mark.parametrize("text", SAID["everyday"])
def test_everyday_words_are_not_taken_for_them(text: str) -> None:
    assert not is_sensitive(text)


def test_every_word_of_the_lists_is_found() -> None:
    for word in WORDS.split():
        assert is_sensitive(f"so {word.rstrip('*').replace('-', ' ')} it"), word
