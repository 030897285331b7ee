"""A chain of models for one purpose: the first that answers in time serves.

No model but the last gets all of the time there is, so that there is some left for the next. One that is left alone
because it keeps failing takes none.
"""

import math
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ai_clients.base import LanguageModel, Prompt, Purpose, Reply, Shaped, ShapeT
from ai_clients.breaker import ModelState
from ai_clients.calls import OnCall
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
from ai_clients.guard import Errand, Guard, ReplyT
from ai_clients.retrying import Persistence
from ai_clients.tokens import estimated_tokens

SHARE_OF_THE_FIRST = 0.6
"""Of the time that is left, where there is another model behind."""
LONGEST_PAUSE = 2.0
"""Seconds. Whoever is waiting for an answer gets it from the next model rather than after a longer one."""
SHORTEST_TURN = 0.05
"""Seconds. With less there is no point in asking."""
MOST_TOKENS: Final = {Purpose.ANSWER: 8_192, Purpose.SUMMARISE: 32_768, Purpose.SMALL: 4_096}
"""Of a reply. Several times what the longest takes, because models think at the same expense."""
REPLY_TOKENS = 500
"""What a reply takes, roughly, before it is known."""

_BY_WHAT_THEY_TELL = (BudgetExhausted, Refused, RateLimited, TimedOut, Unavailable, Misconfigured, BadReply, ModelError)


@dataclass(frozen=True, slots=True)
class Link:
    """A model of a chain, and what guards it there and in every other chain."""

    model: LanguageModel
    guard: Guard


class Chain:
    """Is a `LanguageModel` itself, to whoever needs no more of it."""

    def __init__(
        self, purpose: Purpose, links: Sequence[Link], seconds: float, *, persistence: Persistence | None = None
    ) -> None:
        if not links:
            raise ValueError(f"The chain for {purpose} is empty.")
        self.purpose = purpose
        self.seconds = seconds
        """The longest that whoever asks will wait."""
        self._links = tuple(links)
        self._persistence = persistence or Persistence()

    @property
    def name(self) -> str:
        return ", ".join(self.models)

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(link.guard.model for link in self._links)

    def states(self) -> tuple[ModelState, ...]:
        return tuple(link.guard.breaker.status() for link in self._links)

    async def generate(
        self,
        prompt: Prompt,
        *,
        live: bool = True,
        seconds: float | None = None,
        on_call: OnCall | None = None,
    ) -> Reply:
        """Raises the most telling `ModelError` if none answers, within `seconds`, else the chain's own."""
        errand = self._errand(prompt, live, on_call)
        bounded = self._bounded(prompt)
        return await self._ask(lambda model: model.generate(bounded), errand, seconds)

    async def generate_as(
        self,
        prompt: Prompt,
        shape: type[ShapeT],
        *,
        live: bool = True,
        seconds: float | None = None,
        on_call: OnCall | None = None,
    ) -> Shaped[ShapeT]:
        """The same for a reply of a shape; a model that misses it is asked once more."""
        errand = self._errand(prompt, live, on_call)
        bounded = self._bounded(prompt)
        return await self._ask(lambda model: model.generate_as(bounded, shape), errand, seconds, bad_replies=1)

    async def close(self) -> None:
        for link in self._links:
            await link.model.close()

    def _bounded(self, prompt: Prompt) -> Prompt:
        return replace(prompt, most_tokens=MOST_TOKENS[self.purpose])

    def _errand(self, prompt: Prompt, live: bool, on_call: OnCall | None) -> Errand:
        tokens = estimated_tokens(prompt.rules) + estimated_tokens(prompt.data) + REPLY_TOKENS
        return Errand(self.purpose, tokens, live, on_call)

    async def _ask(
        self,
        request: Callable[[LanguageModel], Coroutine[Any, Any, ReplyT]],
        errand: Errand,
        seconds: float | None,
        bad_replies: int = 0,
    ) -> ReplyT:
        persistence = self._persistence
        deadline = persistence.now() + (self.seconds if seconds is None else seconds)
        problems: list[ModelError] = []
        for place, link in enumerate(self._links):
            refusal = link.guard.breaker.refusal()
            left = deadline - persistence.now()
            if refusal is not None:
                problems.append(refusal)
                continue
            if left < SHORTEST_TURN:
                problems.append(TimedOut(f"there was no time left for {link.guard.model}"))
                break
            is_last = all(other.guard.breaker.refusal() is not None for other in self._links[place + 1 :])
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
    """What speaks of this prompt, then what passes by itself, the soonest first; settings are for operators."""

    def rank(problem: ModelError) -> tuple[int, float]:
        narrowest = next(kind for kind in type(problem).__mro__ if kind in _BY_WHAT_THEY_TELL)
        delay = problem.retry_after if isinstance(problem, RateLimited) else None
        return _BY_WHAT_THEY_TELL.index(narrowest), math.inf if delay is None else delay

    return min(problems, key=rank)
