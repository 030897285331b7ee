"""Builds the models that the settings name, each once, and puts them into the chains of their purposes.

SDKs are loaded when the first model needs them: Google's takes seconds, which nobody without a key should pay.
"""

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from ai_clients.base import Embedder, LanguageModel, Purpose
from ai_clients.breaker import ModelState
from ai_clients.choosing import SPEAKING, Choice, choose_models
from ai_clients.embedding import GuardedEmbedder
from ai_clients.guard import Guard
from ai_clients.pacing import day_start
from ai_clients.resilience import Chain, Link
from ai_clients.settings import ModelName, ModelOptions, Provider
from ai_clients.static_vectors import StaticVectors

if TYPE_CHECKING:
    from ai_clients.gemini.api import GeminiApi
    from ai_clients.openai_compatible.server import Server

OPENAI_ITSELF = "https://api.openai.com/v1"


class Closable(Protocol):
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Models:
    """All that this process asks. A purpose without a chain is served without a model."""

    chains: Mapping[Purpose, Chain]
    embedder: Embedder
    """Sends nothing anywhere unless it is a `GuardedEmbedder`."""
    guards: Mapping[str, Guard]
    """By the name of the model, each of which has one whatever it serves for."""
    connections: tuple[Closable, ...] = ()

    def chain(self, purpose: Purpose) -> Chain | None:
        return self.chains.get(purpose)

    def states(self) -> tuple[ModelState, ...]:
        return tuple(guard.breaker.status() for guard in self.guards.values())

    def counted_since(self, now: datetime) -> datetime:
        """Since when requests count against the limits of today."""
        return day_start(now)

    def seed(self, used_today: Mapping[str, int]) -> None:
        """How often each was asked since then, before this process began."""
        for name, used in used_today.items():
            if name in self.guards:
                self.guards[name].pace.seed(used)

    async def close(self) -> None:
        for connection in self.connections:
            await connection.close()


def without_models() -> Models:
    return Models({}, StaticVectors(), {})


async def build_models(options: ModelOptions) -> Models:
    """Looks on this machine for an Ollama if nothing else is set up."""
    choice = await choose_models(options)
    if any(name.provider is Provider.GEMINI for name in choice.names):
        await asyncio.to_thread(importlib.import_module, "ai_clients.gemini")
    return _Workshop(options).models(choice)


class _Workshop:
    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._links: dict[ModelName, Link] = {}
        self._guards: dict[str, Guard] = {}
        self._connections = Connections(options)

    def models(self, choice: Choice) -> Models:
        chains = {
            purpose: Chain(purpose, [self._link(name) for name in names], self._options.seconds_for(purpose, names))
            for purpose in SPEAKING
            if (names := choice.chains.get(purpose))
        }
        embedder = self._embedder(choice.embedder) if choice.embedder is not None else StaticVectors()
        return Models(chains, embedder, self._guards, self._connections.opened)

    def _link(self, name: ModelName) -> Link:
        if name not in self._links:
            self._links[name] = Link(self._model(name), self._guard(name))
        return self._links[name]

    def _model(self, name: ModelName) -> LanguageModel:
        if name.provider is Provider.GEMINI:
            from ai_clients.gemini.model import GeminiModel

            return GeminiModel(name.name, self._connections.gemini())
        from ai_clients.openai_compatible.model import OpenAIModel

        return OpenAIModel(name.name, self._connections.server(name.provider), self._options.longest_seconds)

    def _embedder(self, name: ModelName) -> GuardedEmbedder:
        seconds = self._options.embed_seconds
        if name.provider is Provider.GEMINI:
            from ai_clients.gemini.embedder import TEXTS_AT_ONCE as AT_ONCE_BY_GEMINI
            from ai_clients.gemini.embedder import GeminiEmbedder

            gemini = GeminiEmbedder(name.name, self._connections.gemini())
            return GuardedEmbedder(gemini, self._guard(name), seconds, texts_at_once=AT_ONCE_BY_GEMINI)
        from ai_clients.openai_compatible.embedder import TEXTS_AT_ONCE, OpenAIEmbedder

        server = OpenAIEmbedder(name.name, self._connections.server(name.provider), seconds)
        return GuardedEmbedder(server, self._guard(name), seconds, texts_at_once=TEXTS_AT_ONCE)

    def _guard(self, name: ModelName) -> Guard:
        return self._guards.setdefault(str(name), Guard(str(name), self._options.limits_of(str(name))))


class Connections:
    """One for each provider, whatever is asked of it."""

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._gemini: GeminiApi | None = None
        self._servers: dict[Provider, Server] = {}

    @property
    def opened(self) -> tuple[Closable, ...]:
        return (*self._servers.values(), *([] if self._gemini is None else [self._gemini]))

    def gemini(self) -> "GeminiApi":
        if self._gemini is None:
            from ai_clients.gemini.api import GeminiApi

            self._gemini = GeminiApi(self._options)
        return self._gemini

    def server(self, provider: Provider) -> "Server":
        if provider not in self._servers:
            from ai_clients.openai_compatible.server import Server

            options = self._options
            if provider is Provider.OLLAMA:
                self._servers[provider] = Server(str(options.ollama_url), None, provider)
            else:
                url = str(options.openai_base_url) if options.openai_base_url else OPENAI_ITSELF
                self._servers[provider] = Server(url, options.openai_api_key, provider)
        return self._servers[provider]

    async def close(self) -> None:
        for connection in self.opened:
            await connection.close()
