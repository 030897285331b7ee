"""Time in a process of the test: it runs as everywhere, and can be moved on by hours and days at once.

Imported before anything that asks for the time: caches and timers keep the function that they find.
"""

import time
from datetime import UTC, datetime, timedelta

_really, _by_the_calendar = time.monotonic, time.time
_ahead = timedelta()


def _moved() -> float:
    return _really() + _ahead.total_seconds()


def _moved_by_the_calendar() -> float:
    return _by_the_calendar() + _ahead.total_seconds()


time.monotonic, time.time = _moved, _moved_by_the_calendar


def move(by: timedelta) -> None:
    """Timers that are due by then are due now, one after the other."""
    global _ahead
    _ahead += by


class MovedClock:
    def now(self) -> datetime:
        return datetime.now(UTC) + _ahead
