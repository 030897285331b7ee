"""Defines what can go wrong with a model, as far as it makes a difference to whoever asked it.

    ModelError
    ├── RateLimited        too much was asked of it; later it may answer
    ├── BudgetExhausted    we ourselves will not ask any more today
    ├── Unavailable        not reached, or overloaded
    │   └── TimedOut       not done in time
    ├── Refused            it will not answer this prompt
    │   └── Misconfigured  it will answer no prompt until somebody changes a setting
    │       ├── KeyRefused
    │       └── ModelGone
    └── BadReply           it answered, with nothing that can be used

The text of each is for operators; it never holds what was asked or answered, nor a key.
"""

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime


class ModelError(Exception):
    """The model did not answer."""


class RateLimited(ModelError):
    """Too much was asked; `retry_after` is the delay in seconds that is wanted, if one is known."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BudgetExhausted(ModelError):
    """What may be spent has been spent; `retry_after` says in how many seconds there is more, if that is known."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Unavailable(ModelError):
    """The model was not reached, is overloaded, or too slow; it may work later."""


class TimedOut(Unavailable):
    """It took longer than whoever asked can wait."""


class Refused(ModelError):
    """The request itself was not taken. Of this very class: this prompt was blocked, others may pass."""


class Misconfigured(Refused):
    """No request will be taken until a setting changes."""


class KeyRefused(Misconfigured):
    """The key is wrong, revoked, or may not use this model."""


class ModelGone(Misconfigured):
    """There is no model of that name (any more)."""


class BadReply(ModelError):
    """It answered, with nothing that can be used."""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read the delay that a server wants: in milliseconds, in seconds, or as a time of day."""
    try:
        if (milliseconds := headers.get("retry-after-ms")) is not None:
            delay = float(milliseconds) / 1000
        elif (wanted := headers.get("retry-after", "")).strip()[:1].isalpha():
            delay = parsedate_to_datetime(wanted).timestamp() - time.time()
        else:
            delay = float(wanted)
    except (ValueError, OverflowError):
        return None
    return max(0.0, delay) if math.isfinite(delay) else None
