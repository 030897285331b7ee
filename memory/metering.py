"""The one door through which memory asks a model for a guild: within its budget, and with every call on record.

Whatever a model is asked on behalf of a member is admitted here first, once for each of their requests. It also says
what a guild has used.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Protocol
from uuid import uuid4

from pgvector import HalfVector

from ai_clients.base import Embedder, Prompt, Purpose, Reply, Shaped, ShapeT, Usage
from ai_clients.calls import Call, OnCall, Outcome
from ai_clients.embedding import GuardedEmbedder
from ai_clients.errors import ModelError
from ai_clients.resilience import Chain
from ai_clients.tariff import Price
from memory.accounts import Accounts
from memory.budgets import Budgets
from memory.core.allowance import Allowance, Askers, Requester
from memory.core.budget import tokens
from memory.core.clock import Clock, day_of, start_of_days
from memory.core.outcomes import Wait
from memory.core.usage import DailyBudget, ModelCall, Spending, Tally, UsageReport
from memory.health import Health
from memory.language.text import repair
from memory.settings import MemoryOptions
from memory.store.database import Database
from memory.store.errors import StoreError
from memory.store.settings import SettingsStore
from memory.store.usage import UsageStore

logger = logging.getLogger(__name__)

WEEK, MONTH = 7, 30
LARGEST = 2**31 - 1
LONGEST_NAME = 200
SHORTEST_SECONDS = 0.1
COSTS_NOTHING = ("ollama:", "static")
"""Models on this machine; a price in the settings is believed all the same."""

_WERE_READ = frozenset((Outcome.TIMED_OUT, Outcome.BAD_REPLY))
"""A model that fails so has probably taken what it was sent all the same."""


class AskedTooOften(ModelError):
    """The member on whose behalf a model was to be asked has to wait."""

    def __init__(self, wait: Wait) -> None:
        super().__init__(f"a member has to wait for {wait.seconds:.0f} s: {wait.limit}")
        self.wait = wait


class Prices(Protocol):
    @property
    def price_currency(self) -> str: ...

    def price_of(self, model: str) -> Price | None:
        """None where nobody said."""
        ...


class Metering:
    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        *,
        has_model: bool = False,
        prices: Prices | None = None,
    ) -> None:
        self._store = UsageStore(database)
        self._settings = SettingsStore(database)
        self._clock = clock
        self._has_model = has_model
        self._prices = prices
        self._tokens_a_day = options.guild_daily_tokens
        self._kept = timedelta(days=options.usage_days)
        self._accounts = Accounts(self._store, health)
        self._budgets = Budgets(self._accounts, self._settings, clock, options.guild_daily_tokens)
        cooldown = timedelta(seconds=options.member_cooldown_seconds)
        self._askers = Askers(Allowance(cooldown, options.member_hourly_questions))

    def admit(self, guild_id: int, by: Requester) -> Wait | None:
        """For whoever wants what a model will do. None: they may, and it counts, once for each request."""
        return self._askers.admit(guild_id, by.user_id, self._clock.now(), by.request_id)

    def has_admitted(self, guild_id: int, by: Requester) -> bool:
        """Whether a request of late has been admitted already."""
        return self._askers.has_admitted(guild_id, by.user_id, by.request_id)

    async def ask(
        self,
        guild_id: int,
        chain: Chain,
        prompt: Prompt,
        *,
        by: Requester | None = None,
        live: bool = True,
        seconds: float | None = None,
    ) -> Reply:
        """Raises `ModelError`, and nothing else. `live`: a person is waiting for it. `by`: on whose behalf, if on
        anybody's; theirs is the limit that is kept."""
        self._require(guild_id, by)
        async with self._turn(guild_id, prompt, live, chain.seconds if seconds is None else seconds) as (left, on_call):
            return await chain.generate(prompt, live=live, seconds=left, on_call=on_call)

    async def ask_for(
        self,
        guild_id: int,
        chain: Chain,
        prompt: Prompt,
        shape: type[ShapeT],
        *,
        by: Requester | None = None,
        live: bool = True,
        seconds: float | None = None,
    ) -> Shaped[ShapeT]:
        """The same for a reply of a given shape."""
        self._require(guild_id, by)
        async with self._turn(guild_id, prompt, live, chain.seconds if seconds is None else seconds) as (left, on_call):
            return await chain.generate_as(prompt, shape, live=live, seconds=left, on_call=on_call)

    async def embed(
        self,
        guild_id: int,
        embedder: Embedder,
        texts: Sequence[str],
        *,
        by: Requester | None = None,
        live: bool = False,
        seconds: float | None = None,
    ) -> list[HalfVector | None]:
        """Raises `ModelError`, and nothing else. Of vectors that are made on this machine there is no record."""
        if not isinstance(embedder, GuardedEmbedder):
            return await embedder.embed(texts)
        self._require(guild_id, by)
        return await embedder.embed(texts, live=live, seconds=seconds, on_call=self.recorder(guild_id))

    def recorder(self, guild_id: int, sent: int = 0) -> OnCall:
        """Puts a guild's calls on record. `sent` is about how many tokens one takes that does not say so itself."""

        def note(call: Call) -> None:
            made = self._made(guild_id, call, sent)
            self._accounts.note(made)
            self._budgets.note(made)

        return note

    async def requests_since(self, moment: datetime) -> Mapping[str, int]:
        """How often each model has been called since, for all guilds together; nothing where that cannot be known."""
        try:
            return await self._store.requests_since(moment)
        except StoreError as error:
            logger.warning("what was asked of models today is not known: %s", type(error).__name__)
            return {}

    async def usage(self, guild_id: int) -> UsageReport:
        await self._accounts.write()
        zone = (await self._settings.of_guild(guild_id)).time_zone
        now = self._clock.now()
        day = day_of(zone, now)
        since = [day.starts_at, start_of_days(zone, now, WEEK), start_of_days(zone, now, MONTH)]
        periods = await self._store.tallies(guild_id, since)
        spent = sum(tally.tokens for tally in periods[0] if tally.purpose != Purpose.EMBED)
        today, week, month = (tuple(Spending(tally, self._cost(tally)) for tally in period) for period in periods)
        return UsageReport(
            has_model=self._has_model,
            budget=DailyBudget(self._tokens_a_day, spent, day.ends_at),
            currency=self._prices.price_currency if self._prices is not None else "",
            today=today,
            week=week,
            month=month,
        )

    async def purge(self, now: datetime) -> None:
        """What is older than the record is kept."""
        await self._store.forget_before(now - self._kept)

    async def close(self) -> None:
        await self._budgets.close()
        await self._accounts.close()

    def _require(self, guild_id: int, by: Requester | None) -> None:
        wait = None if by is None else self.admit(guild_id, by)
        if wait is not None:
            raise AskedTooOften(wait)

    @asynccontextmanager
    async def _turn(
        self, guild_id: int, prompt: Prompt, live: bool, seconds: float
    ) -> AsyncIterator[tuple[float, OnCall]]:
        """Within the budget; how much time is left when that is known, and whom to tell of the calls."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        sent = tokens(prompt.rules) + tokens(prompt.data)
        async with self._budgets.within(guild_id, sent, live=live):
            yield max(deadline - loop.time(), SHORTEST_SECONDS), self.recorder(guild_id, sent)

    def _made(self, guild_id: int, call: Call, sent: int) -> ModelCall:
        usage = call.usage
        if usage is None:
            usage = Usage(sent, 0, is_estimated=True) if call.outcome in _WERE_READ else Usage(0, 0)
        return ModelCall(
            guild_id=guild_id,
            call_id=uuid4(),
            at=self._clock.now(),
            purpose=call.purpose.value,
            model=repair(call.model)[:LONGEST_NAME],
            outcome=call.outcome.value,
            tokens_in=_counted(usage.tokens_in),
            tokens_out=_counted(usage.tokens_out),
            is_estimated=usage.is_estimated,
            milliseconds=_counted(round(call.seconds * 1000)),
        )

    def _cost(self, tally: Tally) -> Decimal | None:
        price = self._prices.price_of(tally.model) if self._prices is not None else None
        if price is not None:
            return price.of(tally.tokens_in, tally.tokens_out)
        return Decimal(0) if tally.model.startswith(COSTS_NOTHING) else None


def _counted(number: int) -> int:
    """As the table can hold it: servers say what they like."""
    return min(max(number, 0), LARGEST)
