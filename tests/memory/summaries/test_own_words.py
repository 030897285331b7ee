"""What is told of somebody's day goes back to themselves, or says whose word it is."""

import pytest

from memory.summaries.day_prompt import Writer, without_borrowed

ALICE, BOB, CARL = 1, 2, 3
WRITERS = {
    ALICE: Writer.of("Alice", "I baked two loaves of rye bread\nBob and I go to Lyon on Friday"),
    BOB: Writer.of("Bob", "Alice plunders the treasury every night\nLyon it is"),
}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Alice baked rye bread.", "Alice baked rye bread."),
        ("Alice plunders the treasury.", ""),
        ("Alice baked bread. She plunders the treasury every night.", "Alice baked bread."),
        ("Bob says that Alice plunders the treasury.", "Bob says that Alice plunders the treasury."),
        ("Alice will travel to Lyon with Bob on Friday.", "Alice will travel to Lyon with Bob on Friday."),
        ("She was in high spirits.", "She was in high spirits."),
        ("Сегодня она пекла хлеб.", "Сегодня она пекла хлеб."),
    ],
)
def test_of_an_author(text: str, kept: str) -> None:
    assert without_borrowed(text, ALICE, WRITERS) == kept


def test_of_one_who_wrote_nothing() -> None:
    assert without_borrowed("Carl plunders the treasury.", CARL, WRITERS) == ""
    assert without_borrowed("According to Bob, Carl plunders the treasury.", CARL, WRITERS).startswith("According")


def test_of_those_who_say_it_themselves() -> None:
    assert without_borrowed("Bob plunders the treasury every night.", BOB, WRITERS) != ""
