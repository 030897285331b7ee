"""What became of each time a model was asked, for the accounts. Never what was asked or answered."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ai_clients.base import Purpose, Usage
from ai_clients.errors import BadReply, ModelError, RateLimited, Refused, TimedOut


class Outcome(StrEnum):
    OK = "ok"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"
    REFUSED = "refused"
    BAD_REPLY = "bad_reply"
    TIMED_OUT = "timed_out"
    ABANDONED = "abandoned"
    """Whoever asked no longer waits for it; the provider may count it all the same."""

    @classmethod
    def of(cls, error: ModelError) -> "Outcome":
        match error:
            case RateLimited():
                return cls.RATE_LIMITED
            case TimedOut():
                return cls.TIMED_OUT
            case Refused():
                return cls.REFUSED
            case BadReply():
                return cls.BAD_REPLY
        return cls.UNAVAILABLE


@dataclass(frozen=True, slots=True)
class Call:
    """One request that went out."""

    purpose: Purpose
    model: str
    usage: Usage | None
    """None where it failed and nothing is known of it."""
    seconds: float
    outcome: Outcome


OnCall = Callable[[Call], None]
