"""`main.py run`: one parent, two children (web and bot), started, watched and stopped together.

A page being drawn must never delay a message, hence two processes. Each child is tethered to the parent by its standard
input: when the parent dies, however it dies, the pipe closes and the child stops by itself.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from launch.stopping import MISCONFIGURED

logger = logging.getLogger(__name__)

FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_AFTER = 60.0
STOP_TIMEOUT = 20.0


class Child:
    """A process of ours that is started again when it dies, unless starting it again is pointless."""

    def __init__(self, role: str, command: Sequence[str]) -> None:
        self.role = role
        self._command = command
        self._process: asyncio.subprocess.Process | None = None

    async def keep_running(self, stop: asyncio.Event) -> int:
        """Returns only to stop: 0 when asked to, the exit code when the child cannot run as configured."""
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
            logger.error("a process ended and is started again", extra={"role": self.role, "code": code, "in_s": pause})
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), pause)
        return 0

    async def _run_once(self, stop: asyncio.Event) -> int:
        # A session of its own: Ctrl-C in the terminal reaches the parent alone, which then stops the children in order.
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
        with suppress(ProcessLookupError):
            process.terminate()
        done, _ = await asyncio.wait((ended,), timeout=STOP_TIMEOUT)
        if not done:
            logger.error("a process did not stop in time and was killed", extra={"role": self.role})
            with suppress(ProcessLookupError):
                process.kill()


async def supervise(
    roles: Sequence[str], stop: asyncio.Event, when_started: Callable[[], Coroutine[Any, Any, None]], main: Path
) -> int:
    """Runs a child for each role until `stop` is set or one of them says that it is misconfigured."""
    children = [Child(role, (sys.executable, str(main), role, "--tethered")) for role in roles]
    running = [asyncio.create_task(child.keep_running(stop), name=child.role) for child in children]
    greeting = asyncio.create_task(when_started())
    await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
    stop.set()
    greeting.cancel()
    await asyncio.gather(greeting, return_exceptions=True)
    return max(await asyncio.gather(*running))
