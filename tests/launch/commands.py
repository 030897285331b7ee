"""Commands of `main.py`, each in a real process that is forked from one that has loaded the product.

How one starts from nothing is shown where the memory it takes is measured, and by the wheel in `test_release.py`.
"""

import signal
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.end_to_end.forked import Forked

PATIENCE_S = 120.0


class Command:
    """`main.py` with these arguments, in a folder that is not the checkout: an .env of the developer's stays there."""

    def __init__(self, *arguments: str | Path, folder: Path, environment: Mapping[str, str]) -> None:
        self._said = TemporaryDirectory()
        self._out, self._error = Path(self._said.name, "out"), Path(self._said.name, "error")
        given = [str(one) for one in arguments]
        self._process = Forked("main", given, folder=folder, environment=environment, log=self._out, errors=self._error)

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def send_signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Its exit code, what it said, and what it complained about."""
        with self._said:
            return self._process.join(PATIENCE_S), self._out.read_text(), self._error.read_text()
