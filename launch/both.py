"""`main.py run`: the web and the bot process under one parent, until Ctrl-C or SIGTERM."""

from functools import partial
from pathlib import Path

from launch import logs
from launch.greeting import greet
from launch.settings import Settings
from launch.stopping import until_stopped
from launch.supervisor import supervise


async def run(settings: Settings, main: Path) -> int:
    logs.configure(settings.logs, settings.secrets())
    async with until_stopped() as stop:
        return await supervise(("web", "bot"), stop, partial(greet, settings), main)
