"""What is read besides live events, put together: catching up first, then the last days after an absence, and the
past, then the slow sweep; and what goes.

Each gives way to the one before it.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import timedelta

import discord

from bot.absences import Absences
from bot.backfilling import Backfilling
from bot.catching_up import CatchingUp
from bot.housekeeping import Housekeeping
from bot.missing_places import MissingPlaces
from bot.recent_window import RecentWindow
from bot.settings import BotOptions
from bot.sweeping import Sweeping
from memory.core.clock import Clock
from memory.health import Health
from memory.manager import MemoryManager


class History:
    def __init__(
        self,
        memory: MemoryManager,
        options: BotOptions,
        health: Health,
        clock: Clock,
        thread_found: Callable[[discord.Thread], None],
    ) -> None:
        """`thread_found` is told of every archived thread: Discord does not list them by itself."""
        self._backfilling = Backfilling(memory, options.backfill_days, self._caught_up, clock, health.part("back-fill"))
        window = RecentWindow(memory, options.recent_window)
        self._missing_places = MissingPlaces(memory, self._caught_up, clock)
        self.catching_up = CatchingUp(
            memory, window, self._backfilling, self._missing_places, thread_found, health.part("catch-up")
        )
        self._sweeping = Sweeping(
            memory,
            self._missing_places,
            every=timedelta(days=options.sweep_days),
            pause=timedelta(seconds=options.sweep_pause_seconds),
            calm=self._read_back,
            clock=clock,
            part=health.part("sweep"),
        )
        self._absences = Absences(memory, self._caught_up, clock, health.part("absences"))
        self._housekeeping = Housekeeping(memory, self._caught_up, clock, health.part("purge"))

    def start(
        self, guilds: Callable[[], Iterable[discord.Guild]], heard: Callable[[], Iterable[discord.Guild]]
    ) -> list[asyncio.Task[None]]:
        """`heard` are those of the guilds whose events reach us at that moment."""
        return [
            asyncio.create_task(self.catching_up.run(), name="catch-up"),
            asyncio.create_task(self._backfilling.run(), name="back-fill"),
            asyncio.create_task(self._missing_places.run(), name="missing places"),
            asyncio.create_task(self._sweeping.run(guilds), name="sweep"),
            asyncio.create_task(self._absences.run(heard), name="absences"),
            asyncio.create_task(self._housekeeping.run(), name="purge"),
        ]

    async def _caught_up(self) -> None:
        await self.catching_up.idle()

    async def _read_back(self) -> None:
        await self.catching_up.idle()
        await self._backfilling.idle()
