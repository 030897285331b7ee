"""Models of a test's own, put where those of the settings would be."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ai_clients.base import Embedder, LanguageModel, Purpose
from ai_clients.build import Closable, Models
from ai_clients.chain import Chain, Link
from ai_clients.embedding import GuardedEmbedder, StaticVectors
from ai_clients.guard import Guard
from memory.models.usage import Requester

BY = Requester(77, 1)
"""Has a model asked where a test is not about who does; nobody else in any test is this member."""
VECTORS = StaticVectors()
"""One for all tests of a process: reading them takes a while."""


@dataclass
class Watch:
    """The time of breakers, which a test need not wait for."""

    ahead: float = 0.0

    def now(self) -> float:
        return time.monotonic() + self.ahead


class ClosableModel(LanguageModel, Closable, Protocol):
    """A model with a connection of its own."""


class ClosableEmbedder(Embedder, Closable, Protocol):
    """Vectors that come over a connection."""


def answering(
    *models: ClosableModel,
    seconds: float = 20.0,
    watch: Watch | None = None,
    embedder: ClosableEmbedder | None = None,
    others: Mapping[Purpose, LanguageModel] | None = None,
) -> Models:
    """They answer, in this order, and do nothing else. What else is to be done, `others` do."""
    now = (watch or Watch()).now
    guards = {model.name: Guard(model.name, now=now) for model in models}
    chains = {Purpose.ANSWER: Chain(Purpose.ANSWER, [Link(model, guards[model.name]) for model in models], seconds)}
    for purpose, model in (others or {}).items():
        guards.setdefault(model.name, Guard(model.name, now=now))
        chains[purpose] = Chain(purpose, [Link(model, guards[model.name])], seconds)
    if embedder is None:
        return Models(chains, VECTORS, guards, models)
    guards[embedder.name] = Guard(embedder.name, now=now)
    guarded = GuardedEmbedder(embedder, guards[embedder.name], seconds)
    return Models(chains, guarded, guards, (*models, embedder))
