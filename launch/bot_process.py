"""The bot process, composed: memory first, then Discord, or the local guild where there is no token."""

from bot.errors import BotError
from bot.running import run_bot
from launch import logs
from launch.local_endpoint import local_bot_options
from launch.opening import CannotOpenError, Memory
from launch.settings import Settings
from launch.stopping import give_up, until_stopped
from memory.core.clock import SystemClock
from memory.health import Health


async def run(settings: Settings, *, tethered: bool) -> int:
    logs.configure(settings.logs, settings.secrets())
    clock = SystemClock()
    health = Health("bot", clock)
    health.part("gateway")  # said to be initializing from the start, so that nobody takes a waiting bot for a ready one
    memory = Memory(settings.memory, clock, health, settings.models)
    async with until_stopped(tethered=tethered) as stop:
        try:
            manager = await memory.open(stop)
            options = await local_bot_options(settings, stop) if settings.is_local else settings.bot
            if options is not None and manager is not None:
                await run_bot(options, manager, health, clock, stop)
        except (CannotOpenError, BotError) as error:
            return give_up(error)
        finally:
            await memory.close()
    return 0
