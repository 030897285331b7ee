"""Lets memory ask models for a guild by one door: within its budget, and with every call on record.

Whatever a model is asked on behalf of a member is admitted here first, once for each of their requests. It also says
what a guild has used.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import islice
from uuid import UUID, uuid4

from pgvector import HalfVector

from ai_clients.base import FILE_TOKENS, Call, Embedder, OnCall, Outcome, Prompt, Purpose, Shaped, ShapeT, Usage
from ai_clients.chain import Chain
from ai_clients.embedding import GuardedEmbedder
from ai_clients.errors import BudgetExhausted, ModelError
from ai_clients.settings import ModelOptions
from memory.background import start_task
from memory.core.clock import Clock, GuildDay, day_of, last_days, start_of_days
from memory.core.outcomes import Limit, Wait
from memory.db.database import Database
from memory.db.errors import DRIVER_ERRORS, StoreError
from memory.health import Health, HealthReporter
from memory.language.text import repair
from memory.models.usage import (
    WENT_WELL,
    Askers,
    DailyBudget,
    DaySpending,
    ModelCall,
    Requester,
    Routine,
    Spending,
    Tally,
    UsageReport,
    UsageStore,
)
from memory.policy.settings import GuildSettings, SettingsStore
from memory.settings import MemoryOptions, tokens
from memory.tasks import end

# Calls of models on their way into the table. Nobody waits for the database; a crash costs a second's worth of them.
#
# While the database is away they wait here, up to a limit; beyond it the oldest are given up, and health counts them.


logger = logging.getLogger(__name__)

ROOM = 10_000
MOST_AT_ONCE = 500
LINGER_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
CLOSE_SECONDS = 5.0


class Accounts:
    """Writes down the calls of models; runs only while there is something to write."""

    def __init__(self, store: UsageStore, health: Health) -> None:
        self._store = store
        self._health = health
        self._waiting: dict[UUID, ModelCall] = {}
        self._writing = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @property
    def part(self) -> HealthReporter:
        """Get the health of this part, named when it is first needed: a process that asks no model has no such part."""
        return self._health.part("usage")

    def note(self, call: ModelCall) -> None:
        self._waiting[call.call_id] = call
        self.part.add(
            {
                f"{call.purpose} done": int(call.outcome == WENT_WELL),
                f"{call.purpose} failed": int(call.outcome != WENT_WELL),
                f"{call.purpose} tokens in": call.tokens_in,
                f"{call.purpose} tokens out": call.tokens_out,
                f"{call.purpose} ms": call.milliseconds,
            }
        )
        if len(self._waiting) > ROOM:
            del self._waiting[next(iter(self._waiting))]
            self.part.count("lost")
        if self._task is None or self._task.done():
            self._task = start_task("accounts", self._write_behind, self.part.failing)

    async def spent_since(self, guild_id: int, moment: datetime) -> int:
        """Count what was used, written down or not: a call that cannot be written keeps no budget from being read."""
        async with self._writing:  # what is being written could be counted twice, or not at all
            (stored,) = await self._store.tallies(guild_id, [moment])
            waiting = [call for call in self._waiting.values() if call.guild_id == guild_id and call.at >= moment]
            return _counted_in_budget(stored) + _counted_in_budget(waiting)

    async def write(self) -> None:
        """Write all that waits. Raises what the store raises; what was not written goes on waiting."""
        async with self._writing:
            while batch := list(islice(self._waiting.values(), MOST_AT_ONCE)):
                await self._store.record(batch)
                for call in batch:
                    self._waiting.pop(call.call_id, None)
                self.part.active()
                self.part.count("calls", len(batch))

    async def close(self) -> None:
        if self._task is not None:
            await end(self._task)
            self._task = None
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self.write()
        except (StoreError, *DRIVER_ERRORS):
            logger.warning("could not record all model use", extra={"calls": len(self._waiting)})

    async def _write_behind(self) -> None:
        pause = LINGER_SECONDS
        while self._waiting:
            await asyncio.sleep(pause)
            try:
                await self.write()
            except (StoreError, *DRIVER_ERRORS) as error:
                if pause == LINGER_SECONDS:
                    logger.warning("cannot record model use: %s", type(error).__name__)
                self.part.failing("What the models use cannot be written down just now; it waits.")
                pause = min(pause * 2, LONGEST_PAUSE_SECONDS)
            else:
                pause = LINGER_SECONDS


def _counted_in_budget(used: Sequence[Tally | ModelCall]) -> int:
    """Leave out vectors: each message is made into one once, and a long past to read may not silence the answers."""
    return sum(one.tokens for one in used if one.purpose != Purpose.EMBED)


# The daily budget of each guild: counted from the table at first, then in step with every call of this process.
#
# What other processes use is seen when the table is read again, once in a minute. Without the database a budget goes on
# from what is known; it does not keep anybody from an answer.


READ_AGAIN = timedelta(minutes=1)
TRY_AGAIN = timedelta(seconds=10)
READ_SECONDS = 1.0
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
        """Take the limit `tokens_a_day` for each guild; 0 is as many as it takes."""
        self._accounts = accounts
        self._settings = settings
        self._clock = clock
        self._tokens_a_day = tokens_a_day
        self._spent: dict[int, _Spent] = {}
        self._under_way: Counter[int] = Counter()

    @asynccontextmanager
    async def within(self, guild_id: int, tokens: int, *, live: bool) -> AsyncIterator[None]:
        """Check the budget for a call that will take at least so many. Raises `BudgetExhausted`, and nothing else."""
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

    async def _today(self, guild_id: int) -> _Spent:
        now = self._clock.now()
        spent = self._spent.get(guild_id)
        if spent is not None and now in spent.day and now < spent.read_again_at:
            return spent
        zone = GuildSettings().time_zone if spent is None else spent.zone
        if spent is None or now not in spent.day:
            spent = self._spent[guild_id] = _Spent(zone, day_of(zone, now), 0, now)
        spent.read_again_at = now + TRY_AGAIN
        try:
            async with asyncio.timeout(READ_SECONDS):
                zone = (await self._settings.of_guild(guild_id)).time_zone
                day = day_of(zone, now)
                tokens = await self._accounts.spent_since(guild_id, day.starts_at)
        except (StoreError, *DRIVER_ERRORS, TimeoutError) as error:
            logger.info("could not read a token budget: %s", type(error).__name__, extra={"guild_id": guild_id})
            return spent
        except Exception:
            logger.exception("budget failed", extra={"guild_id": guild_id})
            self._accounts.part.failing("Something unexpected keeps a budget from being counted; the log says why.")
            return spent
        self._spent[guild_id] = _Spent(zone, day, tokens, now + READ_AGAIN)
        return self._spent[guild_id]


WEEK, MONTH = 7, 30
LARGEST = 2**31 - 1
LONGEST_NAME = 200
SHORTEST_SECONDS = 0.1
COSTS_NOTHING = ("ollama:", "static")
"""Models on this machine; a price in the settings is believed all the same."""

_WERE_READ = frozenset((Outcome.TIMED_OUT, Outcome.BAD_REPLY))
"""A model that fails so has probably taken what it was sent all the same."""


class AskedTooOften(ModelError):
    """Says that the member on whose behalf a model was to be asked has to wait."""

    def __init__(self, wait: Wait) -> None:
        super().__init__(f"a member has to wait for {wait.seconds:.0f} s: {wait.limit}")
        self.wait = wait


class EnoughBehind(AskedTooOften):
    """Says that enough was made behind what somebody wanted; the rest is made when somebody wants something again."""

    def __init__(self) -> None:
        super().__init__(Wait(0.0, Limit.COOLDOWN))


class Metering:
    def __init__(
        self,
        database: Database,
        options: MemoryOptions,
        clock: Clock,
        health: Health,
        *,
        has_model: bool = False,
        prices: ModelOptions | None = None,
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
        self._askers = Askers(cooldown, options.member_hourly_questions)

    def admit(self, guild_id: int, by: Requester, hourly: int | None = None) -> Wait | None:
        """Admit whoever wants what a model will do. None: they may, and it counts, once for each request.

        `hourly`: requests that the guild lets a member make, where these are fewer than whoever runs the bot allows.
        """
        return self._askers.admit(guild_id, by.user_id, self._clock.now(), by.request_id, hourly)

    def has_admitted(self, guild_id: int, by: Requester) -> bool:
        """Say whether a request of late has been admitted already."""
        return self._askers.has_admitted(guild_id, by.user_id, by.request_id)

    async def ask_for(
        self,
        guild_id: int,
        chain: Chain,
        prompt: Prompt,
        shape: type[ShapeT],
        *,
        by: Requester | Routine,
        live: bool = True,
        seconds: float | None = None,
        bad_replies: int = 1,
    ) -> Shaped[ShapeT]:
        """Ask for a reply of a given shape; a model that misses it is asked again, so many times. Raises `ModelError`
        alone. `live`: a person is waiting for it. `by`: on whose behalf; theirs is the limit that is kept."""
        await self._require(guild_id, by, live=live)
        async with self._turn(guild_id, prompt, live, chain.seconds if seconds is None else seconds) as (left, on_call):
            return await chain.generate_as(
                prompt, shape, live=live, seconds=left, on_call=on_call, bad_replies=bad_replies
            )

    async def embed(
        self,
        guild_id: int,
        embedder: Embedder,
        texts: Sequence[str],
        *,
        by: Requester | Routine,
        live: bool = False,
        seconds: float | None = None,
    ) -> list[HalfVector | None]:
        """Make vectors of texts. Raises `ModelError` alone. Of vectors made on this machine there is no record."""
        if not isinstance(embedder, GuardedEmbedder):
            return await embedder.embed(texts)
        await self._require(guild_id, by, live=live)
        return await embedder.embed(texts, live=live, seconds=seconds, on_call=self.recorder(guild_id))

    def recorder(self, guild_id: int, sent: int = 0) -> OnCall:
        """Put a guild's calls on record. `sent` is about how many tokens one takes that does not say so itself."""

        def note(call: Call) -> None:
            made = self._made(guild_id, call, sent)
            self._accounts.note(made)
            self._budgets.note(made)

        return note

    async def requests_since(self, moment: datetime) -> Mapping[str, int]:
        """Count the calls of each model since then, for all guilds together; nothing where that cannot be known."""
        try:
            return await self._store.requests_since(moment)
        except StoreError as error:
            logger.warning("could not read today's model use: %s", type(error).__name__)
            return {}

    async def usage(self, guild_id: int) -> UsageReport:
        await self._accounts.write()
        zone = (await self._settings.of_guild(guild_id)).time_zone
        now = self._clock.now()
        day = day_of(zone, now)
        since = [day.starts_at, start_of_days(zone, now, WEEK), start_of_days(zone, now, MONTH)]
        periods = await self._store.tallies(guild_id, since)
        spent = _counted_in_budget(periods[0])
        today, week, month = (tuple(Spending(tally, self._cost(tally)) for tally in period) for period in periods)
        return UsageReport(
            has_model=self._has_model,
            budget=DailyBudget(self._tokens_a_day, spent, day.ends_at),
            currency=self._prices.price_currency if self._prices is not None else "",
            today=today,
            week=week,
            month=month,
        )

    async def by_day(self, guild_id: int, days: int) -> Mapping[date, DaySpending]:
        """Sum the tokens spent by day, over the last so many days of the guild, today included."""
        await self._accounts.write()
        zone = (await self._settings.of_guild(guild_id)).time_zone
        calendar = last_days(zone, self._clock.now(), days)
        spent = {day: DaySpending() for day, _ in calendar}
        for number, tally in await self._store.by_day(guild_id, [start for _, start in calendar]):
            day = calendar[number - 1][0]
            one, cost = spent[day], self._cost(tally) or Decimal(0)
            spent[day] = DaySpending(one.calls + tally.calls, one.tokens + tally.tokens, one.cost + cost)
        return spent

    async def purge(self, now: datetime) -> None:
        await self._store.forget_before(now - self._kept)

    async def close(self) -> None:
        await self._accounts.close()

    async def _require(self, guild_id: int, by: Requester | Routine, *, live: bool) -> None:
        if isinstance(by, Routine):
            return
        if not self.has_admitted(guild_id, by):
            await self._admit(guild_id, by)
        if not live and not self._askers.may_go_on(guild_id, by):
            raise EnoughBehind

    async def _admit(self, guild_id: int, by: Requester) -> None:
        try:
            hourly = (await self._settings.of_guild(guild_id)).answers.hourly_questions
        except StoreError:
            hourly = None
        wait = self.admit(guild_id, by, hourly)
        if wait is not None:
            raise AskedTooOften(wait)

    @asynccontextmanager
    async def _turn(
        self, guild_id: int, prompt: Prompt, live: bool, seconds: float
    ) -> AsyncIterator[tuple[float, OnCall]]:
        """Hold a call within the budget; give how much time is left, if known, and whom to tell of the calls."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        sent = tokens(prompt.rules) + tokens(prompt.data) + FILE_TOKENS * len(prompt.files)
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
    """Cut a count to what the table can hold: servers say what they like."""
    return min(max(number, 0), LARGEST)
