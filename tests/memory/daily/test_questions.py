"""Which questions count as open, by what was said behind them."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.core.values import AuthorKind, Message
from memory.daily.service import is_question, open_questions

ANNA, BERT, CARL, DORA, EMIL = range(101, 106)
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Talk:
    def __init__(self) -> None:
        self.messages: list[Message] = []

    def say(self, author: int, text: str, *, reply_to: int | None = None, minutes: int = 1) -> int:
        number = len(self.messages) + 1
        at = (self.messages[-1].sent_at if self.messages else NOON) + timedelta(minutes=minutes)
        self.messages.append(Message(1, 10, number, author, AuthorKind.PERSON, text, at, reply_to=reply_to))
        return number

    def crowd(self) -> None:
        """Others, who talk of other things."""
        for author, text in ((BERT, "my boat leaks"), (CARL, "nice weather"), (DORA, "lunch soon"), (EMIL, "off I go")):
            self.say(author, text)

    @property
    def open(self) -> list[int]:
        return [one.message_id for one in open_questions(self.messages)]


def test_a_question_that_nobody_took_up_is_open() -> None:
    talk = Talk()
    talk.crowd()
    asked = talk.say(ANNA, "Does anybody know where the rolling pin went?")
    talk.crowd()
    assert talk.open == [asked]


def test_a_reply_answers_it_however_late_and_whatever_it_says() -> None:
    talk = Talk()
    asked = talk.say(ANNA, "Does anybody know where the rolling pin went?")
    for _ in range(10):
        talk.crowd()
    assert talk.open == [asked]
    talk.say(BERT, "yes", reply_to=asked)
    assert talk.open == []


def test_the_askers_own_reply_is_no_answer() -> None:
    talk = Talk()
    asked = talk.say(ANNA, "Does anybody know where the rolling pin went?")
    for _ in range(10):
        talk.crowd()
    talk.say(ANNA, "bump", reply_to=asked)
    assert talk.open == [asked]


@pytest.mark.parametrize(
    "answer", [f"<@{ANNA}> under the table", "the rolling pin lies under the table, where it always lies"]
)
def test_somebody_who_turns_to_the_asker_or_takes_up_the_words_answers_it(answer: str) -> None:
    talk = Talk()
    talk.crowd()
    talk.say(ANNA, "Does anybody know where the rolling pin went?")
    talk.say(BERT, answer)
    talk.say(ANNA, "thanks a lot")
    talk.crowd()
    assert talk.open == []


def test_among_few_the_next_word_is_the_answer_unless_it_asks_back_or_comes_too_late() -> None:
    for behind, minutes, is_open in (
        ("yes, at eight", 1, False),
        ("what do you mean by that?", 1, True),
        ("hi", 45, True),
    ):
        talk = Talk()
        asked = talk.say(ANNA, "Shall we bake bread tonight?")
        talk.say(BERT, behind, minutes=minutes)
        assert (asked in talk.open) is is_open, behind


def test_what_is_put_to_somebody_is_not_answered_by_whoever_speaks_next() -> None:
    talk = Talk()
    asked = talk.say(ANNA, f"<@{BERT}> when do you bring the flour back?")
    talk.say(CARL, "We bought an oven.")
    assert talk.open == [asked]
    talk.say(BERT, "tonight")
    assert talk.open == []


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("Where did the flour go?", True),
        ("Куда делась моя мука?", True),
        ("what?", False),
        ("see https://example.org/search?q=flour for that one", False),
        ("`a ? b : c` is how it is written", False),
        ("> where is it?\nI have no idea about that", False),
        ("the flour is on the shelf", False),
    ],
)
def test_a_question_is_asked_in_ones_own_words(text: str, is_asked: bool) -> None:
    assert is_question(text) is is_asked
