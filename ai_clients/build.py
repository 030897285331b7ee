"""Builds the models that the settings name, each once, and puts them into the chains of their purposes.

SDKs are loaded when the first model needs them: Google's takes seconds, which nobody without a key should pay.
"""

import asyncio
import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ai_clients.base import Embedder, LanguageModel, Purpose
from ai_clients.chain import Chain, Link
from ai_clients.check import ModelCheck
from ai_clients.embedding import GuardedEmbedder, StaticVectors
from ai_clients.guard import Guard, ModelState
from ai_clients.ollama import choose, find_ollama
from ai_clients.settings import ModelName, ModelOptions, Provider

if TYPE_CHECKING:
    from ai_clients.gemini import GeminiApi
    from ai_clients.openai_compatible.client import Server


# Which of the models that the settings name are set up, and which of an Ollama's serve where none is.


SPEAKING = (Purpose.ANSWER, Purpose.SUMMARISE, Purpose.SMALL)
SENSES = (Purpose.SEE, Purpose.HEAR)
"""An Ollama that is found serves for none of these: most of its models can do neither."""

_MISSING = {
    Provider.GEMINI: "GEMINI_API_KEY",
    Provider.OPENAI: "OPENAI_BASE_URL or OPENAI_API_KEY",
}


@dataclass(frozen=True, slots=True)
class Choice:
    chains: Mapping[Purpose, tuple[ModelName, ...]]
    """Of those who speak; a purpose that nothing is set up for is not in here."""
    embedder: ModelName | None
    """None: the vectors that are built in."""

    @property
    def names(self) -> tuple[ModelName, ...]:
        return tuple(self.purposes)

    @property
    def purposes(self) -> dict[ModelName, tuple[Purpose, ...]]:
        found: dict[ModelName, tuple[Purpose, ...]] = {}
        for purpose in Purpose:
            embedding = () if purpose is not Purpose.EMBED or self.embedder is None else (self.embedder,)
            for name in (*self.chains.get(purpose, ()), *embedding):
                found[name] = (*found.get(name, ()), purpose)
        return found


async def choose_models(options: ModelOptions) -> Choice:
    chains = {
        purpose: names
        for purpose in (*SPEAKING, *SENSES)
        if (names := tuple(name for name in options.chain_of(purpose) if missing(name, options) is None))
    }
    if not chains.keys() >= set(SPEAKING):
        chains = await _of_ollama(options) | chains
    embedder = next((name for name in options.chain_of(Purpose.EMBED) if missing(name, options) is None), None)
    return Choice(chains, None if embedder is None or embedder.provider is Provider.STATIC else embedder)


def missing(name: ModelName, options: ModelOptions) -> str | None:
    """Name the setting without which this model cannot be asked; None if it can. Ollama needs none."""
    is_set_up = {
        Provider.GEMINI: options.gemini_api_key is not None,
        Provider.OPENAI: options.openai_base_url is not None or options.openai_api_key is not None,
    }.get(name.provider, True)
    return None if is_set_up else _MISSING[name.provider]


async def _of_ollama(options: ModelOptions) -> dict[Purpose, tuple[ModelName, ...]]:
    """Choose Ollama's models; none for vectors, which would all be made anew whenever Ollama is there or is not."""
    ollama = await find_ollama(str(options.ollama_url))
    if ollama is None:
        return {}
    chosen = choose(ollama)
    names = {Purpose.ANSWER: chosen.chat, Purpose.SUMMARISE: chosen.chat, Purpose.SMALL: chosen.small}
    return {purpose: (ModelName(Provider.OLLAMA, name),) for purpose, name in names.items() if name is not None}


OPENAI_ITSELF = "https://api.openai.com/v1"


class Closable(Protocol):
    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Models:
    """Holds all the models that this process asks. A purpose without a chain is served without a model."""

    chains: Mapping[Purpose, Chain]
    embedder: Embedder
    """Sends nothing anywhere unless it is a `GuardedEmbedder`."""
    guards: Mapping[str, Guard]
    """By the name of the model, each of which has one whatever it serves for."""
    connections: tuple[Closable, ...] = ()

    def chain(self, purpose: Purpose) -> Chain | None:
        return self.chains.get(purpose)

    def states(self) -> tuple[ModelState, ...]:
        return tuple(guard.status() for guard in self.guards.values())

    def seed(self, used_today: Mapping[str, int]) -> None:
        """Note how often each model was asked on this day of theirs, before this process began."""
        for name, used in used_today.items():
            if name in self.guards:
                self.guards[name].pace.seed(used)

    async def close(self) -> None:
        for connection in self.connections:
            await connection.close()


def without_models() -> Models:
    return Models({}, StaticVectors(), {})


async def build_models(options: ModelOptions) -> Models:
    """Build the models; look on this machine for an Ollama if nothing else is set up."""
    choice = await choose_models(options)
    if any(name.provider is Provider.GEMINI for name in choice.names):
        await asyncio.to_thread(importlib.import_module, "ai_clients.gemini")
    return _Workshop(options).models(choice)


class _Workshop:
    """Makes each model once, and one connection for each provider, whatever is asked of it."""

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._links: dict[ModelName, Link] = {}
        self._guards: dict[str, Guard] = {}
        self._gemini: GeminiApi | None = None
        self._servers: dict[Provider, Server] = {}

    def models(self, choice: Choice) -> Models:
        chains = {
            purpose: Chain(purpose, [self._link(name) for name in names], self._options.seconds_for(purpose, names))
            for purpose in (*SPEAKING, *SENSES)
            if (names := choice.chains.get(purpose))
        }
        embedder = self._embedder(choice.embedder) if choice.embedder is not None else StaticVectors()
        return Models(chains, embedder, self._guards, self.connections)

    @property
    def connections(self) -> tuple[Closable, ...]:
        return (*self._servers.values(), *([] if self._gemini is None else [self._gemini]))

    async def check(self, provider: Provider, names: Mapping[ModelName, tuple[Purpose, ...]]) -> list[ModelCheck]:
        if provider is Provider.GEMINI:
            from ai_clients.gemini import check_gemini

            return await check_gemini(self._api(), names)
        from ai_clients.openai_compatible.embedder import check_openai

        return await check_openai(self._server(provider), names)

    def _link(self, name: ModelName) -> Link:
        if name not in self._links:
            self._links[name] = Link(self._model(name), self._guard(name))
        return self._links[name]

    def _model(self, name: ModelName) -> LanguageModel:
        if name.provider is Provider.GEMINI:
            from ai_clients.gemini import GeminiModel

            return GeminiModel(name.name, self._api())
        from ai_clients.openai_compatible.model import OpenAIModel

        return OpenAIModel(name.name, self._server(name.provider), self._options.longest_seconds)

    def _embedder(self, name: ModelName) -> GuardedEmbedder:
        seconds = self._options.embed_seconds
        embedder: Embedder
        if name.provider is Provider.GEMINI:
            from ai_clients.gemini import TEXTS_AT_ONCE as AT_ONCE_BY_GEMINI
            from ai_clients.gemini import GeminiEmbedder

            embedder, at_once = GeminiEmbedder(name.name, self._api()), AT_ONCE_BY_GEMINI
        else:
            from ai_clients.openai_compatible.embedder import TEXTS_AT_ONCE, OpenAIEmbedder

            embedder, at_once = OpenAIEmbedder(name.name, self._server(name.provider), seconds), TEXTS_AT_ONCE
        return GuardedEmbedder(embedder, self._guard(name), seconds, texts_at_once=at_once)

    def _guard(self, name: ModelName) -> Guard:
        return self._guards.setdefault(str(name), Guard(str(name), self._options.limits_of(str(name))))

    def _api(self) -> "GeminiApi":
        if self._gemini is None:
            from ai_clients.gemini import GeminiApi

            self._gemini = GeminiApi(self._options)
        return self._gemini

    def _server(self, provider: Provider) -> "Server":
        from ai_clients.openai_compatible.client import Server

        options = self._options
        if provider not in self._servers and provider is Provider.OLLAMA:
            self._servers[provider] = Server(str(options.ollama_url), None, provider)
        elif provider not in self._servers:
            self._servers[provider] = Server(
                str(options.openai_base_url or OPENAI_ITSELF), options.openai_api_key, provider
            )
        return self._servers[provider]


# Asks every configured model whether it is there. Costs no tokens.


async def check_models(options: ModelOptions) -> list[ModelCheck]:
    """Check each model once, whatever it serves for; none where nothing is set up."""
    asked: dict[Provider, dict[ModelName, tuple[Purpose, ...]]] = {}
    for name, purposes in (await choose_models(options)).purposes.items():
        asked.setdefault(name.provider, {})[name] = purposes
    workshop = _Workshop(options)
    checks: list[ModelCheck] = []
    try:
        for provider, names in asked.items():
            checks += await workshop.check(provider, names)
    finally:
        for connection in workshop.connections:
            await connection.close()
    return checks + _left_out(options)


def _left_out(options: ModelOptions) -> list[ModelCheck]:
    """List models that somebody named, and that cannot be asked. Of the defaults nobody expects it."""
    left_out: dict[ModelName, tuple[Purpose, ...]] = {}
    for purpose in Purpose:
        if f"{purpose}_models" in options.model_fields_set:
            for name in options.chain_of(purpose):
                if missing(name, options) is not None:
                    left_out[name] = (*left_out.get(name, ()), purpose)
    return [
        ModelCheck(
            str(name),
            purposes,
            False,
            f"is in the settings, but {missing(name, options)} is not",
            f"Set {missing(name, options)}, or take the model out of "
            f"{' and '.join(f'{purpose.upper()}_MODELS' for purpose in purposes)}.",
            needs_setting=True,
        )
        for name, purposes in left_out.items()
    ]
