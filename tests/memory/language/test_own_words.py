"""What people say of themselves is kept as they said it, and known again in the third person."""

import pytest

from memory.language.own_words import in_own_words, own_words_in, speaks_in_person, statement_key


@pytest.mark.parametrize(
    ("own", "of_another"),
    [
        ("I like pizza", "<@7> likes pizza"),
        ("i'm allergic to peanuts", "<@7> is allergic to peanuts"),
        ("I don't like olives", "<@7> doesn't like olives"),
        ("My dog is called Rex", "<@7>'s dog is called Rex"),
        ("Bob likes me", "Bob likes <@7>"),
        ("ich mag lieber Tee als Kaffee", "<@7> mag lieber Tee als Kaffee"),
        ("ich esse keinen Fisch", "<@7> isst keinen Fisch"),
        ("j'habite à Lyon", "<@7> habite à Lyon"),
        ("me gusta la pizza", "a <@7> le gusta la pizza"),
        ("vivo en Madrid", "<@7> vive en Madrid"),
        ("я люблю пиццу", "<@7> любит пиццу"),
        ("у меня есть кошка", "у <@7> есть кошка"),
    ],
)
def test_the_same_statement_in_both_persons_is_one(own: str, of_another: str) -> None:
    before = f"<@7> says: “{own}”"
    assert statement_key(in_own_words(own, 7)) == statement_key(of_another) == statement_key(before)
    assert statement_key(in_own_words(own, 8)) != statement_key(of_another) or "<@7>" not in of_another


@pytest.mark.parametrize(
    ("own", "of_another"),
    [
        ("I like pizza", "<@8> likes pizza"),
        ("I like pizza", "<@7> doesn't like pizza"),
        ("I prefer tea to coffee", "<@7> prefers coffee to tea"),
        ("my cat is called Milo", "<@7>'s dog is called Milo"),
    ],
)
def test_other_statements_are_others(own: str, of_another: str) -> None:
    assert statement_key(in_own_words(own, 7)) != statement_key(of_another)


def test_words_come_out_as_they_went_in() -> None:
    kept = in_own_words("I call it “home”, \nI do. ", 7)
    assert own_words_in(kept) == ('I call it "home", \nI do.', "<@7>")
    assert own_words_in("<@7> likes tea") is None


@pytest.mark.parametrize(
    "text", ["I sing", "ich singe", "prefiero el té", "we meet on Fridays", "you are funny", "живу в Казани"]
)
def test_what_would_be_untrue_without_its_speaker(text: str) -> None:
    assert speaks_in_person(text)


@pytest.mark.parametrize("text", ["<@3> is Sergey", "the quiz is on Friday", "Anna wohnt im Haus", "el té está frío"])
def test_what_is_true_whoever_says_it(text: str) -> None:
    assert not speaks_in_person(text)
