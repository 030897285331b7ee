"""How a process of ours learns that it shall stop: a signal, or the end of the parent it is tethered to."""

import asyncio
import contextlib
import logging
import signal
import sys
from collections.abc import AsyncIterator

logger = logging.getLogger(__name__)

MISCONFIGURED = 2
"""Exit code of a process that no restart can help: what is wrong was said on its way out."""


@contextlib.asynccontextmanager
async def until_stopped(*, tethered: bool = False) -> AsyncIterator[asyncio.Event]:
    """An event that signals set and, for a tethered process, the closing of its standard input."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    tether = asyncio.create_task(_follow_parent(stop), name="tether") if tethered else None
    try:
        yield stop
    finally:
        if tether is not None:
            tether.cancel()


async def _follow_parent(stop: asyncio.Event) -> None:
    """The parent holds the other end of our standard input; when it dies, however it dies, the pipe closes."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1024):
        pass
    logger.warning("the parent process is gone; stopping")
    stop.set()


def give_up(error: Exception) -> int:
    """Says what only a person can mend, and gives the exit code that says so to the parent."""
    sys.stderr.write(f"{error}\n")
    return MISCONFIGURED
