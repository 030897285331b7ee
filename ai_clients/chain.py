"""Asks a chain of models for one purpose: the first that answers in time serves.

No model but the last gets all of the time there is, so that there is some left for the next. One that is left alone
because it keeps failing takes none.
"""

import asyncio
import math
import random
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeVar

from ai_clients.base import (
    FILE_TOKENS,
    Call,
    LanguageModel,
    OnCall,
    Outcome,
    Prompt,
    Purpose,
    Shaped,
    ShapeT,
    Usage,
    estimated_tokens,
)
from ai_clients.breaker import Breaker, ModelState
from ai_clients.errors import (
    BadReply,
    BudgetExhausted,
    Misconfigured,
    ModelError,
    RateLimited,
    Refused,
    TimedOut,
    Unavailable,
)
from ai_clients.rate_limits import RateLimiter
from ai_clients.settings import Limits

# Stands before one model: asks it no more often than it allows, leaves it alone while it fails, and waits for no
# answer beyond its time. One for each model, whichever chains it serves in. Whether it fails is another question for
# each purpose: one that is late with a small task may well answer.


T = TypeVar("T")


class Accounted(Protocol):
    @property
    def usage(self) -> Usage: ...


ReplyT = TypeVar("ReplyT", bound=Accounted)

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
    def __init__(
        self,
        model: str,
        limits: Limits | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
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
        self, request: Callable[[], Coroutine[Any, Any, ReplyT]], errand: ModelRequest, seconds: float
    ) -> ReplyT:
        """Ask the model; raise `ModelError` after so many seconds at the latest."""
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
        ticket.settle(reply.usage.tokens_in + reply.usage.tokens_out)
        self._account(errand, reply.usage, asked, Outcome.OK)
        return reply

    def _account(self, errand: ModelRequest, usage: Usage | None, asked: float, outcome: Outcome) -> None:
        if errand.on_call is not None:
            errand.on_call(Call(errand.purpose, self.model, usage, self._now() - asked, outcome))


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


# Asks a model again over what may pass by itself, and over nothing else.


ATTEMPTS = 3
"""Of one model for one question."""
FIRST_PAUSE = 0.5
"""Seconds, before jitter; each one after that is twice as long."""


class Retry:
    """Says how long and often to try. A pause is never twice the same, so that many who fail at once come apart."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic, rng: random.Random | None = None) -> None:
        self.now = now
        self._rng = rng or random.Random()

    async def ask(
        self,
        guard: Guard,
        request: Callable[[], Coroutine[Any, Any, ReplyT]],
        errand: ModelRequest,
        *,
        until: float,
        longest_pause: float = math.inf,
        bad_replies: int = 0,
    ) -> ReplyT:
        """Ask a few times. Raises the last `ModelError`, by `until` at the latest; forgives so many bad replies."""
        for attempt in range(ATTEMPTS):
            try:
                return await guard.ask(request, errand, until - self.now())
            except BadReply:
                bad_replies -= 1
                if bad_replies < 0 or attempt == ATTEMPTS - 1:
                    raise
            except (RateLimited, Unavailable) as error:
                pause = self._pause(attempt, error)
                left = until - self.now()
                is_futile = guard.breaker(errand.purpose).status().again_in > pause or pause >= left
                # Somebody who waits has the model's own delay waited for once, and only if time to answer is left then.
                is_told = isinstance(error, RateLimited) and error.retry_after is not None
                is_too_long = pause > longest_pause or (errand.live and is_told and (attempt > 0 or pause > left / 2))
                if attempt == ATTEMPTS - 1 or is_futile or is_too_long:
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _pause(self, attempt: int, error: RateLimited | Unavailable) -> float:
        """Say how long to pause: at least what the server wants, if it says."""
        pause = FIRST_PAUSE * (1 << attempt) * self._rng.uniform(0.5, 1.5)
        wanted = error.retry_after if isinstance(error, RateLimited) else None
        return pause if wanted is None else wanted + pause / 10


SHARE_OF_THE_FIRST = 0.6
"""Of the time that is left, where there is another model behind."""
LONGEST_PAUSE = 2.0
"""Seconds. Whoever is waiting for an answer gets it from the next model rather than after a longer one."""
SHORTEST_TURN = 0.05
"""Seconds. With less there is no point in asking."""
MOST_TOKENS: Final = {
    Purpose.ANSWER: 8_192,
    Purpose.SUMMARISE: 32_768,
    Purpose.SMALL: 4_096,
    Purpose.SEE: 4_096,
    Purpose.HEAR: 16_384,
}
"""Of a reply. Several times what the longest takes, because models think at the same expense."""
REPLY_TOKENS = 500
"""What a reply takes, roughly, before it is known."""

_BY_WHAT_THEY_TELL = (BudgetExhausted, Refused, RateLimited, TimedOut, Unavailable, Misconfigured, BadReply, ModelError)


@dataclass(frozen=True, slots=True)
class Link:
    """Holds a model of a chain, and what guards it there and in every other chain."""

    model: LanguageModel
    guard: Guard


class Chain:
    def __init__(
        self, purpose: Purpose, links: Sequence[Link], seconds: float, *, persistence: Retry | None = None
    ) -> None:
        if not links:
            raise ValueError(f"The chain for {purpose} is empty.")
        self.purpose = purpose
        self.seconds = seconds
        """The longest that whoever asks will wait."""
        self._links = tuple(links)
        self._persistence = persistence or Retry()

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(link.guard.model for link in self._links)

    def states(self) -> tuple[ModelState, ...]:
        return tuple(link.guard.breaker(self.purpose).status() for link in self._links)

    async def generate_as(
        self,
        prompt: Prompt,
        shape: type[ShapeT],
        *,
        live: bool = True,
        seconds: float | None = None,
        on_call: OnCall | None = None,
        bad_replies: int = 1,
    ) -> Shaped[ShapeT]:
        """Ask the models for a reply of a shape; a model that misses it is asked again, so many times.

        Raises the most telling `ModelError` if none answers, within `seconds`, else the chain's own.
        """
        tokens = estimated_tokens(prompt.rules) + estimated_tokens(prompt.data) + REPLY_TOKENS
        tokens += FILE_TOKENS * len(prompt.files)
        errand = ModelRequest(self.purpose, tokens, live, on_call)
        bounded = replace(prompt, most_tokens=MOST_TOKENS[self.purpose])
        return await self._ask(lambda model: model.generate_as(bounded, shape), errand, seconds, bad_replies)

    async def _ask(
        self,
        request: Callable[[LanguageModel], Coroutine[Any, Any, ReplyT]],
        errand: ModelRequest,
        seconds: float | None,
        bad_replies: int,
    ) -> ReplyT:
        persistence = self._persistence
        deadline = persistence.now() + (self.seconds if seconds is None else seconds)
        problems: list[ModelError] = []
        for place, link in enumerate(self._links):
            refusal = link.guard.breaker(self.purpose).refusal()
            left = deadline - persistence.now()
            if refusal is not None:
                problems.append(refusal)
                continue
            if left < SHORTEST_TURN:
                problems.append(TimedOut(f"there was no time left for {link.guard.model}"))
                break
            is_last = all(other.guard.breaker(self.purpose).refusal() is not None for other in self._links[place + 1 :])
            until = deadline if is_last else persistence.now() + left * SHARE_OF_THE_FIRST
            try:
                return await persistence.ask(
                    link.guard,
                    lambda model=link.model: request(model),  # type: ignore[misc]  # bound now, not when called
                    errand,
                    until=until,
                    longest_pause=LONGEST_PAUSE if errand.live and not is_last else math.inf,
                    bad_replies=bad_replies,
                )
            except ModelError as problem:
                problems.append(problem)
        raise _most_telling(problems)


def _most_telling(problems: Sequence[ModelError]) -> ModelError:
    """Pick what speaks of this prompt, then what passes by itself, the soonest first; settings are for operators."""

    def rank(problem: ModelError) -> tuple[int, float]:
        narrowest = next(kind for kind in type(problem).__mro__ if kind in _BY_WHAT_THEY_TELL)
        delay = problem.retry_after if isinstance(problem, RateLimited) else None
        return _BY_WHAT_THEY_TELL.index(narrowest), math.inf if delay is None else delay

    return min(problems, key=rank)
