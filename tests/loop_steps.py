"""How long the event loop is held up, in processor time of its own thread: how busy the machine is does not count."""

import gc
import time
from asyncio.events import Handle
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

MOST_SECONDS = 0.05
"""That anybody may have to wait for another's words to be read."""


@contextmanager
def loop_steps() -> Iterator[list[float]]:
    """The time that each step of the loop takes. What other tests left behind is not collected in the midst of them."""
    steps: list[float] = []
    run = Handle._run

    def timed(handle: Handle) -> None:
        began = time.thread_time()
        run(handle)
        steps.append(time.thread_time() - began)

    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Handle, "_run", timed)
            yield steps
    finally:
        gc.enable()
        gc.unfreeze()
