"""Keeps to what a model allows per minute and per day. Live questions go before background work."""

import asyncio
import bisect
import itertools
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from ai_clients.errors import RateLimited
from ai_clients.settings import Limits

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


class Ticket:
    """Stands for a request that was let through, and the tokens that it is counted with."""

    __slots__ = ("at", "tokens")

    def __init__(self, at: float, tokens: int) -> None:
        self.at = at
        self.tokens = tokens

    def settle(self, tokens: int) -> None:
        """Count the tokens that the request has really taken."""
        self.tokens = tokens


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
        """Take a request back that was not made after all."""
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
