"""When a model is left alone, for how long, and how it comes back."""

import gc
import weakref
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_clients.breaker import FAILURES, FIRST_REST, HANG, LONGEST_DELAY, LONGEST_REST, Breaker, State
from ai_clients.errors import (
    BadReply,
    KeyRefused,
    ModelError,
    ModelGone,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
)


@dataclass
class Hand:
    """Of a clock that is turned by hand."""

    at: float = 1000.0

    def __call__(self) -> float:
        return self.at


def failing(breaker: Breaker, error: ModelError, times: int = 1) -> None:
    for _ in range(times):
        breaker.begin()
        breaker.failed(error)


@pytest.mark.parametrize("error", [Unavailable("x"), TimedOut("x"), RateLimited("x")])
def test_it_opens_after_failures_in_a_row(error: ModelError) -> None:
    breaker = Breaker("m", now=Hand())
    failing(breaker, error, FAILURES - 1)
    breaker.begin()
    breaker.succeeded()
    failing(breaker, error, FAILURES - 1)
    assert breaker.status().state is State.CLOSED
    assert breaker.refusal() is None
    failing(breaker, error)
    assert breaker.status().state is State.OPEN
    assert isinstance(breaker.refusal(), Unavailable | RateLimited)


@pytest.mark.parametrize("error", [Refused("blocked"), BadReply("nonsense")])
def test_what_speaks_of_one_prompt_never_opens_it(error: ModelError) -> None:
    breaker = Breaker("m", now=Hand())
    failing(breaker, error, 20)
    assert breaker.status().state is State.CLOSED


@pytest.mark.parametrize("error", [KeyRefused("401"), ModelGone("404")])
def test_a_wrong_setting_opens_it_at_once_and_is_told_as_such(error: ModelError) -> None:
    breaker = Breaker("m", now=Hand())
    failing(breaker, error)
    assert breaker.status().state is State.OPEN
    assert type(breaker.refusal()) is type(error)


def test_it_stays_away_as_long_as_the_server_wants() -> None:
    hand = Hand()
    breaker = Breaker("m", now=hand)
    failing(breaker, RateLimited("429", 40.0))
    hand.at += 39
    refusal = breaker.refusal()
    assert isinstance(refusal, RateLimited)
    assert refusal.retry_after == pytest.approx(1)
    assert breaker.status().again_in == pytest.approx(1)
    assert breaker.status().says == "429"
    hand.at += 1
    assert breaker.refusal() is None


def test_a_server_cannot_send_us_away_for_ever() -> None:
    breaker = Breaker("m", now=Hand())
    failing(breaker, RateLimited("429", 1e12))
    assert breaker.status().again_in == LONGEST_DELAY


def test_half_open_lets_one_try_at_a_time() -> None:
    hand = Hand()
    breaker = Breaker("m", now=hand)
    failing(breaker, Unavailable("x"), FAILURES)
    hand.at += FIRST_REST
    assert breaker.status().state is State.HALF_OPEN
    assert breaker.refusal() is None
    breaker.begin()
    assert isinstance(breaker.refusal(), Unavailable)
    breaker.abandoned()
    assert breaker.refusal() is None
    breaker.begin()
    breaker.succeeded()
    assert breaker.status().state is State.CLOSED
    failing(breaker, Unavailable("x"), FAILURES - 1)
    assert breaker.status().state is State.CLOSED  # it counts from the beginning again


def test_each_rest_is_twice_as_long_up_to_a_limit() -> None:
    hand = Hand()
    breaker = Breaker("m", now=hand)
    failing(breaker, Unavailable("x"), FAILURES)
    rests = []
    for _ in range(10):
        rests.append(breaker.status().again_in)
        hand.at += rests[-1]
        failing(breaker, Unavailable("x"))
    assert rests[:4] == [FIRST_REST, FIRST_REST * 2, FIRST_REST * 4, FIRST_REST * 8]
    assert rests[-1] == LONGEST_REST


def test_one_hang_opens_it_for_a_minute_and_the_next_for_longer() -> None:
    hand = Hand()
    breaker = Breaker("m", now=hand)
    rests = []
    for _ in range(4):
        breaker.begin()
        breaker.failed(TimedOut("hung"), HANG)
        rests.append(breaker.status().again_in)
        hand.at += rests[-1]
    assert rests == [60, 120, 240, 300]


def test_one_that_had_hardly_any_time_did_not_hang() -> None:
    breaker = Breaker("m", now=Hand())
    breaker.begin()
    breaker.failed(TimedOut("too late"), HANG / 2)
    assert breaker.refusal() is None


def test_those_who_failed_at_the_same_time_count_once() -> None:
    breaker = Breaker("m", now=Hand())
    for _ in range(20):
        breaker.begin()
    for _ in range(20):
        breaker.failed(Unavailable("x"))
    assert breaker.status().again_in == FIRST_REST


def test_a_late_failure_does_not_make_a_rest_shorter() -> None:
    breaker = Breaker("m", now=Hand())
    breaker.begin()
    breaker.begin()
    breaker.failed(RateLimited("429", 100.0))
    breaker.failed(RateLimited("429", 1.0))
    assert breaker.status().again_in == 100


ERRORS = st.sampled_from(
    [Unavailable("x"), TimedOut("x"), RateLimited("x"), RateLimited("x", 7.0), KeyRefused("x"), Refused("x"), None]
)


@given(st.lists(st.tuples(ERRORS, st.floats(0, 1000))))
def test_it_never_stays_open_for_longer_than_it_says(story: list[tuple[ModelError | None, float]]) -> None:
    hand = Hand()
    breaker = Breaker("m", now=hand)
    for error, pause in story:
        if breaker.refusal() is None:
            breaker.begin()
            if error is None:
                breaker.succeeded()
                assert breaker.status().state is State.CLOSED
            else:
                breaker.failed(error)
        again_in = breaker.status().again_in
        assert 0 <= again_in <= LONGEST_DELAY
        assert (breaker.status().state is State.OPEN) == (again_in > 0)
        hand.at += pause
    hand.at += breaker.status().again_in
    assert breaker.refusal() is None


@pytest.mark.parametrize("kind", [KeyRefused, TimedOut, RateLimited])
def test_it_does_not_hold_on_to_what_was_asked(kind: type[ModelError]) -> None:
    """An error keeps the calls that it went through, and one of them has the prompt."""

    class Prompt:
        pass

    def ask() -> "weakref.ref[Prompt]":
        prompt = Prompt()
        try:
            raise kind("no")
        except ModelError as error:
            failing(breaker, error, FAILURES)
        return weakref.ref(prompt)

    breaker = Breaker("m", now=Hand())
    prompt = ask()
    gc.collect()
    assert breaker.status().state is State.OPEN
    assert breaker.status().says == "no"
    assert prompt() is None
