"""Stands before one model: asks it no more often than it allows, leaves it alone while it fails, and waits for no
answer beyond its time. One for each model, whichever chains it serves in."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from ai_clients.base import Purpose, Usage
from ai_clients.breaker import Breaker
from ai_clients.calls import Call, OnCall, Outcome
from ai_clients.errors import ModelError, TimedOut
from ai_clients.pacing import Pace
from ai_clients.tariff import Limits

T = TypeVar("T")


class Accounted(Protocol):
    @property
    def usage(self) -> Usage: ...


ReplyT = TypeVar("ReplyT", bound=Accounted)

_abandoned: set[asyncio.Task[Any]] = set()
"""Told to stop, and nobody waits until they have noticed. Kept, because a task that nobody keeps may vanish."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What a model is asked for, apart from the words."""

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
        self.breaker = Breaker(model, now=now)
        self.pace = Pace(model, limits or Limits(), now=now)
        self._now = now

    async def ask(self, request: Callable[[], Coroutine[Any, Any, ReplyT]], errand: Errand, seconds: float) -> ReplyT:
        """Raises `ModelError` after so many seconds at the latest."""
        deadline = self._now() + seconds
        ticket = await self.pace.admit(errand.tokens, live=errand.live, within=seconds)
        refusal = self.breaker.refusal()
        if refusal is not None:  # it may have failed for another while we stood in line
            self.pace.give_back(ticket)
            raise refusal
        self.breaker.begin()
        asked = self._now()
        try:
            reply = await within(request(), deadline - asked, self.model)
        except ModelError as error:
            self.breaker.failed(error, self._now() - asked)
            self._account(errand, None, asked, Outcome.of(error))
            raise
        except BaseException:
            self.breaker.abandoned()
            self._account(errand, None, asked, Outcome.ABANDONED)
            raise
        self.breaker.succeeded()
        ticket.settle(reply.usage.tokens_in + reply.usage.tokens_out)
        self._account(errand, reply.usage, asked, Outcome.OK)
        return reply

    def _account(self, errand: Errand, usage: Usage | None, asked: float, outcome: Outcome) -> None:
        if errand.on_call is not None:
            errand.on_call(Call(errand.purpose, self.model, usage, self._now() - asked, outcome))


async def within(request: Coroutine[Any, Any, T], seconds: float, model: str) -> T:
    """What comes of the request in time, whether or not it heeds that it is told to stop."""
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
