"""Commands of `main.py`, each in a real process that is forked from one that has loaded the product.

How one starts from nothing is shown where the memory it takes is measured, and by the wheel in `test_release.py`.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.end_to_end.forked import Forked

MAIN = Path(__file__).parents[2] / "main.py"
PATIENCE_S = 120.0


def clean_environment(**given: str) -> dict[str, str]:
    """Whatever the developer has set for Innkeeper stays outside."""
    hidden = ("DISCORD_", "GEMINI", "GOOGLE", "DATABASE_", "DATA_DIR", "HOST")
    return {name: value for name, value in os.environ.items() if not name.startswith(hidden)} | given


def started_from_nothing(
    *arguments: str | Path, folder: Path, environment: Mapping[str, str]
) -> "subprocess.Popen[str]":
    """Not forked: for whoever measures what it takes."""
    return subprocess.Popen(
        [sys.executable, MAIN, *arguments],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
