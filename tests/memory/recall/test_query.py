"""What a question asks for."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.core.values import Member
from memory.language.detect import Language
from memory.language.question_words import Want
from memory.recall.query import MOST_WORDS, AskedFor, read_question
from tests.memory.tables import tables_of

NOW = datetime(2023, 9, 21, 10, tzinfo=UTC)
ANNA, BOB, CARA = (Member(1, number, name) for number, name in ((11, "Anna"), (12, "Bob"), (13, "Cara")))
EVERYONE = (ANNA, BOB, CARA)
SAID = tables_of(__file__)


def asked(text: str, asker: Member = CARA, language: Language | None = None) -> AskedFor:
    return read_question(text, EVERYONE, asker, NOW, UTC, language)


def test_names_tell_who_spoke_and_are_no_topic() -> None:
    question = asked("What is Anna's favourite cheese?")
    assert question.speakers == {ANNA.user_id}
    assert question.words == ("favourite", "cheese")
    assert "anna" not in question.meant.lower()
    assert "'s" not in question.meant


@pytest.mark.parametrize(("text", "speakers", "spoken_of"), SAID["speakers"])
def test_who_speaks_and_who_is_spoken_of(text: str, speakers: list[int], spoken_of: list[int]) -> None:
    question = asked(text)
    assert (question.speakers, question.spoken_of) == (frozenset(speakers), frozenset(spoken_of))


@pytest.mark.parametrize(("text", "want"), SAID["wants"])
def test_what_the_answer_has_to_hold(text: str, want: str) -> None:
    assert Want(want) in asked(text).wants


def test_dates_are_times_and_no_topic() -> None:
    question = asked("What did we say about the boat last week?")
    assert question.span is not None
    assert question.words == ("boat",)


def test_a_date_is_read_in_a_language_that_the_question_alone_does_not_tell() -> None:
    assert asked("boat vorgestern", language=Language.EN).span is not None
    assert asked("boat hier", language=Language.EN).span is None


@pytest.mark.parametrize("text", SAID["latest"])
def test_the_last_time_is_a_wish_and_no_topic(text: str) -> None:
    question = asked(text)
    assert question.latest
    assert question.words == ("boat",)


@pytest.mark.parametrize("text", ["", "   ", "?!", "…", "\u200b", "the of and"])
def test_nothing_asked_is_nothing_to_look_for(text: str) -> None:
    assert asked(text).is_empty


def test_what_somebody_said_at_all_is_worth_looking_for() -> None:
    question = asked("What did Anna say yesterday?")
    assert not question.is_empty
    assert question.words == ()


def test_a_flood_of_words_is_cut() -> None:
    assert len(asked(" ".join(f"word{number}" for number in range(4_000))).words) == MOST_WORDS


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    question = asked(text)
    assert len(question.words) == len(set(question.words)) <= MOST_WORDS
    assert not question.speakers & question.spoken_of
