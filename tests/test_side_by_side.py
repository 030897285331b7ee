"""What workers find reaches whoever reads the run, and a worker that dies does not pass for one that was content."""

import os
import subprocess
import sys
from pathlib import Path

PLUGIN = """
from tests.side_by_side import SideBySide

FOUND = set()


def pytest_configure(config):
    by_file = lambda item: item.nodeid.split("::")[0]
    config.pluginmanager.register(SideBySide(2, by_file, FOUND))


def pytest_runtest_teardown(item):
    FOUND.add(item.name)


def pytest_unconfigure():
    print(len(FOUND), "found")
"""
SAYS = """
import os
import warnings

import pytest


def test_one():
    os.write(1, b"said by one")
    assert not os.getpid()


def test_two():
    warnings.warn("warned by two")


def test_three():
    pytest.skip("not today")
"""
HOLDS = """
import pytest


@pytest.fixture(scope="module")
def house():
    yield "house"
    print("closed")


@pytest.mark.parametrize("room", range(20))
def test_room(house, room):
    assert house
"""
DIES = """
import os
import signal


def test_that_dies():
    os.kill(os.getpid(), signal.SIGKILL)


def test_after_it():
    pass
"""


def _run(folder: Path, **files: str) -> tuple[int, str]:
    for name, text in {"conftest": PLUGIN, **files}.items():
        (folder / f"{name}.py").write_text(text)
    here = {**os.environ, "PYTHONPATH": os.getcwd(), "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    options = ("-ra", "-c", os.devnull, "--rootdir", str(folder))
    command = (sys.executable, "-m", "pytest", *options, str(folder))
    ended = subprocess.run(command, env=here, capture_output=True, text=True, timeout=120, check=False)
    return ended.returncode, ended.stdout


def test_what_workers_find_is_told(tmp_path: Path) -> None:
    code, told = _run(tmp_path, test_says=SAYS, test_holds=HOLDS)
    assert code == 1
    assert "1 failed, 21 passed, 1 skipped, 1 warning" in told
    assert "assert not" in told
    assert "said by one" in told
    assert "warned by two" in told
    assert "not today" in told
    assert "23 found" in told


def test_a_worker_that_dies_fails_the_run_and_names_its_test(tmp_path: Path) -> None:
    code, told = _run(tmp_path, test_dies=DIES, test_holds=HOLDS)
    assert code == 1
    assert "a worker ended with -9 in" in told
    assert "test_that_dies" in told


def test_all_pass(tmp_path: Path) -> None:
    code, told = _run(tmp_path, test_holds=HOLDS, test_holds_too=HOLDS)
    assert code == 0, told
    assert "40 passed" in told
