"""The model that makes vectors, guarded like those that write.

There is one and no other behind it: vectors of different models do not compare, so what it cannot do now waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from pgvector import HalfVector

from ai_clients.base import Embedder, Purpose, Usage
from ai_clients.calls import OnCall
from ai_clients.guard import Errand, Guard
from ai_clients.retrying import Persistence
from ai_clients.tokens import estimated_tokens


class ClosableEmbedder(Embedder, Protocol):
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Vectors:
    found: list[HalfVector | None]
    usage: Usage


class GuardedEmbedder:
    """Is an `Embedder` itself, to whoever needs no more of it."""

    def __init__(
        self,
        embedder: ClosableEmbedder,
        guard: Guard,
        seconds: float,
        *,
        texts_at_once: int = 100,
        persistence: Persistence | None = None,
    ) -> None:
        """`texts_at_once` is what one request takes, and `seconds` how long that may be."""
        self._embedder = embedder
        self.guard = guard
        self.seconds = seconds
        self.texts_at_once = texts_at_once
        self._persistence = persistence or Persistence()

    @property
    def name(self) -> str:
        return self.guard.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    async def embed(
        self,
        texts: Sequence[str],
        *,
        live: bool = False,
        seconds: float | None = None,
        on_call: OnCall | None = None,
    ) -> list[HalfVector | None]:
        """Raises `ModelError` if one of its requests fails in `seconds`, else its own.

        Indexing is background work; whoever waits for an answer says so.
        """
        found: list[HalfVector | None] = []
        for start in range(0, len(texts), self.texts_at_once):
            batch = texts[start : start + self.texts_at_once]
            tokens = sum(estimated_tokens(text) for text in batch)
            vectors = await self._persistence.ask(
                self.guard,
                partial(self._request, batch, Usage(tokens, 0, is_estimated=True)),
                Errand(Purpose.EMBED, tokens, live, on_call),
                until=self._persistence.now() + (self.seconds if seconds is None else seconds),
            )
            found += vectors.found
        return found

    async def _request(self, texts: Sequence[str], usage: Usage) -> _Vectors:
        return _Vectors(await self._embedder.embed(texts), usage)

    async def close(self) -> None:
        await self._embedder.close()
