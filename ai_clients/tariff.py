"""What each model allows and costs, as the settings say it: `gemini-3.8-flash=10/min,250/day; ollama:*=60/min`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fnmatch import fnmatchcase
from typing import TypeVar

T = TypeVar("T")

_LIMIT = re.compile(r"(\d{1,12})\s*(tok)?/(min|day)")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much may be asked of a model; None where there is no limit."""

    requests_per_minute: int | None = None
    requests_per_day: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens."""

    tokens_in: Decimal
    tokens_out: Decimal

    def of(self, tokens_in: int, tokens_out: int) -> Decimal:
        return (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / 1_000_000


def parse_limits(text: str) -> dict[str, Limits]:
    return {name: _limits(name, terms) for name, terms in _entries(text).items()}


def parse_prices(text: str) -> dict[str, Price]:
    return {name: _price(name, terms) for name, terms in _entries(text).items()}


def of_model(name: str, terms: Mapping[str, T]) -> T | None:
    """What was said of this very model, otherwise of the first pattern that it fits."""
    if name in terms:
        return terms[name]
    return next((said for pattern, said in terms.items() if fnmatchcase(name, pattern)), None)


def _entries(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        name, equals, terms = (part.strip() for part in entry.partition("="))
        if not (name and equals and terms):
            raise ValueError(f"{entry!r} is not of the form model=…")
        if name in found:
            raise ValueError(f"{name} is named twice")
        found[name] = terms
    return found


def _limits(name: str, terms: str) -> Limits:
    said: dict[str, int] = {}
    for term in terms.split(","):
        match = _LIMIT.fullmatch(term.strip())
        if match is None or match.group(2, 3) == ("tok", "day"):
            raise ValueError(f"{term.strip()!r} of {name} is none of 10/min, 250/day, 250000tok/min")
        kind = "tokens_per_minute" if match[2] else f"requests_per_{'minute' if match[3] == 'min' else 'day'}"
        if kind in said:
            raise ValueError(f"{name} has the same limit twice")
        if int(match[1]) < 1:
            raise ValueError(f"{name} may be asked nothing at all; leave it out of the chain instead")
        said[kind] = int(match[1])
    return Limits(**said)


def _price(name: str, terms: str) -> Price:
    tokens_in, slash, tokens_out = terms.partition("/")
    try:
        price = Price(Decimal(tokens_in.strip()), Decimal(tokens_out.strip()))
    except InvalidOperation:
        slash = ""
    if not slash or not all(part.is_finite() and part >= 0 for part in (price.tokens_in, price.tokens_out)):
        raise ValueError(f"{terms!r} of {name} is not of the form 0.30/2.50, tokens in and out")
    return price
