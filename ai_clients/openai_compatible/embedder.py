"""Gets vectors from a server that speaks OpenAI's protocol, many texts in one request.

Some models want to be told in front of each text what it is for. The protocol of ours has one `embed` for messages and
questions alike, so both are told to be documents: that is what the messages are, which are many and stay; if questions
get a door of their own one day, no message has to be embedded again.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import openai
from pgvector import HalfVector
from pydantic import BaseModel, ConfigDict

from ai_clients.base import Purpose
from ai_clients.check import Checked, ModelCheck
from ai_clients.embedding import spoken, width, written
from ai_clients.errors import BadReply, ModelError, ModelGone
from ai_clients.openai_compatible.client import Server
from ai_clients.settings import ModelName, Provider

TEXTS_AT_ONCE: Final = 32
"""Local servers work through them one after the other; more would only make the reply long."""
MOST_CHARACTERS: Final = 4_000
"""Of one text, to begin with: no message is longer."""
LEAST_CHARACTERS: Final = 250

_PREFIXES: Final = (
    ("nomic-embed-text", "search_document: "),
    ("embeddinggemma", "title: none | text: "),
    ("multilingual-e5", "passage: "),
)
_TOO_LONG: Final = ("too large", "too long", "context", "exceed", "maximum", "batch size")


class OpenAIEmbedder:
    def __init__(self, name: str, server: Server, seconds: float) -> None:
        self.name = f"{server.label}:{name}"
        """As it stands in the settings."""
        self._model = name
        self._server = server
        self._seconds = seconds
        self._prefix = next((prefix for family, prefix in _PREFIXES if family in name.lower()), "")
        self._most_characters = MOST_CHARACTERS
        self._numbers = 0

    @property
    def dimensions(self) -> int:
        """Tell how many numbers a vector has; 0 until the first reply has shown it."""
        return width(self._numbers)

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        async with self._server.asked(self._model, self._seconds) as client:
            return await spoken(texts, partial(self._batch, client))

    async def _batch(self, client: openai.AsyncOpenAI, texts: list[str]) -> list[HalfVector | None]:
        """Embed a batch. How much a server reads is its own affair; one that finds a text too long gets less of it."""
        while True:
            try:
                raw = await client.embeddings.with_raw_response.create(
                    model=self._model,
                    input=[self._prefix + text[: self._most_characters] for text in texts],
                    encoding_format="float",  # the SDK would ask for base64, which not all can
                )
                break
            except openai.APIStatusError as error:
                if self._most_characters <= LEAST_CHARACTERS or not _is_too_long(error):
                    raise
                self._most_characters //= 2
        return await asyncio.to_thread(self._read, raw.content, len(texts))

    def _read(self, content: bytes, wanted: int) -> list[HalfVector | None]:
        vectors = [item.embedding for item in _Vectors.model_validate_json(content).in_order()]
        sizes = {len(vector) for vector in vectors} | ({self._numbers} if self._numbers else set())
        if len(vectors) != wanted or len(sizes) != 1 or sizes == {0}:
            who = self._server.naming(self._model)
            raise BadReply(f"{who} gave {len(vectors)} vectors for {wanted} texts, or of different sizes")
        [self._numbers] = sizes
        return written(vectors)


class _Vector(BaseModel):
    model_config = ConfigDict(strict=True)

    embedding: list[float]
    index: int | None = None


class _Vectors(BaseModel):
    data: list[_Vector]

    def in_order(self) -> list[_Vector]:
        """Order the vectors as the texts, by their numbers where those are all there."""
        numbers = [item.index for item in self.data]
        if sorted(number for number in numbers if number is not None) != list(range(len(numbers))):
            return self.data
        return sorted(self.data, key=lambda item: item.index or 0)


def _is_too_long(error: openai.APIStatusError) -> bool:
    if error.status_code == 413:
        return True
    return error.status_code in (400, 422, 500) and any(word in error.message.lower() for word in _TOO_LONG)


# Asks a server whether it has the models that are configured. Costs no tokens.


CHECK_SECONDS: Final = 10.0


async def check_openai(server: Server, asked: Mapping[ModelName, tuple[Purpose, ...]]) -> list[ModelCheck]:
    """Check each model once, whatever it serves for; all by one request."""
    checked = [_checked(server, name, purposes) for name, purposes in asked.items()]
    try:
        listed = await _list(server)
    except ModelGone:
        return [_without_list(server, one) for one in checked]
    except ModelError as error:
        return [one.fails(error) for one in checked]
    return [_found(server, one, listed) for one in checked]


def _checked(server: Server, name: ModelName, purposes: tuple[Purpose, ...]) -> Checked:
    if name.provider is Provider.OLLAMA:
        return Checked(name, purposes, f"Ollama at {server.address}", "OLLAMA_URL", "OLLAMA_URL")
    return Checked(name, purposes, f"the server at {server.address}", "OPENAI_API_KEY", "OPENAI_BASE_URL")


def _without_list(server: Server, checked: Checked) -> ModelCheck:
    """Say what to look at where there is no list of models: most often the address is cut short."""
    if server.names_a_version:
        return replace(checked.answers(), says="its server answers, but does not list its models")
    return ModelCheck(
        str(checked.name),
        checked.purposes,
        False,
        f"{checked.where} does not speak OpenAI's protocol at this address",
        f"Check {checked.address_variable}; the address usually ends with /v1.",
    )


def _found(server: Server, checked: Checked, listed: "Sequence[_Listed]") -> ModelCheck:
    name = checked.name.name
    names = [model.id for model in listed]
    if name in names or _is_of_any_name(listed):
        return checked.answers()
    if checked.name.provider is not Provider.OLLAMA:
        # Brokers hang wishes on a name, such as `:nitro`, that are in no list.
        if name.partition(":")[0] in names:
            return checked.answers()
        return checked.fails(ModelGone(server.naming(name)), [f"{server.label}:{known}" for known in names])
    if f"{name}:latest" in names:
        return checked.answers()
    gone = checked.fails(ModelGone(server.naming(name)), [f"{server.label}:{known}" for known in names])
    return replace(gone, remedy=f"Run `ollama pull {name}`. Or: {gone.remedy}")


def _is_of_any_name(listed: "Sequence[_Listed]") -> bool:
    """Say whether it is llama.cpp, which serves the one model it was started with, by whatever name it is asked for."""
    return len(listed) == 1 and listed[0].owned_by == "llamacpp"


class _Listed(BaseModel):
    id: str
    owned_by: str | None = None


class _List(BaseModel):
    data: list[_Listed]


async def _list(server: Server) -> list[_Listed]:
    async with server.asked("the list of models", CHECK_SECONDS) as client:
        raw = await client.models.with_raw_response.list()
        return _List.model_validate_json(raw.content).data
