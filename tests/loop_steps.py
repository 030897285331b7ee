"""How long something takes, or holds up the event loop, in processor time of its own thread: how busy the machine is
does not count."""

import gc
import time
from asyncio.events import Handle
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

MOST_SECONDS = 0.05
"""That anybody may have to wait for another's words to be read."""


@contextmanager
def loop_steps() -> Iterator[list[float]]:
    """The time that each step of the loop takes. Nothing is collected in the midst of them."""
    steps: list[float] = []
    run = Handle._run

    def timed(handle: Handle) -> None:
        began = time.thread_time()
        run(handle)
        steps.append(time.thread_time() - began)

    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Handle, "_run", timed)
            yield steps
    finally:
        gc.enable()


def quickest(do: Callable[[], object], tries: int = 3) -> float:
    """The processor time of the best of some tries: what is slow is slow each time, what a busy machine does is not."""
    took = []
    gc.disable()
    try:
        for _ in range(tries):
            began = time.thread_time()
            do()
            took.append(time.thread_time() - began)
    finally:
        gc.enable()
    return min(took)
