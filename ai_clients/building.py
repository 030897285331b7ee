"""Builds the models that the settings name, each once, and puts them into the chains of their purposes."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ai_clients.base import Embedder, LanguageModel, Purpose
from ai_clients.breaker import ModelState
from ai_clients.checks import ModelCheck
from ai_clients.embedding import GuardedEmbedder
from ai_clients.guard import Guard
from ai_clients.pacing import day_start
from ai_clients.resilience import Chain, Link
from ai_clients.settings import ModelName, ModelOptions, Provider
from ai_clients.static_vectors import StaticVectors

Close = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Models:
    """All that this process asks. A purpose without a chain is served without a model."""

    chains: Mapping[Purpose, Chain]
    embedder: Embedder
    """Sends nothing anywhere unless it is a `GuardedEmbedder`."""
    guards: Mapping[str, Guard]
    """By the name of the model, each of which has one whatever it serves for."""
    closes: tuple[Close, ...] = ()

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
        for close in self.closes:
            await close()


def without_models() -> Models:
    return Models({}, StaticVectors(), {})


async def build_models(options: ModelOptions) -> Models:
    """Looks on this machine for an Ollama if nothing else is set up."""
    return _Workshop(options).models()


class _Workshop:
    """Builds each model once. SDKs are loaded when the first model needs them: Google's takes seconds."""

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._guards: dict[str, Guard] = {}
        self._speaking: dict[ModelName, LanguageModel] = {}
        self._closes: dict[object, Close] = {}

    def models(self) -> Models:
        chains: dict[Purpose, Chain] = {}
        for purpose in Purpose:
            if purpose is Purpose.EMBED:
                continue
            links = [self._link(name) for name in self._options.chain_of(purpose) if self._is_set_up(name)]
            if links:
                chains[purpose] = Chain(purpose, links, self._options.seconds_for(purpose))
        embedder = self._embedder()
        return Models(chains, embedder, self._guards, tuple(self._closes.values()))

    def _is_set_up(self, name: ModelName) -> bool:
        if name.provider is Provider.GEMINI:
            return self._options.gemini_api_key is not None
        return name.provider is Provider.STATIC

    def _link(self, name: ModelName) -> Link:
        if name not in self._speaking:
            from ai_clients.gemini import GeminiApi, GeminiModel

            model = GeminiModel(name.name, GeminiApi(self._options))
            self._speaking[name] = model
            self._closes[name] = model.close
        return Link(self._speaking[name], self._guard(name))

    def _guard(self, name: ModelName) -> Guard:
        return self._guards.setdefault(str(name), Guard(str(name), self._options.limits_of(str(name))))

    def _embedder(self) -> Embedder:
        for name in self._options.chain_of(Purpose.EMBED):
            if name.provider is Provider.STATIC or not self._is_set_up(name):
                continue
            from ai_clients.gemini import GeminiApi, GeminiEmbedder

            made = GeminiEmbedder(name.name, GeminiApi(self._options))
            self._closes[name] = made.close
            return GuardedEmbedder(made, self._guard(name), self._options.embed_seconds)
        return StaticVectors()


async def check_models(options: ModelOptions) -> list[ModelCheck]:
    """Asks for each configured model once."""
    asked: dict[ModelName, tuple[Purpose, ...]] = {}
    for purpose in Purpose:
        for name in options.chain_of(purpose):
            if name.provider is Provider.GEMINI and options.gemini_api_key is not None:
                asked[name] = (*asked.get(name, ()), purpose)
    if not asked:
        return []
    from ai_clients.gemini import GeminiApi, check_gemini

    api = GeminiApi(options)
    try:
        return await check_gemini(api, asked)
    finally:
        await api.close()
