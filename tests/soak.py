"""Says whether this run is `make soak`: of far more cases, drawn anew each time, in the tests marked `soak`."""

import os
import secrets

SOAK = bool(os.environ.get("SOAK"))


def seed_of(variable: str, usual: int, number: int = 0) -> int:
    """Draw the seed of a case by its number; each run but a soak has the usual ones, and `variable` repeats one."""
    given = os.environ.get(variable)
    if given is None and SOAK:
        return secrets.randbits(32)
    return int(given or usual) + number
