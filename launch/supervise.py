"""Runs one parent and two children (web and bot) for `main.py run`: started, watched and stopped together.

A page being drawn must never delay a message, hence two processes. Each child is tethered to the parent by its standard
input: when the parent dies, however it dies, the pipe closes and the child stops by itself.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp

from launch import logs
from launch.settings import Settings
from launch.stop import MISCONFIGURED, CannotStartError, check_files, check_port, until_stopped
from memory.core.version import VERSION

logger = logging.getLogger(__name__)

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
            with suppress(TimeoutError):
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
        with suppress(ProcessLookupError):
            process.terminate()
        done, _ = await asyncio.wait((ended,), timeout=STOP_TIMEOUT)
        if not done:
            logger.error("process did not stop in time; killed it", extra={"role": self.role})
            with suppress(ProcessLookupError):
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
