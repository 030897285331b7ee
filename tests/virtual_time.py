"""An event loop whose clock leaps: whoever sleeps or waits for a timeout gets there at once, in the right order.

So hours of pauses, deadlines and limits are tested with the real asyncio, without waiting for any of it.
"""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")


class _Leaping(selectors.SelectSelector):
    """Never waits: where nothing is ready, the time that it was to wait is over."""

    leapt = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("everybody waits, and nothing will ever happen")
            self.leapt += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._leaping = _Leaping()
        super().__init__(self._leaping)

    def time(self) -> float:
        return self._leaping.leapt


def in_virtual_time(story: Coroutine[Any, Any, T]) -> T:
    """Runs it to its end. `now` tells the time in there; threads are not waited for."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(story)


def virtually(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Has a whole test run so."""

    @wraps(test)
    def run(*given: P.args, **named: P.kwargs) -> None:
        in_virtual_time(test(*given, **named))

    return run


def now() -> float:
    return asyncio.get_running_loop().time()
