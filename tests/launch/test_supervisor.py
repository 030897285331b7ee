"""Two children, kept alive, stopped together, and never left behind: real processes throughout."""

import asyncio
import os
import signal
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from launch import supervise as supervisor
from launch.supervise import MISCONFIGURED, supervise
from tests.end_to_end.house import until

PATIENCE_S = 120

CHILD = """
    import asyncio, os, pathlib, sys
    from launch.supervise import until_stopped

    role, folder = sys.argv[1], pathlib.Path(__file__).parent

    async def main():
        async with until_stopped(tethered=True) as stop:
            with (folder / f"{role}.started").open("a") as log:
                log.write(f"{os.getpid()}\\n")
            await stop.wait()
            before = " ".join(other.name for other in folder.glob("*.stopped"))
        (folder / f"{role}.stopped").write_text(before)

    asyncio.run(main())
"""

FREEZES_ONCE = """
    import asyncio, ctypes, pathlib, sys
    from launch.supervise import until_stopped

    started = pathlib.Path(__file__).parent / f"{sys.argv[1]}.started"

    def sleep_for_ever():  # and hold the interpreter's lock meanwhile, as a long regular expression does
        ctypes.PyDLL(None).sleep(600)

    async def main():
        async with until_stopped(tethered=True, frozen_after=5.0) as stop:
            first = not started.exists()
            with started.open("a") as log:
                log.write("1\\n")
            await asyncio.sleep(5.5)  # a loop that only waits is not frozen
            if first:
                sleep_for_ever()
            await stop.wait()

    asyncio.run(main())
"""

PARENT = """
    import asyncio, pathlib, sys
    from launch.supervise import until_stopped
    from launch.supervise import supervise

    async def main():
        async def greet(): pass
        async with until_stopped() as stop:
            return await supervise(("web", "bot"), stop, greet, pathlib.Path(__file__).parent / "child.py")

    sys.exit(asyncio.run(main()))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "child.py").write_text(textwrap.dedent(CHILD))
    (tmp_path / "parent.py").write_text(textwrap.dedent(PARENT))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setattr(supervisor, "FIRST_PAUSE", 0.05)
    return tmp_path


def _starts(folder: Path, role: str) -> list[int]:
    log = folder / f"{role}.started"
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def _has_ended(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


async def _nothing() -> None:
    pass


async def _fail() -> None:
    raise LookupError


async def test_a_child_that_is_killed_is_started_again_and_all_are_stopped(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(supervise(("web", "bot"), stop, _fail, folder / "child.py"))
    await until(lambda: bool(_starts(folder, "web") and _starts(folder, "bot")))
    os.kill(_starts(folder, "bot")[0], signal.SIGKILL)
    await until(lambda: len(_starts(folder, "bot")) == 2)
    stop.set()
    assert await running == 0
    assert (folder / "web.stopped").read_text() == "bot.stopped", "the bot may have something left to say there"
    assert len(_starts(folder, "web")) == 1
    errors = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert errors == ["greeting failed", "process ended; starting it again"]


async def test_a_misconfigured_child_stops_the_whole_and_is_not_tried_again(folder: Path) -> None:
    (folder / "child.py").write_text(
        "import sys, time, pathlib\n"
        "open(pathlib.Path(__file__).parent / (sys.argv[1] + '.started'), 'a').write('1\\n')\n"
        "sys.exit(2) if sys.argv[1] == 'bot' else time.sleep(600)\n"
    )
    code = await asyncio.wait_for(supervise(("web", "bot"), asyncio.Event(), _nothing, folder / "child.py"), PATIENCE_S)
    assert code == MISCONFIGURED
    assert len(_starts(folder, "bot")) == 1


async def test_a_frozen_child_ends_with_its_stacks_in_the_log_and_is_started_again(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "child.py").write_text(textwrap.dedent(FREEZES_ONCE))
    stop = asyncio.Event()
    running = asyncio.create_task(supervise(("bot",), stop, _nothing, folder / "child.py"))
    await until(lambda: len(_starts(folder, "bot")) == 2)
    stop.set()
    assert await running == 0
    log = capfd.readouterr().err
    assert "Timeout (0:00:05)!" in log
    assert "in sleep_for_ever" in log
    assert log.rstrip().endswith("stopping on SIGTERM"), "a stop should be told from a crash"


@pytest.mark.parametrize("with_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_no_child_outlives_its_parent_however_it_ends(folder: Path, with_signal: signal.Signals) -> None:
    parent = await asyncio.create_subprocess_exec(sys.executable, str(folder / "parent.py"))
    await until(lambda: bool(_starts(folder, "web") and _starts(folder, "bot")))
    children = [psutil.Process(_starts(folder, role)[0]) for role in ("web", "bot")]
    parent.send_signal(with_signal)
    await parent.wait()
    await until(lambda: all(_has_ended(child) for child in children))
    assert (folder / "web.stopped").exists(), "it should have stopped in good order"
    assert (folder / "bot.stopped").exists(), "it should have stopped in good order"
