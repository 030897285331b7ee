"""Configures which models serve, and how they are reached. Names are settings because providers retire them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, HttpUrl, SecretStr
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from ai_clients.base import Purpose

# What each model allows and costs, as the settings say it: `gemini-3.8-flash=10/min,250/day; ollama:*=60/min`.


T = TypeVar("T")

_LIMIT = re.compile(r"(\d{1,12})\s*(tok)?/(min|day)")


@dataclass(frozen=True, slots=True)
class Limits:
    """Says how much may be asked of a model; None where there is no limit."""

    requests_per_minute: int | None = None
    requests_per_day: int | None = None
    tokens_per_minute: int | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """Holds the money that a million tokens cost."""

    tokens_in: Decimal
    tokens_out: Decimal

    def of(self, tokens_in: int, tokens_out: int) -> Decimal:
        return (self.tokens_in * tokens_in + self.tokens_out * tokens_out) / 1_000_000


def parse_limits(text: str) -> dict[str, Limits]:
    return {name: _limits(name, terms) for name, terms in _entries(text).items()}


def parse_prices(text: str) -> dict[str, Price]:
    return {name: _price(name, terms) for name, terms in _entries(text).items()}


def of_model(name: str, terms: Mapping[str, T]) -> T | None:
    """Find what was said of this very model, otherwise of the first pattern that it fits."""
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


LOCAL_ANSWER_SECONDS = 60.0
LOOPBACK = ("127.0.0.1", "[::1]", "localhost")


class Provider(StrEnum):
    GEMINI = "gemini"
    OPENAI = "openai"
    OLLAMA = "ollama"
    STATIC = "static"


@dataclass(frozen=True, slots=True)
class ModelName:
    """Names a model as a chain does: `gemini-3.8-flash`, `openai:gpt-5-mini`, `ollama:qwen3:8b`, `static`."""

    provider: Provider
    name: str
    """As its provider knows it."""

    def __str__(self) -> str:
        """Write the model as accounts, limits and health know it."""
        if self.provider in (Provider.OPENAI, Provider.OLLAMA):
            return f"{self.provider}:{self.name}"
        return self.name

    @classmethod
    def parse(cls, text: str) -> "ModelName":
        prefix, colon, rest = text.partition(":")
        if text == Provider.STATIC:
            return cls(Provider.STATIC, text)
        if not colon:
            return cls(Provider.GEMINI, text.removeprefix("models/"))
        if prefix not in (Provider.OPENAI, Provider.OLLAMA) or not rest:
            raise ValueError(f"{text!r} is neither a Gemini model nor openai:name nor ollama:name")
        return cls(Provider(prefix), rest)


def _split(value: object) -> object:
    return tuple(filter(None, (name.strip() for name in value.split(",")))) if isinstance(value, str) else value


def _speaking(names: tuple[str, ...]) -> tuple[str, ...]:
    if any(ModelName.parse(name).provider is Provider.STATIC for name in names):
        raise ValueError("static makes vectors and nothing else")
    return _without_repetition(names)


def _embedding(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        ModelName.parse(name)
    return _without_repetition(names)


def _without_repetition(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(names)) < len(names):
        raise ValueError("a model is named twice")
    return names


def _parsable(parse: Callable[[str], object]) -> AfterValidator:
    def check(value: str) -> str:
        parse(value)
        return value

    return AfterValidator(check)


Chained = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_speaking)]
Embedders = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split), AfterValidator(_embedding)]

_CHAIN = "the first that answers serves. Entries: a Gemini or Gemma model, openai:name, ollama:name"


class ModelOptions(BaseSettings):
    model_config = SettingsConfigDict(populate_by_name=True, extra="ignore")

    gemini_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="GEMINI_API_KEY",
        description="Key of the Gemini API. Without it and without a server below, answers quote what was found.",
    )
    gemini_base_url: HttpUrl | None = Field(
        default=None,
        validation_alias="GOOGLE_GEMINI_BASE_URL",
        description="Another address that speaks the Gemini API.",
    )
    openai_base_url: HttpUrl | None = Field(
        default=None,
        validation_alias="OPENAI_BASE_URL",
        description="A server that speaks OpenAI's API, with its /v1; for the models named openai:… "
        "(default with a key: OpenAI itself).",
    )
    openai_api_key: SecretStr | None = Field(
        default=None,
        validation_alias="OPENAI_API_KEY",
        description="Key of that server, if it wants one.",
    )
    ollama_url: HttpUrl = Field(
        default=HttpUrl("http://127.0.0.1:11434/v1"),
        validation_alias="OLLAMA_URL",
        description="Where Ollama answers. It serves the models named ollama:…; where no other model is set up, "
        "it is looked for here.",
    )
    answer_models: Chained = Field(
        default=("gemini-3.8-flash", "gemma-4-31b-it"),
        validation_alias="ANSWER_MODELS",
        description=f"Models that answer, in this order; {_CHAIN}.",
    )
    summarise_models: Chained = Field(
        default=("gemini-3.8-flash", "gemma-4-31b-it"),
        validation_alias="SUMMARISE_MODELS",
        description="Models that summarise days, which catch-ups and digests are read from, and channels, likewise.",
    )
    small_models: Chained = Field(
        default=("gemini-3.5-flash-lite", "gemma-4-31b-it"),
        validation_alias="SMALL_MODELS",
        description="Cheaper models that understand what is wanted and merge facts, likewise.",
    )
    see_models: Chained = Field(
        default=(),
        validation_alias="SEE_MODELS",
        description="Models that describe pictures, where a server wants it, likewise (default: SMALL_MODELS).",
    )
    hear_models: Chained = Field(
        default=(),
        validation_alias="HEAR_MODELS",
        description="Models that write voice messages down, where a server wants it: Gemini's, or openai:whisper-1 and "
        "its like; if unset, those of Gemini's among SMALL_MODELS.",
    )
    embed_models: Embedders = Field(
        default=("static",),
        validation_alias="EMBED_MODELS",
        description="Model that makes vectors: the first that is set up. `static` is built in and sends nothing "
        "anywhere; gemini-embedding-2 or ollama:nomic-embed-text understand more.",
    )
    answer_seconds: float = Field(
        default=20.0,
        ge=1,
        le=120,
        validation_alias="ANSWER_SECONDS",
        description="How long an answer may take, whatever models do, before quotations serve instead (1 to 120). "
        "Where only models on this machine answer, and nothing is set here: 60.",
    )
    summarise_seconds: float = Field(
        default=120.0,
        ge=1,
        le=900,
        validation_alias="SUMMARISE_SECONDS",
        description="The same for a summary (1 to 900).",
    )
    small_seconds: float = Field(
        default=20.0,
        ge=1,
        le=120,
        validation_alias="SMALL_SECONDS",
        description="The same for small tasks (1 to 120).",
    )
    embed_seconds: float = Field(
        default=30.0,
        ge=1,
        le=300,
        validation_alias="EMBED_SECONDS",
        description="The same for a batch of vectors (1 to 300).",
    )
    model_limits: Annotated[str, _parsable(parse_limits)] = Field(
        default="",
        validation_alias="MODEL_LIMITS",
        description="How much may be asked of each model, such as "
        "`gemini-3.8-flash=10/min,250/day,250000tok/min; ollama:*=60/min`. Questions go before background work.",
    )
    model_prices: Annotated[str, _parsable(parse_prices)] = Field(
        default="",
        validation_alias="MODEL_PRICES",
        description="Money for a million tokens in and out, such as `gemini-3.8-flash=0.30/2.50; gemma-*=0/0`; "
        "for `/innkeeper usage`.",
    )
    price_currency: str = Field(
        default="USD",
        min_length=1,
        max_length=10,
        validation_alias="PRICE_CURRENCY",
        description="What that money is called.",
    )

    def chain_of(self, purpose: Purpose) -> tuple[ModelName, ...]:
        hearing = self.hear_models or tuple(name for name in self.small_models if name.startswith("gemini"))
        names = {
            Purpose.SEE: self.see_models or self.small_models,
            Purpose.HEAR: hearing,
            Purpose.ANSWER: self.answer_models,
            Purpose.SUMMARISE: self.summarise_models,
            Purpose.SMALL: self.small_models,
            Purpose.EMBED: self.embed_models,
        }[purpose]
        return tuple(ModelName.parse(name) for name in names)

    def seconds_for(self, purpose: Purpose, names: Sequence[ModelName] = ()) -> float:
        """Find how long to wait for a purpose where these models are asked for it."""
        is_ours_to_choose = purpose is Purpose.ANSWER and "answer_seconds" not in self.model_fields_set
        if is_ours_to_choose and names and all(map(self._is_here, names)):
            return LOCAL_ANSWER_SECONDS
        return {
            Purpose.ANSWER: self.answer_seconds,
            Purpose.SUMMARISE: self.summarise_seconds,
            Purpose.SMALL: self.small_seconds,
            Purpose.EMBED: self.embed_seconds,
            Purpose.SEE: self.summarise_seconds,
            Purpose.HEAR: self.summarise_seconds,
        }[purpose]

    @property
    def longest_seconds(self) -> float:
        """Find the longest time that any purpose may take."""
        ours = 0.0 if "answer_seconds" in self.model_fields_set else LOCAL_ANSWER_SECONDS
        return max(ours, *map(self.seconds_for, Purpose))

    def _is_here(self, name: ModelName) -> bool:
        """Say whether a model is on this machine, which may be a slow one."""
        is_near = self.openai_base_url is not None and self.openai_base_url.host in LOOPBACK
        return name.provider is Provider.OLLAMA or (name.provider is Provider.OPENAI and is_near)

    def limits_of(self, model: str) -> Limits:
        return of_model(model, parse_limits(self.model_limits)) or Limits()

    def price_of(self, model: str) -> Price | None:
        """Find what the model costs; None where nobody said."""
        return of_model(model, parse_prices(self.model_prices))
