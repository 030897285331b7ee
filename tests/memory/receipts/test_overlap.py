"""Which of its inputs a reply rests on: what it cites, and what it repeats that nothing else explains."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.provenance import DayKey, Read
from memory.receipts.overlap import Input, quoted_by, telling_words
from tests.memory.tables import tables_of

SAID = tables_of(__file__)

MONDAY = DayKey(0, datetime(2026, 3, 2, tzinfo=UTC))
TUESDAY = DayKey(0, datetime(2026, 3, 3, tzinfo=UTC))


def fact(fact_id: int, text: str, people: str = "") -> Input:
    return Input(text, Read(facts={fact_id: b""}), people)


def message(message_id: int, text: str, people: str = "") -> Input:
    return Input(text, Read(messages={message_id: None}), people)


def day(key: DayKey, text: str) -> Input:
    return Input(text, Read(days={key: 0}))


def facts_in(reply: str, question: str, *inputs: Input, cited: tuple[int, ...] = ()) -> set[int]:
    return set(quoted_by(reply, question, inputs, cited).quoted.facts)


@pytest.mark.parametrize(("question", "reply", "repeated", "beside"), SAID["shared"])
def test_a_telling_word_decides_in_any_language(question: str, reply: str, repeated: str, beside: str) -> None:
    assert facts_in(reply, question, fact(1, repeated), fact(2, beside)) == {1}


def test_words_of_the_question_tell_nothing() -> None:
    inputs = (fact(1, "Alice likes pizza with pineapple"), fact(2, "Bob hates pizza"))
    assert facts_in("With pineapple, on her pizza.", "how does Alice like pizza?", *inputs) == {1}


def test_numbers_and_names_tell() -> None:
    inputs = (message(1, "the code of the gate is 4711"), message(2, "ask Gruzilkin about the gate"))
    assert set(quoted_by("It is 4711.", "the gate?", inputs).quoted.messages) == {1}
    assert set(quoted_by("Gruzilkin has it.", "the gate?", inputs).quoted.messages) == {2}


def test_what_is_said_of_anything_tells_nothing() -> None:
    inputs = (message(1, "I said yesterday that I know something"), message(2, "the tower fell"))
    reply = "Somebody said something yesterday: the tower."
    assert set(quoted_by(reply, "what is new?", inputs).quoted.messages) == {2}


def test_what_is_cited_is_repeated_whatever_its_words() -> None:
    inputs = (fact(1, "Alice works as a nurse"), fact(2, "Alice plays chess"))
    assert facts_in("Elle est infirmière.", "Que fait Alice ?", *inputs, cited=(0,)) == {1}


def test_who_is_answered_by_a_name() -> None:
    inputs = (fact(1, "likes pizza", "Alice"), fact(2, "plays chess", "Alice"), fact(3, "likes pizza", "Bob"))
    assert facts_in("Alice.", "who likes pizza?", *inputs) == {1}


PROMPT = (
    message(1, "the oven timer is stuck again", "Nadia"),
    message(2, "my cousin opens a bakery in Porto in June", "Nadia"),
    message(3, "I swapped the hinge of the cupboard", "Ruben"),
    message(4, "left my umbrella on the tram", "Ruben"),
    message(5, "left my umbrella on the tram", "Nadia"),
    message(6, "left my umbrella on the tram", "Iris"),
    message(7, "left my umbrella on the tram", "Oskar"),
    message(8, "choir practice is at 8, 12 people", "Iris"),
    message(9, "I can bring lentil salad to the picnic", "Iris"),
    message(10, "der Kuchen kostet 45 Euro", "Oskar"),
    message(11, "в субботу пикник у озера", "Вера"),
    message(12, "did you watch the final?", "Oskar"),
    message(13, "thanks, 41 now", "Ruben"),
    message(14, "@Iris booked the hut Edelweiss, @Oskar paid 120 for it"),
)


@pytest.mark.parametrize(("question", "reply", "cited", "rests_on"), SAID["rests"])
def test_a_reply_rests_on_what_it_cites_and_on_what_nothing_else_explains(
    question: str, reply: str, cited: list[int], rests_on: list[int]
) -> None:
    places = [number - 1 for number in cited]
    assert set(quoted_by(reply, question, PROMPT, places).quoted.messages) == set(rests_on)


def test_all_that_was_at_hand_is_used() -> None:
    inputs = (fact(1, "Alice likes pizza"), message(2, "Bob plays chess"))
    used = quoted_by("I do not know.", "and dogs?", inputs).used
    assert (set(used.facts), set(used.messages)) == ({1}, {2})


def merged(text: str, *parts: Input) -> Input:
    return Input(text, Read.of_all(part.read for part in parts), parts=parts)


def test_of_a_merged_text_those_parts_count_that_have_the_word() -> None:
    context = merged(
        "Alice is a nurse. She painted a fence and lost her keys.",
        fact(1, "Alice is a nurse"),
        day(MONDAY, "Alice painted a fence"),
        day(TUESDAY, "Alice lost her keys"),
    )
    quoted = quoted_by("She painted her fence.", "what about Alice?", [context]).quoted
    assert (set(quoted.facts), set(quoted.days)) == (set(), {MONDAY})


def test_a_word_that_only_the_merged_text_has_may_come_from_any_part() -> None:
    context = merged("Alice renovated her garden.", fact(1, "Alice has a house"), day(MONDAY, "Alice painted a fence"))
    quoted = quoted_by("She renovated it.", "what about Alice?", [context]).quoted
    assert (set(quoted.facts), set(quoted.days)) == ({1}, {MONDAY})


def test_what_a_message_says_itself_is_not_looked_for_in_its_day() -> None:
    """Or whatever is deleted on a day would take back all that was answered of it."""
    context = merged(
        "Alice painted a fence and lost her keys.",
        day(MONDAY, "Alice painted a fence"),
        day(TUESDAY, "Alice lost keys"),
    )
    said = message(1, "I have painted the fence")
    quoted = quoted_by("She painted her fence.", "what about Alice?", [said, context]).quoted
    assert (set(quoted.messages), set(quoted.days)) == ({1}, set())
    quoted = quoted_by("She painted her fence and lost keys.", "what about Alice?", [said, context]).quoted
    assert (set(quoted.messages), set(quoted.days)) == ({1}, {TUESDAY})


def test_a_merged_text_that_nothing_was_taken_from_is_only_used() -> None:
    context = merged("Alice is a nurse.", fact(1, "Alice is a nurse"))
    evidence = quoted_by("Bob plays chess.", "what does Bob do?", [context, fact(2, "Bob plays chess")])
    assert (set(evidence.used.facts), set(evidence.quoted.facts)) == ({1, 2}, {2})


@given(st.text(max_size=200), st.text(max_size=200), st.lists(st.text(max_size=100), max_size=5))
def test_whatever_is_written_nothing_is_quoted_that_was_not_used(reply: str, question: str, texts: list[str]) -> None:
    evidence = quoted_by(reply, question, [fact(number, text) for number, text in enumerate(texts)])
    assert set(evidence.quoted.facts) <= set(evidence.used.facts) == set(range(len(texts)))


@given(st.from_regex(r"[a-z]{3,8}[0-9]{4}[a-z]{3,8}", fullmatch=True), st.text(max_size=80))
def test_a_word_that_nobody_else_uses_is_always_found_again(canary: str, around: str) -> None:
    assert facts_in(f"It is {canary}!", "what is it?", fact(1, f"{around} {canary}")) == {1}


def test_telling_words_are_folded() -> None:
    assert telling_words("Café CAFÉ cafe\u0301") == telling_words("cafe")
