"""The web process, composed: health, API, and without a token the local guild with its page."""

import asyncio

from launch import logs
from launch.memory import CannotOpenError, Memory
from launch.settings import Settings
from launch.stop import give_up, until_stopped
from local_guild.server import LocalGuild
from local_guild.serving import PortTakenError, bind, serving
from local_guild.state.describe import WorldFileError, read_world
from local_guild.state.ids import Clock
from memory.core.clock import SystemClock
from memory.health import Health
from web.app import create_app


async def run(settings: Settings, *, tethered: bool) -> int:
    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    memory = Memory(settings.memory, clock, Health("web", clock))
    async with until_stopped(tethered=tethered) as stop:
        try:
            bound = bind(settings.web.host, settings.web.port)
            local_guild = _local_guild(settings)
        except (PortTakenError, WorldFileError) as error:
            return give_up(error)
        opening = asyncio.create_task(memory.open(stop), name="opening the memory")
        opening.add_done_callback(lambda done: stop.set() if done.exception() else None)
        try:
            async with serving(create_app(memory.report, local_guild), bound):
                await stop.wait()
            await opening
        except CannotOpenError as error:
            return give_up(error)
        finally:
            if local_guild is not None:
                await local_guild.close()
            await memory.close()
    return 0


def _local_guild(settings: Settings) -> LocalGuild | None:
    if not settings.is_local:
        return None
    clock = Clock()
    described = settings.local_guild.world
    world = read_world(described, clock) if described else None
    return LocalGuild.open(settings.local_guild_folder, clock=clock, world=world)
