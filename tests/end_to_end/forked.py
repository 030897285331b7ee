"""Real processes of ours without the seconds that Python takes to load each: forked from one that has loaded all of it.

They are killed, signalled and waited for like any other. How a process starts from nothing is shown by `test_run.py`.
"""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Mapping
from importlib import import_module
from multiprocessing import forkserver
from pathlib import Path

_FORKS = multiprocessing.get_context("forkserver")
# The first of them moves time, and has to come before whatever asks for it.
_FORKS.set_forkserver_preload(
    [
        "tests.end_to_end.erasure.inn_process",
        "launch.processes",
        "ai_clients.openai_compatible.model",
        "tests.end_to_end.loaded",
    ]
)


def share_forks() -> None:
    """In the first process of a run: workers that are forked from it share the process that has loaded all of it."""
    forkserver.ensure_running()
    # It looks for a child of its own otherwise.
    others = forkserver._forkserver
    os.register_at_fork(after_in_child=lambda: setattr(others, "ensure_running", lambda: None))


class Forked:
    """A process that calls `main` of a module and ends with what that returns; what it prints goes to `log`.

    What it has to complain about goes there too, or to `errors`.
    """

    def __init__(
        self,
        module: str,
        *given: object,
        folder: Path,
        environment: Mapping[str, str],
        log: Path,
        errors: Path | None = None,
    ) -> None:
        logs = (log, errors or log)
        self._process = _FORKS.Process(target=_run, args=(module, given, folder, dict(environment), logs))
        self._process.start()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.pid is not None and self.returncode is None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    async def wait(self, seconds: float) -> int:
        return await asyncio.to_thread(self.join, seconds)

    def join(self, seconds: float) -> int:
        self._process.join(seconds)
        if self.returncode is None:
            raise TimeoutError(f"a process has not ended within {seconds:.0f} s")
        return self.returncode


def _run(
    module: str, given: tuple[object, ...], folder: Path, environment: dict[str, str], logs: tuple[Path, Path]
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, log in enumerate(logs, 1):
        with log.open("ab") as written:
            os.dup2(written.fileno(), number)
    raise SystemExit(import_module(module).main(*given))
