"""Starts the processes of ours, watches them, and ends them.

`main.py run` is one parent with two children, web and bot: a page being drawn must never delay a message. Each child is
tethered to the parent by its standard input: when the parent dies, however it dies, the pipe closes and the child stops
by itself. A process ends by a signal, with that parent, or by its watchdog when it is frozen.
"""

import asyncio
import contextlib
import faulthandler
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import aiohttp

from launch import logs
from launch.settings import Settings
from local_guild.port import PortTakenError, bind
from memory.core.version import VERSION

logger = logging.getLogger(__name__)

MISCONFIGURED = 2
"""Exit code of a process that no restart can help: what is wrong was said on its way out."""
FROZEN_AFTER_S = 30.0

Result = TypeVar("Result")


@contextlib.asynccontextmanager
async def until_stopped(
    *, tethered: bool = False, frozen_after: float = FROZEN_AFTER_S
) -> AsyncIterator[asyncio.Event]:
    """Give an event that signals set and, for a tethered process, the closing of its standard input.

    A process whose event loop stands still for `frozen_after` seconds ends, and so does one that is not gone so long
    after this is left: the stacks of its threads go to standard error, and whoever watches it starts it again.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(logs.log_unhandled)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, _stop_on, number, stop)
    tasks = [asyncio.create_task(_hold_off_watchdog(frozen_after), name="watchdog")]
    if tethered:
        tasks.append(asyncio.create_task(_follow_parent(stop), name="tether"))
    for task in tasks:
        task.add_done_callback(logs.log_failure)
    try:
        yield stop
    finally:
        for task in tasks:
            task.cancel()


async def unless_stopped(work: Coroutine[Any, Any, Result], stop: asyncio.Event) -> Result | None:
    """Wait for what the work comes to; None where `stop` comes first, which cancels it."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
        working.cancel()  # unless it is done
        await asyncio.wait((working,))
    return None if working.cancelled() else working.result()


def _stop_on(number: signal.Signals, stop: asyncio.Event) -> None:
    logger.warning("stopping on %s", number.name)  # so that the log tells a stop from a crash
    stop.set()


async def _hold_off_watchdog(frozen_after: float) -> None:
    # A thread of the interpreter that needs no lock of Python's: it wakes even where one regular expression holds them.
    while True:
        faulthandler.dump_traceback_later(frozen_after, exit=True)
        await asyncio.sleep(frozen_after / 10)


async def _follow_parent(stop: asyncio.Event) -> None:
    """Stop when the parent dies, however it dies: it holds the other end of our standard input, and the pipe closes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
    logger.warning("parent process gone; stopping")
    stop.set()


class CannotStartError(Exception):
    """The process cannot start: the text says why, and neither waiting nor another start will help."""


def give_up(error: Exception) -> int:
    """Say what only a person can mend, and give the exit code that says so to the parent."""
    sys.stderr.write(f"{error}\n")
    return MISCONFIGURED


# What has to be in order before a process of ours starts, and would fail again and again if it were not.


def check_files(settings: Settings) -> None:
    """Raise `CannotStartError` where DATA_DIR cannot be written to, or LOCAL_GUILD_WORLD describes no world."""
    folder, described = settings.memory.data_dir.expanduser(), settings.local_guild.world
    if settings.is_local or settings.memory.database_url is None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=folder):
                pass
        except OSError as error:
            reason = "it is a file" if isinstance(error, FileExistsError) else error.strerror
            raise CannotStartError(
                f"DATA_DIR: {folder} cannot be written to ({reason}); choose another folder, or make this one "
                "writable for whoever starts Innkeeper."
            ) from error
    if settings.is_local and described is not None:
        from local_guild.state.describe import WorldFileError, read_world
        from local_guild.state.ids import Clock

        try:
            read_world(described, Clock())
        except WorldFileError as error:
            raise CannotStartError(f"LOCAL_GUILD_WORLD: {error}") from error


def check_port(settings: Settings) -> None:
    """Raise `CannotStartError` where somebody else has the port, such as another Innkeeper."""
    try:
        bind(settings.web.host, settings.web.port).close()
    except PortTakenError as error:
        raise CannotStartError(str(error)) from error


# The parent of `main.py run`.


FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_AFTER = 60.0
STOP_TIMEOUT = 20.0


class Child:
    """Runs a process of ours, and starts it again when it dies, unless starting it again is pointless."""

    def __init__(self, role: str, command: Sequence[str]) -> None:
        self.role = role
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def keep_running(self, stop: asyncio.Event) -> int:
        """Run the child until it is to stop: 0 when asked to, the exit code when the child cannot run as configured."""
        pause = FIRST_PAUSE
        loop = asyncio.get_running_loop()
        while not stop.is_set():
            started = loop.time()
            code = await self._run_once(stop)
            if stop.is_set():
                break
            if code == MISCONFIGURED:
                return code
            pause = FIRST_PAUSE if loop.time() - started > STEADY_AFTER else min(pause * 2, LONGEST_PAUSE)
            logger.error("process ended; starting it again", extra={"role": self.role, "code": code, "in_s": pause})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
        return 0

    async def _run_once(self, stop: asyncio.Event) -> int:
        # A session of its own: Ctrl-C in the terminal reaches the parent alone, which then stops the children.
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=asyncio.subprocess.PIPE, start_new_session=True
        )
        self._process = process
        ended = asyncio.create_task(process.wait())
        stopping = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((ended, stopping), return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                await self._stop(process, ended)
            return await ended
        finally:
            stopping.cancel()

    async def _stop(self, process: asyncio.subprocess.Process, ended: asyncio.Task[int]) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        done, _ = await asyncio.wait((ended,), timeout=STOP_TIMEOUT)
        if not done:
            logger.error("process did not stop in time; killed it", extra={"role": self.role})
            with contextlib.suppress(ProcessLookupError):
                process.kill()


async def supervise(
    roles: Sequence[str],
    stop: asyncio.Event,
    when_started: Callable[[], Coroutine[Any, Any, None]],
    main: Path,
) -> int:
    """Run a child for each role until `stop` is set or one of them says that it is misconfigured.

    They are stopped one by one, the last of them first: the bot may have something left to say in the local guild,
    which the web process serves.
    """
    children = [Child(role, (sys.executable, str(main), role, "--tethered")) for role in roles]
    stops = [asyncio.Event() for _ in children]
    running = [
        asyncio.create_task(child.keep_running(its_stop), name=child.role)
        for child, its_stop in zip(children, stops, strict=True)
    ]
    stopping, greeting = asyncio.create_task(stop.wait()), asyncio.create_task(when_started(), name="greeting")
    greeting.add_done_callback(logs.log_failure)
    await asyncio.wait((*running, stopping), return_when=asyncio.FIRST_COMPLETED)
    for task in (stopping, greeting):
        task.cancel()
    await asyncio.gather(stopping, greeting, return_exceptions=True)
    for child, its_stop in zip(reversed(running), reversed(stops), strict=True):
        its_stop.set()
        await asyncio.wait((child,))
    return max(await asyncio.gather(*running))


# What the person who typed `make run` reads: where to look, once there is something to see, or what is missing.


PAUSE_S = 0.5
COMPLAIN_EVERY_S = 30.0

LOCAL = """
  Innkeeper is open. Look at  {url}
  No DISCORD_TOKEN is set, so it lives in a local guild on this machine. Type there:
      Bot remember that I take my coffee black
      Bot what do you know about me?
  To bring it to your Discord server: see README.md. Ctrl-C stops it.
"""
LIVE = """
  Innkeeper is live on Discord. How it is doing:  {url}
  Ctrl-C stops it.
"""


async def greet(settings: Settings) -> None:
    print(f"Starting Innkeeper {VERSION} ...", flush=True)
    loop = asyncio.get_running_loop()
    complain_at = loop.time() + COMPLAIN_EVERY_S
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=5)) as http:
        while reasons := await _unready(http, settings.web.url):
            if loop.time() > complain_at:
                print("Not ready yet: " + "; ".join(reasons), flush=True)
                complain_at = loop.time() + COMPLAIN_EVERY_S
            await asyncio.sleep(PAUSE_S)
    print((LOCAL if settings.is_local else LIVE).format(url=settings.web.url), flush=True)


async def _unready(http: aiohttp.ClientSession, url: str) -> list[str]:
    try:
        async with http.get(f"{url}/readyz") as answer:
            readiness = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return ["the web process does not answer yet"]
    return [str(reason) for reason in readiness["reasons"]]


# `main.py run`: the web and the bot process under one parent, until Ctrl-C or SIGTERM.


async def run(settings: Settings, main: Path) -> int:
    logs.configure(settings.logs, settings.secrets())
    try:
        check_files(settings)
        check_port(settings)
    except CannotStartError as error:
        print(error, file=sys.stderr)
        return 1
    async with until_stopped() as stop:
        return await supervise(("web", "bot"), stop, partial(greet, settings), main)
