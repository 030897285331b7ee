"""What is read besides live events, put together: catching up first, then the last days after an absence, and the
past, then the slow sweep; and what goes.

Each gives way to the one before it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from functools import partial

import discord

from bot.absences import Absences
from bot.backfilling import Backfilling
from bot.backlog import Backlog
from bot.catching_up import CatchingUp
from bot.earshot import Earshot
from bot.housekeeping import Housekeeping
from bot.missing_places import MissingPlaces
from bot.recent_window import RecentWindow
from bot.settings import BotOptions
from bot.sweeping import Sweeping
from memory.background import keep_alive
from memory.core.clock import Clock
from memory.health import Health, Part
from memory.manager import MemoryManager


class History:
    def __init__(
        self,
        memory: MemoryManager,
        options: BotOptions,
        health: Health,
        clock: Clock,
        thread_found: Callable[[discord.Thread], None],
        backlog: Backlog,
    ) -> None:
        """`thread_found` is told of every archived thread: Discord does not list them by itself."""
        self._health = health
        earshot = Earshot(options.names)
        self._backlog = backlog
        self._backfilling = Backfilling(
            memory, options.backfill_days, self._caught_up, earshot, clock, health.part("back-fill")
        )
        window = RecentWindow(memory, options.recent_window)
        self._missing_places = MissingPlaces(memory, self._caught_up, clock)
        self.catching_up = CatchingUp(
            memory,
            window,
            self._backfilling,
            self._missing_places,
            thread_found,
            earshot,
            backlog,
            health.part("catch-up"),
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
        jobs: list[tuple[str, Callable[[], Awaitable[None]], Part]] = [
            ("catch-up", self.catching_up.run, self._health.part("catch-up")),
            ("backlog", self._backlog.run, self._health.part("replies")),
            ("back-fill", self._backfilling.run, self._health.part("back-fill")),
            ("missing places", self._missing_places.run, self._health.part("catch-up")),
            ("sweep", partial(self._sweeping.run, guilds), self._health.part("sweep")),
            ("absences", partial(self._absences.run, heard), self._health.part("absences")),
            ("purge", self._housekeeping.run, self._health.part("purge")),
        ]
        return [asyncio.create_task(keep_alive(name, work, part.failing), name=name) for name, work, part in jobs]

    async def _caught_up(self) -> None:
        await self.catching_up.idle()

    async def _read_back(self) -> None:
        await self.catching_up.idle()
        await self._backfilling.idle()
