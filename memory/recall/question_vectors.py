"""The vector of a question, by the model whose vectors the guild's messages have, if it comes in good time.

Where vectors are made on this machine that takes no look at the store and no waiting. Otherwise a model is asked while
somebody waits, for a second at most; what it said is kept for a while, because people ask again.
"""

from dataclasses import dataclass

from cachetools import TTLCache
from pgvector import HalfVector

from ai_clients.errors import ModelError
from memory.language.word_caches import register_cache
from memory.models.usage import Requester
from memory.recall.embedder import Embedders
from memory.recall.vector_store import VectorStore

PATIENCE_SECONDS = 1.0
"""Then words find alone."""
KEPT = 500
"""Questions with their vectors, up to 6 kB each."""
KEPT_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Meant:
    model: str
    vector: HalfVector | None
    """None: words have to do."""


class QuestionVectors:
    def __init__(self, embedders: Embedders, store: VectorStore) -> None:
        self._embedders = embedders
        self._store = store
        self._kept: TTLCache[tuple[str, str], HalfVector | None] = TTLCache(KEPT, KEPT_SECONDS)
        register_cache(self)

    def forget_words(self) -> None:
        self._kept.clear()

    async def of(self, guild_id: int, text: str, by: Requester | None = None) -> Meant:
        """`by` is whoever asks; without them, or beyond their limit, no model is asked and words have to do."""
        here = self._embedders.here
        if self._embedders.is_here:
            return Meant(here.name, (await here.embed([text]))[0])
        serving = await self._store.serving(guild_id)
        if serving is None:
            return Meant("", None)
        if serving.model == here.name:
            vector = (await here.embed([text]))[0]
        elif serving.model == self._embedders.chosen.name:
            vector = await self._asked(guild_id, text, by)
        else:
            return Meant("", None)
        # A server may have another model by the same name; until all is made anew nothing compares with it.
        fits = vector is not None and vector.dimensions() == serving.dimensions
        return Meant(serving.model, vector if fits else None)

    async def _asked(self, guild_id: int, text: str, by: Requester | None) -> HalfVector | None:
        chosen = self._embedders.chosen
        key = chosen.name, text
        if key not in self._kept and by is not None:
            try:
                [vector] = await self._embedders.embed(
                    guild_id, chosen, [text], by=by, live=True, seconds=PATIENCE_SECONDS
                )
            except ModelError:
                return None
            self._kept[key] = vector
        return self._kept.get(key)
