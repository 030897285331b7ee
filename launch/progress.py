"""How far a command has come: a bar on a terminal; elsewhere a line now and then, which a log can hold."""

import time
from typing import TextIO

WIDTH = 30
BAR_EVERY_S = 0.1
LINE_EVERY_S = 10.0
LEAST_TOLD = 0.01
"""Before that, how long the rest takes is a guess."""


class Bar:
    def __init__(self, out: TextIO, total: int) -> None:
        self.total = max(total, 1)
        self._out = out
        self._started = self._shown_at = time.monotonic()
        self._is_terminal = out.isatty()

    def show(self, done: int, what: str, state: str = "") -> None:
        """`what` stands before a line, where there is no bar."""
        now = time.monotonic()
        if now - self._shown_at < (BAR_EVERY_S if self._is_terminal else LINE_EVERY_S):
            return
        self._shown_at = now
        share = min(done / self.total, 1.0)
        said = f"{share:4.0%}  {state}" if state else f"{share:4.0%}"
        if share >= LEAST_TOLD:
            said += f"  {_duration((now - self._started) * (self.total - done) / done)} left"
        if self._is_terminal:
            filled = round(share * WIDTH)
            self._out.write(f"\r\x1b[K[{'#' * filled}{'.' * (WIDTH - filled)}] {said}")
        else:
            self._out.write(f"{what}: {said}\n")
        self._out.flush()

    def say(self, line: str) -> None:
        """A line that stays, in the place of the bar."""
        self.clear()
        self._out.write(f"{line}\n")
        self._out.flush()

    def clear(self) -> None:
        if self._is_terminal:
            self._out.write("\r\x1b[K")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
