"""The processes, composed: what each is built from, in which order it starts, and how it stops."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from bot.errors import BotError
from bot.running import run_bot
from launch import logs
from launch.greeting import greet
from launch.local_endpoint import local_bot_options
from launch.opening import CannotOpenError, Memory
from launch.settings import Settings
from launch.supervisor import MISCONFIGURED, stop_on_signals, stop_when_untethered, supervise
from local_guild.server import LocalGuild
from memory.core.clock import SystemClock
from memory.health import Health
from web.app import create_app
from web.serving import PortTakenError, bind, serving


async def run(settings: Settings, main: Path) -> int:
    """Both processes, until Ctrl-C or SIGTERM."""
    logs.configure(settings.logs, settings.secrets())
    stop = asyncio.Event()
    stop_on_signals(stop)
    return await supervise(("web", "bot"), stop, lambda: greet(settings), main)


async def web(settings: Settings, *, tethered: bool) -> int:
    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    memory = Memory(settings.memory, clock, Health("web", clock))
    async with _until_stopped(tethered) as stop:
        try:
            bound = bind(settings.web.host, settings.web.port)
        except PortTakenError as error:
            return _give_up(error)
        local_guild = LocalGuild.open(settings.memory.data_dir / "local-guild") if settings.is_local else None
        opening = asyncio.create_task(memory.open(stop))
        try:
            async with serving(create_app(memory.report, local_guild), bound):
                await _first_of(stop, opening)
                await stop.wait()
        except CannotOpenError as error:
            return _give_up(error)
        finally:
            if local_guild is not None:
                await local_guild.close()
            await memory.close()
    return 0


async def bot(settings: Settings, *, tethered: bool) -> int:
    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    health = Health("bot", clock)
    memory = Memory(settings.memory, clock, health)
    async with _until_stopped(tethered) as stop:
        try:
            options = await local_bot_options(settings, stop) if settings.is_local else settings.bot
            manager = await memory.open(stop)
            if options is not None and manager is not None:
                await run_bot(options, manager, health, clock, stop)
        except (CannotOpenError, BotError) as error:
            return _give_up(error)
        finally:
            await memory.close()
    return 0


@contextlib.asynccontextmanager
async def _until_stopped(tethered: bool) -> AsyncIterator[asyncio.Event]:
    """An event that signals set, and the parent's end if we are tied to one."""
    stop = asyncio.Event()
    stop_on_signals(stop)
    tether = asyncio.create_task(stop_when_untethered(stop)) if tethered else None
    try:
        yield stop
    finally:
        if tether is not None:
            tether.cancel()


async def _first_of(stop: asyncio.Event, opening: "asyncio.Task[object]") -> None:
    """Returns when we shall stop or the memory is open; raises if it cannot be."""
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((stopping, opening), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopping.cancel()
    if opening.done():
        opening.result()


def _give_up(error: Exception) -> int:
    print(error, file=sys.stderr)
    return MISCONFIGURED
