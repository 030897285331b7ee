"""Tests by several processes at once: `pytest --workers 4`.

The tests are collected once, and each worker is forked from the process that did so: none loads the house, its
libraries and the tests anew. A worker takes a file of tests, or whatever else belongs together, then the next one that
nobody has taken, and tells of each test as it goes.
"""

import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any

import pytest

NUMBER_BYTES = 4

_FORK = multiprocessing.get_context("fork")


@dataclass
class _Worker:
    process: ForkProcess
    test: str = "no test"


class SideBySide:
    """A plugin of pytest that has workers run what was collected, where there is enough to share.

    What the workers add to `found` is added to it here as well.
    """

    def __init__(self, count: int, belongs_to: Callable[[pytest.Item], str], found: set[Any]) -> None:
        self._count = count
        self._belongs_to = belongs_to
        self._found = found
        self._workers: dict[Connection, _Worker] = {}
        self._begun = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        groups = [list(group) for _, group in groupby(session.items, self._belongs_to)]
        count = min(self._count, len(groups))
        if count < 2 or session.testsfailed or session.config.option.collectonly:
            return None  # pytest goes on as always
        queue = _queue(len(groups))
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined] # one for all
        try:
            for number in range(count):
                self._start(session, f"worker-{number}", _take(groups, queue))
            while self._workers:
                for news in wait(list(self._workers)):
                    self._hear(session, news)
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
        finally:
            for worker in self._workers.values():
                worker.process.kill()
        if self._begun != len(session.items):
            raise session.Failed(f"of {len(session.items)} tests {self._begun} were run")
        return True

    def _start(self, session: pytest.Session, name: str, items: Iterator[pytest.Item]) -> None:
        news, tell = _FORK.Pipe(duplex=False)
        process = _FORK.Process(target=self._work, args=(session, name, items, tell))
        process.start()
        tell.close()
        self._workers[news] = _Worker(process)

    def _hear(self, session: pytest.Session, news: Any) -> None:  # noqa: ANN401 - typeshed knows no better of `wait`
        worker = self._workers[news]
        try:
            kind, told = news.recv()
        except EOFError:
            del self._workers[news]
            worker.process.join()
            if ended := worker.process.exitcode:
                session.shouldfail = f"a worker ended with {ended} in {worker.test}"
            return
        hook = session.config.hook
        match kind:
            case "begins":
                worker.test = told
                self._begun += 1
            case "report":
                report = hook.pytest_report_from_serializable(config=session.config, data=told)
                hook.pytest_runtest_logreport(report=report)
            case "warning":
                hook.pytest_warning_recorded.call_historic(kwargs=told)
            case "found":
                self._found |= told

    def _work(self, session: pytest.Session, name: str, items: Iterator[pytest.Item], tell: Connection) -> None:
        for others in self._workers:
            others.close()
        folders = session.config._tmp_path_factory  # type: ignore[attr-defined]
        folders._basetemp = folders.getbasetemp() / name
        folders._basetemp.mkdir(mode=0o700)
        plugins = session.config.pluginmanager
        plugins.unregister(name="terminalreporter")
        plugins.register(_Teller(session.config, tell))
        capture = plugins.getplugin("capturemanager")
        capture.stop_global_capturing()
        capture.start_global_capturing()  # into a file of its own
        capture.suspend_global_capture()
        for item, following in pairwise(chain(items, [None])):
            session.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        tell.send(("found", self._found))
        for left in multiprocessing.active_children():
            left.kill()  # one that a failed test has stopped would be waited for without end


class _Teller:
    """A plugin of pytest in a worker, instead of the terminal's."""

    def __init__(self, config: pytest.Config, tell: Connection) -> None:
        self._config = config
        self._tell = tell

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tell.send(("begins", nodeid))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._tell.send(("report", told))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: tuple[str, int, str] | None
    ) -> None:
        if when != "runtest":
            return  # the first process has told that
        category, file, line = warning_message.category, warning_message.filename, warning_message.lineno
        text = warnings.WarningMessage(str(warning_message.message), category, file, line)
        told = {"warning_message": text, "when": when, "nodeid": nodeid, "location": location}
        self._tell.send(("warning", told))


def _queue(count: int) -> int:
    """A pipe from which each worker reads a number; after the last one it ends."""
    taken, given = os.pipe()
    os.write(given, b"".join(number.to_bytes(NUMBER_BYTES, "big") for number in range(count)))
    os.close(given)
    return taken


def _take(groups: Sequence[Sequence[pytest.Item]], queue: int) -> Iterator[pytest.Item]:
    while number := os.read(queue, NUMBER_BYTES):
        yield from groups[int.from_bytes(number, "big")]
