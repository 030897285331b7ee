"""How a process is set up while it reads exported files. Process-wide, hence only for one that does nothing else."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

COLLECT_AFTER = 500_000
"""A piece of a file is tens of thousands of objects that live for a moment; searching them for garbage costs half of
the time, and there is none."""
TAKE_TURNS = 0.0005
"""Seconds. Reading must not keep the connection to the database waiting."""


@contextmanager
def made_for_reading() -> Iterator[None]:
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(COLLECT_AFTER)
    sys.setswitchinterval(TAKE_TURNS)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
