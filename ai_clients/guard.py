"""Stands before one model, whichever chains it serves in.

It asks no more often than the model allows, leaves it alone while it fails, asks again over what may pass by itself,
and waits for no answer beyond its time.
"""

import asyncio
import bisect
import itertools
import math
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

from ai_clients.base import Call, OnCall, Outcome, Purpose, Usage
from ai_clients.errors import BadReply, Misconfigured, ModelError, RateLimited, TimedOut, Unavailable
from ai_clients.settings import Limits

# The breaker leaves a model alone that keeps failing, and asks it again later, with one request first.

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


# The limits of a model per minute and per day. Live questions go before background work.


WINDOW = 60.0
KEPT_FOR_QUESTIONS = 4
"""Background work leaves one in so many requests of a minute and of a day, and of its tokens, to live questions."""

_DAY_ZONE = ZoneInfo("America/Los_Angeles")
"""Google counts a day there, and other providers do not say."""


def utc_now() -> datetime:
    return datetime.now(UTC)


def day_start(now: datetime) -> datetime:
    """Say when the day began that limits per day are counted in."""
    return _midnight(now.astimezone(_DAY_ZONE).date())


def _day_end(now: datetime) -> datetime:
    return _midnight(now.astimezone(_DAY_ZONE).date() + timedelta(days=1))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, datetime.min.time(), _DAY_ZONE).astimezone(UTC)


@dataclass(slots=True, eq=False)
class Ticket:
    """Stands for a request that was let through, and the tokens that it is counted with."""

    at: float
    tokens: int


class RateLimiter:
    def __init__(
        self,
        model: str,
        limits: Limits,
        *,
        now: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = utc_now,
    ) -> None:
        self._model = model
        self._limits = limits
        self._now = now
        self._today = today
        self._lately: deque[Ticket] = deque()
        self._day: date | None = None
        self._used_today = 0
        self._line: list[tuple[bool, int]] = []
        self._numbers = itertools.count()
        self._moved = asyncio.Event()

    @property
    def used_today(self) -> int:
        self._turn_the_day()
        return self._used_today

    def seed(self, used_today: int) -> None:
        """Count what had been asked of the model today before this process began."""
        self._turn_the_day()
        self._used_today += used_today

    async def admit(self, tokens: int, *, live: bool, within: float) -> Ticket:
        """Wait for a turn. Raises `RateLimited` as soon as it is clear that it will not come in so many seconds."""
        deadline = self._now() + within
        place = (not live, next(self._numbers))
        bisect.insort(self._line, place)
        try:
            while True:
                wait = self._wait(tokens, live)
                is_first = self._line[0] == place
                if is_first and wait == 0:
                    return self._take(tokens)
                left = deadline - self._now()
                if wait > left or left <= 0:
                    raise RateLimited(f"{self._model} may not be asked more often", wait or None)
                await self._pause(wait if is_first else left)
        finally:
            self._line.remove(place)
            self._move()

    def give_back(self, ticket: Ticket) -> None:
        if ticket in self._lately:
            self._lately.remove(ticket)
        self._turn_the_day()
        self._used_today = max(0, self._used_today - 1)
        self._move()

    def _take(self, tokens: int) -> Ticket:
        ticket = Ticket(self._now(), tokens)
        self._lately.append(ticket)
        self._used_today += 1
        return ticket

    def _wait(self, tokens: int, live: bool) -> float:
        """Tell how many seconds it is until one more would be within the limits, if nobody else came; 0 for now."""
        now = self._now()
        while self._lately and self._lately[0].at + WINDOW <= now:
            self._lately.popleft()
        self._turn_the_day()
        if self._used_today >= _share(self._limits.requests_per_day, live):
            return (_day_end(self._today()) - self._today()).total_seconds()
        most = _share(self._limits.requests_per_minute, live)
        most_tokens = _share(self._limits.tokens_per_minute, live)
        count, spent, free_at = len(self._lately), sum(ticket.tokens for ticket in self._lately), now
        # Alone in its minute, even what is too much for one is let through: the count is only an estimate.
        for ticket in self._lately:
            if count < most and spent + tokens <= most_tokens:
                break
            count, spent, free_at = count - 1, spent - ticket.tokens, ticket.at + WINDOW
        return free_at - now

    def _turn_the_day(self) -> None:
        day = self._today().astimezone(_DAY_ZONE).date()
        if day != self._day:
            self._day, self._used_today = day, 0

    async def _pause(self, seconds: float) -> None:
        """Pause until somebody's place in the line has changed, or so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._moved.wait()
        except TimeoutError:
            return

    def _move(self) -> None:
        self._moved.set()
        self._moved = asyncio.Event()


def _share(limit: int | None, live: bool) -> float:
    if limit is None:
        return float("inf")
    return limit if live or limit < KEPT_FOR_QUESTIONS else limit - limit // KEPT_FOR_QUESTIONS


# Whether a model fails is another question for each purpose: one that is late with a small task may well answer.


T = TypeVar("T")


class Accounted(Protocol):
    @property
    def usage(self) -> Usage: ...


ReplyT = TypeVar("ReplyT", bound=Accounted)

ATTEMPTS = 3
"""Of one model for one question."""
FIRST_PAUSE = 0.5
"""Seconds, before jitter; each one after that is twice as long."""

_abandoned: set[asyncio.Task[Any]] = set()
"""Told to stop, and nobody waits until they have noticed. Kept, because a task that nobody keeps may vanish."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """Says what a model is asked for, apart from the words."""

    purpose: Purpose
    tokens: int
    """What it will take, as far as one can tell before."""
    live: bool
    """Somebody is waiting."""
    on_call: OnCall | None


class Guard:
    def __init__(self, model: str, limits: Limits | None = None, *, now: Callable[[], float] = time.monotonic) -> None:
        self.model = model
        """As the settings name it."""
        self._breakers = {purpose: Breaker(model, now=now) for purpose in Purpose}
        self.pace = RateLimiter(model, limits or Limits(), now=now)
        self._now = now

    def breaker(self, purpose: Purpose) -> Breaker:
        return self._breakers[purpose]

    def misconfigured(self, error: Misconfigured) -> None:
        """Note that the model will answer nothing, whatever it is asked for, before a setting changes."""
        for breaker in self._breakers.values():
            breaker.failed(error)

    def status(self) -> ModelState:
        """Show the state of the purpose for which the model is left alone longest."""
        return max((breaker.status() for breaker in self._breakers.values()), key=lambda one: (one.again_in, one.state))

    async def ask(
        self,
        request: Callable[[], Coroutine[Any, Any, ReplyT]],
        errand: ModelRequest,
        seconds: float,
        *,
        longest_pause: float = math.inf,
        bad_replies: int = 0,
    ) -> ReplyT:
        """Ask the model a few times, over what may pass by itself and so many bad replies.

        Raises the last `ModelError`, after so many seconds at the latest.
        """
        until = self._now() + seconds
        for attempt in range(ATTEMPTS):
            try:
                return await self._ask_once(request, errand, until - self._now())
            except BadReply:
                bad_replies -= 1
                if bad_replies < 0 or attempt == ATTEMPTS - 1:
                    raise
            except (RateLimited, Unavailable) as error:
                pause = _pause(attempt, error)
                left = until - self._now()
                is_futile = self.breaker(errand.purpose).status().again_in > pause or pause >= left
                # Somebody who waits has the model's own delay waited for once, and only if time to answer is left then.
                is_told = isinstance(error, RateLimited) and error.retry_after is not None
                is_too_long = pause > longest_pause or (errand.live and is_told and (attempt > 0 or pause > left / 2))
                if attempt == ATTEMPTS - 1 or is_futile or is_too_long:
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    async def _ask_once(
        self, request: Callable[[], Coroutine[Any, Any, ReplyT]], errand: ModelRequest, seconds: float
    ) -> ReplyT:
        deadline = self._now() + seconds
        breaker = self.breaker(errand.purpose)
        ticket = await self.pace.admit(errand.tokens, live=errand.live, within=seconds)
        refusal = breaker.refusal()
        if refusal is not None:  # it may have failed for another while we stood in line
            self.pace.give_back(ticket)
            raise refusal
        breaker.begin()
        asked = self._now()
        try:
            reply = await within(request(), deadline - asked, self.model)
        except ModelError as error:
            # That it is not there, or wants to be left alone for a while, holds whatever it is asked for.
            is_plain = isinstance(error, Misconfigured) or (isinstance(error, RateLimited) and error.retry_after)
            for one in self._breakers.values() if is_plain else (breaker,):
                one.failed(error, self._now() - asked)
            self._account(errand, None, asked, Outcome.of(error))
            raise
        except BaseException:
            breaker.abandoned()
            self._account(errand, None, asked, Outcome.ABANDONED)
            raise
        for one in self._breakers.values():
            if one is breaker or one.holds_for_all:
                one.succeeded()
        ticket.tokens = reply.usage.tokens_in + reply.usage.tokens_out
        self._account(errand, reply.usage, asked, Outcome.OK)
        return reply

    def _account(self, errand: ModelRequest, usage: Usage | None, asked: float, outcome: Outcome) -> None:
        if errand.on_call is not None:
            errand.on_call(Call(errand.purpose, self.model, usage, self._now() - asked, outcome))


def _pause(attempt: int, error: RateLimited | Unavailable) -> float:
    """Say how long to pause: at least what the server wants, and never twice the same, so that many come apart."""
    pause = FIRST_PAUSE * (1 << attempt) * random.uniform(0.5, 1.5)
    wanted = error.retry_after if isinstance(error, RateLimited) else None
    return pause if wanted is None else wanted + pause / 10


async def within(request: Coroutine[Any, Any, T], seconds: float, model: str) -> T:
    """Wait for what comes of the request in time, whether or not it heeds that it is told to stop."""
    task = asyncio.create_task(request)
    _abandoned.add(task)
    task.add_done_callback(_forget)
    try:
        await asyncio.wait({task}, timeout=max(0.0, seconds))
        if not task.done():
            raise TimedOut(f"{model} did not answer within {seconds:.1f} s")
        return task.result()
    finally:
        task.cancel()


def _forget(task: asyncio.Task[Any]) -> None:
    _abandoned.discard(task)
    if not task.cancelled():
        task.exception()  # was told to whoever waited, or nobody does
