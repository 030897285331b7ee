"""The daily budget of each guild: counted from the table at first, then in step with every call of this process.

What other processes use is seen when the table is read again, which happens behind the questions, never before them.
Without the database a budget goes on from what is known; it does not keep anybody from an answer.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from ai_clients.base import Purpose
from ai_clients.errors import BudgetExhausted
from memory.accounts import Accounts
from memory.core.clock import Clock, GuildDay, day_of
from memory.core.settings import GuildSettings
from memory.core.usage import ModelCall
from memory.store.errors import StoreError
from memory.store.failures import DRIVER_ERRORS
from memory.store.settings import SettingsStore

logger = logging.getLogger(__name__)

READ_AGAIN = timedelta(minutes=1)
TRY_AGAIN = timedelta(seconds=10)
FIRST_READ_SECONDS = 1.0
"""Longer than that nobody waits to learn what is left."""
BACKGROUND_SHARE = 0.75
"""Of the budget; the rest is for people who ask."""


@dataclass(slots=True)
class _Spent:
    zone: str
    day: GuildDay
    tokens: int
    read_again_at: datetime


class Budgets:
    def __init__(self, accounts: Accounts, settings: SettingsStore, clock: Clock, tokens_a_day: int) -> None:
        """`tokens_a_day` for each guild; 0 is as many as it takes."""
        self._accounts = accounts
        self._settings = settings
        self._clock = clock
        self._tokens_a_day = tokens_a_day
        self._spent: dict[int, _Spent] = {}
        self._under_way: Counter[int] = Counter()
        self._reading: dict[int, asyncio.Task[None]] = {}

    @asynccontextmanager
    async def within(self, guild_id: int, tokens: int, *, live: bool) -> AsyncIterator[None]:
        """For a call that will take at least so many. Raises `BudgetExhausted`, and nothing else."""
        if not self._tokens_a_day:
            yield
            return
        spent = await self._today(guild_id)
        most = self._tokens_a_day if live else int(self._tokens_a_day * BACKGROUND_SHARE)
        # Those that have not come back yet count as well: many at once must not go beyond it together.
        if spent.tokens + self._under_way[guild_id] + tokens > most:
            raise BudgetExhausted(
                f"guild {guild_id} has used {spent.tokens} of {most} tokens today",
                (spent.day.ends_at - self._clock.now()).total_seconds(),
            )
        self._under_way[guild_id] += tokens
        try:
            yield
        finally:
            self._under_way[guild_id] -= tokens

    def note(self, call: ModelCall) -> None:
        spent = self._spent.get(call.guild_id)
        if spent is not None and call.at in spent.day and call.purpose != Purpose.EMBED:
            spent.tokens += call.tokens

    async def close(self) -> None:
        for task in self._reading.values():
            task.cancel()
        if self._reading:
            await asyncio.wait(self._reading.values())

    async def _today(self, guild_id: int) -> _Spent:
        now = self._clock.now()
        spent = self._spent.get(guild_id)
        if spent is not None and now in spent.day:
            if now >= spent.read_again_at:
                self._read(guild_id)
            return spent
        await asyncio.wait([self._read(guild_id)], timeout=FIRST_READ_SECONDS)
        return self._spent_or_nothing(guild_id, now)

    def _spent_or_nothing(self, guild_id: int, now: datetime) -> _Spent:
        spent = self._spent.get(guild_id)
        if spent is None or now not in spent.day:
            zone = GuildSettings().time_zone if spent is None else spent.zone
            spent = self._spent[guild_id] = _Spent(zone, day_of(zone, now), 0, now + TRY_AGAIN)
        return spent

    def _read(self, guild_id: int) -> asyncio.Task[None]:
        """One reading at a time for each guild."""
        task = self._reading.get(guild_id)
        if task is None:
            task = self._reading[guild_id] = asyncio.create_task(self._read_spent(guild_id), name="budget")
            task.add_done_callback(lambda _: self._reading.pop(guild_id, None))
        return task

    async def _read_spent(self, guild_id: int) -> None:
        try:
            zone = (await self._settings.of_guild(guild_id)).time_zone
            now = self._clock.now()
            day = day_of(zone, now)
            tokens = await self._accounts.spent_since(guild_id, day.starts_at)
        except (StoreError, *DRIVER_ERRORS) as error:
            logger.info("a budget could not be read: %s", type(error).__name__, extra={"guild_id": guild_id})
            known = self._spent.get(guild_id)
            if known is not None:
                known.read_again_at = self._clock.now() + TRY_AGAIN
        else:
            self._spent[guild_id] = _Spent(zone, day, tokens, now + READ_AGAIN)
