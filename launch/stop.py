"""Ends a process of ours: by a signal, with the parent it is tethered to, or by its watchdog when it is frozen."""

import asyncio
import contextlib
import faulthandler
import logging
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from tempfile import TemporaryFile
from typing import Any, TypeVar

from launch.logs import log_failure, log_unhandled
from launch.settings import Settings
from local_guild.port import PortTakenError, bind

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
    loop.set_exception_handler(log_unhandled)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, _stop_on, number, stop)
    tasks = [asyncio.create_task(_hold_off_watchdog(frozen_after), name="watchdog")]
    if tethered:
        tasks.append(asyncio.create_task(_follow_parent(stop), name="tether"))
    for task in tasks:
        task.add_done_callback(log_failure)
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
