"""Defines what a model is to the rest of the house: something that turns a prompt into text, or texts into vectors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from pgvector import HalfVector
from pydantic import BaseModel

from ai_clients.errors import BadReply, ModelError, RateLimited, Refused, TimedOut

ShapeT = TypeVar("ShapeT", bound=BaseModel)


class Purpose(StrEnum):
    """Names what a model is asked for. Each purpose has a chain of models of its own."""

    ANSWER = "answer"
    SUMMARISE = "summarise"
    SMALL = "small"
    EMBED = "embed"
    SEE = "see"
    HEAR = "hear"


@dataclass(frozen=True, slots=True)
class PromptFile:
    """Holds a picture or a recording that goes with a prompt."""

    media_type: str
    data: bytes = field(repr=False)

    @property
    def is_sound(self) -> bool:
        return self.media_type.startswith("audio/")


FILE_TOKENS = 1_100
"""About what a picture, or half a minute of speech, takes."""


class Transcript(BaseModel):
    """What somebody says in a recording."""

    words: str


@dataclass(frozen=True, slots=True)
class Prompt:
    rules: str
    """Our own words. Nothing that a person wrote may stand here."""
    data: str
    """What the rules are about: people's words, escaped and fenced in."""
    is_steady: bool = False
    """Whether one and the same reply is wanted every time: temperature 0, where a model takes one."""
    most_tokens: int = 8_192
    """Of the reply, with what is thought before it: a model that goes round in circles is paid no further. The chain of
    each purpose sets it."""
    files: tuple[PromptFile, ...] = ()
    """Of people as well. A model that cannot take one refuses the prompt."""


@dataclass(frozen=True, slots=True)
class Usage:
    tokens_in: int
    tokens_out: int
    is_estimated: bool = False
    """The reply did not say; counted by length."""


@dataclass(frozen=True, slots=True)
class Shaped(Generic[ShapeT]):
    """Holds a reply that was asked for in a shape, and has it."""

    value: ShapeT
    model: str
    usage: Usage


class LanguageModel(Protocol):
    @property
    def name(self) -> str: ...

    async def generate_as(self, prompt: Prompt, shape: type[ShapeT]) -> Shaped[ShapeT]:
        """Ask for a reply of a shape; one that has not got it is a `BadReply`. Raises `ModelError`, nothing else."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of meaning, alike where the texts are."""

    @property
    def name(self) -> str:
        """Name the model. Vectors of different models cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        """Make for each text a vector of length 1; None where there is nothing to say.

        Raises `ModelError`, and nothing else.
        """
        ...


# What became of each time a model was asked, for the accounts. Never what was asked or answered.


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
    """Records one request that went out."""

    purpose: Purpose
    model: str
    usage: Usage | None
    """None where it failed and nothing is known of it."""
    seconds: float
    outcome: Outcome


OnCall = Callable[[Call], None]


# How many tokens a text will be, for those who have to know before, or were not told after.


BYTES_OF_A_TOKEN = 4
"""About right for the languages of Europe; by bytes, because other scripts take more tokens for a character."""


def estimated_tokens(text: str) -> int:
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_OF_A_TOKEN)


def estimated_usage(prompt: Prompt, reply: str) -> Usage:
    sent = estimated_tokens(prompt.rules + prompt.data) + FILE_TOKENS * len(prompt.files)
    return Usage(sent, estimated_tokens(reply), is_estimated=True)
