"""What models were asked for a guild, and what it took: numbers and names of models, never what was said."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One attempt to have one model do something."""

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
    """All calls of one model for one purpose within some time."""

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
    """Tokens that may be used for a guild on its calendar day."""

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
    """A guild's use of models on calendar days of its own; the last of them is today."""

    has_model: bool
    """Whether there is any to be asked now; there may have been one before."""
    budget: DailyBudget
    currency: str
    today: tuple[Spending, ...]
    week: tuple[Spending, ...]
    month: tuple[Spending, ...]
