"""How often one member may have a model asked: a pause between two requests, and so many in an hour."""

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memory.core.outcomes import (
    Limit,  # moved
    Wait,  # moved
)

HOUR = timedelta(hours=1)
MOST_REQUESTS = 16
"""Of one member that are known by their messages: one request may need a model several times, also behind others."""
MOST_REMEMBERED = 20_000
"""Members whose last questions are remembered; beyond it those who have been silent longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Requester:
    """On whose behalf a model is asked, and in which message or interaction they wanted something."""

    user_id: int
    request_id: int


@dataclass(frozen=True, slots=True)
class Allowance:
    cooldown: timedelta = timedelta()
    """Between two questions; zero is none."""
    hourly: int = 0
    """Questions within any hour; zero is as many as they like."""

    def wait(self, asked: Iterable[datetime], now: datetime) -> Wait | None:
        """`asked` are the moments of the last questions that were answered, the oldest first."""
        # A clock that was set back must not keep anybody waiting longer than a limit says.
        times = [min(moment, now) for moment in asked]
        waits: list[Wait] = []
        if times:
            waits.append(Wait((times[-1] + self.cooldown - now).total_seconds(), Limit.COOLDOWN))
        if 0 < self.hourly <= len(times):
            waits.append(Wait((times[-self.hourly] + HOUR - now).total_seconds(), Limit.HOURLY))
        longest = max(waits, key=lambda wait: wait.seconds, default=None)
        return longest if longest is not None and longest.seconds > 0 else None


@dataclass(slots=True)
class _Asker:
    times: deque[datetime]
    requests: deque[int] = field(default_factory=lambda: deque(maxlen=MOST_REQUESTS))
    """What they wanted last."""


class Askers:
    """Who asked when, as far as an allowance needs it."""

    def __init__(self, allowance: Allowance, room: int = MOST_REMEMBERED) -> None:
        self._allowance = allowance
        self._room = room
        self._asked: OrderedDict[tuple[int, int], _Asker] = OrderedDict()

    def has_admitted(self, guild_id: int, user_id: int, question_id: int) -> bool:
        """Of late."""
        asker = self._asked.get((guild_id, user_id))
        return asker is not None and question_id in asker.requests

    def admit(self, guild_id: int, user_id: int, now: datetime, question_id: int | None = None) -> Wait | None:
        """None: they may ask, and it counts. What is turned away does not, nor what is answered once more."""
        key = (guild_id, user_id)
        asker = self._asked.get(key)
        if asker is None:
            asker = self._asked[key] = _Asker(deque(maxlen=max(self._allowance.hourly, 1)))
        self._asked.move_to_end(key)
        if len(self._asked) > self._room:
            self._asked.popitem(last=False)
        if question_id in asker.requests:
            return None
        wait = self._allowance.wait(asker.times, now)
        if wait is None:
            asker.times.append(now)
            if question_id is not None:
                asker.requests.append(question_id)
        return wait
