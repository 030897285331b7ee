"""The model that makes vectors, guarded like those that write.

There is one and no other behind it: vectors of different models do not compare, so what it cannot do now waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ai_clients.base import Embedder, Purpose, Usage
from ai_clients.calls import OnCall
from ai_clients.guard import Errand, Guard
from ai_clients.retrying import Persistence
from ai_clients.tokens import estimated_tokens


class ClosableEmbedder(Embedder, Protocol):
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Vectors:
    found: list[bytes | None]
    usage: Usage


class GuardedEmbedder:
    """Is an `Embedder` itself, to whoever needs no more of it."""

    def __init__(
        self, embedder: ClosableEmbedder, guard: Guard, seconds: float, *, persistence: Persistence | None = None
    ) -> None:
        self._embedder = embedder
        self.guard = guard
        self.seconds = seconds
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
    ) -> list[bytes | None]:
        """Raises `ModelError`, within `seconds`, else its own. Indexing is background work unless it is said."""
        tokens = sum(estimated_tokens(text) for text in texts)
        usage = Usage(tokens, 0, is_estimated=True)

        async def request() -> _Vectors:
            return _Vectors(await self._embedder.embed(texts), usage)

        until = self._persistence.now() + (self.seconds if seconds is None else seconds)
        vectors = await self._persistence.ask(
            self.guard, request, Errand(Purpose.EMBED, tokens, live, on_call), until=until
        )
        return vectors.found

    async def close(self) -> None:
        await self._embedder.close()
