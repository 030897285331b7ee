"""Records what models were asked for a guild, and what it took: numbers and names of models, never what was said."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum, auto
from math import ceil
from uuid import UUID

from ai_clients.base import Purpose
from ai_clients.build import Models
from ai_clients.errors import BudgetExhausted, ModelError, Refused
from ai_clients.guard import ModelState, State
from memory.core.outcomes import Limit, Wait
from memory.core.values import Question, new_id
from memory.db.database import Database, Record
from memory.db.table_declarations import Goes, Stays, TableDeclaration, columns
from memory.health import Health


@dataclass(frozen=True, slots=True)
class ModelCall:
    """Records one attempt to have one model do something."""

    guild_id: int
    call_id: UUID
    at: datetime
    purpose: str
    model: str
    outcome: str
    tokens_in: int
    tokens_out: int
    is_estimated: bool
    """The reply did not say how many tokens."""
    milliseconds: int

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums up all calls of one model for one purpose within some time."""

    purpose: str
    model: str
    calls: int
    failed: int
    tokens_in: int
    tokens_out: int
    is_estimated: bool
    """Some of the tokens are."""
    milliseconds: int
    """All of them together."""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    @property
    def mean_seconds(self) -> float:
        return self.milliseconds / self.calls / 1000 if self.calls else 0.0


@dataclass(frozen=True, slots=True)
class DailyBudget:
    """Tells how many tokens may be used for a guild on its calendar day."""

    tokens: int
    """Zero: as many as it takes."""
    spent: int
    renewed_at: datetime
    """When the guild's day ends."""

    @property
    def left(self) -> int:
        return max(self.tokens - self.spent, 0)


@dataclass(frozen=True, slots=True)
class Spending:
    tally: Tally
    cost: Decimal | None
    """Estimated money; None where nobody said what this model costs."""


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Reports a guild's use of models on calendar days of its own; the last of them is today."""

    has_model: bool
    """Whether there is any to be asked now; there may have been one before."""
    budget: DailyBudget
    currency: str
    today: tuple[Spending, ...]
    week: tuple[Spending, ...]
    month: tuple[Spending, ...]


@dataclass(frozen=True, slots=True)
class DaySpending:
    calls: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    """Of the models whose price is known."""


# Every call of a model: what for, what it took, what came of it. Never what was asked or answered, nor by whom.


WENT_WELL = "ok"


class UsageStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, calls: Sequence[ModelCall]) -> None:
        """Record calls; harmless to repeat, when it is not known whether it was done."""
        async with self._database.transaction("store.usage.record") as connection:
            await connection.execute(
                """
                INSERT INTO model_calls (guild_id, call_id, at, purpose, model, outcome,
                    tokens_in, tokens_out, is_estimated, milliseconds)
                SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
                    $7::integer[], $8::integer[], $9::boolean[], $10::integer[])
                ON CONFLICT DO NOTHING
                """,
                *([getattr(call, one.name) for call in calls] for one in fields(ModelCall)),
            )

    async def tallies(self, guild_id: int, since: Sequence[datetime]) -> list[tuple[Tally, ...]]:
        """Sum for each of these moments all that was used from then on, what took most tokens first."""
        rows = await self._database.read(
            "store.usage.tallies",
            """
            SELECT period, purpose, model, count(*) AS calls, count(*) FILTER (WHERE outcome <> $3) AS failed,
                sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out, bool_or(is_estimated) AS is_estimated,
                sum(milliseconds) AS milliseconds
            FROM unnest($2::timestamptz[]) WITH ORDINALITY AS asked (since, period)
            JOIN model_calls ON guild_id = $1 AND at >= since
            GROUP BY period, purpose, model
            ORDER BY sum(tokens_in) + sum(tokens_out) DESC, calls DESC, purpose, model
            """,
            guild_id,
            list(since),
            WENT_WELL,
        )
        return [tuple(_tally(row) for row in rows if row["period"] == period) for period in range(1, len(since) + 1)]

    async def by_day(self, guild_id: int, starts: Sequence[datetime]) -> list[tuple[int, Tally]]:
        """Sum calls by the number of the day, from 1 on; `starts` is when each began."""
        rows = await self._database.read(
            "store.usage.by_day",
            """
            SELECT width_bucket(at, $2::timestamptz[]) AS day, '' AS purpose, model, count(*) AS calls,
                count(*) FILTER (WHERE outcome <> $3) AS failed, sum(tokens_in) AS tokens_in,
                sum(tokens_out) AS tokens_out, bool_or(is_estimated) AS is_estimated, sum(milliseconds) AS milliseconds
            FROM model_calls WHERE guild_id = $1 AND at >= ($2::timestamptz[])[1] GROUP BY 1, model
            """,
            guild_id,
            list(starts),
            WENT_WELL,
        )
        return [(row["day"], _tally(row)) for row in rows]

    async def requests_since(self, moment: datetime) -> Mapping[str, int]:
        """Count how often each model was called, for whatever guild."""
        rows = await self._database.read(
            "store.usage.requests_since",
            "SELECT model, count(*) AS calls FROM model_calls WHERE at >= $1 GROUP BY model",
            moment,
        )
        return {row["model"]: row["calls"] for row in rows}

    async def forget_before(self, moment: datetime) -> int:
        async with self._database.transaction("store.usage.forget_before") as connection:
            done = await connection.execute("DELETE FROM model_calls WHERE at < $1", moment)
        return int(done.split()[-1])


def _tally(row: Record) -> Tally:
    return Tally(*(row[one.name] for one in fields(Tally)))


TABLES = (
    TableDeclaration(
        table="model_calls",
        purpose="every call of a model for a server: when, what for, which model, how many tokens, how long, whether"
        " it went well; never what was asked or answered, nor who asked",
        until="90 days, unless whoever runs the bot set another time",
        columns=columns(
            ids="guild_id call_id",
            times="at",
            numbers="tokens_in tokens_out milliseconds",
            states="purpose model outcome is_estimated",
        ),
        message=Stays("it says nothing about any message"),
        member=Stays("it says nothing about any member"),
        channel=Stays("it says nothing about any channel"),
        guild=Goes(),
    ),
)


# How often one member may have a model asked: a pause between two requests, and so many in an hour.


HOUR = timedelta(hours=1)
MOST_REQUESTS = 16
"""Of one member that are known by their messages: one request may need a model several times, also behind others."""
MOST_BEHIND = 3
"""Calls of models behind one request, that nobody waits for; what they leave undone waits for the next request."""
MOST_REMEMBERED = 20_000
"""Members whose last questions are remembered; beyond it those who have been silent longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Requester:
    """Says on whose behalf a model is asked, and in which message or interaction they wanted something."""

    user_id: int
    request_id: int

    @classmethod
    def of(cls, question: Question) -> "Requester":
        return cls(question.asker_id, question.message_id)

    @classmethod
    def without_message(cls, user_id: int, now: datetime) -> "Requester":
        """Make a requester for a page or the API, where every time is a request of its own."""
        return cls(user_id, new_id(now))


class Routine(StrEnum):
    """Names what a model is asked for on nobody's behalf: work that comes by itself, and no oftener than the clock."""

    NIGHT = auto()
    """Days that are over, with what is made of them."""
    DIGEST = auto()
    """Once a day at most."""
    QUIET = auto()
    """Public channels in which enough was said, when nobody has spoken there for an hour."""
    INDEX = auto()
    """A vector of each message, once."""
    FILES = auto()
    """Each picture and voice message, once, as many a day as managers say."""


@dataclass(slots=True)
class _Asker:
    times: list[datetime] = field(default_factory=list)
    """Of the questions that were answered within an hour, the oldest first, and in any case of the last."""
    requests: dict[int, int] = field(default_factory=dict)
    """What they wanted last, and how many calls nobody waited for it has taken."""


class Askers:
    """Remembers who asked when, as far as the limits need it: a pause between two questions, and so many in an hour."""

    def __init__(self, cooldown: timedelta = timedelta(), hourly: int = 0) -> None:
        """Take both limits; zero is none."""
        self._cooldown = cooldown
        self._hourly = hourly
        self._asked: OrderedDict[tuple[int, int], _Asker] = OrderedDict()

    def has_admitted(self, guild_id: int, user_id: int, question_id: int) -> bool:
        """Say whether a question was admitted of late."""
        asker = self._asked.get((guild_id, user_id))
        return asker is not None and question_id in asker.requests

    def may_go_on(self, guild_id: int, by: Requester) -> bool:
        """Say whether one more call that nobody waits for may be made behind a request that was admitted; it counts."""
        requests = self._asked[guild_id, by.user_id].requests
        requests[by.request_id] += 1
        return requests[by.request_id] <= MOST_BEHIND

    def admit(
        self, guild_id: int, user_id: int, now: datetime, question_id: int | None = None, hourly: int | None = None
    ) -> Wait | None:
        """Admit a question; None: they may ask, and it counts. What is turned away or answered once more does not.

        `hourly`: fewer questions within an hour, as the guild decided.
        """
        most = self._hourly if hourly is None or 0 < self._hourly <= hourly else hourly
        asker = self._asked.setdefault((guild_id, user_id), _Asker())
        self._asked.move_to_end((guild_id, user_id))
        if len(self._asked) > MOST_REMEMBERED:
            self._asked.popitem(last=False)
        if question_id in asker.requests:
            return None
        wait = self._wait(asker.times, now, most)
        if wait is None:
            asker.times = [*(asked for asked in asker.times if asked > now - HOUR), now]
            if question_id is not None:
                asker.requests[question_id] = 0
                if len(asker.requests) > MOST_REQUESTS:
                    del asker.requests[next(iter(asker.requests))]
        return wait

    def _wait(self, asked: Sequence[datetime], now: datetime, hourly: int) -> Wait | None:
        # A clock that was set back must not keep anybody waiting longer than a limit says.
        times = [min(moment, now) for moment in asked]
        waits: list[Wait] = []
        if times:
            waits.append(Wait((times[-1] + self._cooldown - now).total_seconds(), Limit.COOLDOWN))
        if 0 < hourly <= len(times):
            waits.append(Wait((times[-hourly] + HOUR - now).total_seconds(), Limit.HOURLY))
        longest = max(waits, key=lambda wait: wait.seconds, default=None)
        return longest if longest is not None and longest.seconds > 0 else None


# Says in health how each model is doing, whenever somebody looks: breakers close and open without being asked.


class ModelHealth:
    def __init__(self, models: Models, health: Health) -> None:
        """Report the models in health; a process without models has no such part."""
        self._models = models
        self._problem: str | None = None
        """Its text alone: an error holds on to whoever raised it, with what was asked."""
        self._part = health.part("models") if models.guards else None
        if self._part is not None:
            health.watch(self._look)

    def answered(self) -> None:
        self._problem = None
        if self._part is not None:
            self._part.count("answers")

    def quoted(self, problem: ModelError) -> None:
        """Note that no model answered, so that the answer was quoted.

        A budget that is spent or a prompt that was blocked says nothing of the models, and is a guild's own business.
        """
        if not isinstance(problem, BudgetExhausted) and type(problem) is not Refused:
            self._problem = f"{type(problem).__name__}: {problem}"
        if self._part is not None:
            self._part.count("quoted instead")

    def _look(self) -> None:
        if self._part is None:
            return
        states = self._models.states()
        issues = [_described(state) for state in states if state.state is not State.CLOSED]
        is_open = sum(state.state is State.OPEN for state in states)
        if self._problem is not None:
            issues.append(f"The latest answer had to be quoted ({self._problem}).")
        if self._answers_rest():
            self._part.failing("No model answers, so replies quote.", *issues, models=len(states), open=is_open)
        elif issues:
            self._part.limited(*issues, models=len(states), open=is_open)
        else:
            self._part.active(models=len(states), open=is_open)

    def _answers_rest(self) -> bool:
        """Say whether all models that answer are left alone for now."""
        chain = self._models.chain(Purpose.ANSWER)
        return chain is not None and all(state.state is State.OPEN for state in chain.states())


def _described(state: ModelState) -> str:
    because = f" ({state.says})" if state.says else ""
    if state.state is State.OPEN:
        return f"{state.model} is left alone for {ceil(state.again_in)} s{because}."
    return f"{state.model} is tried again with the next request{because}."
