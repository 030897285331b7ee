"""What an answer says of its own, and why it is only quoted."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto

from ai_clients.errors import BadReply, BudgetExhausted, Misconfigured, ModelError, RateLimited, Refused, TimedOut
from memory.language.detect import Language
from memory.language.wording import SentenceKey, wording


class Say(SentenceKey):
    """What answers are made of that no model wrote."""


# Why an answer is only quoted although there is a model: one sentence for each reason, fit for any member to read.
#
# None of them says that nothing is known, and none tells of keys, names of models or what a server said.


class Why(StrEnum):
    BUSY = auto()
    SPENT = auto()
    AWAY = auto()
    SLOW = auto()
    REFUSED = auto()
    MISCONFIGURED = auto()
    UNUSABLE = auto()
    ASKED_TOO_OFTEN = auto()
    """How long they have to wait is said before it."""


@dataclass(frozen=True, slots=True)
class Reason:
    why: Why
    until: datetime | None = None
    """When that is over, where it is known."""

    @classmethod
    def of(cls, error: ModelError, now: datetime) -> "Reason":
        match error:
            case BudgetExhausted(retry_after=float(seconds)):
                return cls(Why.SPENT, now + timedelta(seconds=seconds))
            case BudgetExhausted():
                return cls(Why.SPENT)
            case RateLimited():
                return cls(Why.BUSY)
            case TimedOut():
                return cls(Why.SLOW)
            case Misconfigured():
                return cls(Why.MISCONFIGURED)
            case Refused():
                return cls(Why.REFUSED)
            case BadReply():
                return cls(Why.UNUSABLE)
        return cls(Why.AWAY)

    def sentence(self, language: Language) -> str:
        said = wording(language, self.why)
        if self.until is None:
            return said
        # Discord shows it as "in 5 hours", in the language of whoever reads it.
        return f"{said} (<t:{int(self.until.timestamp())}:R>)"
