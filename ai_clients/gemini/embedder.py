"""Vectors from the Gemini API, many texts in one request."""

import asyncio
from collections.abc import Sequence

from google.genai import types
from pgvector import HalfVector

from ai_clients.errors import BadReply
from ai_clients.gemini.api import GeminiApi, told_as_ours, within
from ai_clients.vector_bytes import written

TEXTS_AT_ONCE = 100
"""The API takes no more in one request."""
MOST_CHARACTERS = 8_000
"""Of one text; the older models read 2,048 tokens and refuse what is longer."""
DIMENSIONS = 768
"""Of 3,072. The models are made to be cut to this, with next to no loss, at a quarter of the room."""


class GeminiEmbedder:
    def __init__(self, name: str, api: GeminiApi, *, seconds: float | None = None) -> None:
        self._name = name
        self._api = api
        self._seconds = seconds if seconds is not None else api.longest_seconds

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> list[HalfVector | None]:
        found: list[HalfVector | None] = [None] * len(texts)
        spoken = [place for place, text in enumerate(texts) if text.strip()]
        async with within(self._seconds, self._name):
            for start in range(0, len(spoken), TEXTS_AT_ONCE):
                places = spoken[start : start + TEXTS_AT_ONCE]
                vectors = await self._batch([texts[place][:MOST_CHARACTERS] for place in places])
                for place, vector in zip(places, vectors, strict=True):
                    found[place] = vector
        return found

    async def close(self) -> None:
        await self._api.close()

    async def _batch(self, texts: list[str]) -> list[HalfVector | None]:
        with told_as_ours(self._name):
            response = await self._api.client.models.embed_content(
                model=self._name,
                contents=[types.Content(parts=[types.Part(text=text)]) for text in texts],
                config=types.EmbedContentConfig(output_dimensionality=DIMENSIONS),
            )
        vectors = [embedding.values or [] for embedding in response.embeddings or ()]
        if len(vectors) != len(texts) or any(len(vector) != DIMENSIONS for vector in vectors):
            raise BadReply(f"{self._name} gave {len(vectors)} vectors for {len(texts)} texts, or of another size")
        return await asyncio.to_thread(written, vectors)
