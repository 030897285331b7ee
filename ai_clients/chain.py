"""Asks a chain of models for one purpose: the first that answers in time serves.

No model but the last gets all of the time there is, so that there is some left for the next. One that is left alone
because it keeps failing takes none.
"""

import asyncio
import math
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ai_clients.base import (
    FILE_TOKENS,
    LanguageModel,
    OnCall,
    Prompt,
    Purpose,
    Shaped,
    ShapeT,
    estimated_tokens,
)
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
from ai_clients.guard import Guard, ModelRequest, ModelState, ReplyT

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
    def __init__(self, purpose: Purpose, links: Sequence[Link], seconds: float) -> None:
        if not links:
            raise ValueError(f"The chain for {purpose} is empty.")
        self.purpose = purpose
        self.seconds = seconds
        """The longest that whoever asks will wait."""
        self._links = tuple(links)

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
        now = asyncio.get_running_loop().time
        deadline = now() + (self.seconds if seconds is None else seconds)
        problems: list[ModelError] = []
        for place, link in enumerate(self._links):
            refusal = link.guard.breaker(self.purpose).refusal()
            left = deadline - now()
            if refusal is not None:
                problems.append(refusal)
                continue
            if left < SHORTEST_TURN:
                problems.append(TimedOut(f"there was no time left for {link.guard.model}"))
                break
            is_last = all(other.guard.breaker(self.purpose).refusal() is not None for other in self._links[place + 1 :])
            share = 1.0 if is_last else SHARE_OF_THE_FIRST
            try:
                return await link.guard.ask(
                    lambda model=link.model: request(model),  # type: ignore[misc]  # bound now, not when called
                    errand,
                    left * share,
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
