"""Who can be asked for vectors: the model that is configured, and those of this machine, which are always there."""

from collections.abc import Sequence

from pgvector import HalfVector

from ai_clients.base import Embedder
from ai_clients.embedding import GuardedEmbedder
from ai_clients.static_vectors import StaticVectors
from memory.language.word_caches import is_forgetful
from memory.models.metering import Metering
from memory.models.usage import Requester

A_FEW = 100


class Embedders:
    def __init__(self, chosen: Embedder, metering: Metering | None = None) -> None:
        """Without metering nobody keeps a record of what is asked: for vectors that nobody charges for."""
        self.chosen = chosen
        self.here = chosen if isinstance(chosen, StaticVectors) else StaticVectors()
        """Quick enough for single words, and loaded when it is first asked."""
        is_forgetful(self.here)
        self._metering = metering

    @property
    def is_here(self) -> bool:
        """Nothing is sent anywhere."""
        return self.chosen is self.here

    def named(self, model: str | None) -> Embedder | None:
        """None for one that was configured once and cannot be asked any longer."""
        return next((one for one in (self.chosen, self.here) if one.name == model), None)

    def at_once(self, embedder: Embedder) -> int:
        """How many texts go into one request: what has been paid for is written down before the next one."""
        return embedder.texts_at_once if isinstance(embedder, GuardedEmbedder) else A_FEW

    async def embed(
        self,
        guild_id: int,
        embedder: Embedder,
        texts: Sequence[str],
        *,
        by: Requester | None = None,
        live: bool = False,
        seconds: float | None = None,
    ) -> list[HalfVector | None]:
        """Raises `ModelError`, and nothing else. `by`: on whose behalf, if on anybody's."""
        if embedder is self.here or self._metering is None:
            return await embedder.embed(texts)
        return await self._metering.embed(guild_id, embedder, texts, by=by, live=live, seconds=seconds)
