"""Vectors from a server that speaks OpenAI's protocol, many texts in one request.

Some models want to be told in front of each text what it is for. The protocol of ours has one `embed` for messages and
questions alike, so both are told to be documents: that is what the messages are, which are many and stay; if questions
get a door of their own one day, no message has to be embedded again.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import openai
from pgvector import HalfVector
from pydantic import BaseModel, ConfigDict

from ai_clients.errors import BadReply
from ai_clients.openai_compatible.server import Server
from ai_clients.vector_bytes import width, written

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
        self._model = name
        self._server = server
        self._seconds = seconds
        self._prefix = next((prefix for family, prefix in _PREFIXES if family in name.lower()), "")
        self._most_characters = MOST_CHARACTERS
        self._numbers = 0

    @property
    def name(self) -> str:
        """As it stands in the settings."""
        return f"{self._server.label}:{self._model}"

    @property
    def dimensions(self) -> int:
        """0 until the first reply has shown it."""
        return width(self._numbers)

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        found: list[HalfVector | None] = [None] * len(texts)
        spoken = [place for place, text in enumerate(texts) if text.strip()]
        async with self._server.asked(self._model, self._seconds) as client:
            for start in range(0, len(spoken), TEXTS_AT_ONCE):
                places = spoken[start : start + TEXTS_AT_ONCE]
                vectors = await self._batch(client, [texts[place] for place in places])
                for place, vector in zip(places, vectors, strict=True):
                    found[place] = vector
        return found

    async def close(self) -> None:
        """Closes the server's client, which its models share; it opens again when one of them is asked."""
        await self._server.close()

    async def _batch(self, client: openai.AsyncOpenAI, texts: list[str]) -> list[HalfVector | None]:
        """How much a server reads at once is its own affair; one that finds a text too long gets less of it."""
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
        """Of the texts, by their numbers where those are all there."""
        numbers = [item.index for item in self.data]
        if sorted(number for number in numbers if number is not None) != list(range(len(numbers))):
            return self.data
        return sorted(self.data, key=lambda item: item.index or 0)


def _is_too_long(error: openai.APIStatusError) -> bool:
    if error.status_code == 413:
        return True
    return error.status_code in (400, 422, 500) and any(word in error.message.lower() for word in _TOO_LONG)
