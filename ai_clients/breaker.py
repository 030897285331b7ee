"""Leaves a model alone that keeps failing, and asks it again later, with one request first."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ai_clients.errors import Misconfigured, ModelError, RateLimited, TimedOut, Unavailable

FAILURES = 3
"""In a row, until a model is left alone."""
FIRST_REST = 5.0
LONGEST_REST = 300.0
HANG = 3.0
"""Seconds. A model that was given so many and let them pass is left alone at once: the next would lose them too."""
REST_AFTER_HANG = 60.0
LONGEST_DELAY = 3600.0
"""A server may ask us to stay away, though not for ever."""
REST_WHEN_MISCONFIGURED = 300.0
"""Nothing changes until somebody acts, who need not start us anew for it."""


class State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"
    """It has rested; one request tries whether it answers again."""


@dataclass(frozen=True, slots=True)
class ModelState:
    """Tells how a model is doing, for health."""

    model: str
    state: State
    says: str | None
    """Why it is left alone."""
    again_in: float
    """Seconds until it is tried again."""


@dataclass(frozen=True, slots=True)
class _Reason:
    """Tells why a model is left alone. Not the error itself: that keeps whoever raised it, with what was asked."""

    kind: type[ModelError]
    says: str


class Breaker:
    def __init__(self, model: str, *, now: Callable[[], float] = time.monotonic) -> None:
        self._model = model
        self._now = now
        self._failures = 0
        self._rest = FIRST_REST
        self._until: float | None = None
        self._because: _Reason | None = None
        self._is_trying = False

    @property
    def state(self) -> State:
        if self._until is None:
            return State.CLOSED
        return State.OPEN if self._now() < self._until else State.HALF_OPEN

    @property
    def holds_for_all(self) -> bool:
        """Say whether the model is left alone for a reason that has nothing to do with what it was asked for."""
        return self._because is not None and issubclass(self._because.kind, Misconfigured | RateLimited)

    def status(self) -> ModelState:
        says = None if self._because is None else self._because.says
        return ModelState(self._model, self.state, says, self._remaining())

    def refusal(self) -> ModelError | None:
        """Say why the model may not be asked now; None if it may."""
        match self.state:
            case State.CLOSED:
                return None
            case State.HALF_OPEN if not self._is_trying:
                return None
        because = self._because or _Reason(Unavailable, "")
        if issubclass(because.kind, RateLimited):
            return because.kind(because.says, self._remaining())
        if issubclass(because.kind, Misconfigured):
            return because.kind(because.says)
        return Unavailable(f"{self._model} is left alone for {self._remaining():.0f} s: {because.says}")

    def begin(self) -> None:
        """Note that a request goes out, which `refusal` did not forbid. One of the three below has to follow."""
        self._is_trying = self.state is State.HALF_OPEN

    def succeeded(self) -> None:
        """Note that the model is there, whatever it said."""
        self._failures = 0
        self._rest = FIRST_REST
        self._until = self._because = None
        self._is_trying = False

    def failed(self, error: ModelError, after: float = 0.0) -> None:
        """Note that a request failed, so many seconds after it was asked.

        Only what is no fault of the request counts: a blocked prompt says nothing against the model.
        """
        if isinstance(error, RateLimited) and error.retry_after is not None:
            self._open(min(error.retry_after, LONGEST_DELAY), error)
        elif isinstance(error, Misconfigured):
            self._open(REST_WHEN_MISCONFIGURED, error)
        elif isinstance(error, RateLimited | Unavailable):
            if self.state is State.OPEN:
                return  # it had been asked before that, and is left alone already
            self._failures += 1
            hangs = isinstance(error, TimedOut) and after >= HANG
            if hangs:
                self._rest = max(self._rest, REST_AFTER_HANG)
            if self._is_trying or hangs or self._failures >= FAILURES:
                self._open(self._rest, error)
                self._rest = min(self._rest * 2, LONGEST_REST)
        else:
            self.succeeded()

    def abandoned(self) -> None:
        """Note that whoever asked did not wait for the end, so nothing is known."""
        self._is_trying = False

    def _open(self, seconds: float, because: ModelError) -> None:
        self._is_trying = False
        self._because = _Reason(type(because), str(because))
        self._until = max(self._until or 0.0, self._now() + seconds)

    def _remaining(self) -> float:
        return max(0.0, self._until - self._now()) if self._until is not None else 0.0
