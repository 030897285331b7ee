"""What is told of somebody's day goes back to themselves, or says whose word it is."""

import pytest

from memory.summaries.day_prompt import Writer, without_borrowed

ALICE, BOB, CARL = 1, 2, 3
WRITERS = {
    ALICE: Writer.of("Alice", "I baked two loaves of rye bread\nBob and I go to Lyon on Friday"),
    BOB: Writer.of("Bob", "Alice plunders the treasury every night\nLyon it is"),
}


@pytest.mark.parametrize(
    ("whose", "text", "kept"),
    [
        (ALICE, "Alice baked rye bread.", "Alice baked rye bread."),
        (ALICE, "Alice plunders the treasury.", ""),
        (ALICE, "Alice baked bread. She plunders the treasury every night.", "Alice baked bread."),
        (ALICE, "Bob says that Alice plunders the treasury.", "Bob says that Alice plunders the treasury."),
        (ALICE, "Alice will travel to Lyon with Bob on Friday.", "Alice will travel to Lyon with Bob on Friday."),
        (ALICE, "She was in high spirits.", "She was in high spirits."),
        (ALICE, "Сегодня она пекла хлеб.", "Сегодня она пекла хлеб."),
        (CARL, "Carl plunders the treasury.", ""),
        (CARL, "According to Bob, Carl plunders the treasury.", "According to Bob, Carl plunders the treasury."),
        (BOB, "Bob plunders the treasury every night.", "Bob plunders the treasury every night."),
    ],
)
def test_what_is_told_of_somebody(whose: int, text: str, kept: str) -> None:
    assert without_borrowed(text, whose, WRITERS) == kept
