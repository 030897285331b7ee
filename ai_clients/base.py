"""What a language model is to the rest of the house: something that turns a prompt into text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Prompt:
    rules: str
    """Our own words. Nothing that a person wrote may stand here."""
    data: str
    """What the rules are about: people's words, escaped and fenced in."""


@dataclass(frozen=True, slots=True)
class Usage:
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    model: str
    usage: Usage


class LanguageModel(Protocol):
    @property
    def name(self) -> str: ...

    async def generate(self, prompt: Prompt) -> Reply:
        """Raises `ModelError`, and nothing else, when there is no usable text."""
        ...

    async def close(self) -> None: ...


class Embedder(Protocol):
    """Turns texts into vectors of meaning, alike where the texts are."""

    @property
    def name(self) -> str:
        """Of the model. Vectors of different models cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[bytes | None]:
        """For each text a vector of length 1 as half floats, the high byte first; None where there is nothing to say.

        Raises `ModelError`, and nothing else.
        """
        ...
