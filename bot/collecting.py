"""Python's collector, set for a process that keeps a whole guild in memory and makes much that lives for a moment.

As it comes, the collector looks through the young objects after every 700 new ones, and now and then through all there
are. Reading a page of history makes thousands that are gone again without its help: a sixth of the time that catching
up takes went into looking. And looking through ten thousand members stops everything for a tenth of a second.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

THRESHOLDS = (10_000, 20, 50)
"""New objects before the young are looked through; so many times before the middle-aged, and those before all."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """What is there already, such as every module, is never looked through meanwhile."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
