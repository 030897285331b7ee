"""What people say of themselves is kept as they said it, and known again in the third person."""

import pytest

from memory.language.own_words import in_own_words, own_words_in, speaks_in_person, statement_key
from tests.memory.tables import tables_of

SAID = tables_of(__file__)


@pytest.mark.parametrize(("own", "of_another"), SAID["same"])
def test_the_same_statement_in_both_persons_is_one(own: str, of_another: str) -> None:
    before = f"<@7> says: “{own}”"
    assert statement_key(in_own_words(own, 7)) == statement_key(of_another) == statement_key(before)
    assert statement_key(in_own_words(own, 8)) != statement_key(of_another) or "<@7>" not in of_another


@pytest.mark.parametrize(("own", "of_another"), SAID["other"])
def test_other_statements_are_others(own: str, of_another: str) -> None:
    assert statement_key(in_own_words(own, 7)) != statement_key(of_another)


def test_words_come_out_as_they_went_in() -> None:
    kept = in_own_words("I call it “home”, \nI do. ", 7)
    assert own_words_in(kept) == ('I call it "home", \nI do.', "<@7>")
    assert own_words_in("<@7> likes tea") is None


@pytest.mark.parametrize("text", SAID["of_its_speaker"])
def test_what_would_be_untrue_without_its_speaker(text: str) -> None:
    assert speaks_in_person(text)


@pytest.mark.parametrize("text", SAID["of_anybody"])
def test_what_is_true_whoever_says_it(text: str) -> None:
    assert not speaks_in_person(text)
