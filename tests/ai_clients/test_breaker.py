"""When a model is left alone, for how long, and how it comes back."""

import gc
import weakref
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai_clients.errors import KeyRefused, ModelError, RateLimited, Refused, TimedOut, Unavailable
from ai_clients.guard import FAILURES, FIRST_REST, HANG, LONGEST_DELAY, Breaker, State


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
