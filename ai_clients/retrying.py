"""Asks a model again over what may pass by itself, and over nothing else."""

import asyncio
import math
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

from ai_clients.errors import BadReply, RateLimited, Unavailable
from ai_clients.guard import Errand, Guard, ReplyT

ATTEMPTS = 3
"""Of one model for one question."""
FIRST_PAUSE = 0.5
"""Seconds, before jitter; each one after that is twice as long."""


class Persistence:
    """How long and how often to try. A pause is never twice the same, so that many who failed at once come apart."""

    def __init__(self, *, now: Callable[[], float] = time.monotonic, rng: random.Random | None = None) -> None:
        self.now = now
        self._rng = rng or random.Random()

    async def ask(
        self,
        guard: Guard,
        request: Callable[[], Coroutine[Any, Any, ReplyT]],
        errand: Errand,
        *,
        until: float,
        longest_pause: float = math.inf,
        bad_replies: int = 0,
    ) -> ReplyT:
        """Raises the last `ModelError`, by `until` at the latest. So many bad replies are forgiven."""
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
                is_futile = guard.breaker.status().again_in > pause or pause >= left
                # Somebody who waits has the model's own delay waited for once, and only if time to answer is left then.
                is_told = isinstance(error, RateLimited) and error.retry_after is not None
                is_too_long = pause > longest_pause or (errand.live and is_told and (attempt > 0 or pause > left / 2))
                if attempt == ATTEMPTS - 1 or is_futile or is_too_long:
                    raise
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _pause(self, attempt: int, error: RateLimited | Unavailable) -> float:
        """At least what the server wants, if it says."""
        pause = FIRST_PAUSE * (1 << attempt) * self._rng.uniform(0.5, 1.5)
        wanted = error.retry_after if isinstance(error, RateLimited) else None
        return pause if wanted is None else wanted + pause / 10
